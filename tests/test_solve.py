"""Exact values: what a solution says, by game; limits, moves, lines."""

import copy
import itertools
import pickle
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest
import secateurs
from secateurs import Engine, Game, Outcome, Position, Solution

# A position that takes too long to solve: the largest board.
ENDLESS = Position("kalah", houses=12, seeds=12)


@pytest.fixture
def engine() -> Engine:
    """A small engine."""
    return Engine(hash=8)


def holds_together(position: Position, solution: Solution) -> None:
    """The moves and the line of a position that was solved."""
    assert solution.proven == "exact"
    assert solution.value == solution.lower == solution.upper
    assert solution.nodes >= 0
    assert solution.time >= 0.0
    assert solution.cpu_time >= 0.0
    assert 0 <= solution.hashfull <= 1000
    if position.outcome is None:
        assert solution.pv[0] in solution.best_moves
    for move in solution.pv:
        position = position.play(move)
    assert position.outcome is not None


@dataclass(frozen=True)
class Wide(Game):
    """Hundreds of moves, each of which takes milliseconds."""

    ply: int = 0
    turn: int = 1

    def moves(self) -> list[int]:
        return list(range(400)) if self.ply < 30 else []

    def play(self, move: int) -> "Wide":
        time.sleep(0.003)
        return Wide(self.ply + 1 + move % 3, 3 - self.turn)

    def outcome(self) -> Outcome:
        return Outcome(winner=1)


def test_the_line_can_be_left_out() -> None:
    position = Position("kalah", houses=3, seeds=2)
    whole, bare = (Engine(hash=1).solve(position, moves="all", pv=pv) for pv in (True, False))
    assert (bare.value, bare.moves, bare.pv) == (whole.value, whole.moves, [])
    assert whole.pv
    assert [solution.pv for solution in secateurs.solve_many([position], pv=False)] == [[]]


def test_values_of_the_book_need_no_search(engine: Engine) -> None:
    position = Position("kalah", seeds=3)
    for first in position.legal_moves:
        solution = engine.solve(position.play(first), book=True, moves="none")
        assert (solution.proven, solution.nodes) == ("exact", 0)
    # Without a book, and for a game in Python, it changes nothing.
    nim = Position.parse("3,4,5 1", "nim", theory=False)
    assert engine.solve(nim, book=True).pv == Engine(hash=8).solve(nim).pv
    limited = [Engine(hash=1).solve(Position(Wide()), book=book, nodes=1) for book in (True, False)]
    assert len({(solution.lower, solution.upper, solution.nodes) for solution in limited}) == 1
    with pytest.raises(TypeError, match="book"):
        engine.solve(position, book="yes")  # type: ignore[arg-type]


def test_a_book_of_another_game_is_an_error(engine: Engine, tmp_path: Path) -> None:
    book = secateurs.Book.build(tmp_path / "nim", Position("nim", heaps=[2, 1]), plies=1)
    with pytest.raises(ValueError, match="a book of nim has no positions of kalah"):
        engine.solve(Position("kalah"), book=book)


def test_limits_hold_between_the_moves_of_a_slow_position() -> None:
    engine, position = Engine(hash=1), Position(Wide())
    assert engine.solve(position, time=0.1).time < 0.4
    assert engine.solve(position, time=0.1, moves="all").time < 0.4
    timer = threading.Timer(0.1, engine.stop)
    timer.start()
    assert engine.solve(position).time < 0.5
    timer.join()


# Exact values of Kalah, margins for South: Irving, Donkers and Uiterwijk, "Solving Kalah", ICGA Journal 23(3), 2000.
@pytest.mark.parametrize(("houses", "seeds", "margin"), [(1, 3, 6), (2, 4, -12), (3, 6, -10), (4, 2, 6), (4, 3, 8)])
def test_small_boards_of_kalah(engine: Engine, houses: int, seeds: int, margin: int) -> None:
    position = Position("kalah", houses=houses, seeds=seeds, capture="empty")
    solution = engine.solve(position, moves="all")
    assert solution.value == margin
    holds_together(position, solution)
    assert list(solution.moves) == position.legal_moves
    best = [move for move, bounds in solution.moves.items() if bounds == (margin, margin)]
    assert solution.best_moves == best
    assert all(upper is not None and upper <= margin for _, upper in solution.moves.values())


@pytest.mark.parametrize(
    ("columns", "value"),
    [("2252576253462244111563365343671351441", -1), ("7422341735647741166133573473242566", 1), ("6146", 18)],
)
def test_scores_of_connect_four(engine: Engine, columns: str, value: int) -> None:
    for game in ("connect4", "cfour"):
        position = Position.parse(columns, game)
        solution = engine.solve(position)
        assert solution.value == value
        assert solution.moves == {}
        holds_together(position, solution)


def test_a_hard_position_is_given_up(engine: Engine) -> None:
    solution = engine.solve(Position.parse("44444", "connect4"), nodes=2_000)
    assert solution.nodes <= 2_000
    assert solution.proven != "exact"
    assert solution.lower is not None
    assert solution.upper is not None
    assert solution.lower < solution.upper
    assert (solution.best_moves, solution.moves, solution.pv) == ([], {}, [])


def test_where_positions_repeat_a_known_value_is_returned(engine: Engine) -> None:
    mate = Position.parse("7k/8/5K2/8/6Q1/8/8/8 w - - 0 1", "chess")
    best = engine.solve(mate)
    assert (best.value, best.best_moves, best.pv, best.complete) == (1, ["g4g7"], ["g4g7"], True)
    # Other moves lead to lines that repeat positions.
    every = engine.solve(mate, moves="all")
    assert (every.value, every.best_moves, every.pv, every.complete) == (1, ["g4g7"], ["g4g7"], False)
    with pytest.raises(ValueError, match="chess cannot be solved: a position repeats"):
        engine.solve(Position("chess"))


def test_nim_is_counted_in_plies(engine: Engine) -> None:
    won = Position.parse("1,2 1", "nim", theory=False)
    solution = engine.solve(won, moves="all")
    assert (solution.value, solution.best_moves, len(solution.pv)) == (3, ["2-1"], 3)
    assert solution.moves["2-1"] == (3, 3)
    holds_together(won, solution)
    assert engine.solve(Position.parse("1,1 1", "nim")).value == -2


@pytest.mark.parametrize(("text", "game"), [("<1,1,0,0,3> s", "kalah"), ("0,0 1", "nim")])
def test_finished_games_have_the_value_of_their_outcome(engine: Engine, text: str, game: str) -> None:
    position = Position.parse(text, game)
    solution = engine.solve(position)
    assert (solution.value, solution.nodes, solution.best_moves) == (-2 if game == "kalah" else 0, 0, [])
    holds_together(position, solution)


def test_a_solution_has_the_requested_moves(engine: Engine) -> None:
    position = Position("kalah", houses=3, seeds=3)
    none = engine.solve(position, moves="none")
    assert (none.value, none.best_moves, none.moves, none.pv) == (2, [], {}, [])
    best = engine.solve(position)
    assert (best.value, best.best_moves, best.moves) == (2, ["1", "2"], {})
    assert repr(best) == f"Solution(value=2, proven='exact', outcome='win', best_moves=['1', '2'], nodes={best.nodes})"
    wrong: Any
    for wrong in ("", "some", "Best"):
        with pytest.raises(ValueError, match=f'moves is "none", "best" or "all", not "{wrong}"'):
            engine.solve(position, moves=wrong)
    for wrong in (["2"], 3):
        with pytest.raises(TypeError):
            engine.solve(position, moves=wrong)
    with pytest.raises(TypeError):
        engine.solve(position, "all")  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        best.value = 3  # type: ignore[misc]


def test_limits_end_it_with_what_is_known(engine: Engine) -> None:
    solution = engine.solve(ENDLESS, nodes=1)
    assert (solution.value, solution.proven, solution.lower, solution.upper) == (None, None, -276, 276)
    shown = f"Solution(value=None, proven=None, lower=-276, upper=276, best_moves=[], nodes={solution.nodes})"
    assert repr(solution) == shown
    unknown = engine.solve(Position("nim", heaps="9,9,9", theory=False), nodes=1)
    assert (unknown.value, unknown.lower, unknown.upper) == (None, None, None)
    assert engine.solve(ENDLESS, nodes=3_000).nodes <= 3_000
    assert 0.05 <= engine.solve(ENDLESS, time=0.05).time < 10
    for nodes in (0, -1):
        with pytest.raises(ValueError, match=f"nodes is a whole number, at least 1, not {nodes}"):
            engine.solve(ENDLESS, nodes=nodes)
    for seconds in (0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="time is a positive number of seconds"):
            engine.solve(ENDLESS, time=seconds)


def test_a_guess_says_where_to_begin_and_changes_no_value(engine: Engine) -> None:
    for guess in (-288, -3, 0, 2, 288):
        engine.clear()
        assert engine.solve(Position("kalah", houses=3, seeds=3), guess=guess).value == 2
    engine.clear()
    low = engine.solve(Position("kalah"), guess=-24, nodes=300_000)
    assert low.lower is not None
    assert -24 <= low.lower <= 8
    for wrong in (-289, 289):
        with pytest.raises(ValueError, match=f"guess is a whole number from -288 to 288, units, not {wrong}"):
            engine.solve(ENDLESS, guess=wrong)


def test_what_was_found_stays_in_the_table(engine: Engine) -> None:
    position = Position("kalah", houses=4, seeds=3)
    first = engine.solve(position)
    assert engine.solve(position).nodes * 2 < first.nodes
    engine.clear()
    again = engine.solve(position)
    assert (again.nodes, again.value, again.pv) == (first.nodes, first.value, first.pv)
    several = Engine(hash=8, threads=3).solve(position, moves="all")
    assert (several.value, several.best_moves) == (first.value, first.best_moves)


@pytest.mark.parametrize("moves", ["none", "best", "all"])
@pytest.mark.parametrize("nodes", [None, 60])
def test_solutions_pickle(engine: Engine, moves: Literal["none", "best", "all"], nodes: int | None) -> None:
    engine.clear()
    position = Position("kalah", houses=3, seeds=3).play("1")
    solution = engine.solve(position, moves=moves, nodes=nodes)
    for restored in (pickle.loads(pickle.dumps(solution)), copy.copy(solution), copy.deepcopy(solution)):
        assert (restored.position, restored.position.history) == (position, ["1"])
        assert (restored, restored.to_dict()) == (solution, solution.to_dict())
        for name in (field.name for field in fields(Solution)):
            assert getattr(restored, name) == getattr(solution, name), name
        assert repr(restored) == repr(solution)


def test_several_threads_of_python_solve_with_one_engine(engine: Engine) -> None:
    positions = [Position("kalah", houses=3, seeds=seeds) for seeds in (1, 2, 3, 4)]
    expected = [secateurs.Engine(hash=8).solve(position).value for position in positions]
    with ThreadPoolExecutor(4) as pool:
        assert [solution.value for solution in pool.map(engine.solve, positions)] == expected


@dataclass(frozen=True)
class Take(Game):
    """One to three of some objects in turn; the last one wins."""

    left: int = 14
    turn: int = 1
    engine: ClassVar[Engine | None] = None

    def moves(self) -> list[int]:
        return [number for number in (1, 2, 3) if number <= self.left]

    def play(self, move: int) -> "Take":
        if self.engine:
            self.engine.stop()
        return Take(self.left - move, 3 - self.turn)

    def outcome(self) -> Outcome:
        return Outcome(winner=3 - self.turn)


def test_a_stop_in_a_game_in_python_is_no_fault_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, position = Engine(hash=1), Position(Take())
    value = engine.solve(position).score
    monkeypatch.setattr(Take, "engine", engine)
    stopped = engine.solve(position)
    assert stopped.score == value
    assert stopped.best_moves == []


def test_solve_reports_what_it_knows(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    position = Position("kalah", seeds=3)
    known: list[Solution] = []
    solution = engine.solve(position, progress=known.append, moves="none")
    assert known[-1] == solution
    assert (known[0].lower, known[0].upper) != (solution.lower, solution.upper)
    assert all(isinstance(one, Solution) and one.position == position for one in known)
    for before, after in itertools.pairwise(known):
        assert before.nodes <= after.nodes
        assert (before.lower or -99) <= (after.lower or -99)
    for progress in (False, None):
        engine.solve(position, progress=progress, moves="none")
    assert capsys.readouterr().err == ""
    engine.solve(position, progress=True, moves="none")
    last = capsys.readouterr().err.splitlines()[-1]
    assert re.fullmatch(rf"secateurs: value {solution.value}, [\d,]+ nodes, \d+\.\d s", last)


def test_an_exception_of_the_progress_ends_the_search(engine: Engine) -> None:
    def fails(known: Solution) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        engine.solve(Position("kalah", seeds=3), progress=fails, time=60.0)
    with pytest.raises(TypeError, match="progress is a bool or a function of a Solution"):
        engine.solve(ENDLESS, progress=3)  # type: ignore[arg-type]
    assert engine.solve(Position("nim")).value is not None


def test_nobody_changes_a_solution(engine: Engine) -> None:
    solution = engine.solve(Position("nim", heaps=[1, 2]), moves="all")
    before = repr(solution), hash(solution), solution.to_dict()
    solution.pv.append("9-9")
    solution.best_moves.clear()
    solution.moves["9-9"] = (0, 0)
    assert (repr(solution), hash(solution), solution.to_dict()) == before


def test_errors_list_the_limits_that_solve_takes(engine: Engine) -> None:
    with pytest.raises(TypeError, match=r'unexpected keyword argument "dept"; limits are nodes, time, movetime$'):
        engine.solve(Position("nim"), dept=3)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match=r"give a limit or its keywords \(nodes, time, movetime\), not both"):
        engine.solve(Position("nim"), secateurs.Limit(nodes=3), nodes=4)
    for limit in ("depth", "mate", "remaining"):
        with pytest.raises(ValueError, match="an exact search has no limit but nodes and time"):
            engine.solve(Position("nim"), **{limit: 3})  # type: ignore[arg-type]
