"""The draughts games: rules that a user sees, notation, pictures."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from secateurs import BadFile, Engine, Position

SVG = "{http://www.w3.org/2000/svg}"


def kinds(position: Position, best: str | None = None) -> dict[str, int]:
    """The shapes of a drawing, counted by class."""
    counts: dict[str, int] = {}
    for shape in ElementTree.fromstring(position.svg(best)).iter():
        kind = shape.get("class", "")
        counts[kind] = counts.get(kind, 0) + 1
    return counts


@pytest.mark.parametrize(
    ("game", "pieces", "moves", "sides"),
    [("checkers", 12, 7, ("B", "W")), ("draughts", 20, 9, ("W", "B")), ("brazilian", 12, 7, ("W", "B"))],
)
def test_the_start(game: str, pieces: int, moves: int, sides: tuple[str, str]) -> None:
    position = Position(game)
    assert len(position.legal_moves) == moves
    assert position.text[0] == sides[0]
    assert position.play(position.legal_moves[0]).text[0] == sides[1]
    drawn = kinds(position)
    assert (drawn["piece-white"], drawn["piece-black"]) == (pieces, pieces)


def test_a_capture_of_several_pieces_is_one_move() -> None:
    position = Position.parse("B:W18,26:B14,1", "checkers")
    assert position.legal_moves == ["14x30"]
    after = position.play("14x23x30")
    assert after.text == "W:W:B1,K30"
    assert after.history == ["14x30"]
    assert after.outcome is not None
    assert after.outcome.winner == 1
    drawn = kinds(after)
    assert (drawn["piece-black"], drawn["piece-white"], drawn["square-last"]) == (2, 1, 2)


def test_a_win_is_found_and_proved() -> None:
    # Two kings drive a third one out of the other double corner.
    result = Engine(hash=4).analyse(Position.parse("W:WK18,K19:BK28", "checkers"), depth=30)
    assert result.score.mate is not None
    assert result.proven in ("lower", "exact")


def test_checkers_by_terms() -> None:
    # A man and a king against two men, by what the option names alone.
    position = Position.parse("B:W21,30:B5,K18", "checkers", checkers_weights="man=100,king=150")
    terms = position.evaluate()
    assert (terms["man"], terms["king"], terms["steps"]) == (-100, 150, 0)
    assert sum(terms.values()) == 50
    assert list(Position.parse("B:W21,30:B5,K18", "checkers").evaluate()) == ["network"]
    with pytest.raises(ValueError, match="the names are man, king"):
        Position("checkers", checkers_weights="pawn=1")


@pytest.mark.parametrize("game", ["checkers", "draughts", "brazilian"])
def test_databases_that_cannot_be_used_are_named(game: str, tmp_path: Path) -> None:
    folder = {f"{game}_endgames": str(tmp_path)}
    with pytest.raises(BadFile, match="holds no endgame database"):
        Position(game, **folder)
    with pytest.raises(FileNotFoundError, match="no-such"):
        Position(game, **{f"{game}_endgames": str(tmp_path / "no-such")})


def test_options_of_checkers() -> None:
    position = Position.parse("B:WK32:BK1:H3", "checkers", draw_moves=2)
    assert position.outcome is None
    assert position.play("1-6").outcome is not None
    with pytest.raises(ValueError, match="Routes"):
        Position("checkers", routes="both")
