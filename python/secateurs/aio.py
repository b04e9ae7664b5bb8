"""The engine for ``await``: :class:`Engine` has the searches of :class:`secateurs.Engine` as coroutines.

>>> import asyncio
>>> from secateurs import Limit, Position, aio
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

The event loop continues to run during a search. Cancelling the waiting task ends the search.
"""

import asyncio
import concurrent.futures.thread  # noqa: F401  # Registers its wait for threads at exit, which runs after ours.
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import copy_context
from functools import partial, wraps
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, TypeVar, overload
from weakref import WeakSet

import secateurs
from secateurs import Game, Position, Result
from secateurs._arguments import spelled

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from secateurs._native import _M, _AnyLimit, _AnyPosition, _Limits, _Move, _Searched
    from secateurs._results import Lines

__all__ = ["Analysis", "Engine"]

P = ParamSpec("P")
T = TypeVar("T")


@contextmanager
def waking() -> Iterator[None]:
    """Wakes the event loop ten times a second: it otherwise sleeps after a signal cancels a task, as in a notebook."""
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
    method: Callable[Concatenate[secateurs.Engine, P], T],
) -> Callable[Concatenate["Engine", P], Coroutine[Any, Any, T]]:
    """Wraps a method as a coroutine that ends its search when it is cancelled."""

    async def call(self: "Engine", /, *arguments: P.args, **keywords: P.kwargs) -> T:
        # A sibling, so that no other search is stopped.
        engine = self._engine._sibling()
        search = partial(copy_context().run, method, engine, *arguments, **keywords)

        def ended(searching: asyncio.Future[T]) -> None:
            if searching.cancelled():
                engine._abandon()
            self._under_way.discard(engine)

        searching: asyncio.Future[T] | None = None
        try:
            _searches.add(engine)
            self._under_way.add(engine)
            # A signal handler may raise while the executor already has the search and its future is not yet known here.
            searching = asyncio.get_running_loop().run_in_executor(None, search)
            # A callback of the future: a second Ctrl-C can keep a coroutine from handling its cancellation.
            searching.add_done_callback(ended)
            with waking():
                return await searching
        except BaseException:
            engine._abandon()
            if searching is not None:
                searching.cancel()
            self._under_way.discard(engine)
            raise

    return wraps(method)(call)


class Engine:
    """An engine with coroutine methods; the parameters are those of :class:`secateurs.Engine`.

    Searches run in the threads of the event loop's executor, whose number limits the concurrent searches.
    """

    @spelled
    def __init__(self, hash: int = 64, threads: int = 1, aspiration: int | None = None) -> None:
        """As for :class:`secateurs.Engine`."""
        self._engine = secateurs.Engine(hash, threads, aspiration)
        self._under_way: set[secateurs.Engine] = set()

    play = awaited(secateurs.Engine.play)
    best_moves = awaited(secateurs.Engine.best_moves)
    solve = awaited(secateurs.Engine.solve)

    @overload
    async def analyse(
        self,
        position: "_Searched[_M] | str | Game",
        limit: "_AnyLimit | None" = None,
        *,
        multipv: None = None,
        root_moves: "Iterable[_Move] | _Move | None" = None,
        tree: bool | int | None = None,
        **limits: "Unpack[_Limits]",
    ) -> "Result[_M]": ...
    @overload
    async def analyse(
        self,
        position: "_Searched[_M] | str | Game",
        limit: "_AnyLimit | None" = None,
        *,
        multipv: int,
        root_moves: "Iterable[_Move] | _Move | None" = None,
        tree: bool | int | None = None,
        **limits: "Unpack[_Limits]",
    ) -> "Lines[_M]": ...
    @wraps(secateurs.Engine.analyse)
    async def analyse(self, *arguments: Any, **keywords: Any) -> Any:
        """As :meth:`secateurs.Engine.analyse`."""
        return await awaited(secateurs.Engine.analyse)(self, *arguments, **keywords)

    def analysis(
        self,
        position: "_AnyPosition",
        limit: "_AnyLimit | None" = None,
        *,
        multipv: int | None = None,
        root_moves: "Iterable[_Move] | _Move | None" = None,
        **limits: "Unpack[_Limits]",
    ) -> "Analysis":
        """As :meth:`secateurs.Engine.analysis`: starts a search at once. Any event loop may wait for it."""
        return Analysis(self._engine.analysis(position, limit, multipv=multipv, root_moves=root_moves, **limits))

    def stop(self) -> None:
        """Stops all current searches; each returns its result so far.

        This includes searches that wait for a thread of the executor: each returns a legal move as soon as it gets one.
        """
        self._engine.stop()
        for engine in list(self._under_way):
            engine.stop()

    def clear(self) -> None:
        """Clears the table."""
        self._engine.clear()

    def close(self) -> None:
        """Stops all current searches and releases the memory of the table, as the end of ``async with`` does."""
        self.stop()
        self._engine.close()

    @property
    def closed(self) -> bool:
        """Whether the engine was closed."""
        return self._engine.closed

    async def __aenter__(self) -> "Engine":
        """Returns the engine."""
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Closes the engine."""
        self.close()

    @property
    def engine(self) -> secateurs.Engine:
        """The same engine without ``await``, with the same table."""
        return self._engine


#: The engines of the searches that have been started; those that have ended are no longer referred to by others.
_searches: WeakSet[secateurs.Engine] = WeakSet()


def _abandon_all() -> None:
    """Ends all searches. A loop that was left by an exception neither cancels its tasks nor ends its executor."""
    for engine in list(_searches):
        engine._abandon()


# Functions of `atexit` run only after the threads of executors have ended.
if (register := getattr(threading, "_register_atexit", None)) is not None:
    register(_abandon_all)


class Analysis:
    """A search in the background, started by :meth:`Engine.analysis`: an asynchronous iterator and context manager."""

    def __init__(self, analysis: secateurs.Analysis[Any]) -> None:
        """Wraps a running search."""
        self._analysis = analysis
        # The event and the event loop of each waiting call. The search refers to this dict, not to the analysis.
        self._waiting: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}
        waiting = self._waiting

        def wake() -> None:
            for changed, loop in list(waiting.items()):
                # The loop may be closed.
                with suppress(RuntimeError):
                    loop.call_soon_threadsafe(changed.set)

        analysis._listen(wake)

    @contextmanager
    def _listening(self) -> Iterator[asyncio.Event]:
        """Yields an event of the running loop that is set after each iteration and at the end."""
        changed = asyncio.Event()
        self._waiting[changed] = asyncio.get_running_loop()
        try:
            with waking():
                yield changed
        finally:
            del self._waiting[changed]

    @property
    def position(self) -> Position:
        """The position searched."""
        return self._analysis.position

    @property
    def done(self) -> bool:
        """Whether the search has ended."""
        return self._analysis.done

    @property
    def results(self) -> list[Result[Any]]:
        """The results of all finished iterations."""
        return self._analysis.results

    @property
    def latest(self) -> Result[Any] | None:
        """The latest result; ``None`` before the first."""
        return self._analysis.latest

    def stop(self) -> None:
        """Stops the search without waiting for its end."""
        self._analysis.stop()

    async def wait(self) -> Result[Any]:
        """Waits for the end of the search and returns its result. Cancelling the task ends the search."""
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
        """Returns the analysis."""
        return self

    async def __anext__(self) -> Result[Any]:
        """Returns the result of the next finished iteration."""
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
        """Returns the analysis."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Literal[False]:
        """Stops the search and waits for its end."""
        self.stop()
        if kind is not None:
            self._analysis.__exit__(kind, error, trace)
        else:
            await self.wait()
        return False
