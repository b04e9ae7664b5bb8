"""The notebooks in `examples/`: each is executed, and shows what it showed when it was committed."""

import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))

sys.path.insert(0, str(EXAMPLES))

from execute import executed  # noqa: E402


def shown(notebook: Any) -> list[list[list[str]]]:
    """The formats of each output of each cell."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [[sorted(output.get("data", {output.output_type: ""})) for output in cell.outputs] for cell in cells]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run_and_show_what_they_showed(path: Path) -> None:
    committed = nbformat.read(path, as_version=4)
    assert shown(executed(path, short=True)) == shown(committed)
    outputs = [output for cell in committed.cells for output in cell.get("outputs", ())]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert not any(output.output_type == "error" or output.get("name") == "stderr" for output in outputs)
    assert "pip install" in committed.cells[0].source
    # What a fresh execution changes are outputs.
    assert "timestamp" not in path.read_text(encoding="utf-8").lower()


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS
