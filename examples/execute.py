"""Executes the notebooks of this folder in place: `make notebooks`, or `python examples/execute.py NOTEBOOK ...`."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent

# A cell takes at most some minutes; on a busy machine some more.
TIMEOUT = 1_200


def executed(path: Path, short: bool = False) -> nbformat.NotebookNode:
    """A notebook with the outputs of a fresh kernel, without metadata that differs from run to run.

    :param short: whether the texts that the metadata ``short`` of cells has are replaced, for tests.
    """
    notebook: nbformat.NotebookNode = nbformat.read(path, as_version=4)
    for cell in notebook.cells if short else ():
        for text, replacement in cell.metadata.get("short", {}).items():
            cell.source = cell.source.replace(text, replacement)
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
