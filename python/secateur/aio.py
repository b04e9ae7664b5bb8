"""The engine for ``await``: :class:`Engine` has the names of :class:`secateur.Engine`, as coroutines.

>>> import asyncio
>>> from secateur import Limit, Position, aio
>>> async def main() -> None:
...     engine = aio.Engine(hash=1)
...     played = await engine.play(Position("nim"), depth=5)
...     print(played.move)
...     async with engine.analysis(Position("kalah"), Limit(depth=3)) as analysis:
...         async for result in analysis:
...             print(result.depth)
>>> asyncio.run(main())
1-2
1
2
3

The event loop continues meanwhile. Cancelling the waiting task ends the search.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import wraps
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, TypeVar, overload

import secateur
from secateur import Limit, Position, Result

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from secateur._native import _Limits, _Move

__all__ = ["Analysis", "Engine"]

P = ParamSpec("P")
T = TypeVar("T")


@contextmanager
def waking() -> Iterator[None]:
    """Wakes the event loop ten times a second: where a signal cancels a task, as in a notebook, the loop sleeps on."""
    loop = asyncio.get_running_loop()
    timer = loop.call_soon(lambda: None)

    def wake() -> None:
        nonlocal timer
        timer = loop.call_later(0.1, wake)

    wake()
    try:
        yield
    finally:
        timer.cancel()


def awaited(
    method: Callable[Concatenate[secateur.Engine, P], T],
) -> Callable[Concatenate["Engine", P], Coroutine[Any, Any, T]]:
    """The method as a coroutine, which ends what it began when it is cancelled."""

    async def call(self: "Engine", /, *arguments: P.args, **keywords: P.kwargs) -> T:
        # Its own, so that no other search is ended with it.
        engine = self._engine._sibling()
        self._under_way.add(engine)
        try:
            with waking():
                return await asyncio.to_thread(method, engine, *arguments, **keywords)
        except asyncio.CancelledError:
            engine._abandon()
            raise
        finally:
            self._under_way.discard(engine)

    return wraps(method)(call)


class Engine:
    """An engine whose methods are awaited; the parameters are those of :class:`secateur.Engine`.

    Searches run in the threads of the event loop's executor, at most as many at once as that has.
    """

    def __init__(self, hash: int = 64, threads: int = 1, aspiration: int | None = None) -> None:
        """As for :class:`secateur.Engine`."""
        self._engine = secateur.Engine(hash, threads, aspiration)
        self._under_way: set[secateur.Engine] = set()

    play = awaited(secateur.Engine.play)
    best_moves = awaited(secateur.Engine.best_moves)
    solve = awaited(secateur.Engine.solve)

    @overload
    async def analyse(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        multipv: None = None,
        root_moves: "Sequence[_Move] | None" = None,
        tree: bool | int | None = None,
        **limits: "Unpack[_Limits]",
    ) -> Result: ...
    @overload
    async def analyse(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        multipv: int,
        root_moves: "Sequence[_Move] | None" = None,
        tree: bool | int | None = None,
        **limits: "Unpack[_Limits]",
    ) -> list[Result]: ...
    @wraps(secateur.Engine.analyse)
    async def analyse(self, *arguments: Any, **keywords: Any) -> Any:
        """As :meth:`secateur.Engine.analyse`."""
        return await awaited(secateur.Engine.analyse)(self, *arguments, **keywords)

    def analysis(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        root_moves: "Sequence[_Move] | None" = None,
        **limits: "Unpack[_Limits]",
    ) -> "Analysis":
        """As :meth:`secateur.Engine.analysis`: begins a search at once. Any event loop may wait for it."""
        return Analysis(self._engine.analysis(position, limit, multipv=multipv, root_moves=root_moves, **limits))

    def stop(self) -> None:
        """Ends all searches under way, each with what it has found by then.

        Those that wait for a thread of the executor are ended as well: each returns as soon as it gets one, with
        a legal move.
        """
        self._engine.stop()
        for engine in list(self._under_way):
            engine.stop()

    def clear(self) -> None:
        """Empties the table."""
        self._engine.clear()

    def close(self) -> None:
        """Ends all searches under way, and gives the memory of the table back; ``async with`` does so at its end."""
        self.stop()
        self._engine.close()

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._engine.closed

    async def __aenter__(self) -> "Engine":
        """Itself."""
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Closes it."""
        self.close()

    @property
    def engine(self) -> secateur.Engine:
        """The same engine without ``await``, over the same table."""
        return self._engine


class Analysis:
    """A search in the background: an asynchronous iterator and context manager. :meth:`Engine.analysis` begins it."""

    def __init__(self, analysis: secateur.Analysis) -> None:
        """Of a search that has begun."""
        self._analysis = analysis
        # An event of each call that waits, with its event loop. The search holds this dict, not the analysis.
        self._waiting: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}
        waiting = self._waiting

        def tell() -> None:
            for changed, loop in list(waiting.items()):
                # The loop may be closed by now.
                with suppress(RuntimeError):
                    loop.call_soon_threadsafe(changed.set)

        analysis._listen(tell)

    @contextmanager
    def _listening(self) -> Iterator[asyncio.Event]:
        """An event of the running loop that is set after each iteration and at the end."""
        changed = asyncio.Event()
        self._waiting[changed] = asyncio.get_running_loop()
        try:
            with waking():
                yield changed
        finally:
            del self._waiting[changed]

    @property
    def position(self) -> Position:
        """The position that is searched."""
        return self._analysis.position

    @property
    def done(self) -> bool:
        """Whether the search is over."""
        return self._analysis.done

    @property
    def results(self) -> list[Result]:
        """The results of all iterations finished so far."""
        return self._analysis.results

    @property
    def latest(self) -> Result | None:
        """The last result so far; ``None`` before the first."""
        return self._analysis.latest

    def stop(self) -> None:
        """Ends the search, and does not wait for its end."""
        self._analysis.stop()

    async def wait(self) -> Result:
        """Waits for the end of the search, and returns its result. Cancelling ends it."""
        self._analysis._check_wait()
        try:
            with self._listening() as changed:
                while not self._analysis.done:
                    await changed.wait()
                    changed.clear()
        except asyncio.CancelledError as error:
            self._analysis.__exit__(type(error), error, None)
            raise
        return self._analysis.wait()

    def __aiter__(self) -> "Analysis":
        """Itself."""
        return self

    async def __anext__(self) -> Result:
        """The next finished iteration."""
        with self._listening() as changed:
            while True:
                changed.clear()
                done = self._analysis.done
                if (result := self._analysis._poll()) is not None:
                    return result
                if done:
                    raise StopAsyncIteration
                self._analysis._check_wait()
                await changed.wait()

    async def __aenter__(self) -> "Analysis":
        """Itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Literal[False]:
        """Ends the search, and waits for its end."""
        self.stop()
        if kind is not None:
            self._analysis.__exit__(kind, error, trace)
        else:
            await self.wait()
        return False
