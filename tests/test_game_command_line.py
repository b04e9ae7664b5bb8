"""``secateurs ... --game MODULE:NAME``: games in Python on the command line."""

import subprocess
import sys
from pathlib import Path

import pytest
from players import OURS

EXAMPLES = Path(__file__).parent.parent / "examples"
GAME = "dots_and_boxes:DotsAndBoxes"


def run(words: str, folder: Path = EXAMPLES, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([*OURS, *words.split()], cwd=folder, input=text, capture_output=True, text=True, check=False)


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


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("analyse startpos --depth 4", "best move h11"),
        ("perft 2", "total 272"),
        ("tree --depth 1", "v24"),
        ("solve startpos", "-2"),
    ],
)
def test_other_commands_take_it(words: str, shown: str) -> None:
    done = run(f"{words} --game {GAME}")
    assert (done.returncode, done.stderr) == (0, "")
    assert shown in done.stdout


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere:Game", "No module named 'nowhere'"),
        ("dots_and_boxes:Dots", "module 'dots_and_boxes' has no attribute 'Dots'"),
        ("dots_and_boxes:edges", "TypeError: edges() missing 2 required positional arguments"),
        ("dots_and_boxes:__name__", "it is a str, where a secateurs.Game is needed"),
        ("dots_and_boxes", "unknown game"),
    ],
)
def test_what_is_no_game_is_named(name: str, message: str) -> None:
    done = run(f"play --game {name}")
    assert done.returncode in (1, 2)
    assert message in done.stderr
    assert "Traceback" not in done.stderr


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
