"""Xiangqi: rules that a user sees, both notations, pictures."""

from xml.etree import ElementTree

import pytest
from secateurs import BadPosition, Engine, IllegalMove, Position


def kinds(position: Position, best: str | None = None) -> dict[str, int]:
    """The shapes of a drawing, counted by class."""
    counts: dict[str, int] = {}
    for shape in ElementTree.fromstring(position.svg(best)).iter():
        kind = shape.get("class", "")
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def test_the_start() -> None:
    position = Position("xiangqi")
    assert len(position.legal_moves) == 44
    assert position.perft(2) == 1920
    assert "Red to move" in position.svg()
    drawn = kinds(position)
    # A piece is a white disc, with an edge and a letter in its colour.
    assert (drawn["piece-red"], drawn["piece-red-line"]) == (16, 16)
    assert (drawn["piece-black"], drawn["piece-black-line"], drawn["piece-white"]) == (16, 16, 32)


def test_both_notations_are_read() -> None:
    position = Position("xiangqi").play("C2=5").play("h10g8")
    assert position.history == ["h3e3", "h10g8"]
    assert position.turn == 1
    assert kinds(position)["square-last"] == 2
    with pytest.raises(IllegalMove, match="h2e2"):
        Position("xiangqi").play("h2e2")


def test_ranks_from_zero() -> None:
    position = Position("xiangqi", xiangqi_first_rank=0).play("h2e2")
    assert position.history == ["h2e2"]
    assert position.text == Position("xiangqi").play("h3e3").text
    moves = position.legal_moves
    assert "h9g7" in moves
    assert kinds(position, "h9g7")["mark"] == 1


def test_perpetual_check_loses() -> None:
    position = Position.parse("3k5/9/9/9/9/9/9/9/4K4/R8 w", "xiangqi")
    for move in ["a1a10", *["d10d9", "a10a9", "d9d10", "a9a10"] * 2]:
        assert position.outcome is None
        position = position.play(move)
    assert position.outcome is not None
    assert position.outcome.winner == 2


def test_a_side_without_a_move_loses() -> None:
    position = Position.parse("3k5/2P6/9/9/9/9/9/9/9/4K4 b", "xiangqi")
    assert position.legal_moves == []
    assert position.outcome is not None
    assert position.outcome.winner == 1


def test_a_mate_is_found() -> None:
    position = Position.parse("4k4/9/R8/9/9/9/9/9/9/1R3K3 w", "xiangqi")
    result = Engine(hash=1).analyse(position, depth=5)
    assert result.score.mate == 2


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(BadPosition, match="Black's elephant cannot stand on d9"):
        Position.parse("3k5/3b5/9/9/9/9/9/9/9/4K4 w", "xiangqi")
