"""Procedures of the literature side by side, from Python."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import secateurs
from secateurs import BadFile, BadOption, BadPosition, Comparison, Game, Outcome, Position, compare

BOARD = Position("kalah", houses=3, seeds=2)

NAMES = [procedure.name for procedure in Comparison.procedures()]


def test_all_procedures_agree() -> None:
    found = compare(BOARD, 5, threshold=1e-3)
    assert found["procedure"] == [*NAMES, "secateurs"]
    assert found.agree
    exact = [row for row in found if row["agrees"]]
    assert len(exact) == len(NAMES) - 2
    assert len({row["value"] for row in exact}) == 1
    assert all(row["move"] in BOARD.legal_moves for row in found)
    assert {row["subject"] for row in found} == {BOARD.text}


def test_rows_are_columns_and_slices() -> None:
    found = compare([BOARD, "startpos moves 1"], [2, 4], procedures=["f", "sss"], houses=3, seeds=2)
    assert len(found) == 8
    assert found["depth"] == [2, 2, 4, 4] * 2
    assert found[-1]["procedure"] == "sss"
    assert found[:2]["procedure"] == ["negamax", "sss"]
    assert found.rows == list(found)
    assert found == found[:]
    assert found != found[1:]
    with pytest.raises(KeyError):
        found["speed"]


def test_counts_that_are_not_taken_are_none() -> None:
    found = compare(BOARD, 3, procedures=["minimax", "alpha-beta", "table", "secateurs"])
    assert [row["hits"] is None for row in found] == [True, True, False, False]
    assert [row["cutoffs"] is None for row in found] == [True, False, False, False]
    first = repr(found).splitlines()[2].split()
    assert (first[0], first.count("-")) == ("minimax", 5)


@dataclass
class Shuttle(Game):
    """A player can only move to and fro."""

    square: int = 1
    turn: int = 1
    cyclic = True

    def moves(self) -> list[str]:
        return ["a"]

    def play(self, move: str) -> "Shuttle":
        return Shuttle(1 - self.square, 3 - self.turn)

    def outcome(self) -> Outcome:
        return Outcome()

    def evaluate(self) -> int:
        return 500 if self.turn == 1 else -500


def test_draws_by_rule_end_the_lines_of_all_procedures() -> None:
    fifty = Position.parse("8/8/8/2K5/k7/1q6/8/8 w - - 99 70", "chess")
    dead = Position.parse("8/8/8/8/4k3/3p4/8/5BK1 w - - 0 1", "chess")
    for position, depth in ((fifty, 2), (Position(Shuttle()), 9)):
        found = compare(position, depth)
        exact = [row["value"] for row in found if row["agrees"]]
        assert len(exact) > 5
        assert set(exact) == {0}
        assert found.agree
    row = compare(dead, 1, procedures=["minimax"])[0]
    assert (row["move"], row["value"]) != ("f1d3", 274)
    # A repetition of the game before the root.
    line = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"]
    back = Position("chess").play_line(line)
    assert compare(back, 1, procedures=["minimax"])[0]["value"] >= 0


def test_trees() -> None:
    perfect = {"width": 3, "depth": 5, "order": 1.0}
    found = compare(tree=perfect, trees=4)
    assert "floyd" not in found["procedure"]
    assert found["runs"] == [4] * len(found)
    by_name = {row["procedure"]: row for row in found}
    assert by_name["minimax"]["terminal"] == 4 * 3**5
    assert by_name["alpha-beta"]["terminal"] == 4 * (3**3 + 3**2 - 1)
    assert by_name["mirror"]["nodes"] == by_name["alpha-beta"]["nodes"] == by_name["stack"]["nodes"]


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    wrong: list[tuple[type[Exception], dict[str, Any], str]] = [
        (BadOption, {"procedures": "beam"}, 'unknown procedure "beam"'),
        (BadOption, {"tree": {"width": 0}}, "width"),
        (BadOption, {"tree": {"height": 2}}, "height"),
        (BadOption, {"tree": {"width": 2}, "procedures": ["secateurs"]}, "secateurs needs an evaluation"),
        (BadOption, {"game": "go"}, "go"),
        (BadOption, {"stones": 3}, "stones"),
        (BadPosition, {"positions": "rubbish"}, "rubbish"),
        (BadFile, {"plausibilities": Path(__file__)}, "is not a table of plausibilities"),
        (ValueError, {"depth": 256}, "depth"),
        (ValueError, {"depth": -1}, "depth"),
        (ValueError, {"nodes": 0}, "nodes"),
        (ValueError, {"time": -1.0}, "time"),
        (ValueError, {"order": "best"}, "order"),
        (ValueError, {"threshold": 0.0}, "threshold"),
        (ValueError, {"window": 0}, "window"),
        (ValueError, {"guess": 40_000}, "guess"),
        (ValueError, {"trees": 0, "tree": {}}, "trees"),
        (TypeError, {"trees": 2}, "trees is the number of synthetic trees: it needs tree"),
        (TypeError, {"positions": [3]}, r"positions\[0\]"),
        (TypeError, {"positions": BOARD, "tree": {}}, "not both"),
        (FileNotFoundError, {"plausibilities": tmp_path / "none"}, "none"),
    ]
    for error, arguments, named in wrong:
        with pytest.raises(error, match=named):
            compare(**arguments)


def test_who_gives_up_says_so() -> None:
    found = compare(Position(), 9, procedures=["minimax", "secateurs"], nodes=1000)
    assert found["given_up"] == ["given up: out of nodes"] * 2
    assert found["value"] == [None, None]
    assert found[0]["nodes"] == 1000
    assert "given up: out of nodes" in repr(found)
    (row,) = compare(Position(), 200, procedures="negamax", time=0.02)
    assert row["given_up"] == "given up: out of time"


def test_the_time_of_slow_games_is_kept() -> None:
    class Slow(secateurs.Game):
        def __init__(self, number: int = 1, turn: int = 1) -> None:
            self.number, self.turn = number, turn

        def moves(self) -> list[str]:
            time.sleep(0.01)
            return ["a", "b"]

        def play(self, move: str) -> "Slow":
            return Slow(2 * self.number + (move == "a"), 3 - self.turn)

        def outcome(self) -> secateurs.Outcome:
            return secateurs.Outcome()

        def evaluate(self) -> int:
            return self.number % 7

    found = compare(Position(Slow()), 30, procedures=["minimax", "sss", "dfpn", "mtdf"], time=0.05)
    assert found["given_up"] == ["given up: out of time"] * 4
    assert max(found["nodes"]) < 50


def test_games_in_python_are_as_good() -> None:
    class Count(secateurs.Game):
        """Taking the last of the stones wins; one or two are taken."""

        def __init__(self, stones: int, turn: int = 1) -> None:
            self.stones, self.turn = stones, turn

        def moves(self) -> list[int]:
            return [take for take in (1, 2) if take <= self.stones]

        def play(self, move: int) -> "Count":
            return Count(self.stones - move, 3 - self.turn)

        def outcome(self) -> secateurs.Outcome:
            return secateurs.Outcome(3 - self.turn)

        def key(self) -> tuple[int, int]:
            return self.stones, self.turn

        def evaluate(self) -> int:
            return 0

    class Doubtful(Count):
        """The same, without an evaluation."""

        def play(self, move: int) -> "Doubtful":
            return Doubtful(self.stones - move, 3 - self.turn)

        def evaluate(self) -> int:
            raise ArithmeticError("cannot evaluate that")

    found = compare(Position(Count(7)), 10)
    assert found.agree
    # From 7 one takes 1 and leaves 6.
    assert {row["move"] for row in found if row["agrees"]} == {"1"}
    with pytest.raises(ArithmeticError, match="cannot evaluate that"):
        compare(Position(Doubtful(7)), 4)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_ends_it(interrupted: Callable[..., Any]) -> None:
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        interrupted(0.3, compare, Position(), 30, procedures="minimax", nodes=10**15)
    assert time.monotonic() - begun < 10


def test_it_shows_itself() -> None:
    found = compare([BOARD], [2, 3], procedures=["minimax", "alpha-beta", "secateurs"])
    text, html = repr(found), found._repr_html_()
    assert text.count("procedure") == 2
    assert f"{BOARD.text}, depth 3" in text
    assert html.count("<table") == 2
    assert "alpha-beta" in html
    assert "&lt;" in html
    frame = found.to_pandas()
    assert list(frame["nodes"]) == found["nodes"]
    assert repr(found[:0]) == "Comparison of nothing"


def test_plots() -> None:
    one = compare(BOARD, 4, threshold=1e-2).plot()
    (axes,) = one.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == [*NAMES, "secateurs"][::-1]
    assert axes.get_xscale() == "log"
    several = compare(BOARD, [1, 2, 3], procedures=["f", "f2", "mtdf"])
    (axes,) = several.plot("terminal").axes
    legend = axes.get_legend()
    assert legend is not None
    assert sorted(label.get_text() for label in legend.get_texts()) == ["alpha-beta", "mtdf", "negamax"]
    with pytest.raises(ValueError, match="speed"):
        several.plot("speed")


def test_progress_is_reported() -> None:
    calls: list[tuple[int, int]] = []
    compare(depth=[1, 2], procedures=["negamax", "alpha-beta"], progress=lambda *numbers: calls.append(numbers))
    assert calls[-1] == (4, 4)
    calls.clear()
    trees = {"width": 2, "depth": 3}
    compare(tree=trees, trees=5, procedures="alpha-beta", progress=lambda *numbers: calls.append(numbers))
    assert calls[-1] == (5, 5)
    with pytest.raises(TypeError, match="progress is a bool or a function of two numbers, not int"):
        compare(depth=1, progress=3)  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError):
        compare(depth=1, procedures="negamax", progress=lambda done, total: 1 // 0)


def test_plausibilities_are_those_of_the_game(tmp_path: Path) -> None:
    record, learned = tmp_path / "games.jsonl", tmp_path / "plausibilities.json"
    secateurs.match([secateurs.Engine(hash=1)] * 2, "kalah", depth=1, rounds=1, record=record)
    command = [sys.executable, "-m", "secateurs", "plausibility", str(record), "--output", str(learned)]
    subprocess.run(command, check=True, capture_output=True)
    assert compare("startpos", 2, procedures="floyd", plausibilities=learned)
    with pytest.raises(BadFile, match='is learned from games of "kalah", not of nim'):
        compare(["startpos"], 2, procedures="floyd", game="nim", plausibilities=learned)


def test_the_name_of_a_game_is_its_start() -> None:
    columns = [secateurs.compare(start, depth=1).to_dict() for start in ("nim", Position("nim"))]
    assert columns[0]["value"] == columns[1]["value"]
    assert len(columns[0]["value"]) > 1
