"""Matches: players of all kinds, figures, records, pictures."""

import json
import math
import os
import pickle
import random
import re
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import nbclient
import nbformat
import pytest
import secateur
from secateur import BadFile, Clock, Engine, EngineError, Limit, Match, Player, Position, Result, UciEngine, match

OURS = [sys.executable, "-m", "secateur"]

BOARD = Position("kalah", houses=4, seeds=3)

POSIX = pytest.mark.skipif(os.name != "posix", reason="shells and signals of POSIX")


def chance(seed: int = 1) -> Any:
    """A player that plays anything."""
    lot = random.Random(seed)

    def anything(position: Position) -> str:
        return lot.choice(position.legal_moves)

    return anything


def first(position: Position) -> str:
    """A player that plays the first move."""
    return position.legal_moves[0]


def raiser(error: BaseException) -> Callable[[Position], str]:
    """A player that raises."""

    def play(position: Position) -> str:
        raise error

    return play


def test_chance_loses_against_a_search() -> None:
    found = match({"search": Engine(hash=1), "chance": chance()}, BOARD, Limit(depth=4), rounds=20)
    assert len(found.games) == found.planned == 40
    assert found.finished
    assert found.elo is not None
    assert found.elo.low > 0
    assert found.superiority is not None
    assert found.superiority > 0.975
    assert found.pentanomial is not None
    assert sum(found.pentanomial) == 20
    search, chances = found.standings
    assert (search.name, search.games, chances.points) == ("search", 40, 40 - search.points)
    assert search.wins + search.draws + search.losses == 40
    assert found.crosstable["search", "chance"] == (search.wins, search.draws, search.losses)
    assert found.crosstable["chance", "search"] == (search.losses, search.draws, search.wins)
    assert found.endings == {"by the rules": 40}


def test_a_player_has_a_margin_a_clock_and_restarts_of_its_own() -> None:
    def slow(position: Position) -> str:
        time.sleep(0.05)
        return position.legal_moves[0]

    def ended(player: Player, margin: float) -> dict[str, int]:
        return match([player, first], BOARD, rounds=1, margin=margin).endings

    limit = Limit(time=0.01)
    assert ended(Player(slow, limit=limit), 0) == {"time": 2}
    assert ended(Player(slow, limit=limit, margin=60), 0) == {"by the rules": 2}
    assert ended(Player(slow, limit=limit, margin=0), 60) == {"time": 2}
    # A clock of 1:00 is one of 60 s; "inf" is none.
    assert ended(Player(slow, clock="1:00+1", restart="on"), 0) == {"by the rules": 2}
    assert ended(Player(slow, clock="inf", restart="off"), 0) == {"by the rules": 2}
    for wrong, message in (
        (Player(Engine(hash=1), clock="inf"), "no limit"),
        (Player(first, restart="never"), "restart is"),  # type: ignore[arg-type]
        (Player(first, margin=-1), "margin"),
    ):
        with pytest.raises(ValueError, match=message):
            match([wrong, first], BOARD, rounds=1)


def test_every_opening_is_played_with_both_colours() -> None:
    found = match([Engine(hash=1), first], BOARD, Limit(nodes=50), rounds=5)
    assert [game.number for game in found.games] == list(range(10))
    for one, other in zip(found.games[::2], found.games[1::2], strict=True):
        assert one.players == other.players[::-1]
        assert (one.round, one.opening) == (other.round, other.opening)
    assert len({str(game.opening) for game in found.games}) == 5
    for game in found.games:
        position, moves = game.opening
        assert position == "startpos"
        end = BOARD.play_line([*moves, *game.moves])
        assert end.outcome is not None
        assert end.outcome.margin == game.margin
        assert end.outcome.winner == {"1-0": 1, "0-1": 2}.get(game.result)


def test_openings_are_chosen() -> None:
    chosen: list[Position | str] = [
        BOARD.play("2"),
        "startpos moves 1",
        Position.parse(BOARD.play("3").text, houses=4, seeds=3),
    ]
    found = match([first, chance()], BOARD, openings=chosen, rounds=3)
    expected = [("<4,0,0,3,3,3,3,3,3,3,3> s", ["2"]), ("startpos", ["1"]), (BOARD.play("3").text, [])]
    assert [game.opening for game in found.games[::2]] == expected


@pytest.mark.parametrize(
    ("board", "opening", "words"),
    [
        (
            Position("nim"),
            Position("nim", misere=True),
            "openings[1] has misere=True, and the position of the match misere=",
        ),
        (
            BOARD,
            Position("kalah", houses=4, seeds=3, capture="empty"),
            "openings[1] has capture='empty', and the position",
        ),
        (Position("kalah", houses=3), Position("kalah", houses=4), "openings[1] has houses=4, and the position"),
        (BOARD, Position("nim"), "openings[1] is a position of nim, and the match is of kalah"),
    ],
)
def test_openings_have_the_options_of_the_match(board: Position, opening: Position, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        match([first, chance()], board, openings=[board, opening])


def test_openings_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "lines").write_text("startpos moves 2 ; a comment\n\nstartpos\n")
    found = match([first, chance()], BOARD, openings=tmp_path / "lines", rounds=2)
    assert [game.opening for game in found.games[::2]] == [("startpos", ["2"]), ("startpos", [])]
    with pytest.raises(ValueError, match=r'opening "startpos moves 9" in line 1: illegal move'):
        match([first, chance()], BOARD, openings=["startpos moves 9"])
    with pytest.raises(FileNotFoundError):
        match([first, chance()], BOARD, openings=tmp_path / "none")


@pytest.mark.parametrize(
    ("play", "ending", "detail"),
    [
        (lambda _: "9", "illegal-move", '"9" in "<4,'),
        (lambda _: None, "wrong-claim", "no move, where"),
        (lambda _: 1 / 0, "crash", "ZeroDivisionError: division by zero (test_match.py, line "),
        (lambda _: 3, "crash", "TypeError: it returned int, where a move is a str, a PlayResult or a Result"),
        (lambda _: "\ud800", "illegal-move", '\ufffd" in "<4,'),
        (raiser(SystemExit("done")), "crash", "SystemExit: done (test_match.py, line "),
        (raiser(ValueError("\ud800")), "crash", "\ufffd (test_match.py, line "),
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
    assert "bad's own fault" in str(found)


def test_a_clock_runs_for_players_in_python() -> None:
    seen: list[Clock] = []

    class Slow:
        def play(self, position: Position, clock: Clock) -> str:
            seen.append(clock)
            time.sleep(0.03)
            return position.legal_moves[-1]

    found = match({"slow": Player(Slow(), clock="0.1"), "quick": Player(first, limit=Limit(depth=3))}, BOARD, rounds=1)
    assert {game.ending for game in found.games} == {"time"}
    assert all(game.players[game.result == "1-0"] == "slow" for game in found.games)
    assert seen[0].remaining == 0.1
    assert (seen[0].opponent, seen[0].increment, seen[0].depth) == (None, 0.0, None)
    times = [clock.remaining for clock in seen if clock.remaining is not None]
    assert 0.03 <= times[0] - times[1] < 0.1


def test_a_player_may_say_what_it_thinks() -> None:
    engine = Engine(hash=1)

    def deep(position: Position) -> Result:
        return engine.analyse(position, depth=6)

    found = match({"deep": deep, "flat": Engine(hash=1)}, BOARD, Limit(depth=6), rounds=2, proven=True)
    assert "adjudicated as proven" in found.endings
    game = found.games[0]
    assert all(score for _, score, _, _ in game.details)
    assert max(depth for *_, depth, _ in game.details) >= 4
    assert min(nodes for *_, nodes in game.details) > 0


@POSIX
def test_commands_play_through_pipes() -> None:
    pipe = UciEngine(OURS, options={"Hash": 1})
    players: Any = {"here": Engine(hash=1), "there": pipe, "ugi": Player(OURS, protocol="ugi", options={"Hash": 1})}
    found = match(players, BOARD, Limit(nodes=300), rounds=2)
    pipe.close()
    assert found.endings == {"by the rules": 12}
    assert {row.name for row in found.standings} == {"here", "there", "ugi"}
    assert (found.elo, found.pentanomial) == (None, None)
    assert abs(sum(row.rating[0] for row in found.standings)) < 1e-6
    # The same engine, wherever it runs: games with colours exchanged are the same games.
    moves = {(game.round, tuple(game.moves)) for game in found.games}
    assert len(moves) == 2


@POSIX
def test_an_engine_that_crashes_loses_and_the_match_goes_on() -> None:
    talk = "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) exit 3;; esac; done"
    found = match({"good": first, "bad": ["sh", "-c", talk]}, BOARD, Limit(depth=1), rounds=2)
    assert {(game.ending, game.players[game.result == "1-0"]) for game in found.games} == {("crash", "bad")}
    assert "exit code 3" in found.games[0].detail
    with pytest.raises(EngineError, match="bad: cannot start"):
        match({"good": first, "bad": "/no/such/engine"}, BOARD, Limit(depth=1))


def test_games_side_by_side_are_the_same_games() -> None:
    players: Any = {"a": Engine(hash=1), "b": Player(Engine(hash=1), limit=Limit(nodes=150)), "c": first}
    alone = match(players, BOARD, Limit(nodes=100), rounds=4)
    together = match(players, BOARD, Limit(nodes=100), rounds=4, concurrency=3)
    assert [game.moves for game in alone.games] == [game.moves for game in together.games]
    assert alone.standings == together.standings


def test_a_match_is_taken_up(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    players: Any = {"a": Engine(hash=1), "b": first}
    whole = match(players, BOARD, Limit(nodes=100), rounds=4, record=record)
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join(lines[:4]) + lines[4][:20])
    calls = 0

    def counted(position: Position) -> str:
        nonlocal calls
        calls += 1
        return first(position)

    again = match({"a": Engine(hash=1), "b": counted}, BOARD, Limit(nodes=100), rounds=4, record=record)
    assert [game.moves for game in again.games] == [game.moves for game in whole.games]
    assert 0 < calls < sum(len(game.moves) for game in whole.games)
    calls = 0
    match({"a": Engine(hash=1), "b": counted}, BOARD, Limit(nodes=100), rounds=4, record=record)
    assert calls == 0
    with pytest.raises(BadFile, match="seed"):
        match(players, BOARD, Limit(nodes=100), rounds=4, record=record, seed=2)
    loaded = Match.load(record)
    assert (loaded.names, len(loaded.games)) == (("a", "b"), 8)
    assert loaded.standings == whole.standings
    with pytest.raises(BadFile):
        Match.load(__file__)
    record.write_text('{"secateur":1,"engines":[{"name":"a"},3]}\n')
    with pytest.raises(BadFile, match="does not name the players"):
        Match.load(record)


@POSIX
def test_the_figures_are_those_of_the_command_line(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    ours = " ".join(OURS)
    words = ["match", "--option", "Houses=4", "--option", "Seeds=3", "--rounds", "6", "--each", "option.Hash=1"]
    words += ["-e", f"cmd='{ours}' name=one nodes=300", "-e", f"cmd='{ours}' name=two nodes=40"]
    words += ["--sprt", "0,50", "--record", str(record)]
    done = subprocess.run([*OURS, *words], capture_output=True, text=True, timeout=300, check=False)
    # The wheel's command line plays without a word on stderr.
    assert (done.returncode, done.stderr) == (0, "")
    loaded = Match.load(record, sprt=(0, 50))
    one = Player(Engine(hash=1), limit=Limit(nodes=300))
    two = Player(Engine(hash=1), limit=Limit(nodes=40))
    here = match({"one": one, "two": two}, BOARD, rounds=6, sprt=(0, 50))
    assert [game.moves for game in here.games] == [game.moves for game in loaded.games]
    for found in (loaded, here):
        assert found.elo is not None
        assert found.pentanomial is not None
        assert found.sprt is not None
        value, low, high = found.elo
        assert f"{value:+.1f} [{low:+.1f}, {high:+.1f}]" in done.stdout
        assert f"of one: {' '.join(map(str, found.pentanomial))}" in done.stdout
        assert f"llr {found.sprt.llr:.2f}" in done.stdout


def test_a_test_ends_the_match() -> None:
    found = match({"a": Engine(hash=1), "b": chance()}, BOARD, Limit(depth=4), rounds=500, sprt=(0, 50))
    assert found.sprt is not None
    assert found.sprt.accepted == "H1"
    assert found.finished
    assert len(found.games) < 200
    assert "H1 accepted" in str(found)


def test_games_that_repeat_are_no_evidence() -> None:
    def played(rounds: int) -> Match:
        openings = ["startpos moves 1", "startpos moves 2"]
        return match([Engine(hash=1), first], BOARD, Limit(nodes=50), openings=openings, rounds=rounds, sprt=(0, 50))

    few, many = played(2), played(12)
    assert (few.distinct_games, many.distinct_games, many.played) == (4, 4, 24)
    assert (few.elo, few.normalized_elo, few.superiority) == (many.elo, many.normalized_elo, many.superiority)
    assert [row.rating for row in few.standings] == [row.rating for row in many.standings]
    assert few.sprt is not None
    assert many.sprt is not None
    assert few.sprt.llr == pytest.approx(many.sprt.llr)
    assert many.sprt.accepted is None
    text = str(many)
    assert "openings: 2 distinct ones in 12 rounds" in text
    assert "repeated: 20 of 24 games" in text
    assert "10 of 12 pairs repeat earlier ones and do not count" in text
    assert "repeat" not in str(few)


def test_ratios_of_draws_and_pairs() -> None:
    found = match({"search": Engine(hash=1), "chance": chance()}, BOARD, Limit(depth=4), rounds=10)
    draws = sum(game.result == "1/2-1/2" for game in found.games)
    assert found.draw_ratio == draws / 20
    assert found.pentanomial is not None
    lost, won = sum(found.pentanomial[:2]), sum(found.pentanomial[3:])
    assert found.pairs_ratio == (won / lost if lost else math.inf)
    assert "pairs ratio" in str(found)
    several = match([first, chance(), chance(2)], BOARD, rounds=1)
    assert (several.draw_ratio, several.pairs_ratio) == (None, None)


@POSIX
def test_what_a_command_speaks_is_found_out() -> None:
    talk = (
        "while read -r line; do case $line in ugi) echo ugiok;; isready) echo readyok;; "
        "go*) echo bestmove 1;; quit) exit;; esac; done"
    )
    found = match({"first": first, "ugi": ["sh", "-c", talk]}, Position("nim"), Limit(depth=1), rounds=1)
    assert found.played == 2
    talk = "echo no network >&2; exit 1"
    with pytest.raises(EngineError, match='the last line of its stderr: "no network"'):
        match({"first": first, "bad": ["sh", "-c", talk]}, BOARD, Limit(depth=1))


def test_a_record_names_the_files_of_the_engines(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    match([Engine(hash=1), first], BOARD, Limit(nodes=10), rounds=1, record=record)
    ours, theirs = json.loads(record.read_text().splitlines()[0])["engines"]
    assert [file["path"] for file in ours["files"]] == ["secateur"]
    assert "files" not in theirs


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


def test_rules_of_adjudication() -> None:
    players: Any = [Engine(hash=1), Player(Engine(hash=1))]
    short = match(players, BOARD, Limit(nodes=100), rounds=1, length=5)
    assert {(game.ending, len(game.moves), game.result) for game in short.games} == {("length", 5, "1/2-1/2")}
    assert short.names == ("secateur", "secateur 2")
    drawn = match(players, BOARD, Limit(nodes=100), rounds=1, draw=(2, 100_000, 4))
    assert {game.ending for game in drawn.games} == {"draw"}
    won = match([players[0], chance()], BOARD, Limit(depth=4), rounds=2, resign=(1, 1))
    assert all(game.ending == "rules" for game in won.games), "chance says nothing"
    both, one = (
        match(players, BOARD, Limit(nodes=100), rounds=4, resign=(2, 100), twosided=twosided).games
        for twosided in (True, False)
    )
    assert any(game.ending == "resignation" for game in both)
    assert sum(len(game.moves) for game in one) <= sum(len(game.moves) for game in both), "one agrees no later than two"


def test_progress_is_reported() -> None:
    seen: list[int] = []
    found = match([first, chance()], BOARD, rounds=3, progress=lambda so_far: seen.append(len(so_far.games)))
    assert seen == [1, 2, 3, 4, 5, 6]
    assert len(found.games) == 6

    def stop(_: Match) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough") as raised:
        match([first, chance()], BOARD, rounds=300, progress=stop)
    so_far = raised.value.match  # type: ignore[attr-defined]
    assert 1 <= len(so_far.games) < 300
    assert not so_far.finished


def test_a_notebook_shows_the_match_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[str] = []

    class Handle:
        def update(self, html: Any) -> None:
            pages.append(html.data)

    cell = SimpleNamespace(kernel=None, execution_count=1)
    monkeypatch.setattr("IPython.get_ipython", lambda: cell)
    monkeypatch.setattr("IPython.display.display", lambda *_, **__: Handle())
    found = match({"one": first, "two": chance()}, BOARD, rounds=3)
    assert pages
    assert "6 games" in pages[-1]
    # The cell shows its value: the table on the way gives place to it, and to that of this cell alone.
    followed = pages[-1]
    assert pickle.loads(pickle.dumps(found)).games == found.games
    assert (found._repr_html_(), pages[-1]) == (followed, "")
    pages.append("another cell")
    assert (found._repr_html_(), pages[-1]) == (followed, "another cell")
    found = match({"one": first, "two": chance()}, BOARD, rounds=1)
    cell.execution_count += 1
    assert found._repr_html_() == pages[-1]
    assert "2 games" in pages[-1]


def test_a_notebook_shows_the_crosstable_once() -> None:
    code = """
    import secateur
    def first(position): return position.legal_moves[0]
    secateur.match([first, first], secateur.Position("nim"), rounds=2)
    """
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(textwrap.dedent(code))])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    pages = [output["data"].get("text/html", "") for output in notebook.cells[0].outputs if "data" in output]
    assert sum("<svg" in page for page in pages) == 1


def test_a_terminal_shows_the_match_under_way(capsys: pytest.CaptureFixture[str]) -> None:
    match({"one": first, "two": chance()}, BOARD, rounds=3, progress=True)
    err = capsys.readouterr().err
    assert "0/6 games, the players get ready" in err
    assert "1/6 games, one " in err
    assert err.splitlines()[-1].split("\033[K")[-1].startswith("6/6 games, one ")
    match({"one": first, "two": chance()}, BOARD, rounds=1)
    assert capsys.readouterr().err == ""


def test_what_is_wrong_is_named() -> None:
    one = Engine(hash=1)
    with pytest.raises(ValueError, match="two players at least"):
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
    with pytest.raises(TypeError, match="players is a list or a mapping"):
        match("engine", BOARD)
    with pytest.raises(ValueError, match="the name of a player is empty"):
        match({"": first, "other": first}, BOARD)
    with pytest.raises(EngineError, match="unknown option"):
        match([first, Player(one, options={"Hsh": 1})], BOARD, Limit(depth=1))
    with pytest.raises(ValueError, match="takes no options"):
        match([first, Player(first, options={"Hash": 1})], BOARD)


INTERRUPTED = """
import os, signal, sys, threading, time
import secateur
board = secateur.Position("kalah", houses=12, seeds=12)
players = {
    "inside": lambda: {"a": secateur.Engine(hash=1), "b": secateur.Engine(hash=1)},
    "pipes": lambda: {"a": [sys.executable, "-m", "secateur"], "b": [sys.executable, "-m", "secateur"]},
    "python": lambda: {"a": lambda position: time.sleep(1000), "b": lambda position: position.legal_moves[0]},
}[sys.argv[1]]()
quick = secateur.Position("kalah", houses=6, seeds=3)
sent = []
def interrupt():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
games = []
def count(match):
    games.append(len(match.games))
threading.Timer(2.0 if sys.argv[1] == "pipes" else 0.5, interrupt).start()
try:
    secateur.match(players, board, secateur.Limit(time=1000), rounds=2, hang=1000)
    print("nothing raised")
except KeyboardInterrupt as error:
    print((time.monotonic() - sent[0]) * 1000, len(error.match.games), error.match.planned)
threading.Timer(0.3, interrupt).start()
try:
    secateur.match([secateur.Engine(hash=1)] * 2, quick, secateur.Limit(nodes=50), rounds=100000, progress=count)
    print("nothing raised")
except KeyboardInterrupt as error:
    assert len(error.match.games) == games[-1] > 0, (len(error.match.games), games[-1])
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
import secateur
secateur.match({{"a": {OURS!r}, "b": {OURS!r}}}, secateur.Position("nim"), secateur.Limit(depth=2), rounds=1)
import os
children = [open(f"/proc/self/task/{{task}}/children").read() for task in os.listdir("/proc/self/task")]
print(len(" ".join(children).split()))
"""
    if not Path("/proc/self/task").is_dir():
        pytest.skip("no list of children")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    # The watchdog alone.
    assert (done.stdout.strip(), done.stderr) == ("1", "")


def sample(names: int) -> Match:
    """A match between so many players."""
    players: Any = {"search": Engine(hash=1), "chance": chance(), "first": first, "a longer name <&>": chance(2)}
    return match(dict(list(players.items())[:names]), BOARD, Limit(depth=3), rounds=4)


@pytest.mark.parametrize("names", [2, 3, 4])
def test_the_crosstable_is_drawn(names: int) -> None:
    found = sample(names)
    light, dark, auto = (found.svg(theme=theme) for theme in ("light", "dark", "auto"))
    assert len({light, dark, auto}) == 3
    root = ElementTree.fromstring(auto)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    for element in root.iter("{http://www.w3.org/2000/svg}rect"):
        x, y, w, h = (float(element.get(name, "0")) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + w <= width
        assert 0 <= y <= y + h <= height
    for row in found.standings:
        assert row.name in texts
        assert f"{row.points:g} / {row.games}" in texts
    for counts in found.crosstable.values():
        assert " \u2013 ".join(map(str, counts)) in texts
    ElementTree.fromstring(found._repr_html_())
    with pytest.raises(ValueError, match="not 'blue'"):
        found.svg(theme="blue")  # type: ignore[arg-type]


def test_the_axis_of_the_crosstable_has_a_scale() -> None:
    for names in (2, 3):
        found = sample(names)
        root = ElementTree.fromstring(found.svg())
        texts = {element.text: element for element in root.iter("{http://www.w3.org/2000/svg}text")}
        (reach,) = [int(text[1:]) for text in texts if text and re.fullmatch(r"\+\d+", text)]
        assert {f"+{reach}", "0", f"\N{MINUS SIGN}{reach}"} <= texts.keys()
        low, high = (float(texts[sign].get("x", "nan")) for sign in (f"\N{MINUS SIGN}{reach}", f"+{reach}"))
        # Every dot is where the scale has its value.
        dots = [circle for circle in root.iter("{http://www.w3.org/2000/svg}circle") if circle.get("class") == "ink"]
        strengths = [found.elo] if found.elo else [row.rating for row in found.standings]
        for dot, strength in zip(dots, strengths, strict=True):
            place = low + (high - low) * (max(-reach, min(reach, strength[0])) + reach) / (2 * reach)
            assert float(dot.get("cx", "nan")) == pytest.approx(place, abs=0.01)


def test_a_match_is_plotted() -> None:
    figure = sample(2).plot()
    (line,) = [line for line in figure.axes[0].lines if "against" in str(line.get_label())]
    points: Any = line.get_xydata()
    assert points[-1][0] == 8
    assert math.isfinite(points[-1][1])
    assert figure._repr_png_().startswith(b"\x89PNG")  # type: ignore[attr-defined]
    several = sample(3).plot()
    assert [label.get_text() for label in several.axes[0].get_yticklabels()][-1] == "search"


def test_games_are_exported(tmp_path: Path) -> None:
    found = match([first, chance()], BOARD, rounds=2)
    found.export(tmp_path / "games.pgn")
    found.export(tmp_path / "games.csv")
    assert (tmp_path / "games.pgn").read_text().count("[Event ") == 4
    assert len((tmp_path / "games.csv").read_text().splitlines()) == 5
    with pytest.raises(ValueError, match=r"not '\.txt'"):
        found.export(tmp_path / "games.txt")
    rows = found.rows()
    assert [row["game"] for row in rows] == [1, 2, 3, 4]
    assert json.loads(json.dumps(rows)) == rows


def test_games_as_a_frame() -> None:
    pandas = pytest.importorskip("pandas")
    found = match([first, chance()], BOARD, rounds=2)
    frame = found.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.points.sum() == sum(game.points for game in found.games)


def test_every_game_of_the_registry_is_played() -> None:
    for game in secateur.games():
        found = match([Engine(hash=1), chance()], Position(game), Limit(nodes=200), rounds=1)
        assert found.endings == {"by the rules": 2}, game


def test_damaged_records_are_named(tmp_path: Path) -> None:
    record, damaged = tmp_path / "record.jsonl", tmp_path / "damaged.jsonl"
    match([first, chance()], BOARD, rounds=1, record=record)
    header, *games = record.read_bytes().splitlines(keepends=True)
    wrong = 'damaged.jsonl" line 2: '
    for contents, words in [
        (b"hello\n", 'damaged.jsonl" is no record of a match$'),
        (b"\xff\n", 'damaged.jsonl" is no record of a match$'),
        (header + games[0][:40] + b"\n" + games[1], wrong),
        (header + b"[1, 2]\n", wrong),
        (header + b"\xff\n", wrong),
        (header + b"{}\n" + games[0], wrong),
    ]:
        for use in (Match.load, lambda path: match([first, chance()], BOARD, rounds=1, record=path)):
            damaged.write_bytes(contents)
            with pytest.raises(BadFile, match=words):
                use(damaged)
            assert damaged.read_bytes() == contents
    with pytest.raises(ValueError, match=r"^this cannot be unpickled: it is damaged, or was"):
        secateur.Result._restore(BOARD, "{}")  # type: ignore[attr-defined]
    damaged.write_bytes(b"\xff")
    with pytest.raises(BadFile, match=r'damaged.jsonl" is no file of openings'):
        match([first, chance()], BOARD, openings=damaged)


def test_a_player_that_recurses_without_end_loses_its_game() -> None:
    """In a process of its own: what overflows a stack takes the tests with it."""
    program = """
import secateur
class Endless:
    def __lt__(self, other):
        return sorted([self, other])
players = {"bad": lambda position: sorted([Endless(), Endless()]), "good": lambda position: position.legal_moves[0]}
for game in secateur.match(players, secateur.Position("nim"), rounds=1, openings=["startpos"]).games:
    print(game.ending, game.detail.split(":")[0])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "crash RecursionError\n" * 2), done


@POSIX
def test_ctrl_c_ends_the_choice_of_openings() -> None:
    program = """
import os, signal, threading, time
import secateur
sent = []
def interrupt():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.5, interrupt).start()
board = secateur.Position("kalah", houses=12, seeds=12)
try:
    secateur.match([secateur.Engine(hash=1)] * 2, board, secateur.Limit(depth=1), rounds=1, random_nodes=10**9)
except KeyboardInterrupt as error:
    print(time.monotonic() - sent[0], len(error.match.games))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    seconds, games = map(float, done.stdout.split())
    assert games == 0
    assert seconds < 2
