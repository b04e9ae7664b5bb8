"""Games written in Python: the search against plain minimax, and what they do wrong."""

import pickle
import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import secateurs
from secateurs import Engine, Game, Outcome, Position


@dataclass(frozen=True)
class Nim(Game):
    """The last stone wins; a move is a heap and a number."""

    heaps: tuple[int, ...]
    turn: int = 1

    def moves(self) -> Iterable[str]:
        return [f"{i + 1}-{taken}" for i, heap in enumerate(self.heaps) for taken in range(heap, 0, -1)]

    def play(self, move: str) -> "Nim":
        heap, taken = map(int, move.split("-"))
        left = tuple(stones - taken * (i == heap - 1) for i, stones in enumerate(self.heaps))
        return Nim(left, 3 - self.turn)

    def outcome(self) -> Outcome:
        return Outcome(winner=1 if self.turn == 2 else 2)

    def __str__(self) -> str:
        return ",".join(map(str, self.heaps)) + f" {self.turn}"

    def svg(self, best: str | None, theme: str) -> str:
        return f"<svg>{self} {best} {theme}</svg>"


@dataclass(frozen=True)
class Tree(Game):
    """A random tree of margins, in which a player may move again."""

    seed: int
    path: tuple[int, ...] = ()
    turn: int = 1

    def number(self, what: str) -> random.Random:
        return random.Random(f"{self.seed} {self.path} {what}")

    def moves(self) -> Iterable[int]:
        return range(0 if len(self.path) == 6 else self.number("moves").randint(0 if self.path else 1, 4))

    def play(self, move: int) -> "Tree":
        turn = self.number(f"turn {move}").choice([1, 2])
        return Tree(self.seed, (*self.path, move), turn)

    def outcome(self) -> Outcome:
        return Outcome(margin=self.number("margin").randint(-9, 9))

    def evaluate(self) -> int:
        return self.number("evaluation").randint(-900, 900)


def minimax(state: Game, depth: int) -> int:
    """The value for the side to move, centi-units."""
    moves = list(state.moves())
    if not moves:
        margin = state.outcome().margin
        assert margin is not None
        return 100 * (margin if state.turn == 1 else -margin)
    if depth == 0:
        return state.evaluate()
    after = [state.play(move) for move in moves]
    return max(minimax(child, depth - 1) * (1 if child.turn == state.turn else -1) for child in after)


@pytest.mark.parametrize("seed", range(40))
def test_search_is_minimax(seed: int) -> None:
    engine, state = Engine(hash=1), Tree(seed)
    for depth in range(1, 8):
        result = engine.analyse(Position(state), depth=depth)
        assert result.score.cp == minimax(state, depth), depth
        assert result.best_move in [str(move) for move in state.moves()]
    assert engine.analyse(Position(state), depth=8).score.proven == "exact"
    solution = engine.solve(Position(state))
    assert solution.value is not None
    assert (solution.proven, 100 * solution.value) == ("exact", minimax(state, 9))


class Fork(Game):
    """The first of three moves loses by force; the others draw at once."""

    def __init__(self, at: str = "root", turn: int = 1) -> None:
        """Begins at the root."""
        self.at, self.turn = at, turn

    def moves(self) -> list[str]:
        return {"root": ["a", "b", "c"], "a": ["x"]}.get(self.at, [])

    def play(self, move: str) -> "Fork":
        return Fork(move, 3 - self.turn)

    def outcome(self) -> Outcome:
        return Outcome(winner=2) if self.at == "x" else Outcome()


def test_the_move_of_an_iteration_cut_short_has_what_is_proven() -> None:
    position = Position(Fork())
    for depth in (1, 2, 9):
        for nodes in range(1, 9):
            moves = Engine(hash=1).best_moves(position, depth=depth, nodes=nodes)
            result = Engine(hash=1).analyse(position, depth=depth, nodes=nodes)
            for move, score in [*moves.items(), (result.best_move, result.score)]:
                assert move != "a" or score.proven in (None, "upper"), (depth, nodes, move, score)


class Deal(Game):
    """A tree of five plies and eight moves a state; each move may have a text that no other state has."""

    def __init__(self, number: int = 1, named: bool = True) -> None:
        """The root, or the state with a number in base 8, after a digit 1."""
        self.number, self.named = number, named
        self.ply = len(oct(number)) - 3
        self.turn = 1 + self.ply % 2

    def moves(self) -> list[str]:
        prefix = f"{self.number}-" if self.named else ""
        return [f"{prefix}{move}" for move in range(8)] if self.ply < 5 else []

    def play(self, move: str) -> "Deal":
        return Deal(8 * self.number + int(move[-1]), self.named)

    def outcome(self) -> Outcome:
        return Outcome(margin=self.number * 7919 % 101 - 50)


def test_moves_may_have_more_texts_than_there_are_codes() -> None:
    position, plain = Position(Deal()), Position(Deal(named=False))
    assert position.perft(5) == 8**5
    engine = Engine(hash=1)
    for _ in range(2):
        found, expected = (engine.solve(start, moves="all") for start in (position, plain))
        assert expected.value is not None
        assert found.value == expected.value
        assert [move[-1] for move in found.best_moves] == expected.best_moves
        assert list(found.moves.values()) == list(expected.moves.values())
        result = engine.analyse(position, depth=5)
        assert result.score.cp == 100 * expected.value
        assert position.play_line(result.pv).outcome == Outcome(margin=expected.value)


def test_a_game_in_python_is_the_same_as_in_the_registry() -> None:
    for heaps in [(1,), (1, 2), (3, 3), (1, 2, 3), (2, 3, 4), (1, 1, 4)]:
        ours, theirs = Position(Nim(heaps)), Position("nim", heaps=",".join(map(str, heaps)), theory=False)
        assert ours.legal_moves == theirs.legal_moves
        assert [ours.perft(depth) for depth in range(5)] == [theirs.perft(depth) for depth in range(5)]
        [one, two] = [Engine(hash=1).analyse(position, depth=12) for position in (ours, theirs)]
        assert (one.score, one.best_move) == (two.score, two.best_move)
        assert Engine(hash=1).best_moves(ours, depth=12) == Engine(hash=1).best_moves(theirs, depth=12)


def test_it_is_a_position_like_any_other() -> None:
    position = Position(Nim((1, 2)))
    later = position.play("2-1").play_line(["1-1"])
    assert (position.game, position.text, position.turn, position.options) == ("Nim", "1,2 1", 1, {})
    assert (later.history, later.state, later.turn) == (["2-1", "1-1"], Nim((0, 1), 1), 1)
    assert later == Position(Nim((0, 1))) != position
    assert hash(later) == hash(Position(Nim((0, 1))))
    assert repr(later) == "Position(Nim(heaps=(0, 1), turn=1))"
    restored = pickle.loads(pickle.dumps(later))
    assert (restored, restored.history) == (later, later.history)
    assert later.play("2-1").outcome == Outcome(winner=1)
    assert position.evaluate() == {"evaluation": 0}
    assert position.svg("1-1", theme="dark") == "<svg>1,2 1 1-1 dark</svg>"
    assert [result.depth for result in Engine(hash=1).analysis(position, depth=2)] == [1, 2]
    assert Engine(hash=1, threads=4).analyse(position, depth=4).best_move == "2-1"
    with pytest.raises(secateurs.IllegalMove, match='illegal move "2-3" in "1,2 1"'):
        position.play("2-3")
    assert Position("nim").state is None


def test_equal_states_of_two_classes_are_told_apart() -> None:
    class Misere(Nim):
        def play(self, move: str) -> "Misere":
            next = super().play(move)
            return Misere(next.heaps, next.turn)

        def outcome(self) -> Outcome:
            return Outcome(winner=1 if self.turn == 1 else 2)

    engine = Engine(hash=1)
    assert (
        engine.analyse(Position(Nim((2, 2))), depth=9).score < engine.analyse(Position(Misere((2, 3))), depth=9).score
    )
    assert Position(Nim((1,))) != Position(Misere((1,)))
    assert engine.analyse(Position(Nim((1,))), depth=9).score > engine.analyse(Position(Misere((1,))), depth=9).score


@dataclass(frozen=True)
class Faulty(Nim):
    """Raises in one of its methods, once few stones are left."""

    fault: str = ""

    def play(self, move: str) -> "Faulty":
        self.fail("play")
        next = super().play(move)
        return Faulty(next.heaps, next.turn, self.fault)

    def moves(self) -> Iterable[str]:
        self.fail("moves")
        return super().moves()

    def outcome(self) -> Outcome:
        self.fail("outcome")
        return super().outcome()

    def evaluate(self) -> int:
        self.fail("evaluate")
        return 0

    def key(self) -> object:
        self.fail("key")
        return self.heaps

    def fail(self, where: str) -> None:
        if self.fault == where and sum(self.heaps) < 3:
            raise LookupError(f"no {where}")


@pytest.mark.parametrize("fault", ["play", "moves", "outcome", "evaluate", "key"])
def test_what_it_raises_comes_out_and_spoils_nothing(fault: str) -> None:
    engine = Engine(hash=1, threads=2)
    faulty = Position(Faulty((1, 2, 3), 1, fault))
    depth = 3 if fault == "evaluate" else 9
    for _ in range(2):
        with pytest.raises(LookupError, match=f"no {fault}"):
            engine.analyse(faulty, depth=depth)
    analysis = engine.analysis(faulty, depth=depth)
    with pytest.raises(LookupError, match=f"no {fault}"):
        analysis.wait()
    if fault == "evaluate":
        with pytest.raises(LookupError):
            Position(Faulty((1, 1), 1, fault)).evaluate()
    else:
        with pytest.raises(LookupError):
            engine.solve(faulty)
        with pytest.raises(LookupError):
            faulty.play_line(["3-3", "2-1", "2-1", "1-1"])
    found = engine.analyse(Position(Faulty((1, 2, 3), 1)), depth=9)
    assert found.score == Engine(hash=1).analyse(Position(Nim((1, 2, 3))), depth=9).score


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        ({"turn": 3}, ValueError, "Wrong.turn is 1 or 2, not 3"),
        ({"moves": lambda self: ["a", "a"]}, ValueError, r'Wrong.moves\(\) has "a" twice'),
        ({"moves": lambda self: range(40_000)}, ValueError, r"Wrong.moves\(\) has more than 32768 moves"),
        ({"moves": lambda self: 7}, TypeError, r"Wrong.moves\(\) returns an iterable, not 7"),
        ({"play": lambda self, move: move}, TypeError, r"Wrong.play\(1-1\) returns a Game, not '1-1'"),
        ({"evaluate": lambda self: 0.5}, TypeError, r"Wrong.evaluate\(\) returns an int, not 0.5"),
        ({"evaluate": lambda self: 30_000}, ValueError, r"Wrong.evaluate\(\) is within ±28800, not 30000"),
        ({"outcome": lambda self: 1}, TypeError, r"Wrong.outcome\(\) returns an Outcome, not 1"),
    ],
)
def test_what_it_returns_is_checked(wrong: dict[str, Any], error: type[Exception], words: str) -> None:
    kind = type("Wrong", (Nim,), wrong)
    heaps = (0, 0) if "outcome" in wrong else (1, 1)
    state = kind(heaps, 3) if "turn" in wrong else kind(heaps)
    with pytest.raises(error, match=words):
        Engine(hash=1).analyse(Position(state), depth=1)


def test_what_it_cannot_do_is_said(tmp_path: Path) -> None:
    position, engine = Position(Nim((1, 2))), Engine(hash=1)
    for call in (engine.save, engine.load, engine.certify):
        with pytest.raises(ValueError, match="a game in Python is known to this process alone"):
            call(tmp_path / "file", position)
    with pytest.raises(TypeError, match="game is the name of a game or a Game, not int"):
        Position(7)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="takes no options"):
        Position(Nim((1,)), heaps="3")
    with pytest.raises(TypeError, match="abstract"):
        Game()  # type: ignore[abstract]


def test_an_outcome_is_made_by_winner_or_by_margin() -> None:
    assert (Outcome(margin=-2).winner, Outcome(margin=0).winner, Outcome().winner) == (2, None, None)
    assert Outcome(winner=1, margin=3) == Outcome(margin=3) != Outcome(winner=1)
    for wrong, words in [
        ({"winner": 3}, "winner is 1 or 2, not 3"),
        ({"margin": 289}, "margin is a whole number from -288 to 288, not 289"),
        ({"winner": 1, "margin": -1}, "with player 1 -1 ahead, player 1 has not won"),
    ]:
        with pytest.raises(ValueError, match=words):
            Outcome(**wrong)


def test_a_batch_of_it_is_searched_by_one_thread(tmp_path: Path) -> None:
    positions = [Position(Nim((1, 2, 3))), Position(Tree(3)).play("0"), Position("nim"), Position(Nim(()))]
    batch = secateurs.analyse_many(positions, depth=4, threads=4)
    found = [Engine(hash=4).analyse(position, depth=4) for position in positions[:3]]
    assert batch["best_move"] == [*(result.best_move for result in found), None]
    assert batch["score"] == [*(result.score.cp for result in found), None]
    assert batch["pv"][0] == found[0].pv
    assert batch["error"] == [None, None, None, "the game is over"]
    with pytest.raises(LookupError, match="no moves"):
        secateurs.analyse_many([positions[0], Position(Faulty((1, 2, 3), 1, "moves"))], depth=9)
    with pytest.raises(ValueError, match=r"positions\[1\] is a state of a game in Python.*: leave checkpoint out"):
        secateurs.analyse_many(["3,4,5 1", positions[0]], depth=1, checkpoint=tmp_path / "batch", game="nim")


def test_a_solution_of_it_pickles() -> None:
    solution = Engine(hash=1).solve(Position(Nim((1, 2))), moves="all")
    restored = pickle.loads(pickle.dumps(solution))
    assert (repr(restored), restored.moves, restored.pv) == (repr(solution), solution.moves, solution.pv)
    assert restored.position == solution.position


TRAP = {1: [6, 5], 5: [7], 7: [8]}
GUESSES = {1: 0, 5: 300, 7: -300}


class Trap(Game):
    """Move 5 looks good at first and loses by force; move 6 is a draw."""

    def __init__(self, at: int = 1) -> None:
        """The state with this number."""
        self.at = at
        self.turn = 2 if at == 8 else 1

    def moves(self) -> list[int]:
        return TRAP.get(self.at, [])

    def play(self, move: int) -> "Trap":
        return Trap(move)

    def outcome(self) -> Outcome:
        return Outcome(winner=2 if self.at == 8 else None)

    def evaluate(self) -> int:
        return GUESSES[self.at]


def test_the_move_that_is_played_is_the_one_that_shows_the_proof() -> None:
    proven = 0
    for nodes in range(1, 12):
        result = Engine(hash=1).analyse(Position(Trap()), nodes=nodes)
        if result.score.proven in ("lower", "exact"):
            proven += 1
            assert result.best_move == "6", (nodes, result)
    assert proven > 2
