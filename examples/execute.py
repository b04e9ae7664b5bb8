"""Executes the notebooks of this folder in place: `make notebooks`, or `python examples/execute.py NOTEBOOK ...`."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent

# A notebook takes some seconds; on a busy machine some more.
TIMEOUT = 300


def executed(path: Path) -> nbformat.NotebookNode:
    """A notebook with the outputs of a fresh kernel, without metadata that differs from run to run."""
    notebook: nbformat.NotebookNode = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=TIMEOUT, kernel_name="python3", record_timing=False, resources={"metadata": {"path": FOLDER}}
    )
    client.execute()
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


if __name__ == "__main__":
    for path in list(map(Path, sys.argv[1:])) or sorted(FOLDER.glob("*.ipynb")):
        notebook = executed(path)
        path.write_text(nbformat.writes(notebook, indent=1) + "\n", encoding="utf-8")
        print(path)
