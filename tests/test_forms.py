"""The forms of a search: limits as values, scores, several lines, in the background, stopped by others, awaited."""

import asyncio
import gc
import pickle
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from typing import Any

import pytest
import secateurs
from secateurs import Engine, Game, IllegalMove, Limit, Outcome, Position, Score, aio

GAMES = list(secateurs.games())

# A search too long to wait for: the largest board.
ENDLESS = Position("kalah", houses=12, seeds=12)


@pytest.fixture
def engine() -> Engine:
    """A small engine."""
    return Engine(hash=8)


def test_limits_are_values(engine: Engine) -> None:
    limit = Limit(depth=6, nodes=10**9, time=1e6, mate=60)
    assert (limit.depth, limit.nodes, limit.time, limit.mate) == (6, 10**9, 1e6, 60)
    assert limit == Limit(mate=60, time=1e6, nodes=10**9, depth=6) != Limit(depth=6)
    assert len({limit, Limit(depth=6), Limit(nodes=6), eval(repr(limit), {"Limit": Limit})}) == 3
    assert pickle.loads(pickle.dumps(limit)) == limit
    assert repr(Limit(time=0.5)) == "Limit(time=0.5)"
    position = Position("kalah")
    by_value = engine.analyse(position, Limit(depth=6))
    engine.clear()
    assert engine.analyse(position, depth=6).nodes == by_value.nodes
    for wrong in ({}, {"depth": 0}, {"time": -1.0}, {"nodes": 0}, {"mate": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong), "a search needs a limit")):
            Limit(**wrong)
    with pytest.raises(TypeError, match=r"keywords, such as Limit\(depth=8\)"):
        Limit(3)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="not both"):
        engine.analyse(position, limit, depth=3)
    with pytest.raises(TypeError):
        engine.analyse(position, 3)  # type: ignore[call-overload]
    with pytest.raises(AttributeError):
        limit.depth = 3  # type: ignore[misc]


def test_scores_know_whose_they_are() -> None:
    score = Score(250, 1, "lower")
    assert (score.cp, score.player, score.units, score.distance, score.mate) == (250, 1, 2.5, None, None)
    assert -score == score.pov(2) == Score(-250, 2)
    assert ((-score).proven, score.pov(2).pov(1).proven, score.pov(1).proven) == ("upper", "lower", "lower")
    assert score == -score
    assert Score(100, 2) < Score(200, 2) <= Score(200, 2, "exact") < Score(31_990, 2) < Score(31_991, 2)
    assert Score(-31_991, 1) < Score(-31_990, 1) < Score(0, 1)
    assert len({score, Score(250, 1), -score}) == 1
    # One value is equal to itself from both points of view, and has one hash.
    assert Score(1, 1) == Score(-1, 2) != Score(1, 2)
    assert Score(0, 1) == Score(0, 2)
    assert Score(32_000, 1) == Score(-32_000, 2) != Score(-32_000, 1)
    for cp in (-32_000, -1, 0, 1, 31_999):
        assert Score(cp, 1) == Score(cp, 1).pov(2)
        assert hash(Score(cp, 1)) == hash(Score(cp, 1).pov(2))
    assert Score(1, 1) != 1
    assert max([Score(1, 1), Score(3, 1), Score(2, 1)]).cp == 3
    shown = [str(Score(cp, 1)) for cp in (0, 5, -1234, 32_000, -32_000, 31_999, -31_998)]
    assert shown == ["0.00", "+0.05", "-12.34", "won", "lost", "win in 1 ply", "loss in 2 plies"]
    assert [str(Score(100, 1, proven)) for proven in ("exact", "lower", "upper", None)] == [
        "+1.00 proven",
        "at least +1.00",
        "at most +1.00",
        "+1.00",
    ]
    for known in (score, Score(0, 2), Score(-32_000, 2, "exact")):
        again = pickle.loads(pickle.dumps(known))
        assert (again, again.proven) == (known, known.proven)
        assert repr(eval(repr(known), {"Score": Score})) == repr(known)
    win = Score(31_997, 2)
    assert (win.distance, win.mate, win.units) == (3, 2, None)
    with pytest.raises(ValueError, match=r"different points of view .* Score\(250, 1, 'lower'\) and Score\(250, 2\)"):
        assert score < Score(250, 2)
    wrong: Any
    for wrong in (0, 3, -1):
        with pytest.raises(ValueError, match=f"player is 1 or 2, not {wrong}"):
            score.pov(wrong)
        with pytest.raises(ValueError, match=f"player is 1 or 2, not {wrong}"):
            Score(1, wrong)
    for wrong in (32_001, -(2**40)):
        with pytest.raises(ValueError, match=f"from -32000 to 32000, not {wrong}"):
            Score(wrong, 1)
    with pytest.raises(ValueError, match='not "sure"'):
        Score(1, 1, "sure")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        assert score < 300  # type: ignore[operator]


@pytest.mark.parametrize("game", GAMES)
def test_results_carry_their_score_and_their_way(engine: Engine, game: str) -> None:
    position = Position(game)
    position = position.play(position.legal_moves[0])
    result, *_ = engine.analyse(position, depth=5, multipv=2)
    assert result.position == position
    assert result.score.player == position.turn
    assert result.score.proven == result.proven
    assert [line.score.player for line in result.multipv] == [position.turn] * len(result.multipv)
    exact = [step for step in result.iterations if step.bound == "exact"]
    assert [step.depth for step in exact] == list(range(exact[0].depth, exact[-1].depth + 1))
    assert (exact[-1].score, exact[-1].pv) == (result.score, result.pv)
    for step in result.iterations:
        low, high = step.window
        inside = (low is None or step.score.cp > low) and (high is None or step.score.cp < high)
        assert inside or step.bound != "exact" or step.proven == "exact"
    again = pickle.loads(pickle.dumps(result))
    assert (again.position, again.score, again.pv) == (result.position, result.score, result.pv)
    assert [line.pv for line in again.multipv] == [line.pv for line in result.multipv]
    assert [step.window for step in again.iterations] == [step.window for step in result.iterations]
    outcome = Position.parse("0 1", "nim").outcome
    assert pickle.loads(pickle.dumps(outcome)) == outcome


def test_what_is_no_pickle_is_refused() -> None:
    for text in ("", "[]", "[[],[]]", "{"):
        with pytest.raises(ValueError, match=r"unpickled|no result"):
            secateurs.Result._restore(Position(), text)  # type: ignore[attr-defined]


def test_analyse_is_the_same_search(engine: Engine) -> None:
    position = Position("kalah")
    one = engine.analyse(position, Limit(depth=6))
    engine.clear()
    assert engine.analyse(position, depth=6).nodes == one.nodes
    several = engine.analyse(position, depth=5, multipv=3)
    assert len({line.best_move for line in several}) == len(several) == 3
    assert [line.score for line in several] == sorted((line.score for line in several), reverse=True)
    assert len(engine.analyse(position, depth=2, multipv=1)) == 1
    assert len(engine.analyse(position, depth=2, multipv=100)) == 6
    assert engine.analyse(position, depth=4, root_moves=["2"]).best_move == "2"
    with pytest.raises(ValueError, match="multipv is a whole number, at least 1, not 0"):
        engine.analyse(position, depth=2, multipv=0)
    with pytest.raises(ValueError, match="root_moves is empty"):
        engine.analyse(position, depth=2, root_moves=[])
    with pytest.raises(ValueError, match="a search needs a limit"):
        engine.analyse(position)
    with pytest.raises(IllegalMove, match='"9"'):
        engine.analyse(position, depth=2, root_moves=["9"])


def test_best_moves_say_what_is_proven(engine: Engine) -> None:
    position = Position("kalah", houses=3, seeds=3)
    best = engine.best_moves(position, depth=60)
    assert list(best) == engine.solve(position).best_moves
    assert {(score.cp, score.proven) for score in best.values()} == {(200, "exact")}
    open = engine.best_moves(Position("kalah"), depth=4)
    assert {score.proven for score in open.values()} == {None}
    assert set(open) <= set(Position("kalah").legal_moves)
    assert len(engine.best_moves(ENDLESS, nodes=1)) == 1
    assert engine.best_moves(Position.parse("0 1", "nim"), depth=3) == {}


@pytest.mark.parametrize("game", GAMES)
def test_an_analysis_yields_every_depth(engine: Engine, game: str) -> None:
    position = Position(game)
    with engine.analysis(position, depth=6, multipv=2) as analysis:
        results = list(analysis)
        assert list(analysis) == []
    assert analysis.done
    assert [result.depth for result in results] == list(range(1, results[-1].depth + 1))
    assert all(len(result.multipv) == min(2, len(position.legal_moves)) for result in results)
    final = analysis.wait()
    assert (final.score, final.pv) == (results[-1].score, results[-1].pv)
    assert analysis.latest is not None
    assert analysis.latest.nodes == final.nodes
    assert [result.depth for result in analysis.results] == [result.depth for result in results]
    assert final.nodes == Engine(hash=8).analyse(position, depth=6, multipv=2)[0].nodes
    assert analysis.position == position


def test_an_analysis_is_stopped(engine: Engine) -> None:
    for end in ("stop", "exit", "engine", "thread"):
        with engine.analysis(ENDLESS) as analysis:
            assert next(analysis).depth == 1
            assert not analysis.done
            assert repr(analysis).startswith("<Analysis, running, depth ")
            if end == "stop":
                analysis.stop()
            elif end == "engine":
                engine.stop()
            elif end == "thread":
                threading.Timer(0.05, analysis.stop).start()
                for result in analysis:
                    assert result.depth < 255
            if end != "exit":
                assert analysis.wait().best_move in ENDLESS.legal_moves
        assert analysis.done
    finished = engine.analysis(Position.parse("0 1", "nim"))
    assert [result.depth for result in finished] == [0]
    assert finished.wait().best_move is None
    with pytest.raises(ValueError, match="multipv"):
        engine.analysis(ENDLESS, multipv=0)


@pytest.mark.parametrize("done", [True, False])
def test_an_analysis_is_awaited_in_any_loop(done: bool) -> None:
    async def begin() -> aio.Analysis:
        analysis = aio.Engine(hash=1).analysis(ENDLESS)
        # This loop is the first that waits.
        assert (await anext(analysis)).depth == 1
        if done:
            analysis.stop()
            await analysis.wait()
        return analysis

    async def depths(analysis: aio.Analysis) -> list[int]:
        found = []
        async for result in analysis:
            found.append(result.depth)
            if len(found) == 2:
                analysis.stop()
        return found

    analysis = asyncio.run(begin())
    found = asyncio.run(asyncio.wait_for(depths(analysis), 30))
    assert found == list(range(2, 2 + len(found)))
    assert done or len(found) >= 2
    analysis = asyncio.run(begin())
    threading.Timer(0.2, analysis.stop).start()
    assert asyncio.run(asyncio.wait_for(analysis.wait(), 30)).best_move in ENDLESS.legal_moves


def test_an_analysis_begins_without_a_loop_and_tells_all_that_wait() -> None:
    analysis = aio.Engine(hash=1).analysis(ENDLESS)

    async def waits() -> list[secateurs.Result[Any]]:
        waiting = [asyncio.create_task(analysis.wait()) for _ in range(3)]
        assert (await anext(analysis)).depth == 1
        analysis.stop()
        return await asyncio.gather(*waiting)

    found = asyncio.run(asyncio.wait_for(waits(), 30))
    assert len({result.depth for result in found}) == 1


def test_an_analysis_ends_with_its_last_reference(engine: Engine) -> None:
    ended = threading.Event()
    analysis = engine.analysis(ENDLESS)
    next(analysis)
    analysis._listen(lambda: ended.set() if threading.current_thread() else None)
    ended.clear()
    del analysis
    gc.collect()
    assert ended.wait(10)
    assert engine.analyse(ENDLESS, depth=3).depth == 3


def test_an_engine_is_stopped_from_another_thread(engine: Engine) -> None:
    with ThreadPoolExecutor(3) as pool:
        search = pool.submit(engine.analyse, ENDLESS, depth=255)
        solve = pool.submit(engine.solve, ENDLESS)
        time.sleep(0.2)
        assert not search.done()
        began = time.monotonic()
        engine.stop()
        assert search.result(timeout=10).best_move in ENDLESS.legal_moves
        assert solve.result(timeout=10).proven != "exact"
        assert time.monotonic() - began < 10
    assert engine.analyse(Position("kalah"), depth=5).depth == 5


def test_an_engine_is_awaited() -> None:
    async def main() -> None:
        engine = aio.Engine(hash=8)
        position = Position("kalah")
        assert (await engine.analyse(position, depth=5)).depth == 5
        assert len(await engine.analyse(position, Limit(depth=3), multipv=2)) == 2
        assert (await engine.analyse(position, Limit(depth=3))).depth == 3
        assert (await engine.solve(Position("kalah", houses=3, seeds=3))).value == 2
        assert await engine.best_moves(Position("nim", heaps="1,2", theory=False), depth=5)
        async with engine.analysis(position, Limit(depth=6)) as analysis:
            assert [result.depth async for result in analysis] == [1, 2, 3, 4, 5, 6]
            assert (await analysis.wait()).depth == 6
        # The loop goes on while several search.
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.005)
                ticks += 1

        ticking = asyncio.create_task(tick())
        results = await asyncio.gather(*(engine.analyse(ENDLESS, time=0.2) for _ in range(3)))
        ticking.cancel()
        assert ticks > 3
        assert all(result.best_move for result in results)
        with pytest.raises(ValueError, match="a search needs a limit"):
            await engine.analyse(position)

    asyncio.run(main())


def test_who_cancels_ends_the_search() -> None:
    async def main() -> None:
        engine = aio.Engine(hash=8)
        for endless in (engine.analyse(ENDLESS, depth=255), engine.solve(ENDLESS), engine.analysis(ENDLESS).wait()):
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(endless, 0.1)
        async with engine.analysis(ENDLESS) as analysis:
            async for result in analysis:
                if result.depth == 2:
                    break
        assert analysis.done
        assert analysis.latest is not None
        assert len(analysis.results) >= 2
        searching = asyncio.create_task(engine.analyse(ENDLESS, depth=255))
        await asyncio.sleep(0.1)
        engine.stop()
        assert (await asyncio.wait_for(searching, 10)).best_move in ENDLESS.legal_moves

    # It would wait for threads that still search.
    asyncio.run(asyncio.wait_for(main(), 30))


def test_a_stop_ends_searches_that_wait_for_a_thread() -> None:
    async def main() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        engine = aio.Engine(hash=8)
        calls = [
            engine.analyse(ENDLESS, depth=255),
            engine.analyse(ENDLESS, depth=255),
            engine.analyse(ENDLESS, depth=255),
        ]
        searches = [asyncio.create_task(call) for call in calls]
        solving = asyncio.create_task(engine.solve(ENDLESS))
        await asyncio.sleep(0.1)
        engine.stop()
        for search in searches:
            assert (await search).best_move in ENDLESS.legal_moves
        assert (await solving).proven != "exact"
        # What begins later is not stopped.
        assert (await engine.analyse(Position("kalah"), depth=5)).depth == 5

    asyncio.run(asyncio.wait_for(main(), 30))


class Counted(Game):
    """So many moves; with attributes beside them."""

    turn = 1

    def __init__(self, left: int = 3) -> None:  # noqa: D107
        self.left = left
        self.kept: object = None

    def moves(self) -> list[int]:
        if self.left < 0:
            raise ZeroDivisionError("below nothing")
        return [1] if self.left else []

    def play(self, move: int) -> "Counted":
        return Counted(self.left - move if self.left < 9 else -1)

    def outcome(self) -> Outcome:
        return Outcome()

    def key(self) -> int:
        return self.left


@pytest.mark.parametrize("left", [3, 9])
def test_analyses_take_part_in_garbage_collection(left: int) -> None:
    state = Counted(left)
    analysis = Engine(hash=1).analysis(Position(state), depth=2)
    # What listens is let go of at the end; an exception holds the frames that it went through.
    listens: Any = analysis
    listens._listen(partial(id, state))
    del listens
    state.kept = analysis
    with nullcontext() if left == 3 else pytest.raises(ZeroDivisionError):
        analysis.wait()
    gone = weakref.ref(state)
    del state, analysis
    until = time.monotonic() + 10
    while gone() is not None and time.monotonic() < until:
        # The thread of the search may still be about to end.
        gc.collect()
        time.sleep(0.01)
    assert gone() is None
