"""Networks of games in Python: self-play, training and use."""

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

import heap
import pytest
from players import OURS
from secateurs import Engine, Game, Position

THREE = """
from dataclasses import dataclass

import secateurs

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@dataclass(frozen=True)
class TicTacToe(secateurs.Game):
    squares: str = "." * 9
    turn: int = 1

    feature_count = 18

    def features(self, player):
        own = "x" if player == 1 else "o"
        return [square + (0 if stone == own else 9) for square, stone in enumerate(self.squares) if stone != "."]

    def moves(self):
        stone = "o" if self.turn == 1 else "x"
        if any(all(self.squares[square] == stone for square in line) for line in LINES):
            return []
        return [square + 1 for square in range(9) if self.squares[square] == "."]

    def play(self, move):
        stone = "x" if self.turn == 1 else "o"
        return type(self)(self.squares[: move - 1] + stone + self.squares[move:], 3 - self.turn)

    def outcome(self):
        last = "o" if self.turn == 1 else "x"
        won = any(all(self.squares[square] == last for square in line) for line in LINES)
        return secateurs.Outcome(winner=3 - self.turn) if won else secateurs.Outcome()


class Named(TicTacToe):
    eval_file = "three.net"
"""

PLAY = ["selfplay", "--game", "three:TicTacToe", "--nodes", "20", "--random-plies", "2"]


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*OURS, *words], cwd=folder, capture_output=True, text=True, check=False)


def test_a_game_is_played_learned_and_evaluated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "three.py").write_text(THREE, encoding="utf-8")
    done = run(tmp_path, *PLAY, "--positions", "300", "games.ssp")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    # Another process continues the file, and a third reads it: codes of moves differ, their places do not.
    done = run(tmp_path, *PLAY, "--positions", "600", "games.ssp")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    train = ["train", "--game", "three:TicTacToe", "games.ssp", "-o", "three.net", "--batch", "50"]
    done = run(tmp_path, *train, "--epochs", "20", "--json")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    found = json.loads(done.stdout)
    losses = [epoch["training"] for epoch in found["epochs"]]
    assert found["game"] == "TicTacToe"
    assert losses[-1] < losses[0]
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    three: Any = __import__("three")

    class TicTacToe(three.TicTacToe):  # type: ignore[misc]
        eval_file: ClassVar[Path] = tmp_path / "three.net"

    position = Position(TicTacToe())
    assert set(position.evaluate()) == {"settled", "network"}
    assert set(Position(three.TicTacToe()).evaluate()) == {"evaluation"}
    # The evaluation, not the value.
    with_network, without = (
        Engine(hash=1).analyse(start, depth=2) for start in (position, Position(three.TicTacToe()))
    )
    assert with_network.score != without.score
    assert (
        Engine(hash=1).analyse(position, depth=9).score
        == Engine(hash=1).analyse(Position(three.TicTacToe()), depth=9).score
    )
    with pytest.raises(ValueError, match="is a network of TicTacToe, not of Named"):
        Position(three.Named())


class Heap(heap.Heap):
    feature_count: ClassVar[Any] = 4

    def features(self, player: int) -> Iterable[int]:
        return [self.left]


def test_wrong_declarations_are_named(tmp_path: Path) -> None:
    class NoFeatures(Heap):
        feature_count = 0
        eval_file = "x.net"

    class Without(Heap):
        features = Game.features

    notes = tmp_path / "notes"
    notes.write_text("my notes, which are long enough to be read")

    class Notes(Heap):
        eval_file = notes

    class Nowhere(Heap):
        eval_file = tmp_path / "nowhere"

    class Number(Heap):
        eval_file: ClassVar[Any] = 3

    for made, error, text in [
        (NoFeatures, TypeError, "NoFeatures has an eval_file, but no feature_count"),
        (Without, TypeError, r"Without has a feature_count, but no method features\(player\)"),
        (Notes, ValueError, "is not a network"),
        (Nowhere, OSError, "nowhere"),
        (Number, TypeError, "Number.eval_file is a path, not 3"),
    ]:
        with pytest.raises(error, match=text):
            Position(made())
    for count, error in [(-1, ValueError), (70_000, ValueError), ("4", TypeError), (True, TypeError), (1.5, TypeError)]:
        wrong = type("Wrong", (Heap,), {"feature_count": count})
        with pytest.raises(error, match=r"Wrong\.feature_count is an int from 0 to 65535, not "):
            Position(wrong())
    for nothing in (None, ""):
        without = type("Heap", (Heap,), {"eval_file": nothing})
        assert set(Position(without()).evaluate()) == {"evaluation"}


@pytest.mark.parametrize(
    ("features", "shown"),
    [
        ("[18]", "error: ValueError: TicTacToe.features() has numbers from 0 to 17, not 18\n"),
        ("[1, 1]", "error: ValueError: TicTacToe.features() has the number 1 twice\n"),
        ("[-1]", "error: ValueError: TicTacToe.features() has numbers from 0 to 17, not -1\n"),
        ("['1']", "error: TypeError: TicTacToe.features() returns an iterable of ints, not ['1']\n"),
        ("None", "error: TypeError: TicTacToe.features() returns an iterable of ints, not None\n"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_wrong_features_end_the_games_and_the_training(tmp_path: Path, features: str, shown: str) -> None:
    own = tmp_path / "three.py"
    own.write_text(THREE, "utf-8")
    done = run(tmp_path, *PLAY, "--positions", "20", "games.ssp")
    assert (done.returncode, done.stderr) == (0, "")
    head, _, tail = THREE.partition("        own = ")
    own.write_text(f"{head}        return {features}\n{tail.partition(chr(10) * 2)[2]}", "utf-8")
    train = ["train", "--game", "three:TicTacToe", "games.ssp", "-o", "three.net", "--held-out", "0"]
    for command in ([*PLAY, "new.ssp"], train):
        done = run(tmp_path, *command)
        assert (done.returncode, done.stdout) == (1, "")
        # An exception of the game has its place.
        assert done.stderr == shown or ("in features" in done.stderr and shown in done.stderr)
    assert not (tmp_path / "three.net").exists()
    # The file without a game can be used with other settings.
    own.write_text(THREE, "utf-8")
    done = run(tmp_path, *PLAY, "--positions", "20", "--seed", "9", "new.ssp")
    assert (done.returncode, done.stderr) == (0, "")


def test_games_without_features_are_not_trained(tmp_path: Path) -> None:
    (tmp_path / "three.py").write_text(THREE.replace("feature_count = 18", "feature_count = 0"), encoding="utf-8")
    done = run(tmp_path, *PLAY, "--positions", "20", "games.ssp")
    assert (done.returncode, done.stderr) == (0, "")
    done = run(tmp_path, "train", "--game", "three:TicTacToe", "games.ssp", "-o", "x.net")
    assert done.returncode == 2
    assert "TicTacToe has no features for a network to see" in done.stderr
