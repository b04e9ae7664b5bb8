"""Batches: rows, columns, displays, progress."""

import copy
import itertools
import json
import math
import pickle
import re
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pytest
import secateurs
from secateurs import Batch, Engine, Limit, Position, analyse_many

GAMES = list(secateurs.games())
ENDLESS = Position("kalah", houses=12, seeds=12)


@dataclass(frozen=True)
class Counted(secateurs.Game):
    """A game that is over."""

    turn: int = 1

    def moves(self) -> list[int]:
        return []

    def play(self, move: int) -> "Counted":
        raise NotImplementedError

    def outcome(self) -> secateurs.Outcome:
        return secateurs.Outcome(winner=1)


def walk(game: str, plies: int = 12, **options: Any) -> list[Position]:
    """Positions of a game that goes its way."""
    positions = [Position(game, **options)]
    while positions[-1].outcome is None and len(positions) < plies:
        moves = positions[-1].legal_moves
        positions.append(positions[-1].play(moves[len(positions) % len(moves)]))
    return positions


def timeless(batch: Batch) -> list[dict[str, Any]]:
    """The rows without what depends on the machine."""
    return [{name: value for name, value in row.items() if name != "time_us"} for row in batch]


@pytest.mark.parametrize("game", GAMES)
def test_rows_are_those_of_fresh_engines_for_any_number_of_threads(game: str) -> None:
    positions = walk(game)
    one = analyse_many(positions, depth=6, threads=1, hash=1)
    assert timeless(one) == timeless(analyse_many(positions, Limit(depth=6), threads=2, hash=1))
    for position, row in zip(positions, one, strict=True):
        assert row["position"] == position.text
        if position.outcome is not None:
            assert row["error"] == "the game is over"
            continue
        result = Engine(hash=1).analyse(position, depth=6)
        found = {
            "input": position.text,
            "position": position.text,
            "best_move": result.best_move,
            "score": result.score.cp,
            "distance": result.score.distance,
            "bound": result.bound,
            "proven": result.proven,
            "depth": result.depth,
            "nodes": result.nodes,
            "time_us": row["time_us"],
            "history": position.history,
            "error": None,
            "pv": result.pv,
        }
        assert row == found
        assert 0 <= row["time_us"] < 60_000_000


def test_what_is_wrong_with_a_row_is_told_in_its_row() -> None:
    given = ["3,4,5 1", "nonsense", "0 1", "", "1,1 2", "x" * 1000, "\n\0'\"", "\U0001f332"]
    batch = analyse_many(iter(given), depth=9, game="nim", theory=False)
    assert batch.errors == 6
    assert [row["error"] is None for row in batch] == [True, False, False, False, True, False, False, False]
    assert batch[1]["error"].startswith('bad position "nonsense": ')
    assert batch["position"] == batch["input"] == given
    assert len(batch[5]["error"]) < 500
    assert analyse_many(["\ud800"], depth=1).errors == 1
    for row in batch:
        if row["error"] is not None:
            assert all(
                value is None for name, value in row.items() if name not in ("input", "position", "history", "error")
            )


def test_a_missing_value_is_the_error_of_its_row() -> None:
    start = Position("chess").text
    for missing in (None, math.nan, numpy.float64("nan"), pandas.NA, pandas.NaT):
        given: Any = [missing, ["e4"]]
        batch = analyse_many(pandas.Series([start, missing], dtype=object), depth=1, root_moves=given)
        assert batch[0]["error"] is None
        assert batch[1]["error"].startswith(f'bad position "{missing}": ')
    with pytest.raises(TypeError, match=r"positions\[1\] is a Position or a str, not float"):
        analyse_many([start, 1.5], depth=1)  # type: ignore[list-item]


def test_positions_and_texts_of_several_games_go_together() -> None:
    batch = analyse_many([Position("nim"), "<1,5,3,2,2> s", Position("connect4")], depth=3, houses=1, seeds=6)
    assert batch.errors == 0
    assert batch["position"] == [Position("nim").text, "<1,5,3,2,2> s", Position("connect4").text]


def test_errors_name_the_game_of_the_positions() -> None:
    chess, fen = [Position("chess")], Position("chess").text
    calls: list[Callable[..., Any]] = [
        lambda given, **options: analyse_many(given, depth=1, **options),
        lambda given, **options: secateurs.solve_many(given, nodes=1, **options),
        lambda given, **options: secateurs.compare(given, 1, procedures="minimax", **options),
    ]
    for call in calls:
        for given in (chess, [fen], ["startpos"]):
            game = "kalah takes houses" if given == ["startpos"] else "chess takes uci_chess960"
            with pytest.raises(secateurs.BadOption, match=f'unknown option "foo"; {game}'):
                call(given, foo=3)
        with pytest.raises(secateurs.BadOption, match='unknown option "foo"; nim takes heaps'):
            call(chess, game="nim", foo=3)
        with pytest.raises(TypeError, match="a game in Python takes no options"):
            call([Position(Counted())], foo=3)


def test_a_list_of_fens_needs_no_game() -> None:
    start = [Position("chess"), Position("xiangqi")]
    for position in start:
        text = position.text
        assert analyse_many([text, "startpos"], depth=1)["position"] == [text, text]
        assert [found.position for found in secateurs.solve_many([text], nodes=1)] == [position]
        assert secateurs.compare(text, 1, procedures="minimax")[0]["subject"] == text
        # A position beside texts has its own game.
        assert analyse_many([Position("nim"), text], depth=1).errors == 0
    assert analyse_many([start[0].text], depth=1, game="kalah").errors == 1


@pytest.mark.parametrize("game", ["kalah", "chess", "connect4"])
def test_every_line_is_a_row(game: str) -> None:
    positions = walk(game, 4)
    batch = analyse_many([*positions, "nonsense"], depth=3, multipv=3, hash=1)
    assert batch.columns[-2:] == ["pv", "multipv"]
    expected = [Engine(hash=1).analyse(position, depth=3, multipv=3) for position in positions]
    lines = [(number, line) for lines in expected for number, line in enumerate(lines, 1)]
    assert [row["multipv"] for row in batch] == [*(number for number, _ in lines), None]
    for row, (_, line) in zip(batch, lines, strict=False):
        assert (row["position"], row["best_move"], row["pv"]) == (line.position.text, line.best_move, line.pv)
        assert (row["score"], row["proven"], row["depth"]) == (line.score.cp, line.proven, line.depth)
    assert batch.errors == 1
    best = analyse_many(positions, depth=3, multipv=1, hash=1)
    assert best["best_move"] == [Engine(hash=1).analyse(position, depth=3).best_move for position in positions]
    assert best["multipv"] == [1] * len(positions)
    parts = Batch._concat([batch[:4], batch[4:]])
    for same in (parts, pickle.loads(pickle.dumps(batch)), batch[::-1][::-1]):
        assert same == batch
    bare = analyse_many(positions, depth=3, multipv=2, pv=False, hash=1)
    assert bare.columns[-2:] == ["error", "multipv"]
    assert pyarrow.table(bare)["multipv"].to_pylist() == bare["multipv"]
    assert "multipv" in repr(batch)
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="multipv is a whole number, at least 1"):
            analyse_many(positions, depth=1, multipv=wrong)


def test_a_checkpoint_keeps_the_lines(tmp_path: Path) -> None:
    positions, path = walk("kalah"), tmp_path / "rows"
    batch = analyse_many(positions, depth=3, multipv=2, checkpoint=path)
    assert analyse_many(positions, depth=3, multipv=2, checkpoint=path) == batch
    with pytest.raises(secateurs.BadFile, match="it has 2 lines a position, not 1"):
        analyse_many(positions, depth=3, checkpoint=path)


def test_what_was_given_joins_what_was_found() -> None:
    given = [" 1,2  1", "startpos moves 2-2", "startpos", "startpos moves 2-9"]
    batch = analyse_many(given, depth=9, game="nim", heaps="1,2", theory=False)
    assert batch["input"] == given
    assert batch["position"] == ["1,2 1", "1,0 2", "1,2 1", given[3]]
    assert batch[3]["error"] == 'illegal move "2-9" in "1,2 1": legal moves are 1-1, 2-2, 2-1'
    frame = pandas.DataFrame({"input": given, "mine": range(4)}).merge(batch.to_pandas(), on="input")
    assert list(frame["mine"]) == [0, 1, 2, 3]
    assert list(frame["position"]) == batch["position"]
    # A forced end is 32,000 less its distance.
    assert (batch["score"], batch["distance"]) == ([31_997, 31_999, 31_997, None], [3, 1, 3, None])
    lost = analyse_many(["1,1 1"], depth=9, game="nim", theory=False)
    assert (lost["score"], lost["distance"]) == ([-31_998], [-2])
    assert analyse_many(["startpos"], depth=2)["distance"] == [None]
    # What says nothing is not shown.
    assert repr(batch[:1]).splitlines()[1].split()[:4] == ["input", "position", "best_move", "score"]
    assert repr(analyse_many(["startpos"], depth=2)).splitlines()[1].split()[:3] == ["input", "position", "best_move"]
    shown = repr(analyse_many([Position()], depth=2)).splitlines()[1].split()
    assert shown[:4] == ["position", "best_move", "score", "bound"]


def test_arguments_are_checked() -> None:
    wrong: list[tuple[type[Exception], str, dict[str, Any]]] = [
        (ValueError, "a search needs a limit", {}),
        (ValueError, "not both", {"limit": Limit(depth=3), "depth": 3}),
        (ValueError, "threads is a whole number from 1 to 256, not 0", {"depth": 3, "threads": 0}),
        (ValueError, "hash is a whole number of MiB, at least 1, not 0", {"depth": 3, "hash": 0}),
        (MemoryError, "MiB of memory are available", {"depth": 3, "hash": 2**40}),
        (secateurs.BadOption, 'unknown game "tennis"', {"depth": 3, "game": "tennis"}),
        (secateurs.BadOption, 'unknown option "hauses"', {"depth": 3, "hauses": 3}),
        (TypeError, "progress is a bool or a function of two numbers, not int", {"depth": 3, "progress": 3}),
        (OSError, "cannot open", {"depth": 3, "checkpoint": "/no/such/folder/batch"}),
    ]
    for error, words, keywords in wrong:
        with pytest.raises(error, match=words):
            analyse_many(["startpos"], **keywords)
    with pytest.raises(TypeError, match="an iterable of Position and str, not str"):
        analyse_many("startpos", depth=3)
    with pytest.raises(TypeError):
        analyse_many(3, depth=3)  # type: ignore[arg-type]


def test_a_batch_is_read_without_any_library() -> None:
    batch = analyse_many(walk("kalah"), depth=4)
    assert len(batch) == 12
    assert batch.columns == [
        "input",
        "position",
        "best_move",
        "score",
        "distance",
        "bound",
        "proven",
        "depth",
        "nodes",
        "time_us",
        "history",
        "error",
        "pv",
    ]
    assert batch["score"] == [row["score"] for row in batch]
    assert batch[-1] == batch[11] == list(batch)[11]
    assert list(batch[3:7]) == list(batch)[3:7]
    assert list(batch[::-5]) == list(batch)[::-5]
    assert list(batch[3 :: sys.maxsize]) == [batch[3]]
    assert len(batch[5:5]) == 0
    for index in (12, -13, 10**10):
        with pytest.raises(IndexError, match=f"row {index} of a batch that has 12"):
            batch[index]
    with pytest.raises(KeyError, match="none of the columns: input, position, best_move"):
        batch["time"]
    with pytest.raises(TypeError, match="takes the number of a row"):
        batch[1.5]  # type: ignore[call-overload]
    for same in (pickle.loads(pickle.dumps(batch)), copy.copy(batch), Batch._concat([batch[:5], batch[5:]])):
        assert same == batch
    assert batch[:5] != batch
    with pytest.raises(ValueError, match="cannot be unpickled"):
        batch._restore(b"x", True, False)  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        Batch()


def test_variations_can_be_left_out() -> None:
    batch = analyse_many([*walk("nim"), "x"], depth=4, pv=False, game="nim")
    assert "pv" not in batch.columns
    assert pickle.loads(pickle.dumps(batch)) == batch == batch[::1]
    assert batch[::-1][::-1] == batch


@pytest.mark.parametrize("pv", [True, False])
def test_arrow_reads_the_columns_in_place(pv: bool) -> None:
    batch = analyse_many([*walk("kalah"), "x"], depth=4, pv=pv)
    table = pyarrow.table(batch)
    assert list(analyse_many(table["position"], depth=2)["position"]) == table["position"].to_pylist()
    table.validate(full=True)
    assert table.to_pylist() == list(batch)
    assert table.schema.field("position") == pyarrow.field("position", pyarrow.large_string(), nullable=False)
    assert table.schema.field("score") == pyarrow.field("score", pyarrow.int32())
    again = pyarrow.table(batch)
    for one, two in zip(table.columns, again.columns, strict=True):
        places = [[buffer and buffer.address for buffer in column.chunk(0).buffers()] for column in (one, two)]
        assert places[0] == places[1]
    assert pyarrow.table(batch[2:5]).to_pylist() == list(batch[2:5])
    part = pyarrow.table(batch[5:])
    rows = list(batch[5:])
    del batch
    assert part.to_pylist() == rows


def test_polars_and_pandas_read_the_columns() -> None:
    batch = analyse_many([*walk("kalah"), "x"], depth=4)
    assert polars.DataFrame(batch).to_dicts() == list(batch)
    frame = batch.to_pandas()
    assert list(frame.columns) == batch.columns
    assert frame["score"].dropna().tolist() == batch["score"][:-1]
    assert frame["score"].dtype == pandas.ArrowDtype(pyarrow.int32())
    assert frame["error"].isna().tolist() == [True] * 12 + [False]
    assert list(frame["pv"][0]) == batch[0]["pv"]


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"to_pandas needs the package pandas: pip install 'secateurs\[pandas\]'"):
        analyse_many(["startpos"], depth=1).to_pandas()


def test_nothing_is_a_batch(tmp_path: Path) -> None:
    for keywords in ({}, {"checkpoint": tmp_path / "batch"}, {"checkpoint": tmp_path / "batch"}):
        batch = analyse_many([], depth=3, threads=4, **keywords)  # type: ignore[arg-type]
        assert (len(batch), list(batch), batch["pv"], repr(batch)) == (0, [], [], "Batch of 0 rows")
        assert pyarrow.table(batch).num_rows == 0


def test_many_rows() -> None:
    texts = [f"{one},{two} 1" for one, two in itertools.islice(itertools.cycle([(1, 2), (3, 3), (0, 5)]), 100_000)]
    batch = analyse_many(texts, depth=1, game="nim", pv=False, theory=False)
    assert len(batch) == 100_000
    assert batch.errors == 0
    assert list(batch[:3]) != list(batch[1:4])
    assert timeless(batch[:300]) == timeless(batch[99_600:99_900])


def test_batches_show_themselves() -> None:
    batch = analyse_many([*walk("kalah"), "<&>"], depth=3)
    lines = repr(batch).splitlines()
    assert lines[0] == "Batch of 13 rows, 1 with an error"
    assert lines[1].split() == [name for name in batch.columns if name not in ("input", "distance")]
    assert len(lines) == 2 + 6 + 1 + 4
    assert "..." in lines
    assert max(map(len, lines)) < 250
    html: str = batch._repr_html_()  # type: ignore[attr-defined]
    assert html.count("<tr>") == 1 + 6 + 1 + 4
    assert "&lt;&amp;&gt;" in html
    assert "<&>" not in html
    short = repr(batch[:1])
    assert "error" not in short
    assert short.startswith("Batch of 1 row\n")


def test_progress_is_reported() -> None:
    reports: list[tuple[int, int]] = []
    positions = [ENDLESS] * 6
    analyse_many(positions, time=0.1, threads=2, progress=lambda done, total: reports.append((done, total)))
    assert len(reports) >= 2
    assert reports == sorted(reports)
    assert reports[-1] == (6, 6)


def test_what_progress_raises_ends_the_batch() -> None:
    def refuse(done: int, total: int) -> None:
        raise RuntimeError("enough")

    began = time.monotonic()
    with pytest.raises(RuntimeError, match="enough"):
        analyse_many([ENDLESS] * 4, depth=200, threads=2, progress=refuse)
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("bar", [True, False])
def test_a_bar_is_shown(bar: bool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    if not bar:
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
        monkeypatch.setattr("secateurs._batch.PAUSE", 0.05)
    analyse_many([ENDLESS] * 3, time=0.15, threads=1, progress=True)
    output = capfd.readouterr()
    assert output.out == ""
    assert re.search("3/3" if bar else r"secateurs: 3 of 3 positions, \d+ s\n", output.err)
    analyse_many([ENDLESS], depth=1, progress=False)
    assert capfd.readouterr().err == ""


def test_other_threads_run_during_a_batch() -> None:
    ticks = 0
    ended = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not ended.is_set():
            ticks += 1

    thread = threading.Thread(target=count)
    thread.start()
    analyse_many([ENDLESS] * 2, time=0.2, threads=2)
    ended.set()
    thread.join()
    assert ticks > 1_000


def test_chosen_moves_are_searched() -> None:
    start = Position("chess")
    rows: list[Position | str] = [start, start.play("e4"), "startpos moves d4", start, start]
    moves: list[Any] = [["e4", "d4"], None, ("d5",), ["Ke2"], []]
    batch = analyse_many(rows, depth=3, root_moves=moves, game="chess", san=True, threads=2)
    assert batch["best_san"][0] in ("e4", "d4")
    assert batch["best_move"][2] == "d7d5"
    assert [error is None for error in batch["error"]] == [True, True, True, False, False]
    assert batch["error"][3].startswith('illegal move "Ke2"')
    assert batch["error"][4] == "there are no moves to search"
    alone = [secateurs.Engine(hash=4).analyse(start, depth=3, root_moves=["e4", "d4"]).best_move]
    assert batch["best_move"][:1] == alone
    both = analyse_many([start, start], depth=3, multipv=5, root_moves=["a3", "h3"])
    assert sorted(both["best_move"]) == ["a2a3", "a2a3", "h2h3", "h2h3"]
    with pytest.raises(ValueError, match="root_moves has 1 items for 2 positions"):
        analyse_many([start, start], depth=1, root_moves=[["e4"]])
    with pytest.raises(ValueError, match="root_moves is empty"):
        analyse_many([start], depth=1, root_moves=[])
    with pytest.raises(TypeError, match="root_moves is a list of moves, or of such lists and None, not int"):
        analyse_many([start], depth=1, root_moves=4)


def test_a_checkpoint_is_of_the_chosen_moves(tmp_path: Path) -> None:
    positions, path = [Position("chess")], tmp_path / "batch.scr"
    first = analyse_many(positions, depth=2, root_moves=["e4"], checkpoint=path)
    again = analyse_many(positions, depth=2, root_moves=["e4"], checkpoint=path, san=True)
    assert again["time_us"] == first["time_us"]
    assert again["best_san"] == ["e4"]
    for moves in (["d4"], None):
        with pytest.raises(secateurs.BadFile, match="its positions or its root moves are others"):
            analyse_many(positions, depth=2, root_moves=moves, checkpoint=path)


@pytest.mark.parametrize("game", GAMES)
def test_moves_as_people_read_them(game: str) -> None:
    positions = walk(game)[:6]
    batch = analyse_many(positions, depth=2, multipv=2, san=True)
    assert batch.columns[-2:] == ["best_san", "pv_san"]
    for row in batch:
        position = Position.parse(row["position"], game)
        assert position.san(row["best_move"]) == row["best_san"] == row["pv_san"][0]
        assert len(row["pv_san"]) == len(row["pv"])
    without = analyse_many(positions, depth=2, san=True, pv=False)
    assert without.columns[-1] == "best_san"
    for part in (batch, without):
        assert pickle.loads(pickle.dumps(part)) == part
        assert part[::-1][::-1]["best_san"] == part["best_san"]


def test_batches_become_other_things() -> None:
    batch = analyse_many([Position("nim"), Position("kalah")], depth=2, multipv=2)
    assert batch.to_dict() == {name: batch[name] for name in batch.columns}
    assert json.loads(batch.to_json()) == batch.to_dict()
    frame = batch.to_polars()
    assert frame.columns == batch.columns
    assert frame.to_dict(as_series=False) == batch.to_dict()
    found = secateurs.compare(depth=2, procedures=["negamax", "alpha-beta"])
    assert json.loads(found.to_json()) == found.to_dict()
    assert found.to_dict()["procedure"] == ["negamax", "alpha-beta"]
    assert found.to_polars()["nodes"].to_list() == found["nodes"]
