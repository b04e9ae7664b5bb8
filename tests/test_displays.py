"""What notebooks show: drawings of every game, results, running searches, plots."""

import pickle
import re
import time
from typing import Any
from xml.etree import ElementTree

import matplotlib
import pytest
import secateurs
from IPython.core.formatters import DisplayFormatter
from secateurs import Engine, IllegalMove, Position
from secateurs._display import span
from secateurs._native import _readable

GAMES = list(secateurs.games())

SVG = "{http://www.w3.org/2000/svg}"


def shapes(drawing: str) -> dict[str, int]:
    """How many shapes there are of each class; of dots, how many dots."""
    counts: dict[str, int] = {}
    for element in ElementTree.fromstring(drawing).iter():
        kind = element.get("class", "")
        counts[kind] = counts.get(kind, 0) + (element.get("d", "").count("h0") or 1)
    return counts


@pytest.mark.parametrize("game", GAMES)
def test_every_game_draws_every_position(game: str) -> None:
    position = Position(game)
    while True:
        drawing = position.svg()
        # No game shows the board of a terminal.
        assert "monospace" not in drawing
        root = ElementTree.fromstring(drawing)
        assert root.tag == f"{SVG}svg"
        assert position.text in (root.findtext(f"{SVG}title") or "")
        assert "mark-line" not in shapes(drawing)
        width, height = float(root.get("width", "0")), float(root.get("height", "0"))
        for circle in root.iter(f"{SVG}circle"):
            x, y, r = (float(circle.get(name, "nan")) for name in ("cx", "cy", "r"))
            assert r <= x <= width - r
            assert r <= y <= height - r
        moves = position.legal_moves
        marked = [position.svg(move, theme="light") for move in moves]
        assert len(set(marked)) == len(moves)
        assert all({"mark", "mark-line"} & shapes(one).keys() for one in marked)
        assert ("to move" in drawing) == (position.outcome is None)
        # A game of chess is long.
        if position.outcome is not None or len(position.history) == 80:
            break
        position = position.play(moves[-1])


class Unnamed(secateurs.Game):
    """A game whose positions are written as nothing."""

    def __init__(self, number: int = 0) -> None:
        """A position by its number."""
        self.number, self.turn = number, 1

    def moves(self) -> list[int]:
        return [1]

    def play(self, mv: int) -> "Unnamed":
        return Unnamed(self.number + mv)

    def outcome(self) -> secateurs.Outcome:
        return secateurs.Outcome()

    def __str__(self) -> str:
        return ""


def test_a_board_without_a_line_is_drawn() -> None:
    assert ElementTree.fromstring(Position(Unnamed()).svg()).tag == f"{SVG}svg"


class Coloured(Unnamed):
    """A game whose board is coloured for a terminal."""

    def moves(self) -> list[Any]:
        return ["on\ufffe"]

    def play(self, mv: Any) -> "Coloured":
        return Coloured(1)

    def __str__(self) -> str:
        return "\x1b[31mred\x1b[0m \x00\ufffe"


def test_characters_that_xml_forbids_are_replaced() -> None:
    position = Position(Coloured())
    drawing = ElementTree.fromstring(position.svg("on\ufffe"))
    texts = [element.text for element in drawing.iter(f"{SVG}text")]
    assert "\ufffd[31mred\ufffd[0m \ufffd\ufffd" in texts
    assert "best move on\ufffd" in texts


def test_drawings_show_what_is_there() -> None:
    assert shapes(Position("kalah").svg())["seed-line"] == 48
    assert shapes(Position("nim", heaps="3,0,41").svg())["seed-line"] == 44
    stones = shapes(Position.parse("44453", "connect4").svg())
    assert (stones["first"], stones["second"], stones["paper"]) == (3, 2, 42 + 1)
    drops = shapes(Position.parse("44453", "cfour").svg())
    assert (drops["first"], drops["second"]) == (3, 2)
    assert "South wins by 2" in Position.parse("<1,3,0,0,1> s").svg()
    assert "A draw" in Position.parse("<1,1,0,0,1> s").svg()


def test_themes_are_known() -> None:
    position = Position("nim")
    light, dark, auto = (position.svg(theme=theme) for theme in ("light", "dark", "auto"))
    assert len({light, dark, auto}) == 3
    assert "prefers-color-scheme" in auto
    assert "prefers-color-scheme" not in light + dark
    with pytest.raises(ValueError, match='not "blue"'):
        position.svg(theme="blue")  # type: ignore[arg-type]
    with pytest.raises(IllegalMove, match='"9-9"'):
        position.svg("9-9")


@pytest.mark.parametrize("game", GAMES)
def test_results_are_shown(game: str) -> None:
    formatter: Any = DisplayFormatter()
    position = Position(game)
    result, *_ = Engine(hash=1).analyse(position, depth=4, multipv=2)
    formats, _ = formatter.format(result)
    html = formats["text/html"]
    assert f"depth {result.depth}" in html
    assert " ".join(_readable(position, result.pv)) in html
    assert position.svg(result.best_move) in html
    assert formatter.format(position)[0]["image/svg+xml"] == position.svg()
    ElementTree.fromstring(html)
    finished = Engine(hash=1).analyse(Position.parse("0 1", "nim"), depth=3)
    assert "lost" in formatter.format(finished)[0]["text/html"]


@pytest.mark.parametrize(
    ("position", "moves", "parts"),
    [
        (
            Position("kalah", houses=3, seeds=3),
            "all",
            ("value 2, proven<", "1 \u2605", "2 \u2605", "3<", "-4<", "best play: "),
        ),
        (Position("kalah", houses=3, seeds=3), "none", ("value 2, proven<",)),
        (Position.parse("6146", "connect4"), "best", ("value 18, win in 3 plies, proven<", "best play: ")),
        (Position.parse("1,1 1", "nim", theory=False), "best", ("value -2, loss in 2 plies, proven<",)),
        (Position.parse("0 1", "nim"), "best", ("value 0, proven<",)),
    ],
)
def test_solutions_are_shown(position: Position, moves: Any, parts: tuple[str, ...]) -> None:
    solution = Engine(hash=1).solve(position, moves=moves)
    html = DisplayFormatter().format(solution)[0]["text/html"]  # type: ignore[no-untyped-call]
    ElementTree.fromstring(html)
    assert all(part in html for part in parts), html
    assert ("best play" in html) == bool(solution.pv)
    known = solution.moves or dict.fromkeys(solution.best_moves, (solution.value, solution.value))
    order = sorted(known, key=lambda move: move not in solution.best_moves)
    values: dict[Any, str] = {move: str(known[move][0]) for move in order}
    assert position.svg(solution.pv[0] if solution.pv else None, values=values) in html
    assert solution.position == position


def test_what_is_known_of_a_value_is_shown() -> None:
    endless = Position("kalah", houses=12, seeds=12)
    assert "value from -276 to 276<" in Engine(hash=1).solve(endless, nodes=1)._repr_html_()
    unknown = Engine(hash=1).solve(Position("nim", heaps="9,9,9", theory=False), nodes=1)
    assert "value unknown<" in unknown._repr_html_()
    assert span(4, None) == "\u2265\u00a04"
    assert span(None, -1) == "\u2264\u00a0-1"
    assert span(12, 1) == "from 12 to 1"


def test_a_running_search_is_shown_until_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    class Handle:
        def update(self, html: Any) -> None:
            shown.append(html.data)

    def display(html: Any, *, display_id: bool) -> Handle:
        assert display_id
        shown.append(html.data)
        return Handle()

    monkeypatch.setattr("IPython.display.display", display)
    engine = Engine(hash=1)
    with engine.analysis(Position("kalah", houses=12, seeds=12)) as analysis:
        analysis._ipython_display_()  # type: ignore[attr-defined]
        for result in analysis:
            if result.depth == 4:
                break
        time.sleep(0.3)
    deadline = time.monotonic() + 20
    while ", done" not in shown[-1] and time.monotonic() < deadline:
        time.sleep(0.01)
    assert ", done" in shown[-1]
    assert any(", searching" in page or ">searching<" in page for page in shown)


def test_plots_follow_the_theme() -> None:
    search = Engine(hash=1).analyse(Position(), depth=4).plot()
    players = [Engine(hash=1), Engine(hash=1)]
    match = secateurs.match(players, Position("kalah", houses=3, seeds=3), secateurs.Limit(nodes=50), rounds=1).plot()
    for drawing in (search, secateurs.compare("startpos", [1, 2]).plot(), match):
        picture = drawing._repr_html_()
        assert picture is not None
        root = ElementTree.fromstring(picture)
        assert root.tag == f"{SVG}svg"
        style = root.findtext(f"{SVG}style") or ""
        for place in ("@media (prefers-color-scheme:dark)", '[data-jp-theme-light="false"]', ".vscode-dark"):
            assert place in style
        assert "--secateurs-ink:#2b2a27" in style
        assert "--secateurs-ink:#e8e6e1" in style
        # All colours are by name: by night nothing stays black on black.
        drawn = picture.replace(style, "")
        assert not re.search("#[0-9a-fA-F]{6}", drawn), re.findall("#[0-9a-fA-F]{6}", drawn)
        # A power has its colour from the group that it is in.
        groups = {below: group for group in root.iter() for below in group}
        texts = list(root.iter(f"{SVG}text"))
        assert texts
        for text in texts:
            styles = text.get("style", "") + groups[text].get("style", "")
            assert "var(--secateurs-ink)" in styles, ElementTree.tostring(text)
    # Matplotlib's own settings are as they were.
    assert matplotlib.rcParams["text.color"] == "black"


def test_a_search_is_plotted() -> None:
    result = Engine(hash=4).analyse(Position("kalah"), depth=9)
    figure = result.plot()
    value, nodes = figure.axes
    exact = [step for step in result.iterations if step.bound == "exact"]
    (line,) = [line for line in value.lines if line.get_label() == "value"]
    points: Any = line.get_xydata()
    assert points.tolist() == [[step.depth, step.score.cp / 100] for step in exact]
    assert len(nodes.patches) == len(exact)
    assert figure._repr_png_().startswith(b"\x89PNG")  # type: ignore[attr-defined]
    finished = Engine(hash=1).analyse(Position.parse("0 1", "nim"), depth=3)
    assert finished.plot().axes


@pytest.mark.parametrize("drawn", [None, b"<svg></svg>", 3])
def test_a_game_draws_itself_as_text(drawn: object) -> None:
    class Own(secateurs.Game):
        turn = 1

        def __init__(self) -> None:
            self.left = 1

        def moves(self) -> list[str]:
            return ["on"]

        def play(self, move: str) -> secateurs.Game:
            return Own()

        def outcome(self) -> secateurs.Outcome:
            return secateurs.Outcome()

        def svg(self, best: str | None, theme: str) -> object:
            return drawn

    with pytest.raises(TypeError, match=re.escape(f"Own.svg() returns a str, not {drawn!r}")):
        Position(Own()).svg()


def test_lines_are_a_table() -> None:
    lines = Engine(hash=1).analyse(Position("chess"), depth=3, multipv=3)
    html = DisplayFormatter().format(lines)[0]["text/html"]  # type: ignore[no-untyped-call]
    ElementTree.fromstring(f"<div>{html}</div>")
    assert html.count("<tr>") == 4
    assert all(line.best_san in html for line in lines)
    assert lines == list(lines)
    assert pickle.loads(pickle.dumps(lines)) == lines


def test_values_stand_where_moves_lead() -> None:
    position = Position("chess")
    drawing = position.svg(values={"e2e4": "+0.3", "Nf3": "a < b"})
    assert ">+0.3</text>" in drawing
    assert ">a &lt; b</text>" in drawing
    # Different values of moves to one square stand below each other, equal ones once.
    king = Position("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1")
    assert king.svg(values={"g5g6": "7.5", "f6g6": "7.5", "g5h5": "7.5"}).count(">7.5</text>") == 2
    assert king.svg(values={"g5g6": "0", "f6g6": "3"}).count("mark") > king.svg(values={"g5g6": "0"}).count("mark")
    with pytest.raises(IllegalMove):
        position.svg(values={"e2e5": "1"})
