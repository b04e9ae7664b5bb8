"""What the site makes of docstrings and notebooks. That its links hold is checked where it is built: `make site`."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest
import secateurs
from secateurs import aio

ROOT = Path(__file__).parent.parent

sys.path.insert(0, str(ROOT / "docs/site"))

from cells import markdown_of  # noqa: E402
from commands import PAGE, command_line  # noqa: E402
from picture import PICTURES, draw  # noqa: E402
from reference import reference  # noqa: E402


@pytest.fixture(scope="module")
def page() -> str:
    return reference()


@pytest.fixture(scope="module")
def text(page: str) -> str:
    """The page without its code."""
    return re.sub(r"`[^`\n]+`", "", re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL))


def test_all_that_is_public_has_its_place(page: str) -> None:
    for module in (secateurs, aio):
        names = [name for name in module.__all__ if not name.startswith("_")]
        assert [name for name in names if f"{{#{module.__name__}.{name}}}" not in page] == []
    for name in ("Engine.analyse", "Result.plot", "Position.parse", "PlayResult.move", "Match.standings", "Game.moves"):
        assert f"{{#secateurs.{name}}}" in page


def test_docstrings_become_markdown(page: str, text: str) -> None:
    assert not re.search(r":\w+:|^:(?:param|raises|return)|>>>|``", text, re.MULTILINE)
    assert "\n- `hash`: " in page
    assert "\n- `ValueError`: " in page
    assert "```pycon\n>>> " in page
    links = re.findall(r"\]\(#([^)]+)\)", page)
    assert len(links) > 50
    assert [link for link in links if f"{{#{link}}}" not in page] == []


def test_signatures_have_types_and_overloads(page: str) -> None:
    assert "Engine.analyse(\n    position: Position | chess.Board | str | Game,\n    limit: Limit | chess" in page
    assert "Engine.play(" in page
    assert "Result.pv: list[str | chess.Move]\n" in page
    assert "_M" not in page
    assert page.count("\nEngine.analyse(\n") == 2
    assert "Result.score: Score | Any\n" in page
    assert "class Engine(hash: int = 64, threads: int = 1, aspiration: int | None = None)\n" in page
    assert "await Engine.analyse(" in page
    moves = "root_moves: Iterable[str | int | chess.Move] | str | int | chess.Move | None = None"
    assert f"    {moves},\n    **limits,\n" in page
    signatures = "".join(re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
    assert "self" not in re.findall(r"\w+", signatures)


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_become_pages(path: Path) -> None:
    page = markdown_of(path)
    assert page.startswith("# ")
    assert "```python\n" in page
    # Plots that follow the theme are drawings; others are pictures.
    assert "<svg" in page or '<img alt="" src="data:image/png;base64,' in page


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_shows_the_search(theme: Literal["light", "dark"]) -> None:
    committed = (PICTURES / f"tree-{theme}.svg").read_text(encoding="utf-8")
    assert draw(theme) == committed, "python docs/site/picture.py draws it again"


def test_the_command_line_has_the_help_of_every_command() -> None:
    page = command_line()
    for heading in ("## secateurs", "## secateurs analyse", "### secateurs endgame build", "### secateurs book probe"):
        assert f"\n{heading}\n" in page
    assert page.count("\nUsage: secateurs") == page.count("\n## ") + page.count("\n### ")
    assert PAGE.read_text(encoding="utf-8") == page, "python docs/site/commands.py writes it again"


def test_links_between_pages_lead_to_files() -> None:
    pages = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    missing = []
    for page in (ROOT / name for name in pages.split()):
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        links = re.findall(r"(?<=\]\()(?!https?:|#|mailto:)[^)#\s]+", text)
        missing += [(page.name, link) for link in links if not (page.parent / link).exists()]
    assert missing == []
