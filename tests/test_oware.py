"""Oware in Python: houses and captured seeds, moves, results, drawings."""

import re

import pytest
from secateurs import Engine, IllegalMove, Position

GRAND_SLAM = "<6,0,0,0,0,0,0,1,3,1,2,1,0,0,0> s"


def test_houses_and_captured_seeds() -> None:
    position = Position("oware")
    assert (position.houses, position.stores) == (((4,) * 6, (4,) * 6), (0, 0))
    assert position.legal_moves == list("ABCDEF")
    assert position.play("F").legal_moves == list("abcdef")
    captured = Position.parse("<6,0,0,0,0,0,0,0,3,1,2,1,0,0,1> s", "oware").play("F")
    assert (captured.houses, captured.stores, captured.turn) == (((0,) * 6, (0, 0, 0, 0, 0, 1)), (7, 0), 2)
    with pytest.raises(AttributeError, match="a position of oware has no heaps: it has houses and stores"):
        _ = position.heaps


def test_moves_are_letters_or_numbers() -> None:
    position = Position("oware", oware_seeds=3)
    for move in ("C", "c", "3", 3):
        assert position.play(move).text == "<6,0,0,3,3,0,4,4,4,3,3,3,3,3,3> n"
    for move in ("G", "0", "7", "AB", ""):
        with pytest.raises(IllegalMove):
            position.play(move)


def test_a_grand_slam_captures_nothing() -> None:
    position = Position.parse(GRAND_SLAM, "oware").play("F")
    assert position.text == "<6,0,0,0,0,0,0,1,0,2,3,2,0,0,0> n"


def test_the_first_repetition_ends_the_game() -> None:
    position = Position.parse("<6,20,24,0,0,0,0,0,1,0,0,0,0,0,3> s", "oware")
    seen = [(position.houses, position.turn)]
    engine = Engine(hash=1)
    while position.outcome is None:
        move = engine.play(position, depth=3).move
        assert move is not None
        position = position.play(move)
        seen.append((position.houses, position.turn))
    # Until the end no position comes back.
    assert len(set(seen[:-1])) == len(seen) - 1
    south, north = (store + sum(row) for store, row in zip(position.stores, position.houses, strict=True))
    assert position.outcome.margin == south - north


def test_the_engine_sees_the_largest_capture() -> None:
    position = Position.parse("<6,10,10,1,0,0,0,1,3,1,2,1,4,4,1> s", "oware")
    result = Engine(hash=1).analyse(position, depth=8)
    assert result.best_move == "F"
    evaluation = position.evaluate()
    assert evaluation is not None


def test_the_drawing_has_the_letters_of_the_houses() -> None:
    drawing = Position.parse("<6,5,2,4,4,0,1,0,6,1,2,3,0,0,12> n", "oware").svg()
    words = re.findall(r"<text[^>]*>([^<]*)</text>", drawing)
    assert [word for word in words if word.isalpha() and len(word) == 1] == [*"ABCDEF", *"abcdef"]
    assert "North to move" in words
    assert {"5", "2", "12"} <= set(words)
