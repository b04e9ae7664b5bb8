"""Whatever the documentation shows is run: the examples in docstrings and in the README."""

import doctest
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import secateur
from secateur import aio

ROOT = Path(__file__).parent.parent


def documented() -> Iterator[tuple[str, str | None]]:
    """The package and everything public in it: name and docstring."""
    for module in (secateur, aio):
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


@pytest.mark.parametrize("name", DOCSTRINGS)
def test_docstrings(name: str) -> None:
    text = DOCSTRINGS[name]
    assert text
    run(text, name, {"secateur": secateur})


@pytest.mark.parametrize("page", ["README.md", "docs/batches.md", "docs/games-in-python.md"])
def test_pages(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": "page"}
    for number, block in enumerate(re.findall(r"^```(?:python|pycon)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)):
        if ">>>" in block:
            run(block, f"{page}, block {number + 1}", names)
        else:
            exec(compile(block, f"{page}, block {number + 1}", "exec", dont_inherit=True), names)


def run(text: str, name: str, names: dict[str, object]) -> None:
    """Runs the examples of a text; names that they define stay."""
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    example = doctest.DocTestParser().get_doctest(text, names, name, None, None)
    output: list[str] = []
    failed, _ = doctest.DocTestRunner(optionflags=flags).run(example, out=output.append, clear_globs=False)
    names.update(example.globs)
    assert not failed, "".join(output)
