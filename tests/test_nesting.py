"""Games in Python whose methods search themselves."""

import asyncio
import threading
from collections.abc import Callable, Iterable

import pytest
import secateurs
from secateurs import Analysis, Engine, Position, aio
from test_game_faults import Chain


class Searcher(Chain):
    """A chain whose method begins some work on the same game."""

    work: Callable[[Position], object]

    def play(self, move: int) -> "Searcher":
        return type(self)(self.left - move, 3 - self.turn)

    def evaluate(self) -> int:
        type(self).work(Position(self))
        return 0


ENGINE = Engine(hash=1)

WORKS: list[Callable[[Position], object]] = [
    lambda position: ENGINE.analyse(position, depth=2),
    lambda position: Engine(hash=1).analyse(position, depth=2, tree=True),
    lambda position: ENGINE.analysis(position, depth=2).wait(),
    lambda position: secateurs.analyse_many([position], depth=2),
    lambda position: secateurs.compare(position, 2, procedures=["minimax", "secateurs"]),
]


@pytest.mark.parametrize("work", WORKS)
def test_searches_inside_each_other_have_an_end(work: Callable[[Position], object]) -> None:
    kind = type("Endless", (Searcher,), {"work": staticmethod(work)})
    with pytest.raises(RuntimeError, match="16 searches are under way inside each other"):
        work(Position(kind(3)))
    # One is no fault, and afterwards all is as before.
    once = type("Once", (Searcher,), {"work": lambda _: ENGINE.analyse(Position(Chain(5)), depth=3)})
    assert ENGINE.analyse(Position(once(3)), depth=2).best_move == "1"


def test_moves_that_search_their_own_state_have_an_end() -> None:
    class Own(Chain):
        def moves(self) -> Iterable[int]:
            ENGINE.analyse(Position(self), depth=1)
            return [1]

    with pytest.raises(RecursionError):
        Position(Own(3))

    class Next(Chain):
        def play(self, move: int) -> "Next":
            ENGINE.solve(Position(Next(3)))
            return self

    with pytest.raises(RuntimeError, match="16 searches"):
        ENGINE.analyse(Position(Next(3)), depth=1)


# A search too long to wait for.
ENDLESS = Position("kalah", houses=12, seeds=12)


@pytest.mark.parametrize("wait", [lambda: ENGINE.solve(ENDLESS), lambda: ENGINE.analysis(ENDLESS).wait()])
def test_a_stop_ends_what_a_search_waits_for(wait: Callable[[], object]) -> None:
    engine, inside = Engine(hash=1), threading.Event()

    def work(_: Position) -> None:
        inside.set()
        wait()

    def stop() -> None:
        inside.wait(30)
        engine.stop()

    kind = type("Waiting", (Searcher,), {"work": staticmethod(work)})
    stopping = threading.Thread(target=stop)
    stopping.start()
    assert engine.analyse(Position(kind(3)), depth=2).best_move == "1"
    stopping.join()


async def awaited(analysis: Analysis) -> None:
    await aio.Analysis(analysis).wait()


async def iterated(analysis: Analysis) -> None:
    async for _ in aio.Analysis(analysis):
        pass


def left(analysis: Analysis) -> None:
    with analysis:
        pass


def stopped(analysis: Analysis) -> None:
    analysis.stop()
    analysis.wait()


def from_within(analysis: Analysis) -> None:
    """Another search, whose method waits for the first."""
    kind = type("Inner", (Searcher,), {"work": lambda _: analysis.wait()})
    ENGINE.analyse(Position(kind(3)), depth=2)


@pytest.mark.parametrize(
    "wait",
    [
        Analysis.wait,
        stopped,
        list,
        left,
        from_within,
        lambda analysis: asyncio.run(awaited(analysis)),
        lambda analysis: asyncio.run(iterated(analysis)),
    ],
)
def test_no_search_waits_for_itself(wait: Callable[[Analysis], object]) -> None:
    begun = threading.Event()
    analyses: list[Analysis] = []

    def work(_: Position) -> None:
        begun.wait(30)
        wait(analyses[0])

    kind = type("Waiting", (Searcher,), {"work": staticmethod(work)})
    analyses.append(Engine(hash=1).analysis(Position(kind(3)), depth=2))
    begun.set()
    with pytest.raises(RuntimeError, match="cannot be waited for inside itself"):
        analyses[0].wait()


def test_no_two_searches_wait_for_each_other() -> None:
    begun = threading.Event()
    analyses: list[Analysis] = []

    def kind(other: int) -> type[Searcher]:
        def work(_: Position) -> None:
            begun.wait(30)
            analyses[other].wait()

        return type("Waiting", (Searcher,), {"work": staticmethod(work)})

    analyses += [Engine(hash=1).analysis(Position(kind(other)(3)), depth=2) for other in (1, 0)]
    begun.set()
    for analysis in analyses:
        with pytest.raises(RuntimeError, match="cannot be waited for inside itself"):
            analysis.wait()


def test_players_that_wait_at_the_same_time_are_all_seen() -> None:
    """The second to wait does not hide that the first waits for a search that waits for their match."""
    both = threading.Event()
    outer: list[Analysis] = []

    def analysis(work: Callable[[Position], object]) -> Analysis:
        kind = type("Waiting", (Searcher,), {"work": staticmethod(work)})
        return Engine(hash=1).analysis(Position(kind(3)), depth=2)

    def waits(_: Position) -> None:
        both.wait(30)
        outer[0].wait()

    inner, endless = analysis(waits), Engine(hash=1).analysis(ENDLESS)
    awaited = iter([inner, endless])

    def waiting(position: Position) -> str:
        analysis = next(awaited, None)
        if analysis is endless:
            threading.Timer(0.3, both.set).start()
        if analysis is not None:
            analysis.wait()
        return position.legal_moves[0]

    def quick(position: Position) -> str:
        return position.legal_moves[0]

    def plays(_: Position) -> None:
        if not both.is_set():
            players = {"waiting": waiting, "quick": quick}
            secateurs.match(
                players, Position("nim"), clock="3", hang=0.5, rounds=1, openings=["startpos"], concurrency=2
            )

    outer.append(analysis(plays))
    with pytest.raises(RuntimeError, match="cannot be waited for inside itself"):
        inner.wait()
    endless.stop()
    outer[0].wait()
