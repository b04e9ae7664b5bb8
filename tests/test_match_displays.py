"""Matches: progress, notebooks, pictures."""

import math
import pickle
import re
import sys
import textwrap
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import nbclient
import nbformat
import pytest
from players import BOARD, chance, first
from secateurs import Engine, Limit, Match, match
from secateurs._matches.result import Estimate


def test_progress_is_reported() -> None:
    seen: list[int] = []
    found = match([first, chance()], BOARD, rounds=3, progress=lambda so_far: seen.append(len(so_far.games)))
    assert seen == [1, 2, 3, 4, 5, 6]
    assert len(found.games) == 6

    def stop(_: Match) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough") as raised:
        match([first, chance()], BOARD, rounds=300, progress=stop)
    so_far = raised.value.match  # type: ignore[attr-defined]
    assert 1 <= len(so_far.games) < 300
    assert not so_far.finished


def test_a_notebook_shows_the_match_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[str] = []

    class Handle:
        def update(self, html: Any) -> None:
            pages.append(html.data)

    cell = SimpleNamespace(kernel=None, execution_count=1)
    monkeypatch.setattr("IPython.get_ipython", lambda: cell)
    monkeypatch.setattr("IPython.display.display", lambda *_, **__: Handle())
    found = match({"one": first, "two": chance()}, BOARD, rounds=3)
    assert pages
    assert "6 games" in pages[-1]
    # The cell shows its value: the table on the way gives place to it, and to that of this cell alone.
    followed = pages[-1]
    assert pickle.loads(pickle.dumps(found)).games == found.games
    assert (found._repr_html_(), pages[-1]) == (followed, "")
    pages.append("another cell")
    assert (found._repr_html_(), pages[-1]) == (followed, "another cell")
    found = match({"one": first, "two": chance()}, BOARD, rounds=1)
    cell.execution_count += 1
    assert found._repr_html_() == pages[-1]
    assert "2 games" in pages[-1]


def test_a_notebook_shows_the_crosstable_once() -> None:
    code = """
    import secateurs
    def first(position): return position.legal_moves[0]
    secateurs.match([first, first], secateurs.Position("nim"), rounds=2)
    """
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(textwrap.dedent(code))])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    pages = [output["data"].get("text/html", "") for output in notebook.cells[0].outputs if "data" in output]
    assert sum("<svg" in page for page in pages) == 1


def test_a_terminal_shows_the_match_under_way(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    match({"one": first, "two": chance()}, BOARD, rounds=3, progress=True)
    err = capsys.readouterr().err
    assert "0/6 games, the players get ready" in err
    assert "1/6 games, one " in err
    assert err.splitlines()[-1].split("\033[K")[-1].startswith("6/6 games, one ")
    match({"one": first, "two": chance()}, BOARD, rounds=1, progress=False)
    assert capsys.readouterr().err == ""


def test_a_file_gets_plain_lines(capsys: pytest.CaptureFixture[str]) -> None:
    match({"one": first, "two": chance()}, BOARD, rounds=3, progress=True)
    err = capsys.readouterr().err
    assert not set(err) & {"\033", "\r"}
    assert err.endswith("\n")
    lines = err.splitlines()
    assert lines[0] == "secateurs: 0/6 games, the players get ready"
    assert lines[-1].startswith("secateurs: 6/6 games, one ")
    match({"one": first, "two": chance()}, BOARD, rounds=1)
    assert capsys.readouterr().err == ""


def sample(names: int) -> Match:
    """A match between so many players."""
    players: Any = {"search": Engine(hash=1), "chance": chance(), "first": first, "a longer name <&>": chance(2)}
    return match(dict(list(players.items())[:names]), BOARD, Limit(depth=3), rounds=4)


@pytest.mark.parametrize("names", [2, 3, 4])
def test_the_crosstable_is_drawn(names: int) -> None:
    found = sample(names)
    light, dark, auto = (found.svg(theme=theme) for theme in ("light", "dark", "auto"))
    assert len({light, dark, auto}) == 3
    root = ElementTree.fromstring(auto)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    for element in root.iter("{http://www.w3.org/2000/svg}rect"):
        x, y, w, h = (float(element.get(name, "0")) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + w <= width
        assert 0 <= y <= y + h <= height
    for row in found.standings:
        assert row.name in texts
        assert f"{row.points:g} / {row.games}" in texts
    for counts in found.crosstable.values():
        assert " \u2013 ".join(map(str, counts)) in texts
    ElementTree.fromstring(found._repr_html_())
    with pytest.raises(ValueError, match='not "blue"'):
        found.svg(theme="blue")  # type: ignore[arg-type]


def test_the_axis_of_the_crosstable_has_a_scale() -> None:
    for names in (2, 3):
        found = sample(names)
        root = ElementTree.fromstring(found.svg())
        texts = {element.text: element for element in root.iter("{http://www.w3.org/2000/svg}text")}
        (reach,) = [int(text[1:]) for text in texts if text and re.fullmatch(r"\+\d+", text)]
        assert {f"+{reach}", "0", f"\N{MINUS SIGN}{reach}"} <= texts.keys()
        low, high = (float(texts[sign].get("x", "nan")) for sign in (f"\N{MINUS SIGN}{reach}", f"+{reach}"))
        # Every dot is where the scale has its value.
        dots = [circle for circle in root.iter("{http://www.w3.org/2000/svg}circle") if circle.get("class") == "ink"]
        strengths = [found.elo] if found.elo else [row.rating for row in found.standings]
        for dot, strength in zip(dots, strengths, strict=True):
            place = low + (high - low) * (max(-reach, min(reach, strength[0])) + reach) / (2 * reach)
            assert float(dot.get("cx", "nan")) == pytest.approx(place, abs=0.01)


def test_a_match_is_plotted() -> None:
    figure = sample(2).plot()
    (line,) = [line for line in figure.axes[0].lines if "against" in str(line.get_label())]
    points: Any = line.get_xydata()
    assert points[-1][0] == 8
    assert math.isfinite(points[-1][1])
    assert figure._repr_png_().startswith(b"\x89PNG")  # type: ignore[attr-defined]
    several = sample(3).plot()
    assert [label.get_text() for label in several.axes[0].get_yticklabels()][-1] == "search"


def test_what_is_rounded_to_zero_has_no_minus() -> None:
    assert str(Estimate(-0.04, -10.0, 0.0)) == "+0.0 [-10.0, +0.0]"
    assert str(Estimate(math.inf, -42.9, math.inf)) == "+inf [-42.9, +inf]"
