"""Results compare by value, survive copies and pickles, and are dicts for JSON."""

import copy
import json
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import polars
import pytest
import secateurs
from secateurs import Engine, Game, Limit, Match, Outcome, PlayResult, Position, Result, Solution

NIM = Position.parse("3,4,5 1", "nim", theory=False)


@dataclass(frozen=True)
class Countdown(Game):
    """The player that takes the last of a heap wins."""

    left: int = 7
    turn: int = 1

    def moves(self) -> range:
        return range(1, min(self.left, 3) + 1)

    def play(self, move: int) -> "Countdown":
        return Countdown(self.left - move, 3 - self.turn)

    def outcome(self) -> Outcome:
        return Outcome(winner=3 - self.turn)


def searched(position: Position) -> Result:
    return Engine(hash=1).analyse(position, depth=6, multipv=2)[0]


def a_match() -> Match:
    players = {"one": Engine(hash=1), "two": Engine(hash=1)}
    return secateurs.match(players, NIM, Limit(depth=2), rounds=1, progress=False)


VALUES: dict[str, Callable[[], Any]] = {
    "result": lambda: searched(NIM),
    "result of a game in Python": lambda: searched(Position(Countdown())),
    "line": lambda: searched(NIM).multipv[1],
    "iteration": lambda: searched(NIM).iterations[0],
    "result with its tree": lambda: Engine(hash=1).analyse(NIM, depth=4, tree=True),
    "move": lambda: Engine(hash=1).play(NIM, depth=4),
    "solution": lambda: Engine(hash=1).solve(NIM, moves="all"),
    "part of a solution": lambda: Engine(hash=1).solve(NIM, nodes=1),
    "tree": lambda: searched(NIM).tree(plies=2),
    "node": lambda: searched(NIM).tree(plies=2).roots[-1].children[0],
    "score": lambda: searched(NIM).score,
    "limit": lambda: Limit(depth=3, time=0.5),
    "match": a_match,
    "annotated game": lambda: secateurs.annotate("1. 3 *\n", depth=2, game="kalah")[0],
    "annotated move": lambda: secateurs.annotate("1. 3 *\n", depth=2, game="kalah")[0].moves[0],
}


@pytest.mark.parametrize("make", VALUES.values(), ids=VALUES)
def test_a_copy_is_equal_to_its_original(make: Callable[[], Any]) -> None:
    value = make()
    for other in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert other == value
        assert not other != value  # noqa: SIM202
        assert hash(other) == hash(value)
        assert {value: "found"}[other] == "found"
    assert value != "another kind"


def test_a_player_is_hashable() -> None:
    player = secateurs.Player(Engine(hash=1), options={"Hash": 1})
    assert {player: 1}[copy.copy(player)] == 1


def test_a_batch_and_a_comparison_are_equal_to_their_copies() -> None:
    batch = secateurs.analyse_many([NIM], depth=3)
    compared = secateurs.compare(NIM, 2, procedures="alpha-beta")
    for value in (batch, compared):
        assert value == copy.copy(value) == pickle.loads(pickle.dumps(value))


def test_results_that_differ_are_not_equal() -> None:
    result, solution = searched(NIM), Engine(hash=1).solve(NIM, moves="all")
    first, second = result.multipv
    assert first != second
    assert result != Engine(hash=1).analyse(NIM, depth=6)
    assert result != searched(NIM.play("1-1"))
    assert result.iterations[0] != result.iterations[-1]
    assert solution != Engine(hash=1).solve(NIM, moves="best")
    assert result != solution
    tree = result.tree(plies=2)
    assert tree != result.tree(plies=1)
    assert tree[0] != tree[1]
    assert PlayResult(first) != PlayResult(second)


@pytest.mark.parametrize("position", [NIM, Position("chess"), Position("kalah"), Position(Countdown())], ids=str)
def test_a_result_is_a_dict_for_json(position: Position) -> None:
    result = searched(position)
    found = result.to_dict()
    assert json.loads(json.dumps(found))["pv"] == result.pv
    lines, iterations = found.pop("multipv"), found.pop("iterations")
    assert [(line["best_move"], line["score"]) for line in lines] == [
        (line.best_move, line.score.cp) for line in result.multipv
    ]
    assert [(step["depth"], step["bound"]) for step in iterations] == [
        (step.depth, step.bound) for step in result.iterations
    ]
    assert {name: found.pop(name) for name in ("game", "options", "text", "history")} == {
        "game": position.game,
        "options": position.options,
        "text": position.text,
        "history": [],
    }
    assert found.pop("score") == result.score.cp
    assert {name: getattr(result, name) for name in found} == found
    assert {"best_move", "depth", "nodes", "time", "proven", "bound", "wdl"} <= set(found)


@pytest.mark.parametrize("limit", [{}, {"nodes": 1}])
def test_a_solution_is_a_dict_for_json(limit: dict[str, int]) -> None:
    solution: Solution = Engine(hash=1).solve(
        Position("kalah", houses=3, seeds=3), moves="all", nodes=limit.get("nodes")
    )
    found = json.loads(json.dumps(solution.to_dict()))
    assert (found["game"], found["options"]["seeds"], found["value"]) == ("kalah", 3, solution.value)
    assert found["moves"] == {move: list(bounds) for move, bounds in solution.moves.items()}
    assert found["score"] == (None if solution.score is None else solution.score.cp)
    assert (found["lower"], found["upper"], found["complete"]) == (solution.lower, solution.upper, not limit)


def test_frames_have_the_same_types_whatever_the_values() -> None:
    proven, over = Position("kalah", houses=3, seeds=3), Position.parse("0 1", "nim")
    results = [searched(NIM), Engine(hash=1).analyse(proven, depth=40), Engine(hash=1).analyse(over, depth=2)]
    texts = ("*", "1. e4 *", "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0")
    games = [secateurs.annotate(text, depth=2)[0] for text in texts]
    games += secateurs.annotate("1. 3 *", depth=2, game="kalah")
    matches = [
        secateurs.match([Engine(hash=1)] * 2, game, depth=1, rounds=1, random_plies=1) for game in ("nim", "kalah")
    ]
    for tables in (results, games, matches):
        frames = [table.to_polars() for table in tables]
        assert all(frame.schema == frames[0].schema for frame in frames)
        assert [list(table.to_pandas()) for table in tables] == [frame.columns for frame in frames]
        assert polars.concat(frames).height == sum(frame.height for frame in frames)
