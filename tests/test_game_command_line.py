"""``secateurs ... --game MODULE:NAME``: games in Python on the command line."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import secateurs
from players import OURS

EXAMPLES = Path(__file__).parent.parent / "examples"
GAME = "dots_and_boxes:DotsAndBoxes"

sys.path.append(str(EXAMPLES))
import dots_and_boxes  # noqa: E402


def run(
    words: str, folder: Path = EXAMPLES, text: str = "", path: Path | None = None
) -> subprocess.CompletedProcess[str]:
    environment = os.environ if path is None else {**os.environ, "PYTHONPATH": str(path)}
    return subprocess.run(
        [*OURS, *shlex.split(words)],
        cwd=folder,
        env=environment,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_person_plays_it() -> None:
    done = run(f"play --game {GAME} --level 3 --seed 1", text="h11\nh99\nhint\nundo\nresign\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("DotsAndBoxes: a game written in Python\nYou are player 1, I am player 2")
    assert "You play h11." in done.stdout
    assert '"h99"' in done.stdout
    assert "\n+--+  +  +\n" in done.stdout


def test_games_are_recorded_and_loaded(tmp_path: Path) -> None:
    record = tmp_path / "game.pgn"
    done = run(f"play --game={GAME} --side none --depth 3 --seed 1 --record {record}")
    assert (done.returncode, done.stderr) == (0, "")
    assert "The game is over." in done.stdout
    assert '[Variant "DotsAndBoxes"]' in record.read_text(encoding="utf-8")
    done = run(f"play --game {GAME} --load {record}")
    assert (done.returncode, done.stderr) == (0, "")
    assert "The game is over." in done.stdout


ODD = """
from dataclasses import dataclass

import secateurs


@dataclass(frozen=True)
class Odd(secateurs.Game):
    taken: tuple = ()
    turn: int = 1

    def moves(self):
        return [mv for mv in [(0, 0), (0, 2), "a b", "x*", "1-0", "c!"] if mv not in self.taken]

    def play(self, mv):
        return Odd((*self.taken, mv), 3 - self.turn)

    def outcome(self):
        return secateurs.Outcome(winner=1)
"""


def test_moves_of_any_text_are_loaded_again(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text(ODD, encoding="utf-8")
    play = "play --game odd:Odd --side both --record r.pgn"
    done = run(play, tmp_path, text="(0, 0)\na b\nquit\n", path=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    done = run(f"{play} --load r.pgn", tmp_path, text="x*\n1-0\nquit\n", path=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert '1. "(0, 0)" 2. "a b" 3. "x*" 4. "1-0" *' in (tmp_path / "r.pgn").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("analyse startpos --depth 4", "best move h11"),
        ("perft 2", "total 272"),
        ("tree --depth 1", "v24"),
        ("solve 'startpos moves h11 v11 h21 v12'", "value 4 (win)"),
        ("compare startpos --depth 1", "alpha-beta"),
    ],
)
def test_other_commands_take_it(words: str, shown: str) -> None:
    done = run(f"{words} --game {GAME}")
    assert (done.returncode, done.stderr) == (0, "")
    assert shown in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "tune games.bin",
            "is a game in Python, for analyse, solve, tree, perft, compare, match, play, selfplay, train and the "
            "protocol",
        ),
        ("endgame build --size 4 folder", "is a game in Python"),
        ("solve startpos --certificate proof", "no certificates and checkpoints of a game in Python"),
        ("analyse --save-hash table", "tables and learned positions of a game in Python are not kept in files"),
        ("match -e name=A -e depth=1", "A has no limit"),
        ("match -e depth=1 -e 'depth=1 proto=uci'", "proto is a word of a program"),
        ("match -e depth=1 -e 'depth=1 option.Hush=1'", 'unknown option "Hush"'),
    ],
)
def test_what_needs_a_registered_game_is_named(words: str, message: str, tmp_path: Path) -> None:
    done = run(f"{words} --game {GAME}", tmp_path, path=EXAMPLES)
    assert done.returncode == 2
    assert message in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere:Game", "No module named 'nowhere'; in MODULE:NAME, MODULE is a file in this folder, without .py"),
        ("dots_and_boxes.py:DotsAndBoxes", "in MODULE:NAME, MODULE is a file in this folder, without .py"),
        ("./dots_and_boxes:DotsAndBoxes", "in MODULE:NAME, MODULE is a file in this folder, without .py"),
        (".:DotsAndBoxes", "in MODULE:NAME, MODULE is a file in this folder, without .py"),
        ("dots_and_boxes:", "a game in Python is MODULE:NAME, and NAME is missing"),
        (":DotsAndBoxes", "a game in Python is MODULE:NAME, and MODULE is missing"),
        ("dots_and_boxes:Dots", "module 'dots_and_boxes' has no attribute 'Dots'"),
        ("dots_and_boxes:edges", "TypeError: edges() missing 2 required positional arguments"),
        ("dots_and_boxes:__name__", "it is of type str, where a secateurs.Game is needed"),
        ("dots_and_boxes", "unknown game"),
    ],
)
def test_what_is_no_game_is_named(name: str, message: str) -> None:
    done = run(f"play --game {name}")
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_an_error_of_syntax_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("class Own(:\n", encoding="utf-8")
    done = run("perft 1 --game own:Own", tmp_path, path=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "error: --game own:Own: SyntaxError: invalid syntax (own.py, line 1)\n"


def test_texts_of_a_game_do_not_control_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "from dots_and_boxes import DotsAndBoxes\n"
        "TEXT = '\\x1b[31mred\\nbestmove\\rx'\n"
        "def bad(): raise ValueError(TEXT)\n"
        "class Broken(DotsAndBoxes):\n"
        "    def play(self, move): raise ArithmeticError(TEXT)\n"
        "    def __str__(self): return TEXT\n",
        encoding="utf-8",
    )
    for words in ("perft 1 --game own:bad", "perft 1 --game own:Broken", "analyse --depth 1 --game own:Broken"):
        done = run(words, tmp_path, path=EXAMPLES)
        assert done.returncode != 0
        assert "\\u{1b}[31mred\nbestmove\\rx" in done.stderr
        assert not set(done.stderr) & {"\x1b", "\r"}
    done = run("--game own:Broken", tmp_path, "d\nquit\n", path=EXAMPLES)
    assert "position \\u{1b}[31mred\\nbestmove\\rx\n" in done.stdout


def test_positions_states_and_functions_are_taken(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        f"import sys; sys.path.append({str(EXAMPLES)!r})\n"
        "import secateurs\n"
        "from dots_and_boxes import DotsAndBoxes\n"
        "small = DotsAndBoxes(rows=1, columns=1)\n"
        "later = secateurs.Position(small).play('h11')\n"
        "def made(): return later\n"
        "class Broken(DotsAndBoxes):\n"
        "    def play(self, move): raise ArithmeticError('broken')\n",
        encoding="utf-8",
    )
    for name, count in ("small", 4), ("later", 3), ("made", 3):
        assert f"total {count}" in run(f"perft 1 --game own:{name}", tmp_path).stdout
    done = run("analyse --depth 3 --game own:Broken", tmp_path)
    assert done.returncode != 0
    assert "ArithmeticError: broken" in done.stderr


def test_the_protocol_speaks_it() -> None:
    lines = [
        "hub",
        "ugi",
        "setoption name UCI_Variant value kalah",
        "position startpos moves h11 h12",
        "go depth 2",
        "position startpos moves h99",
        "go depth 1",
    ]
    done = run(f"--game {GAME}", text="\n".join(lines))
    assert (done.returncode, done.stderr) == (0, "")
    said = done.stdout.splitlines()
    assert "option name UCI_Variant type combo default DotsAndBoxes var DotsAndBoxes" in said
    assert not any("Seeds" in line for line in said)
    assert said[0] == "info string the Hub protocol, of draughts, does not have DotsAndBoxes"
    assert 'info string bad value "kalah" for option UCI_Variant: one of DotsAndBoxes' in said
    best = [line.removeprefix("bestmove ") for line in said if line.startswith("bestmove ")]
    assert best[0] in {"h13", "h21", "h22", "h23", "h31", "h32", "h33", *(f"v{a}{b}" for a in "12" for b in "1234")}
    assert best[1:] == ["(none)"]


def test_engines_and_programs_play_matches(tmp_path: Path) -> None:
    record, pgn, page = (tmp_path / name for name in ("match.jsonl", "match.pgn", "match.html"))
    program = f"cmd='{shlex.join([*OURS, '--game', GAME])}' name=program depth=1 proto=ugi"
    words = f"match --game {GAME} -e {shlex.quote(program)} -e 'name=ours depth=2 option.Hash=1' --random-candidates 1"
    done = run(f"{words} -r 1 --record {record} --pgn {pgn} --report {page}")
    assert (done.returncode, done.stderr) == (0, "")
    assert "ended: 2 by the rules" in done.stdout
    assert pgn.read_text(encoding="utf-8").count('[Variant "DotsAndBoxes"]') == 2
    assert "<html" in page.read_text(encoding="utf-8")
    # The match continues, and the package reads its record.
    done = run(f"{words} -r 2 --record {record}")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(secateurs.Match.load(record, secateurs.Position(dots_and_boxes.DotsAndBoxes())).games) == 4
    header = json.loads(record.read_text(encoding="utf-8").splitlines()[0])
    assert [engine["name"] for engine in header["engines"]] == ["program", "ours"]
    # A changed extension module is noticed.
    assert header["engines"][1]["files"][0]["bytes"] == Path(secateurs._native.__file__).stat().st_size


def test_exceptions_of_the_game_end_the_command(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "import secateurs\n"
        "class Take(secateurs.Game):\n"
        "    def __init__(self, left=5, turn=1): self.left, self.turn = left, turn\n"
        "    def moves(self): return [(0, n) for n in (1, 2) if n <= self.left]\n"
        "    def play(self, move): return type(self)(self.left - move[1], 3 - self.turn)\n"
        "    def outcome(self): return secateurs.Outcome(winner=3 - self.turn)\n"
        "    def __str__(self): return str(self.left)\n"
        "class Broken(Take):\n"
        "    def moves(self): return [1]\n"
        "    def play(self, move): return Broken(self.left, 3 - self.turn)\n"
        "    def evaluate(self): raise ArithmeticError('broken')\n",
        encoding="utf-8",
    )
    # A move with a blank in it is played in matches; the protocol has none.
    both = "-e depth=2 -e depth=1 -r 1 --random-plies 0"
    done = run(f"match {both} --game own:Take", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "ended: 2 by the rules" in done.stdout
    done = run("--game own:Take", tmp_path, "quit\n")
    assert done.returncode == 2
    assert 'the protocol separates moves by blanks, and Take has the move "(0, 1)"' in done.stderr
    for words, text in ("", "position startpos\ngo depth 2\n"), (f"match {both}", ""):
        done = run(f"{words} --game own:Broken", tmp_path, text)
        assert done.returncode != 0
        assert "ArithmeticError: broken" in done.stderr
        assert "a fault of Secateurs" not in done.stdout


def test_an_unknown_level_of_logs_is_named() -> None:
    for level, warnings in ("", 0), ("off", 0), ("bogus", 1):
        environment = {**os.environ, "SECATEURS_LOG": level}
        done = subprocess.run([*OURS, "perft", "1"], env=environment, capture_output=True, text=True, check=True)
        assert done.stderr.count("SECATEURS_LOG is error, warn, info, debug, trace or off, not 'bogus'") == warnings


def test_the_program_alone_knows_no_python() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"from secateurs import _native; _native._main(['secateurs', 'play', '--game', '{GAME}'])",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "unknown game" in done.stderr
    assert "MODULE:NAME is a game in Python, for the command of the Python package" in done.stderr
