"""Results are values."""

import json
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
import secateurs


def test_results_cannot_be_changed() -> None:
    position = secateurs.Position("nim", heaps=[1, 2])
    engine = secateurs.Engine(hash=1)
    results: list[tuple[Any, str]] = [(engine.play(position, depth=1), "move"), (engine.solve(position), "other")]
    for result, name in results:
        with pytest.raises(FrozenInstanceError, match=name):
            setattr(result, name, 1)
        with pytest.raises(FrozenInstanceError, match="nodes"):
            del result.nodes


def test_results_that_are_tables_are_frames_and_json() -> None:
    first = secateurs.Engine(hash=1)
    lines = first.analyse(secateurs.Position("nim"), depth=2, multipv=2)
    games = secateurs.match([first, secateurs.Player(first, depth=1)], "nim", depth=2, rounds=1)
    [annotated] = secateurs.annotate("1. f3 e5 2. g4 Qh4# 0-1", depth=2)
    for table, rows in ((lines, 2), (games, 2), (annotated, 4)):
        assert len(table.to_pandas()) == len(table.to_polars()) == rows
        assert json.loads(table.to_json())
    assert json.loads(annotated.to_json())["players"][0]["blunders"] == annotated.players[0].blunders
    with pytest.raises(AttributeError, match=r"use players\[0\]\.accuracy"):
        _ = annotated.accuracy  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"use best_moves\[0\]"):
        _ = first.solve(secateurs.Position("nim")).best_move  # type: ignore[attr-defined]
