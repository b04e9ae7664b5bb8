"""Arguments of wrong types and values out of range: errors name the argument and what it takes, everywhere."""

import asyncio
import inspect
import pickle
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import secateurs
from secateurs import (
    Book,
    Comparison,
    Engine,
    Limit,
    Match,
    Outcome,
    Player,
    Position,
    Score,
    UciEngine,
    aio,
    analyse_many,
    compare,
    match,
    solve_many,
)

SMALL = Position("nim", heaps="1,2", theory=False)

HOSTILE: list[Any] = [
    object(),
    "text",
    "",
    "\ud800",
    "a\0b",
    b"bytes",
    0,
    1,
    -1,
    2**31,
    2**63,
    -(2**63),
    10**30,
    -(10**30),
    10**5000,
    1.5,
    float("nan"),
    float("inf"),
    True,
    [],
    ["x"],
    [object()],
    [10**30, 10**30],
    (1, 2),
    (1, "x", None),
    {},
    {"a": object()},
    {1: 2},
    {"width": "x"},
    lambda: None,
    SMALL,
]

# What no argument takes.
NEVER: list[Any] = [object(), float("nan"), 10**5000, {1: 2}]

# The words of what lies below: of pyo3, of Rust, of our own structures, of Python's C.
LEAKS = re.compile(r"`|\bVec\b|\benum\b|\bPy[A-Z]|\b[iu](8|16|32|64|size)\b|C (long|int)|xtract|Plan|Asked|Field|panic")


def anything(position: Position) -> str:
    return position.legal_moves[0]


async def awaited(**keywords: Any) -> Any:
    return await aio.Engine(hash=1).analyse(**keywords)


async def awaited_play(**keywords: Any) -> Any:
    return await aio.Engine(hash=1).play(**keywords)


def calls() -> Iterator[tuple[str, Callable[..., Any], dict[str, Any], Any]]:
    """Every public callable with arguments that it takes; the last is where its signature is, if that is another."""
    engine, stranger = Engine(hash=1), ["/no/such/engine"]
    result = engine.analyse(SMALL, depth=2)
    limits: dict[str, Any] = {"limit": None, "depth": 1, "nodes": None, "time": None, "movetime": None, "mate": None}
    limits |= {"remaining": 9.0, "increment": None, "moves_to_go": None}
    one: dict[str, Any] = {"position": SMALL, **limits, "root_moves": ["1-1"]}
    several = {**one, "multipv": 1}
    yield "Position", Position, {"game": "nim", "text": "1,2 1", "fen": None}, None
    yield "Position.parse", Position.parse, {"text": "1,2 1", "game": "nim"}, None
    yield "Position.play", SMALL.play, {"move": "1-1"}, None
    yield "Position.play_line", SMALL.play_line, {"moves": ["1-1"]}, None
    yield "Position.variation_san", SMALL.variation_san, {"moves": ["1-1"]}, None
    yield "Position.san", SMALL.san, {"move": "1-1"}, None
    yield "Position.parse_san", SMALL.parse_san, {"san": "1-1"}, None
    yield "Position.from_pgn", Position.from_pgn, {"pgn": "1-1 *", "game": "nim"}, None
    yield "Position.perft", SMALL.perft, {"depth": 1, "progress": None}, None
    marks = {"lastmove": True, "orientation": 1, "size": 300, "fill": {"1": "red"}, "squares": ["1"], "arrows": ["1"]}
    marks |= {"values": {"1-1": "+1"}, "coordinates": True, "characters": False}
    yield "Position.svg", SMALL.svg, {"best": "1-1", "theme": "dark", **marks}, None
    yield "Outcome", Outcome, {"winner": 1, "margin": 3}, None
    yield "Score", Score, {"cp": 1, "player": 1, "proven": "exact"}, None
    yield "Score.pov", Score(1, 1).pov, {"player": 1}, None
    yield "Limit", Limit, {name: value for name, value in limits.items() if name != "limit"}, None
    yield "Engine", Engine, {"hash": 1, "threads": 1, "aspiration": 50}, None
    yield "Engine.play", engine.play, one, None
    yield "Engine.analyse", engine.analyse, {**several, "tree": None}, None
    yield "Engine.analysis", engine.analysis, several, None
    yield "Engine.best_moves", engine.best_moves, one, None
    solve = {"position": SMALL, "limit": None, "moves": "best", "nodes": 10, "time": 1.0, "pv": True, "guess": 0}
    solve |= {"book": False, "progress": None}
    yield "Engine.solve", engine.solve, solve, None
    yield "Engine.certify", engine.certify, {"path": "proof", "position": SMALL, "progress": None}, None
    yield "Engine.save", engine.save, {"path": "table", "position": SMALL}, None
    yield "Engine.load", engine.load, {"path": "table", "position": SMALL}, None
    yield "Book", Book, {"path": "book", "position": SMALL}, None
    book = {"path": "book", "position": SMALL, "plies": 1, "entries": 1, "complete": False, "hash": 1, "threads": 1}
    yield "Book.build", Book.build, {**book, "progress": None}, None
    with tempfile.TemporaryDirectory() as folder:
        yield "Book.get", Book.build(f"{folder}/book", SMALL, plies=1, hash=1).get, {"position": SMALL}, None
    process: dict[str, Any] = {"command": stranger, "options": {}, "protocol": "uci", "cwd": None, "env": {}}
    process |= {"stderr": None, "startup": 1.0, "timeout": 1.0}
    yield "UciEngine", UciEngine, process, None
    yield "Result.tree", result.tree, {"plies": 1, "limit": 1}, None
    yield "Tree.save", result.tree().save, {"path": "tree.txt"}, None
    many = {"positions": [SMALL], **limits, "threads": 1, "hash": 1, "pv": True, "progress": None}
    batch = {"multipv": 1, "root_moves": ["1-1"], "san": True, "checkpoint": None, "game": "nim"}
    yield "analyse_many", analyse_many, {**many, **batch}, None
    solve_all = {**many, "moves": "best", "game": "nim"}
    absent = ("depth", "mate", "remaining", "increment", "moves_to_go")
    yield "solve_many", solve_many, {name: solve_all[name] for name in solve_all if name not in absent}, None
    lab: dict[str, Any] = {"positions": [SMALL], "depth": 1, "tree": None, "trees": 1, "procedures": ["minimax"]}
    lab |= {"order": "moves", "nodes": 100, "time": 1.0, "table": 10, "soft": True, "guess": 0, "window": 1, "stack": 1}
    lab |= {"at_least": None, "threshold": 0.1, "plausibilities": None, "hash": 1, "progress": None, "game": "nim"}
    yield "compare", compare, lab, None
    trees = {"tree": {"width": 2, "depth": 2}, "trees": 1, "procedures": "minimax"}
    yield "compare of trees", compare, trees, ()
    found = compare(SMALL, 1, procedures="minimax")
    yield "Comparison.plot", found.plot, {"column": "nodes"}, None
    play: dict[str, Any] = {"players": [anything, anything], "position": SMALL, "limit": None, "clock": None}
    play |= {"rounds": 1, "format": "gauntlet", "concurrency": 1, "pin": False, "openings": ["startpos"]}
    play |= {
        "order": "random",
        "start": 1,
        "opening_plies": None,
        "random_plies": None,
        "random_candidates": None,
        "random_nodes": None,
        "seed": 1,
        "sprt": (0, 5),
    }
    play |= {
        "errors": (0.05, 0.05),
        "normalized": False,
        "trinomial": False,
        "resign": (3, 100),
        "twosided": True,
        "draw": (3, 10, 20),
    }
    play |= {
        "proven": False,
        "length": 9,
        "databases": None,
        "margin": 1.0,
        "hang": 9.0,
        "record": None,
        "transcript": None,
    }
    yield "match", match, {**play, "progress": False}, None
    random = {"random_plies": 0, "random_candidates": 1, "random_nodes": 1}
    yield "match of random openings", match, {"players": play["players"], "position": SMALL, **random}, ()

    def with_player(**keywords: Any) -> Match:
        return match([Player(**keywords), anything], SMALL, rounds=1, random_plies=0)

    player: dict[str, Any] = {"who": anything, "name": "me", "limit": None, "clock": None, "options": {}}
    player |= {"protocol": None, "margin": 1.0, "restart": "auto"}
    yield "Player", with_player, player, Player
    yield "Match.load", Match.load, {"path": "no.jsonl", "position": None, "sprt": (0, 5)}, None
    played = match([anything, anything], SMALL, rounds=1, random_plies=0)
    yield "Match.svg", played.svg, {"theme": "dark"}, None
    yield "Match.export", played.export, {"path": "games.pgn"}, None
    yield "aio.Engine", aio.Engine, {"hash": 1, "threads": 1, "aspiration": None}, None
    yield (
        "aio.Engine.analyse",
        lambda **given: asyncio.run(awaited(**given)),
        {**several, "tree": None},
        aio.Engine.analyse,
    )
    yield "aio.Engine.play", lambda **given: asyncio.run(awaited_play(**given)), one, aio.Engine.play


CALLS = list(calls())


def parameters(signed: Any) -> set[str]:
    """The named parameters of a callable."""
    kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    named = inspect.signature(signed).parameters.values()
    return {parameter.name for parameter in named if parameter.kind not in kinds} - {"self"}


def error_of(call: Callable[..., Any], given: dict[str, Any]) -> Exception | None:
    """What a call raises."""
    try:
        call(**given)
    except Exception as error:
        return error
    return None


def repr_of(value: Any) -> str:
    """A value in a line; Python does not write the longest numbers."""
    return "10**5000" if isinstance(value, int) and value > 10**100 else repr(value)[:60]


@pytest.mark.parametrize(("name", "call", "given", "signed"), CALLS, ids=[call[0] for call in CALLS])
def test_errors_name_the_argument(
    name: str,
    call: Callable[..., Any],
    given: dict[str, Any],
    signed: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    if signed != ():
        assert parameters(signed or call) <= given.keys()
    for argument in given:
        for value in HOSTILE + NEVER:
            # So many are searched; what a function of ours raises is its own.
            if (argument, value) == ("trees", 2**31) or (argument == "progress" and callable(value)):
                continue
            # The keys of a dict are an iterable.
            if (argument, value) == ("squares", {1: 2}):
                continue
            error = error_of(call, {**given, argument: value})
            if error is None:
                assert value not in NEVER, f"{name}({argument}={repr_of(value)}) is accepted"
                continue
            shown = f"{name}({argument}={repr_of(value)}): {type(error).__name__}: {str(error)[:300]}"
            assert isinstance(error, TypeError | ValueError | OSError | MemoryError | secateurs.EngineError), shown
            if isinstance(error, TypeError | ValueError) and not type(error).__module__.startswith("secateurs"):
                assert {"who": "player"}.get(argument, argument.rstrip("s")) in str(error), shown
            assert not LEAKS.search(str(error)), shown
            assert len(str(error)) < 700, shown


def test_errors_say_what_an_argument_takes() -> None:
    engine = Engine(hash=1)
    wrong_move: Any = 1.0
    wrong: list[tuple[type[Exception], str, Callable[[], object]]] = [
        (
            TypeError,
            "root_moves is a str, or an int .*, not float",
            lambda: engine.play(SMALL, depth=1, root_moves=wrong_move),
        ),
        (TypeError, r"moves\[1\] is a str, or an int .*, not float", lambda: SMALL.play_line(["1-1", 2.0])),  # type: ignore[list-item]
        (TypeError, "depth is an int, not str", lambda: engine.analyse(SMALL, depth="3")),  # type: ignore[call-overload]
        (ValueError, "depth is a whole number from 1 to 255, plies, not 256", lambda: engine.analyse(SMALL, depth=256)),
        (ValueError, f"depth is a whole number .*, not {10**30}", lambda: engine.analyse(SMALL, depth=10**30)),
        (ValueError, "not a very large number", lambda: engine.analyse(SMALL, depth=10**5000)),
        (
            ValueError,
            "time is a positive number of seconds up to 1e9, not inf",
            lambda: engine.analyse(SMALL, time=10**400),
        ),
        (
            ValueError,
            "tree is a whole number of nodes, at least 1, not -1",
            lambda: engine.analyse(SMALL, depth=1, tree=-1),
        ),
        (TypeError, "tree is a bool or an int, not str", lambda: engine.analyse(SMALL, depth=1, tree="x")),  # type: ignore[call-overload]
        (TypeError, "position is a Position, not str", lambda: engine.analyse("startpos", depth=1)),
        (TypeError, "rounds is an int, not str", lambda: match([anything, anything], rounds="3")),  # type: ignore[arg-type]
        (ValueError, "length is a whole number, at least 0, not -1", lambda: match([anything, anything], length=-1)),
        (
            ValueError,
            r"margin is a number of seconds from 0 to 1e9, not -1",
            lambda: match([anything, anything], margin=-1),
        ),
        (ValueError, "depth is empty", lambda: compare(SMALL, [])),
        (TypeError, "depth is an int, not bytes", lambda: compare(SMALL, b"1")),
        (TypeError, "procedures is a str, not int", lambda: compare(SMALL, procedures=3)),  # type: ignore[arg-type]
        (TypeError, "column is a str, not int", lambda: Comparison([]).plot(3)),  # type: ignore[arg-type]
    ]
    for kind, words, call in wrong:
        with pytest.raises(kind, match=words):
            call()


@pytest.mark.parametrize(("path", "words"), [("a\0b", "a NUL character"), ("\ud800", "a lone surrogate")])
def test_paths_that_cannot_be_are_named(path: str, words: str) -> None:
    engine, made = Engine(hash=1), Path(path)
    calls: list[tuple[str, Callable[[], object]]] = [
        ("path", lambda: engine.load(path, SMALL)),
        ("path", lambda: engine.save(path, SMALL)),
        ("path", lambda: Match.load(path)),
        ("record", lambda: match([anything, anything], SMALL, record=path)),
        ("transcript", lambda: match([anything, anything], SMALL, transcript=path)),
        ("openings", lambda: match([anything, anything], SMALL, openings=made)),
        ("checkpoint", lambda: analyse_many([SMALL], depth=1, checkpoint=path)),
        ("plausibilities", lambda: compare(SMALL, 1, plausibilities=path)),
        ("cwd", lambda: UciEngine("/no/such", cwd=path)),
        ("command", lambda: UciEngine(path)),
    ]
    for name, call in calls:
        with pytest.raises(ValueError, match=f"^{name} has .*{words}.*, which no path has$"):
            call()


def test_words_for_processes_are_checked() -> None:
    with pytest.raises(ValueError, match=r"^command\[1\] has a NUL character"):
        UciEngine(["/no/such", "a\0b"])
    with pytest.raises(ValueError, match=r'^env\["A"\] has a NUL character'):
        UciEngine("/no/such", env={"A": "\0"})
    for name in ("", "A=B", "\0"):
        with pytest.raises(ValueError, match=r"^env has .*, which no variable can be called"):
            UciEngine("/no/such", env={name: "x"})
    with pytest.raises(FileNotFoundError, match=r'^cannot work in "no/such/folder"'):
        UciEngine("/no/such", cwd="no/such/folder")


def test_rows_of_batches_are_looked_up() -> None:
    batch = analyse_many([SMALL], depth=1)
    for place in (1, -2, 10**30):
        with pytest.raises(IndexError, match=f"^row {place} of a batch that has 1$"):
            batch[place]
    with pytest.raises(KeyError, match="is none of the columns"):
        batch["\ud800"]


def test_a_player_that_cannot_be_called_begins_no_match() -> None:
    class Plays:
        def play(self, position: Position) -> str:
            return position.legal_moves[0]

    def two(position: Position, other: object) -> str:
        return position.legal_moves[0]

    for player, words in [
        (lambda: "1-1", "lambda> is called with position: too many positional arguments"),
        (two, "two is called with position: missing a required argument: 'other'"),
        (Plays(), "Plays is called with position and clock: too many positional arguments"),
    ]:
        with pytest.raises(TypeError, match=f"player .*{words}"):
            match([anything, player], SMALL)  # type: ignore[list-item]


def test_an_illegal_move_comes_with_the_legal_ones() -> None:
    with pytest.raises(secateurs.IllegalMove, match=r'illegal move "9" in "1,2 1": legal moves are 1-1, 2-2, 2-1$'):
        SMALL.play("9")
    with pytest.raises(secateurs.IllegalMove, match=r": there is no legal move$"):
        Position.parse("0 1", "nim").play("1-1")
    with pytest.raises(secateurs.IllegalMove, match=r"legal moves are 1-100, 1-99, .* and \d+ more$") as caught:
        Position("nim", heaps="100,100,100").play("9")
    assert len(str(caught.value)) < 320


def test_the_error_for_a_number_above_the_range_names_its_maximum() -> None:
    with pytest.raises(ValueError, match=f"^nodes is a whole number, at least 1 and at most {2**63 - 1}, not {2**70}$"):
        secateurs.Limit(nodes=2**70)
    with pytest.raises(ValueError, match=r"^nodes is a whole number, at least 1, not 0$"):
        secateurs.Limit(nodes=0)


@pytest.mark.parametrize("tiny", [4e-10, 5e-324])
def test_a_duration_above_zero_is_at_least_a_nanosecond(tiny: float) -> None:
    assert secateurs.Limit(time=tiny).time == secateurs.Limit(remaining=tiny).remaining == 1e-9
    for limit in (secateurs.Limit(time=tiny), secateurs.Limit(remaining=1, increment=tiny)):
        assert pickle.loads(pickle.dumps(limit)) == limit == eval(f"secateurs.{limit}")
    for wrong in (0, -tiny):
        with pytest.raises(ValueError, match=r"time is a positive number of seconds up to 1e9, not (0|-\d+e-\d+)$"):
            secateurs.Limit(time=wrong)


@pytest.mark.parametrize("nothing", [b"", bytearray(), "", b"1,2 1"])
def test_bytes_are_no_sequence_of_moves_or_positions(nothing: Any) -> None:
    if not isinstance(nothing, str):
        with pytest.raises(TypeError, match=f"moves is a list of str or int, not {type(nothing).__name__}"):
            SMALL.play_line(nothing)
    message = f"positions is an iterable of Position and str, not {type(nothing).__name__}"
    for many in (analyse_many, solve_many):
        with pytest.raises(TypeError, match=message):
            many(nothing, nodes=1)
