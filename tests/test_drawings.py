"""Drawings with marks: what users of ``chess.svg.board`` know, for every game."""

import re
from typing import Any
from xml.etree import ElementTree

import chess
import pytest
import secateurs
from secateurs import Position

SVG = "{http://www.w3.org/2000/svg}"

START = Position("chess").play("e2e4")


def found(drawing: str, **attributes: str) -> list[ElementTree.Element]:
    """The elements with these attributes."""
    wanted = {name.rstrip("_"): value for name, value in attributes.items()}
    elements = ElementTree.fromstring(drawing).iter()
    return [element for element in elements if wanted.items() <= element.attrib.items()]


def texts(drawing: str) -> list[str]:
    """The words of a drawing."""
    return [element.text or "" for element in ElementTree.fromstring(drawing).iter(f"{SVG}text")]


def test_the_last_move_is_marked() -> None:
    assert len(found(START.svg(), class_="square-last")) == 2
    assert not found(START.svg(lastmove=False), class_="square-last")
    named = Position("chess").svg(lastmove="e2e4")
    places = [
        [(mark.get("x"), mark.get("y")) for mark in found(drawing, class_="square-last")]
        for drawing in (named, START.svg())
    ]
    assert places[0] == places[1]
    for game in secateurs.games():
        position = Position(game)
        move = position.legal_moves[0]
        assert found(position.play(move).svg(), class_="square-last"), game
        assert not found(position.svg(), class_="square-last"), game


@pytest.mark.parametrize("game", ["chess", "draughts", "checkers", "brazilian", "xiangqi", "kalah", "oware"])
def test_the_board_is_turned(game: str) -> None:
    position = Position(game)
    position = position.play(position.legal_moves[0])
    below = {side: position.svg(orientation=side) for side in (1, 2)}
    assert below[1] != below[2]
    # Checkers has White below, who moves second.
    assert position.svg() == below[2 if game == "checkers" else 1]
    marks = [found(below[side], class_="square-last") for side in (1, 2)]
    assert len(marks[0]) == len(marks[1]) > 0


def test_the_side_below_has_a_name() -> None:
    assert START.svg(orientation="black") == START.svg(orientation=2) != START.svg(orientation="White")
    files = [text for text in texts(START.svg(orientation="black")) if len(text) == 1]
    assert sorted(files) == sorted("abcdefgh12345678")
    pawn, king = (found(START.svg(orientation=side, fill={"e1": "red"}), fill="red")[0] for side in (1, 2))
    assert float(pawn.get("y", "nan")) > float(king.get("y", "nan"))


def test_the_size_is_the_width() -> None:
    root = ElementTree.fromstring(START.svg(size=300))
    assert root.get("width") == "300"
    assert root.get("viewBox") == ElementTree.fromstring(START.svg()).get("viewBox")
    _, _, width, height = map(float, (root.get("viewBox") or "").split())
    assert float(root.get("height") or "nan") == pytest.approx(300 * height / width, abs=0.01)


def test_squares_are_marked() -> None:
    assert len(found(START.svg(fill={"e4": "red", "d5": "#cc000080"}), fill="red")) == 1
    assert len(found(START.svg(squares=["a1", "h8"]), class_="mark-line")) == 2
    assert len(found(START.svg(arrows=["g1f3", ("e7", "e5", "blue"), ("d2", "d4")]), class_="mark")) == 2
    assert len(found(START.svg(arrows=[("e7", "e5", "blue")]), fill="blue")) == 1
    assert START.svg(arrows=[chess.Move.from_uci("g1f3")]) == START.svg(arrows=["g1f3"])
    # A single square has a ring.
    assert len(found(START.svg(arrows=["e4"]), class_="mark-line")) == 1
    # A promotion shows the piece.
    promoted = Position("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    assert "Q" in texts(promoted.svg("a7a8q"))
    assert found(Position("nim").svg(squares=["2", "2.1"]), class_="mark-line")
    assert found(Position("kalah").svg(fill={"S1": "red", "N": "blue"}), fill="blue")
    assert found(Position("connect4").svg(squares=["d1"]), class_="mark-line")


def test_coordinates_can_be_left_out() -> None:
    for game in secateurs.games():
        if game == "nim":
            continue
        position = Position(game)
        bare, whole = position.svg(coordinates=False), position.svg()
        assert len(texts(bare)) < len(texts(whole)), game
    assert texts(Position("chess").svg(coordinates=False)) == ["White to move"]


def test_a_king_in_check_is_marked() -> None:
    checked = Position("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    assert len(found(checked.svg(), class_="square-check")) == 1
    assert not found(START.svg(), class_="square-check")
    general = Position("3k5/9/9/9/9/9/9/9/4K4/R8 w").play("a1a10")
    assert len(found(general.svg(), class_="square-check")) == 1


def test_the_four_that_has_won_is_marked() -> None:
    position = Position("connect4", "112233")
    assert not found(position.svg(), class_="won-line")
    won = position.play("4").svg()
    assert len(found(won, class_="won-line")) == 4
    assert "Red wins" in texts(won)


def test_xiangqi_has_letters_or_characters() -> None:
    position = Position("xiangqi")
    letters, characters = (texts(position.svg(characters=chinese)) for chinese in (False, True))
    assert {"K", "R", "H"} <= set(letters)
    assert {"帥", "將", "俥", "馬"} <= set(characters)
    assert not set(letters) & {"帥", "將"}


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        ({"squares": ["e9"]}, 'squares: "e9" names no place of the board; the places of the board are a1, b1 ... h8'),
        ({"fill": {"z": "red"}}, 'fill: "z" names no place'),
        ({"fill": {"e4": 'red"/><script>'}}, "is no colour"),
        ({"fill": {"e4": ""}}, 'fill: "" is no colour'),
        ({"arrows": [("e2", "e9")]}, 'arrows: "e2 e9" names no place'),
        ({"arrows": ["castle"]}, 'arrows: "castle" names no place'),
        ({"arrows": [("e2",)]}, r"arrows\[0\] is a str or a tuple \(from, to\)"),
        ({"lastmove": "O-O"}, 'lastmove: "O-O" names no place'),
        ({"orientation": 3}, 'orientation is 1, 2, "White" or "Black", not 3'),
        ({"orientation": "red"}, 'orientation is 1, 2, "White" or "Black", not "red"'),
        ({"size": 15}, "size is a whole number from 16 to 16384, pixels, not 15"),
    ],
)
def test_what_is_wrong_is_named(marks: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message if "\\" in message else re.escape(message)):
        START.svg(**marks)


@pytest.mark.parametrize(
    "colour", ["red", "RebeccaPurple", "#f00", "#f008", "#ff0000", "#FF000080", "rgb(0 0 0 / 50%)"]
)
def test_colours_are_those_of_css(colour: str) -> None:
    assert found(START.svg(fill={"e4": colour}, arrows=[("e2", "e4", colour)]), fill=colour)


def test_a_colour_that_is_none_is_named() -> None:
    for colour in ("nosuch", "#ff", "#gggggg", "url(#a)", "red blue"):
        for marks in ({"fill": {"e4": colour}}, {"arrows": [("e2", "e4", colour)]}):
            with pytest.raises(
                ValueError, match=rf'"{re.escape(colour)}" is no colour; (write a name of CSS|did you mean red)'
            ):
                START.svg(**marks)
    with pytest.raises(ValueError, match=r'"gren" is no colour; did you mean green\?'):
        START.svg(fill={"e4": "gren"})


def test_marks_of_python_chess_are_marks() -> None:
    chess = pytest.importorskip("chess")
    pytest.importorskip("chess.svg")
    arrows = [
        chess.svg.Arrow(chess.E2, chess.E4, color="red"),
        (chess.D2, chess.D4),
        chess.svg.Arrow(chess.A1, chess.A1),
    ]
    assert START.svg(
        arrows=arrows,
        squares=chess.SquareSet([chess.B1, chess.H8]),
        fill={chess.E4: "blue"},
        lastmove=chess.Move.from_uci("e2e4"),
        orientation=chess.BLACK,
    ) == START.svg(
        arrows=[("e2", "e4", "red"), "d2d4", ("a1", "a1", "green")],
        squares=["b1", "h8"],
        fill={"e4": "blue"},
        lastmove="e2e4",
        orientation="black",
    )
    with pytest.raises(ValueError, match=r"squares\[0\] is a square from 0 to 63, not 64"):
        START.svg(squares=[64])
    # Elsewhere a number is the name of a square.
    assert Position("draughts").svg(squares=[18]) == Position("draughts").svg(squares=["18"])


class Own(secateurs.Game):
    """A game that draws itself."""

    turn = 1

    def __init__(self) -> None:
        """The only position."""
        self.left = 1

    def moves(self) -> list[str]:
        return ["on"]

    def play(self, move: str) -> secateurs.Game:
        return Own()

    def outcome(self) -> secateurs.Outcome:
        return secateurs.Outcome()

    def svg(self, best: str | None, theme: str) -> str:
        return f"<svg>{best} {theme}</svg>"


def test_a_game_that_draws_itself_takes_no_marks() -> None:
    assert Position(Own()).svg("on", theme="dark") == "<svg>on dark</svg>"
    with pytest.raises(TypeError, match=re.escape("Own.svg() draws the position, and takes best and theme alone")):
        Position(Own()).svg(size=300)
