"""The engine: results, limits, Ctrl-C, threads, logs."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import secateurs
from secateurs import Engine, IllegalMove, Position, Result

GAMES = list(secateurs.games())

# A search too long to wait for: the largest board.
ENDLESS = Position("kalah", houses=12, seeds=12)


@pytest.fixture
def engine() -> Engine:
    """A small engine."""
    return Engine(hash=8)


@pytest.mark.parametrize("game", GAMES)
def test_a_result_holds_together(engine: Engine, game: str) -> None:
    position = Position(game)
    result = engine.analyse(position, depth=6)
    assert result.best_move == result.pv[0]
    assert 1 <= result.depth <= 6
    assert result.depth <= result.seldepth <= 255
    assert result.bound == "exact"
    assert result.proven in (None, "exact", "lower", "upper")
    assert result.wdl is None or sum(result.wdl) == 1000
    assert result.multipv == [result]
    assert 0 <= result.hashfull <= 1000
    assert 0.0 <= result.time < 60.0
    assert result.nps >= result.nodes
    for move in result.pv:
        position = position.play(move)
    assert repr(result).startswith(f"Result(best_move='{result.best_move}', score={result.score!r}, ")


@pytest.mark.parametrize("game", GAMES)
def test_the_engine_plays_to_the_end(engine: Engine, game: str) -> None:
    position = Position(game)
    while position.outcome is None:
        best = engine.analyse(position, depth=3, nodes=2_000).best_move
        assert best in position.legal_moves
        position = position.play(best)
    result = engine.analyse(position, depth=3)
    if position.legal_moves:
        # A draw by the rules, or a repetition that counts the seeds: players may go on.
        assert position.outcome.winner is None or game == "oware"
    else:
        assert (result.best_move, result.pv, result.depth) == (None, [], 0)
        assert (result.score.cp > 0) == (position.outcome.winner == position.turn)


# Exact values of Kalah, margins for South: Irving, Donkers and Uiterwijk, "Solving Kalah", ICGA Journal 23(3), 2000.
@pytest.mark.parametrize(("houses", "seeds", "margin"), [(1, 3, 6), (2, 4, -12), (3, 6, -10), (4, 2, 6), (4, 3, 8)])
def test_small_boards_are_solved(engine: Engine, houses: int, seeds: int, margin: int) -> None:
    result = engine.analyse(Position("kalah", houses=houses, seeds=seeds, capture="empty"), depth=60)
    assert result.score.cp == 100 * margin
    assert result.mate is None


def test_wins_are_counted_in_full_moves(engine: Engine) -> None:
    won = engine.analyse(Position("nim", heaps="1", theory=False), depth=3)
    assert (won.best_move, won.score.cp, won.mate) == ("1-1", 31_999, 1)
    lost = engine.analyse(Position("nim", heaps="1,1", theory=False), depth=3)
    assert (lost.score.cp, lost.mate) == (-31_998, -1)


def test_limits_are_kept(engine: Engine) -> None:
    assert engine.analyse(ENDLESS, nodes=1_000).nodes == 1_000
    assert engine.analyse(ENDLESS, depth=3).depth == 3
    assert engine.analyse(ENDLESS, depth=3, nodes=10**18, time=1e9).depth == 3
    result = engine.analyse(ENDLESS, time=0.05)
    assert result.time >= 0.05
    assert result.best_move in ENDLESS.legal_moves
    assert engine.analyse(ENDLESS, nodes=1).best_move in ENDLESS.legal_moves


def test_searches_from_nothing_repeat() -> None:
    engine = Engine(hash=1)
    first = engine.analyse(Position("kalah"), depth=9)
    warm = engine.analyse(Position("kalah"), depth=9)
    engine.clear()
    again = engine.analyse(Position("kalah"), depth=9)
    fresh = Engine(hash=1).analyse(Position("kalah"), depth=9)
    assert (first.nodes, first.score, first.pv) == (again.nodes, again.score, again.pv)
    assert (first.nodes, first.score, first.pv) == (fresh.nodes, fresh.score, fresh.pv)
    assert warm.nodes < first.nodes


def test_a_search_needs_a_limit_within_its_range(engine: Engine) -> None:
    position = Position("kalah")
    with pytest.raises(ValueError, match=r"a search needs a limit: give depth \(plies\), nodes, time \(seconds\)"):
        engine.analyse(position)
    for depth in (0, -1, 256, 2**40):
        with pytest.raises(ValueError, match=f"depth is a whole number from 1 to 255, plies, not {depth}"):
            engine.analyse(position, depth=depth)
    for nodes in (0, -1):
        with pytest.raises(ValueError, match=f"nodes is a whole number, at least 1, not {nodes}"):
            engine.analyse(position, nodes=nodes)
    for moves in (0, -1, 65536):
        with pytest.raises(ValueError, match=f"mate is a whole number from 1 to 65535, moves, not {moves}"):
            engine.analyse(position, mate=moves)
    for seconds in (0, -1.0, float("nan"), float("inf"), 1e300):
        with pytest.raises(ValueError, match="time is a positive number of seconds"):
            engine.analyse(position, time=seconds)
    hugest: tuple[dict[str, Any], ...] = ({"depth": 2**64}, {"nodes": -(2**64)}, {"time": 10**400})
    for huge in hugest:
        with pytest.raises(ValueError, match=f"{next(iter(huge))} is a "):
            engine.analyse(position, **huge)
    mistaken: tuple[dict[str, Any], ...] = ({"depth": "3"}, {"depth": 3.0}, {"nodes": 1e6}, {"time": "1"}, {"ply": 3})
    for wrong in mistaken:
        with pytest.raises(TypeError):
            engine.analyse(position, **wrong)
    with pytest.raises(TypeError):
        engine.analyse("startpos", depth=3)
    with pytest.raises(TypeError):
        engine.analyse(position, 3)  # type: ignore[call-overload]


def test_the_table_is_bounded() -> None:
    assert Engine().hash == 64
    assert Engine(hash=3).hash == 3
    assert repr(Engine(2)) == "Engine(hash=2, threads=1)"
    for hash in (0, -1):
        with pytest.raises(ValueError, match="at least 1"):
            Engine(hash=hash)
    for hash in (2**40, 2**62):
        with pytest.raises(MemoryError, match=rf"Hash {hash} MiB refused: \d+ MiB of memory are available"):
            Engine(hash=hash)
    with pytest.raises(ValueError, match="hash is a whole number of MiB"):
        Engine(hash=2**70)
    with pytest.raises(TypeError):
        Engine(hash="64")  # type: ignore[arg-type]


def test_threads_are_counted(engine: Engine) -> None:
    assert engine.threads == 1
    several = Engine(hash=1, threads=3)
    assert several.threads == 3
    assert repr(several) == "Engine(hash=1, threads=3)"
    assert several.analyse(Position("kalah"), depth=8).depth == 8
    for threads in (0, -1, 257, 2**40):
        with pytest.raises(ValueError, match=f"threads is a whole number from 1 to 256, not {threads}"):
            Engine(threads=threads)
    with pytest.raises(TypeError):
        Engine(threads=1.5)  # type: ignore[arg-type]


def test_moves_are_legal_ones(engine: Engine) -> None:
    position = Position("kalah")
    assert engine.analyse(position, depth=4, root_moves=position.legal_moves).best_move in position.legal_moves
    assert engine.analyse(position, depth=4, root_moves=("3", "3")).best_move is not None
    for moves in (["7"], ["3", "7"], [""]):
        with pytest.raises(IllegalMove, match=f'illegal move "{moves[-1]}" in '):
            engine.analyse(position, depth=4, root_moves=moves)
    with pytest.raises(IllegalMove):
        engine.analyse(Position.parse("0 1", "nim"), depth=4, root_moves=["1-1"])
    with pytest.raises(ValueError, match="moves is empty"):
        engine.analyse(position, depth=4, root_moves=[])
    mistaken: tuple[Any, ...] = (3.0, [3.0], [True], True)
    for wrong in mistaken:
        with pytest.raises(TypeError):
            engine.analyse(position, depth=4, root_moves=wrong)


def test_lines_are_results(engine: Engine) -> None:
    position = Position("kalah")
    results = engine.analyse(position, depth=5, multipv=1000)
    assert results[0].multipv == results
    assert len(results) == len(position.legal_moves)
    bests = [line.best_move for line in results]
    assert len(set(bests)) == len(bests)
    scores = [line.score for line in results]
    assert scores == sorted(scores, reverse=True)
    for line in results[1:]:
        assert line.multipv == [line]
    for lines in (0, -1):
        with pytest.raises(ValueError, match=f"multipv is a whole number, at least 1, not {lines}"):
            engine.analyse(position, depth=5, multipv=lines)


def test_only_these_moves_are_searched(engine: Engine) -> None:
    for move in Position("kalah").legal_moves:
        assert engine.analyse(Position("kalah"), depth=4, root_moves=[move]).best_move == move


def test_multipv_is_the_number_of_lines(engine: Engine) -> None:
    for lines, found in ((1, 1), (3, 3), (100, 6)):
        assert len(engine.analyse(Position("kalah"), depth=4, multipv=lines)) == found


def test_ties_are_all_of_the_best(engine: Engine) -> None:
    position = Position.parse("1,1 1", "nim", theory=False)
    assert list(engine.best_moves(position, depth=4)) == ["1-1", "2-1"]
    assert list(engine.best_moves(position, depth=4, root_moves=["2-1"])) == ["2-1"]


def test_a_solved_position_is_proven(engine: Engine) -> None:
    assert engine.analyse(Position("kalah", houses=3, seeds=3), depth=60).proven == "exact"


def test_a_mate_is_a_limit(engine: Engine) -> None:
    result = engine.analyse(Position("nim", heaps="1,2", theory=False), mate=2)
    assert (result.best_move, result.mate) == ("2-1", 2)


def test_a_search_for_a_mate_finds_it() -> None:
    """It prunes nothing, so it finds every one, also after searches that do prune."""
    engine, lines = Engine(), (Path(__file__).parent / "data/chess/mates.epd").read_text().splitlines()
    for line in lines:
        fen, _, moves = line.rstrip(";").partition("; bm #")
        position = Position.parse(fen, "chess")
        engine.analyse(position, depth=3)
        result = engine.analyse(position, mate=int(moves))
        assert result.mate is not None
        assert 0 < result.mate <= int(moves)
        assert result.proven in ("lower", "exact")
    assert len(lines) == 65


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        # At the horizon captures find a longer win first.
        ("8/1P1B4/6KN/7R/6P1/8/2k5/5R2 w - - 0 1", 4),
        ("5N1K/1P1B4/1P6/7R/8/8/2k5/5R2 w - - 0 1", 4),
        # The longest defence is not the first move.
        ("8/8/r1R1K3/2Q1p3/8/7B/3k4/8 w - - 0 1", 4),
        ("3N4/5P2/N1Q5/7k/5P2/4r3/6K1/8 w - - 0 1", 4),
    ],
)
def test_a_longer_mate_is_not_the_one_that_is_searched_for(fen: str, moves: int) -> None:
    result = Engine().analyse(Position(fen), mate=moves)
    assert (result.mate, len(result.pv)) == (moves, 2 * moves - 1)


@pytest.mark.parametrize("game", GAMES)
def test_tables_outlive_their_engine(engine: Engine, game: str, tmp_path: Path) -> None:
    position = Position(game)
    fresh = engine.analyse(position, depth=7)
    entries = engine.save(tmp_path / "table", position)
    other = Engine(hash=3)
    assert other.load(str(tmp_path / "table"), position.play(position.legal_moves[0])) == entries > 0
    assert other.analyse(position, depth=7).nodes < fresh.nodes
    assert [file.name for file in tmp_path.iterdir()] == ["table"]


def test_tables_of_others_are_refused(engine: Engine, tmp_path: Path) -> None:
    file = tmp_path / "table"
    engine.analyse(Position("kalah", capture="empty"), depth=5)
    engine.save(file, Position("kalah", capture="empty"))
    with pytest.raises(secateurs.BadFile, match='was saved for "kalah"; this is "nim", and it is not replaced'):
        engine.save(file, Position("nim"))
    with pytest.raises(secateurs.BadFile, match='Capture=empty"; this is "kalah Capture=standard"'):
        engine.load(file, Position("kalah"))
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(secateurs.BadFile, match="is damaged"):
        engine.load(file, Position("kalah", capture="empty"))
    with pytest.raises(FileNotFoundError, match=r'cannot read ".*none"'):
        engine.load(tmp_path / "none", Position("kalah"))
    with pytest.raises(OSError, match="cannot write"):
        engine.save(tmp_path, Position("kalah"))
    with pytest.raises(TypeError):
        engine.save(3, Position("kalah"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "work",
    [
        lambda engine: engine.analyse(ENDLESS, depth=255),
        lambda engine: engine.analyse(ENDLESS, time=1e6),
        lambda engine: engine.solve(ENDLESS),
        lambda engine: engine.solve(ENDLESS, moves="all", time=1e6),
        lambda engine: engine.solve(Position.parse("1," * 15 + "255 1", "nim", theory=False)),
        lambda engine: engine.analyse(Position("nim", heaps=",".join(["199"] * 16), theory=False), depth=255),
        lambda _: ENDLESS.perft(255),
        lambda _: Position("nim", heaps=",".join(["199"] * 16)).perft(4),
    ],
)
def test_ctrl_c_ends_the_work_and_not_the_engine(
    engine: Engine, interrupted: Callable[..., Any], work: Callable[[Engine], object]
) -> None:
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        interrupted(0.2, work, engine)
    # Tens of milliseconds; the bound is only there for a machine that is busy.
    assert time.monotonic() - start < 10
    assert engine.analyse(Position("kalah"), depth=5).best_move is not None


def test_signal_handlers_run_during_a_search(engine: Engine, interrupted: Callable[..., Any]) -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: seen.append(number))
    try:
        result = interrupted(0.1, engine.analyse, ENDLESS, time=0.5)
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [signal.SIGINT]
    assert result.time >= 0.5


def test_other_threads_run_during_a_search(engine: Engine) -> None:
    ended = threading.Event()

    def count() -> int:
        ticks = 0
        while not ended.is_set():
            ticks += 1
        return ticks

    with ThreadPoolExecutor() as pool:
        counting = pool.submit(count)
        result = engine.analyse(ENDLESS, time=0.3)
        ended.set()
        # With the GIL held the count would stand still.
        assert counting.result() > 1_000
    assert result.nodes > 1_000


def test_one_engine_serves_several_threads(engine: Engine) -> None:
    games = [Position(game) for game in GAMES]
    expected = [Engine(hash=8).analyse(position, depth=7) for position in games]
    with ThreadPoolExecutor(4) as pool:
        jobs = [(index, pool.submit(engine.analyse, games[index], depth=7)) for index in [*range(len(games))] * 4]
        clearing = pool.submit(engine.clear)
        results: list[tuple[int, Result]] = [(index, job.result()) for index, job in jobs]
        clearing.result()
    for index, result in results:
        assert result.depth == expected[index].depth
        assert result.best_move in games[index].legal_moves


def test_a_search_in_a_thread_that_is_not_the_main_one_ends(engine: Engine) -> None:
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(engine.analyse, ENDLESS, time=0.1).result().best_move in ENDLESS.legal_moves


def test_python_can_leave_while_a_daemon_searches() -> None:
    program = """
import threading, time, secateurs
position = secateurs.Position("kalah", houses=12, seeds=12)
threading.Thread(target=secateurs.Engine(1).analyse, args=[position], kwargs={"depth": 255}, daemon=True).start()
time.sleep(0.05)
"""
    left = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, check=False)
    assert (left.returncode, left.stdout, left.stderr) == (0, b"", b"")


def test_logs_come_through_logging(engine: Engine, caplog: pytest.LogCaptureFixture) -> None:
    engine.analyse(Position("kalah"), depth=4)
    assert not caplog.records
    with caplog.at_level(logging.DEBUG, logger="secateurs"):
        engine.analyse(Position("kalah"), depth=4)
    (record,) = caplog.records
    assert record.name == "secateurs.search.root"
    assert record.levelno == logging.DEBUG
    assert "depth 4" in record.getMessage()
    engine.analyse(Position("kalah"), depth=4)
    assert len(caplog.records) == 1


@pytest.mark.parametrize("seconds", [0.05, 0.3])
def test_a_large_new_table_holds_up_no_search(seconds: float) -> None:
    try:
        engine = Engine(hash=4096)
    except MemoryError as error:
        pytest.skip(str(error))
    start = time.perf_counter()
    engine.analyse(ENDLESS, time=seconds)
    assert time.perf_counter() - start < seconds + 1  # a second for a busy machine


def test_a_large_new_table_loses_no_game_on_time() -> None:
    found = secateurs.match([Engine(hash=1024), Engine(hash=1)], Position(), clock="0.4+0.02", rounds=1, margin=1)
    assert [row.faults for row in found.standings] == [{}, {}]


def test_more_threads_than_cores_are_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if cores >= 253:
        pytest.skip("there are cores for all threads")
    for threads in (253, 253, 254, 1, 254):
        Engine(hash=1, threads=threads)
    assert [record.getMessage().split()[0] for record in caplog.records] == ["253", "254"]


LIMITED = """
import os, resource, time
from secateurs import Engine, Position

engine, position = Engine(hash=1), Position("nim")
hard = resource.getrlimit(resource.RLIMIT_AS)[1]
# The start of the thread that touches the table maps more than it keeps.
for _ in range(200):
    time.sleep(0.01 if len(os.listdir("/proc/self/task")) > 1 else 0)
pages = int(open("/proc/self/statm").read().split()[0])
for more, call in (
    (200 << 20, lambda: Engine(hash=300)),
    (2 << 20, lambda: engine.analyse(position, depth=3)),
    (2 << 20, lambda: engine.analysis(position, depth=3)),
):
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + more, hard))
    try:
        call()
    except Exception as error:
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
        print(type(error).__name__, error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the address space is limited as Linux does it")
def test_what_the_system_refuses_is_named() -> None:
    done = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True, timeout=60)
    table, *threads = done.stdout.splitlines()
    assert table.startswith("MemoryError Hash 300 MiB refused: the system does not give them to this process, though ")
    assert len(threads) == 2
    assert all(line.startswith("MemoryError a thread cannot be started: ") for line in threads)
    assert done.stderr == ""
