"""Matches: faults of the players and of the call, interruptions, and nothing left of them."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from players import BOARD, OURS, POSIX, first
from secateurs import Engine, EngineError, Limit, Player, Position, UciEngine, match


def raiser(error: BaseException) -> Callable[[Position], str]:
    """A player that raises."""

    def play(position: Position) -> str:
        raise error

    return play


@pytest.mark.parametrize(
    ("play", "ending", "detail"),
    [
        (lambda _: "9", "illegal-move", '"9" in "<4,'),
        (lambda _: None, "wrong-claim", "no legal move, but"),
        (lambda _: 1 / 0, "crash", "ZeroDivisionError: division by zero (test_match_faults.py, line "),
        (
            lambda _: 3.0,
            "crash",
            "TypeError: it returned float, where a move is a str, an int, a chess.Move, a PlayResult or a Result",
        ),
        (lambda _: "\ud800", "illegal-move", '\ufffd" in "<4,'),
        (raiser(SystemExit("done")), "crash", "SystemExit: done (test_match_faults.py, line "),
        (raiser(ValueError("\x1b[31mred\nx")), "crash", r"ValueError: \u{1b}[31mred\nx (test_match_faults.py, line "),
        (raiser(ValueError("\ud800")), "crash", "\ufffd (test_match_faults.py, line "),
        (
            raiser(type("Mute", (Exception,), {"__str__": lambda self: 1 / 0})()),
            "crash",
            "Mute, which has no text (test_m",
        ),
        (lambda _: time.sleep(1.0), "hang", "no move 100ms after its time"),
    ],
)
def test_what_a_player_does_wrong_costs_it_the_game(play: Any, ending: str, detail: str) -> None:
    found = match({"good": Engine(hash=1), "bad": play}, BOARD, Limit(depth=1), rounds=1, hang=0.1)
    assert len(found.games) == 2
    for game in found.games:
        assert game.ending == ending
        assert detail in game.detail
        assert game.players[game.result == "0-1"] == "good"
    bad = found.standings[1]
    assert sum(bad.faults.values()) == 2
    assert "(bad 2)" in str(found)


@POSIX
def test_an_engine_that_crashes_loses_and_the_match_goes_on() -> None:
    talk = (
        "while read -r line; do case $line in uci) echo option name UCI_Variant type string; echo uciok;; "
        "isready) echo readyok;; go*) exit 3;; quit) exit;; esac; done"
    )
    found = match({"good": first, "bad": ["sh", "-c", talk]}, BOARD, Limit(depth=1), rounds=2)
    assert {(game.ending, game.players[game.result == "1-0"]) for game in found.games} == {("crash", "bad")}
    assert "exit code 3" in found.games[0].detail
    with pytest.raises(EngineError, match="bad: cannot start"):
        match({"good": first, "bad": "/no/such/engine"}, BOARD, Limit(depth=1))


@POSIX
def test_a_failed_start_is_reported_once(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    caplog.set_level("DEBUG")
    missing: list[Callable[[], object]] = [
        lambda: match({"good": first, "bad": "/no/such/engine"}, BOARD, Limit(depth=1)),
        lambda: UciEngine("/no/such/engine"),
        lambda: UciEngine("false"),
    ]
    for start in missing:
        with pytest.raises(EngineError, match=r"cannot start|closed its (in|out)put") as failed:
            start()
        reported = [*(record.getMessage() for record in caplog.records), str(failed.value)]
        assert len(reported) == 1
    # Nothing else tells of a start that failed before one that did not.
    once = tmp_path / "once"
    talk = (
        f"test -e {once} || {{ touch {once}; exit 3; }}; while read -r line; do case $line in ugi|go*|quit) exit;; "
        "uci) echo option name UCI_Variant type string; echo uciok;; isready) echo readyok;; esac; done"
    )
    match({"good": first, "slow": ["sh", "-c", talk]}, BOARD, Limit(depth=1), rounds=1, concurrency=1)
    assert [record.getMessage() for record in caplog.records if "exit code 3" in record.getMessage()]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"resign": (0, 500)}, "resign: 0 moves would end every game at once"),
        ({"resign": (3, 0)}, "resign: a score of 0 is no win"),
        ({"draw": (0, 10, 4)}, "draw: 0 moves would end every game at once"),
        ({"draw": (2, -1, 4)}, "draw: the score is at least 0"),
        ({"length": 0}, "length: a game has at least 1 ply"),
    ],
)
def test_rules_that_end_every_game_at_once_are_refused(rule: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        match([Engine(hash=1), Engine(hash=1)], BOARD, Limit(nodes=100), rounds=1, **rule)


def test_what_is_wrong_is_named() -> None:
    one = Engine(hash=1)
    with pytest.raises(ValueError, match="at least two players"):
        match([first], BOARD)
    with pytest.raises(ValueError, match="has no limit"):
        match([one, first], BOARD)
    with pytest.raises(ValueError, match=r"clock: .*soon"):
        match([one, first], BOARD, clock="soon")
    with pytest.raises(ValueError, match="mate is no limit of a player"):
        match([one, first], BOARD, Limit(mate=3))
    with pytest.raises(ValueError, match='"swiss"'):
        match([one, first], BOARD, Limit(depth=1), format="swiss")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="sprt is for a match of two"):
        match([first, first, first], BOARD, sprt=(0, 5))
    with pytest.raises(ValueError, match=r"^sprt\[0\] is a number below sprt\[1\], not 5$"):
        match([first, first], BOARD, sprt=(5, 0))
    with pytest.raises(ValueError, match=r"^errors\[1\] is a number above 0 and below 0\.5, not 0$"):
        match([first, first], BOARD, sprt=(0, 5), errors=(0.1, 0))
    with pytest.raises(ValueError, match="rounds is a whole number from 1"):
        match([first, first], BOARD, rounds=0)
    with pytest.raises(ValueError, match="hang is a positive number of seconds"):
        match([first, first], BOARD, hang=0)
    with pytest.raises(TypeError, match="a player is an engine, a command, a function or has a method play, not int"):
        match([first, 3], BOARD)  # type: ignore[list-item]
    with pytest.raises(TypeError, match="a player is an engine, a command or a function, not the class Engine"):
        match([first, Engine], BOARD)  # type: ignore[list-item]
    for who in (first, one):
        with pytest.raises(ValueError, match=r"^protocol is that of a command, which player (function|Engine) is not$"):
            match([first, Player(who, limit=Limit(depth=1), protocol="hub")], BOARD)
    with pytest.raises(TypeError, match="players is a list or a mapping"):
        match("engine", BOARD)
    with pytest.raises(ValueError, match="the name of a player is empty"):
        match({" ": first, "other": first}, BOARD)
    with pytest.raises(
        ValueError, match=r"the name of a player has no control characters or surrogates: 'a\\x1b\[31m'"
    ):
        match({"a\x1b[31m": first, "other": first}, BOARD)
    with pytest.raises(EngineError, match="unknown option"):
        match([first, Player(one, options={"Hsh": 1})], BOARD, Limit(depth=1))
    with pytest.raises(ValueError, match="takes no options"):
        match([first, Player(first, options={"Hash": 1})], BOARD)


INTERRUPTED = """
import os, signal, sys, threading, time
import secateurs
board = secateurs.Position("kalah", houses=12, seeds=12)
players = {
    "inside": lambda: {"a": secateurs.Engine(hash=1), "b": secateurs.Engine(hash=1)},
    "pipes": lambda: {"a": [sys.executable, "-m", "secateurs"], "b": [sys.executable, "-m", "secateurs"]},
    "python": lambda: {"a": lambda position: time.sleep(1000), "b": lambda position: position.legal_moves[0]},
}[sys.argv[1]]()
quick = secateurs.Position("kalah", houses=6, seeds=3)
sent = []
def interrupt():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
games = []
def count(match):
    if match.games and not any(games):
        threading.Timer(0.3, interrupt).start()
    games.append(len(match.games))
threading.Timer(2.0, interrupt).start()
try:
    secateurs.match(players, board, secateurs.Limit(time=1000), rounds=2, hang=1000)
    print("nothing raised")
except KeyboardInterrupt as error:
    print((time.monotonic() - sent[0]) * 1000, len(error.match.games), error.match.planned)
try:
    secateurs.match([secateurs.Engine(hash=1)] * 2, quick, secateurs.Limit(nodes=50), rounds=100000, progress=count)
    print("nothing raised")
except KeyboardInterrupt as error:
    # Ctrl-C may come within the last call of count.
    assert 0 <= len(error.match.games) - games[-1] <= 1, (len(error.match.games), games[-1])
    assert games[-1] > 0
    print("kept")
"""


@POSIX
@pytest.mark.parametrize("players", ["inside", "pipes", "python"])
def test_ctrl_c_ends_the_match_with_its_games(players: str) -> None:
    run = [sys.executable, "-c", INTERRUPTED, players]
    done = subprocess.run(run, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0
    # The player in Python still sleeps at the end.
    assert ("does not return: Python leaves without it" in done.stderr) == (players == "python")
    assert len(done.stderr.splitlines()) == (players == "python")
    first_line, kept = done.stdout.splitlines()
    milliseconds, games, planned = map(float, first_line.split())
    assert (games, planned, kept) == (0, 4, "kept")
    assert milliseconds < 1000


@POSIX
def test_no_process_is_left_of_a_match() -> None:
    program = f"""
import secateurs
secateurs.match({{"a": {OURS!r}, "b": {OURS!r}}}, secateurs.Position("nim"), secateurs.Limit(depth=2), rounds=1)
from contextlib import suppress
from pathlib import Path
children = []
for task in Path("/proc/self/task").iterdir():
    with suppress(FileNotFoundError):  # The thread has just ended.
        children += (task / "children").read_text().split()
print(len(children))
"""
    if not Path("/proc/self/task").is_dir():
        pytest.skip("no list of children")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    # The watchdog alone.
    assert (done.stdout.strip(), done.stderr) == ("1", "")


def test_a_player_that_recurses_without_end_loses_its_game() -> None:
    """In a process of its own: what overflows a stack takes the tests with it."""
    program = """
import secateurs
class Endless:
    def __lt__(self, other):
        return sorted([self, other])
players = {"bad": lambda position: sorted([Endless(), Endless()]), "good": lambda position: position.legal_moves[0]}
for game in secateurs.match(players, secateurs.Position("nim"), rounds=1, openings=["startpos"]).games:
    print(game.ending, game.detail.split(":")[0])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "crash RecursionError\n" * 2), done


@POSIX
def test_ctrl_c_ends_the_choice_of_openings() -> None:
    program = """
import os, signal, threading, time
import secateurs
sent = []
def interrupt():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.5, interrupt).start()
board = secateurs.Position("kalah", houses=12, seeds=12)
try:
    secateurs.match([secateurs.Engine(hash=1)] * 2, board, secateurs.Limit(depth=1), rounds=1, random_nodes=10**9)
except KeyboardInterrupt as error:
    print(time.monotonic() - sent[0], len(error.match.games))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    seconds, games = map(float, done.stdout.split())
    assert games == 0
    assert seconds < 2
