"""One vocabulary: all engines have the same methods, limits are read alike, boards and moves are values of Python."""

import asyncio
import copy
import inspect
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import secateurs
from secateurs import (
    Engine,
    EngineError,
    IllegalMove,
    Limit,
    PlayResult,
    Position,
    Score,
    UciEngine,
    aio,
    analyse_many,
    solve_many,
)

OURS = [sys.executable, "-m", "secateurs"]

ENDLESS = Position("kalah", houses=12, seeds=12)

SMALL = Position("nim", heaps=[1, 2], theory=False)


@pytest.fixture(scope="module")
def pipe() -> Iterator[UciEngine]:
    """Our own engine, through a pipe."""
    with UciEngine(OURS, options={"Hash": 1}) as engine:
        yield engine


@pytest.fixture(params=["here", "pipe"])
def engine(request: pytest.FixtureRequest, pipe: UciEngine) -> Engine | UciEngine:
    """Either kind of engine."""
    return Engine(hash=1) if request.param == "here" else pipe


@pytest.mark.parametrize("method", ["play", "analyse", "analysis"])
def test_all_engines_have_the_same_signatures(method: str) -> None:
    ours, theirs, awaited = (
        {name for name in inspect.signature(getattr(kind, method)).parameters if name != "tree"}
        for kind in (Engine, UciEngine, aio.Engine)
    )
    assert ours == theirs == awaited


def test_a_move_is_played(engine: Engine | UciEngine) -> None:
    played = engine.play(SMALL, Limit(depth=5))
    assert (played.move, played.ponder) == ("2-1", "1-1")
    assert (played.info.best_move, played.info.position) == (played.move, SMALL)
    assert repr(played) == "<PlayResult move='2-1', ponder='1-1'>"
    again = pickle.loads(pickle.dumps(played))
    assert (again.move, again.info.score) == (played.move, played.info.score)
    assert engine.play(SMALL, depth=5, root_moves=["1-1"]).move == "1-1"
    over = engine.play(Position.parse("0 1", "nim"), depth=3)
    assert (over.move, over.ponder) == (None, None)
    assert PlayResult(played.info).move == played.move


def test_limits_are_read_alike(engine: Engine | UciEngine) -> None:
    calls: list[Callable[..., Any]] = [engine.play, engine.analyse, engine.analysis]
    calls += [Engine(hash=1).best_moves, Engine(hash=1).solve]
    calls += [lambda position, *limit, **limits: analyse_many([position], *limit, **limits)]
    wrong: list[tuple[type[Exception], str, tuple[Any, ...], dict[str, Any]]] = [
        (TypeError, r"limit is a Limit, such as Limit\(time=0.1\), not int", (3,), {}),
        (ValueError, "give a limit or its keywords", (Limit(depth=3),), {"nodes": 3}),
        (ValueError, "depth is a whole number from 1 to 255, plies, not 256", (), {"depth": 256}),
        (ValueError, "time is a positive number of seconds up to 1e9, not -1", (), {"time": -1}),
        (ValueError, "movetime is a positive number of milliseconds up to 1e12, not -5", (), {"movetime": -5}),
        (ValueError, "remaining is a positive number of seconds", (), {"remaining": 0}),
        (ValueError, "increment is a number of seconds from 0 to 1e9, not -1", (), {"remaining": 1, "increment": -1}),
        (ValueError, "increment goes with remaining", (), {"increment": 1, "depth": 3}),
        (ValueError, "moves_to_go goes with remaining", (), {"moves_to_go": 1, "depth": 3}),
        (ValueError, "moves_to_go is a whole number, at least 1, not 0", (), {"remaining": 1, "moves_to_go": 0}),
    ]
    for call in calls:
        for kind, words, limit, limits in wrong:
            with pytest.raises(kind, match=words):
                call(SMALL, *limit, **limits)
    for call in calls[:-1]:
        with pytest.raises(TypeError, match=r'argument "dept"; (did you mean depth\?$|limits are nodes, time)'):
            call(SMALL, dept=3)
    # A keyword of the value `None` is left out.
    assert engine.analyse(SMALL, depth=2, nodes=None, time=None).depth == 2
    assert engine.analyse(SMALL, Limit(depth=2), nodes=None).depth == 2


def test_an_exact_search_has_limits_of_its_own() -> None:
    engine = Engine(hash=1)
    assert engine.solve(ENDLESS, Limit(nodes=100)).nodes == engine.solve(ENDLESS, nodes=100).nodes == 100
    for limits in ({"depth": 3}, {"mate": 3}, {"remaining": 3.0}):
        with pytest.raises(ValueError, match="an exact search has no limit but nodes and time"):
            engine.solve(SMALL, Limit(**limits))


def test_limits_have_clocks(engine: Engine | UciEngine) -> None:
    limit = Limit(remaining=60.0, increment=0.5, moves_to_go=20, depth=4)
    assert (limit.remaining, limit.increment, limit.moves_to_go, limit.time) == (60.0, 0.5, 20, None)
    assert (Limit(depth=1).remaining, Limit(depth=1).increment, Limit(depth=1).moves_to_go) == (None, None, None)
    assert repr(limit) == "Limit(depth=4, remaining=60.0, increment=0.5, moves_to_go=20)"
    for again in (pickle.loads(pickle.dumps(limit)), copy.deepcopy(limit), eval(repr(limit), {"Limit": Limit})):
        assert (again, hash(again)) == (limit, hash(limit))
    assert len({limit, Limit(remaining=60.0), Limit(remaining=60), Limit(remaining=61)}) == 3
    assert engine.play(ENDLESS, limit).info.depth == 4
    # A clock of a second ends a search that nothing else ends.
    played = engine.play(ENDLESS, remaining=1.0)
    assert played.move in ENDLESS.legal_moves
    assert played.info.time < 30


def test_numbers_are_moves_where_the_game_numbers_them(engine: Engine | UciEngine) -> None:
    kalah, connect4 = Position("kalah"), Position("connect4")
    assert kalah.play(3) == kalah.play("3")
    assert kalah.play_line([3, "1"]) == kalah.play_line(["3", "1"])
    assert connect4.play(4).play(4).text == "7/7/7/7/3o3/3x3 x"
    assert kalah.svg(3) == kalah.svg("3")
    assert engine.analyse(kalah, depth=3, root_moves=[2, "3"]).best_move in ("2", "3")
    for wrong in (9, -1, 10**30, 10**5000):
        with pytest.raises(IllegalMove):
            kalah.play(wrong)
    with pytest.raises(IllegalMove, match='illegal move "1" in '):
        SMALL.play(1)
    for strange in (True, 3.0, None, [3]):
        with pytest.raises(TypeError, match="move is a str, or an int where the game numbers its moves"):
            kalah.play(strange)  # type: ignore[arg-type]


def test_boards_have_the_shape_of_their_game() -> None:
    kalah = Position("kalah", houses=4, seeds=3).play_line([2, 1])
    assert kalah.houses == ((0, 1, 5, 5), (3, 3, 3, 3))
    assert kalah.stores == (1, 0)
    assert sum(map(sum, kalah.houses)) + sum(kalah.stores) == 24
    assert Position("kalah", first="north", houses=2, seeds=1).play(1).houses == ((1, 1), (0, 2))
    assert Position("nim", heaps=(3, 4, 5)).play("3-5").heaps == (3, 4, 0)
    for game in ("connect4", "cfour"):
        position = Position(game)
        for _ in range(3):
            position = position.play(next(move for move in position.legal_moves if move[:3] in ("4", "P@d")))
        assert len(position.board) == 6
        assert position.board[0] == (0,) * 7
        assert [row[3] for row in position.board] == [0, 0, 0, 1, 2, 1]
    with pytest.raises(AttributeError, match="a position of nim has no houses: it has heaps"):
        _ = SMALL.houses
    with pytest.raises(AttributeError, match="a position of kalah has no board: it has houses and stores"):
        _ = kalah.board


def test_heaps_are_a_list() -> None:
    for heaps in ([3, 4, 5], (3, 4, 5), range(3, 6), "3,4,5"):
        assert Position("nim", heaps=heaps) == Position("nim")
    assert Position.parse("startpos", "nim", heaps=[1, 2]).text == "1,2 1"
    assert analyse_many(["startpos"], depth=3, game="nim", heaps=[1, 2])["position"] == ["1,2 1"]
    mistyped: list[Any] = [[1.5], ["1"], [None], 3, {}]
    for wrong in mistyped:
        with pytest.raises(TypeError, match=r"heaps(\[0\] is an int| is a str or a list of int), not "):
            Position("nim", heaps=wrong)
    for heaps in ([], [-1], [10**30]):
        with pytest.raises(ValueError, match="Heaps"):
            Position("nim", heaps=heaps)


def test_scores_are_floats() -> None:
    assert [float(Score(cp, 1)) for cp in (250, -100, 0, 31_995, -31_996)] == [2.5, -1.0, 0.0, 319.95, -319.96]
    ordered = [Score(cp, 2) for cp in (-31_999, -28_800, 0, 28_800, 31_000, 32_000)]
    assert sorted(ordered, key=float) == sorted(ordered)


def test_the_aspiration_window_is_set() -> None:
    position = Position("kalah", seeds=6)

    def searched(width: int | None) -> tuple[int, int, list[str]]:
        result = Engine(hash=4, aspiration=width).analyse(position, depth=9)
        step = next(step for step in result.iterations if step.depth == 2)
        low, high = step.window
        assert low is not None
        assert high is not None
        return high - low, result.nodes, result.pv

    assert (searched(10)[0], searched(300)[0]) == (20, 600)
    assert searched(None) == searched(100) != searched(10)
    engine = Engine(hash=1, aspiration=25)
    assert (engine.aspiration, Engine(hash=1).aspiration) == (25, None)
    assert repr(pickle.loads(pickle.dumps(engine))) == repr(engine) == "Engine(hash=1, threads=1, aspiration=25)"
    for wrong in (0, -1, 28_801):
        with pytest.raises(ValueError, match="aspiration is a whole number from 1 to 28800, centi-units"):
            Engine(aspiration=wrong)
    with UciEngine(OURS, options={"Hash": 4, "Aspiration": 10}) as other:
        assert other.analyse(position, depth=9).nodes == searched(10)[1]


def test_an_engine_is_closed() -> None:
    with Engine(hash=1) as engine:
        assert engine.play(SMALL, depth=3).move
        assert not engine.closed
        restored = pickle.loads(pickle.dumps(engine))
    assert engine.closed
    assert not restored.closed
    assert (engine.hash, engine.threads, repr(engine)) == (1, 1, "Engine(hash=1, threads=1)")
    engine.close()
    calls: list[Callable[[], object]] = [
        lambda: engine.play(SMALL, depth=3),
        lambda: engine.analyse(SMALL, depth=3),
        lambda: engine.analysis(SMALL),
        lambda: engine.best_moves(SMALL, depth=3),
        lambda: engine.solve(SMALL),
        engine.clear,
        lambda: engine.save("table", SMALL),
    ]
    for call in calls:
        with pytest.raises(EngineError, match="the engine was closed"):
            call()


def test_closing_ends_what_is_under_way() -> None:
    engine = Engine(hash=1)
    analysis = engine.analysis(ENDLESS)
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(engine.analyse, ENDLESS, depth=255)
        time.sleep(0.1)
        engine.close()
        assert search.result(timeout=30).best_move in ENDLESS.legal_moves
    assert analysis.wait().best_move in ENDLESS.legal_moves


def test_a_closed_engine_is_not_awaited() -> None:
    async def main() -> None:
        async with aio.Engine(hash=1, aspiration=30) as engine:
            assert (await engine.play(SMALL, depth=5)).move == "2-1"
            assert (await engine.analyse(SMALL, depth=5, tree=True)).tree().depth > 0
            assert [len(result.multipv) async for result in engine.analysis(SMALL, depth=2, multipv=2)] == [2, 2]
            searching = asyncio.create_task(engine.analyse(ENDLESS, depth=255))
            await asyncio.sleep(0.05)
        assert engine.closed
        assert (await searching).best_move in ENDLESS.legal_moves
        with pytest.raises(EngineError, match="the engine was closed"):
            await engine.play(SMALL, depth=3)

    asyncio.run(asyncio.wait_for(main(), 30))


def test_a_player_of_a_match_may_return_what_it_played() -> None:
    engine = Engine(hash=1, aspiration=40)

    def plays(position: Position) -> PlayResult:
        return engine.play(position, nodes=50)

    games = secateurs.match([plays, engine], SMALL, Limit(nodes=50), rounds=1, random_plies=0)
    assert len(games.games) == 2
    with pytest.raises(ValueError, match="remaining is no limit of a player"):
        secateurs.match([plays, engine], SMALL, Limit(remaining=5), rounds=1)


def test_rows_of_one_position_have_their_history() -> None:
    start = Position("nim", heaps=[2, 2], theory=False)
    one, other = start.play_line(["1-1", "2-1"]), start.play_line(["2-1", "1-1"])
    batch = analyse_many([one, other, one.play("1-1"), start], depth=9)
    assert one == other
    assert batch["history"] == [["1-1", "2-1"], ["2-1", "1-1"], ["1-1", "2-1", "1-1"], []]
    texts = analyse_many(["startpos moves 1-1", "0 1", "none"], depth=9, game="nim", heaps=[1, 1], theory=False)
    assert texts["history"] == [["1-1"], [], []]
    for again in (pickle.loads(pickle.dumps(batch)), batch[::-1][::-1]):
        assert again["history"] == batch["history"]
    assert "history" in repr(batch)
    assert "history" not in repr(batch[3:])


def test_many_positions_are_solved() -> None:
    positions = [Position("kalah", houses=houses, seeds=seeds) for houses in (1, 2, 3) for seeds in (1, 2)]
    expected = [Engine(hash=1).solve(position, moves="all") for position in positions]
    reported: list[tuple[int, int]] = []
    for threads in (1, 3):
        found = solve_many(positions, moves="all", threads=threads, hash=1, progress=lambda *at: reported.append(at))
        assert [one.position for one in found] == positions
        assert [(one.value, one.moves, one.pv) for one in found] == [(one.value, one.moves, one.pv) for one in expected]
        assert [one.nodes for one in found] == [one.nodes for one in expected]
    assert reported[-1] == (6, 6)
    assert solve_many([]) == []
    given: list[Position | str] = ["1,2 1", SMALL]
    mixed = solve_many(iter(given), game="nim", theory=False)
    assert [one.best_moves for one in mixed] == [["2-1"], ["2-1"]]
    assert [one.nodes for one in solve_many([ENDLESS] * 2, Limit(nodes=50))] == [50, 50]
    with pytest.raises(ValueError, match=r'positions\[1\]: bad position "x"'):
        solve_many(["1,2 1", "x"], game="nim")
    with pytest.raises(TypeError, match="positions is an iterable of Position and str, not str"):
        solve_many("1,2 1", game="nim")
    with pytest.raises(TypeError, match=r"positions\[0\] is a Position or a str, not int"):
        solve_many([3])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="an exact search has no limit but nodes and time"):
        solve_many([SMALL], depth=3)


def test_ctrl_c_ends_solving_many() -> None:
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        solve_many([ENDLESS] * 4, threads=2)
    assert time.monotonic() - start < 10
    timer.join()
