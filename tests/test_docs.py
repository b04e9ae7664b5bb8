"""Whatever the documentation shows is run, or is what it says: docstrings, pages, excerpts of sources."""

import doctest
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import secateurs
from mutants import MUTANTS
from quickstart import blocks, consoles, printed
from secateurs import aio, widget

ROOT = Path(__file__).parent.parent


def documented() -> Iterator[tuple[str, str | None]]:
    """The package and everything public in it: name and docstring."""
    for module in (secateurs, aio, widget):
        yield module.__name__, module.__doc__
        for name in module.__all__:
            thing = getattr(module, name)
            if not name.startswith("__"):
                named = f"{module.__name__}.{name}"
                yield named, thing.__doc__
                if isinstance(thing, type) and not issubclass(thing, Exception):
                    # The fields of a dataclass are in its own docstring.
                    fields = getattr(thing, "__dataclass_fields__", {})
                    shown = (member for member in vars(thing) if not member.startswith("_") and member not in fields)
                    members = ((member, vars(thing)[member]) for member in shown)
                    yield from ((f"{named}.{member}", value.__doc__) for member, value in members)


DOCSTRINGS = dict(documented())


@pytest.mark.parametrize("name", sorted(DOCSTRINGS))
def test_docstrings(name: str) -> None:
    text = DOCSTRINGS[name]
    assert text
    run(text, name, {"secateurs": secateurs})


# The package that a page needs beside Secateurs. A page is skipped without it.
NEEDED = {
    "docs/kaggle.md": "kaggle_environments",
    "docs/openspiel.md": "pyspiel",
    "docs/pettingzoo.md": "pettingzoo",
}

PAGES = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md"))]


@pytest.mark.parametrize("page", [str(page.relative_to(ROOT)) for page in PAGES if blocks(page, "python", "pycon")])
def test_pages(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page in NEEDED:
        pytest.importorskip(NEEDED[page], reason=f"{NEEDED[page]} is not installed")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    for number, block in enumerate(blocks(ROOT / page, "python", "pycon")):
        if ">>>" in block:
            run(block, f"{page}, block {number + 1}", names)
        else:
            exec(compile(block, f"{page}, block {number + 1}", "exec", dont_inherit=True), names)


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "docs/quickstart.md"])
def test_consoles(page: str, tmp_path: Path) -> None:
    """Every command of the page prints what the page shows, but for times and node counts; ``...`` stands for lines."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command, pattern in consoles(ROOT / page):
        output = printed(command, tmp_path, path)
        assert re.fullmatch(pattern, output), f"{command} prints\n{output}"


def test_excerpts_are_what_the_sources_say() -> None:
    sources = [ROOT / "src/registry/mod.rs", *ROOT.glob("src/games/nim/*.rs")]
    texts = [source.read_text(encoding="utf-8") for source in sources]
    pieces = [
        piece.strip("\n")
        for block in blocks(ROOT / "docs/games-in-rust.md", "rust")
        for piece in re.split(r"^ *// \.\.\.$", block, flags=re.MULTILINE)
    ]
    assert len(pieces) > 10
    assert [piece for piece in pieces if not any(piece in text for text in texts)] == []


def run(text: str, name: str, names: dict[str, object]) -> None:
    """Runs the examples of a text; names that they define stay."""
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    example = doctest.DocTestParser().get_doctest(text, names, name, None, None)
    output: list[str] = []
    failed, _ = doctest.DocTestRunner(optionflags=flags).run(example, out=output.append, clear_globs=False)
    names.update(example.globs)
    assert not failed, "".join(output)


def test_mutants_are_changes_of_the_sources() -> None:
    """Those of ``mutants.py``, which runs too long to be a test."""
    for name, file, old, _ in MUTANTS:
        assert (ROOT / file).read_text(encoding="utf-8").count(old) == 1, name
