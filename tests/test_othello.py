"""Othello: rules that a user sees, notation, values, pictures."""

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


@pytest.mark.parametrize(("size", "squares"), [(8, 64), (6, 36), (4, 16)])
def test_the_start(size: int, squares: int) -> None:
    position = Position("othello", board_size=size)
    assert len(position.legal_moves) == 4
    assert len(position.text.split()[0]) == squares
    drawn = kinds(position, position.legal_moves[0])
    assert (drawn["piece-black"], drawn["piece-white"], drawn["felt"]) == (2, 2, squares)
    # Dots where the side to move can play, a ring at the best move.
    assert (drawn["detail"], drawn["mark-line"]) == (4, 1)
    after = kinds(position.play(position.legal_moves[0]))
    assert (after["piece-black"], after["piece-white"], after["square-last"]) == (4, 1, 1)


def test_a_pass_is_a_move() -> None:
    position = Position.parse("---------XXO---- X", "othello")
    assert position.legal_moves == ["pass"]
    after = position.play("--")
    assert (after.history, after.turn) == (["pass"], 2)
    end = after.play("A3")
    assert end.outcome is not None
    assert (end.outcome.winner, end.outcome.margin) == (2, -16)


def test_the_rule_that_forbids_a_move_is_named() -> None:
    position = Position("othello")
    rules = {"d4": "the square is taken", "a1": "turns over at least one disc", "pass": "must not pass"}
    for move, rule in rules.items():
        with pytest.raises(IllegalMove, match=rule):
            position.play(move)


def test_bad_positions_are_refused() -> None:
    for text, reason in [("-" * 15 + " X", "64, 36 or 16 squares, not 15"), ("?" + "-" * 15 + " X", "a1 is X, O or -")]:
        with pytest.raises(BadPosition, match=reason):
            Position.parse(text, "othello")


def test_the_board_of_four_is_solved() -> None:
    solution = Engine(hash=16).solve(Position("othello", board_size="4"))
    assert (solution.proven, solution.value) == ("exact", -10)


def test_the_parts_of_the_evaluation() -> None:
    start = Position("othello")
    parts = start.play("f5").evaluate()
    assert set(parts) == {"mobility", "patterns", "limit"}
    assert parts["patterns"] != 0
    assert all(start.play(move).evaluate() == parts for move in start.legal_moves)
    terms = Position("othello", board_size="6").play("c2").evaluate()
    assert set(terms) == {"mobility", "frontier", "corners", "squares beside a corner", "stable discs", "limit"}
    assert terms["mobility"] == 0
