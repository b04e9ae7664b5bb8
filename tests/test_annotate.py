"""Annotated games: columns, comments that python-chess reads, and errors."""

import io
from pathlib import Path
from typing import Any

import chess.pgn
import pytest
import secateurs
from secateurs import BadOption, annotate

MATE = '[Event "x"]\n[White "Fool"]\n\n1. f3 {[%clk 0:01:00]} (1. e4) 1... e5 2. g4?? Qh4# 0-1\n'


def test_moves_have_scores_best_moves_and_losses() -> None:
    [game] = annotate(MATE, depth=4)
    assert (game.tags, game.result, game.error) == ({"Event": "x", "White": "Fool"}, "0-1", None)
    assert [move.san for move in game.moves] == ["f3", "e5", "g4", "Qh4#"]
    assert [(move.ply, move.player) for move in game.moves] == [(1, 1), (2, 2), (3, 1), (4, 2)]
    blunder, mate = game.moves[2:]
    assert (blunder.score, blunder.loss) == (-31_998, min(blunder.best_score, 1000) + 1000)
    assert (mate.score, mate.best_move, mate.pv[0], mate.loss) == (31_999, "d8h4", "d8h4", 0)


def test_comments_are_read_by_python_chess() -> None:
    [game] = annotate(MATE, depth=4)
    read = chess.pgn.read_game(io.StringIO(game.pgn))
    assert read is not None
    assert read.errors == []
    assert (read.headers["White"], read.headers["Annotator"][:9]) == ("Fool", "Secateurs")
    for node, move in zip(read.mainline(), game.moves, strict=True):
        score, depth = node.eval(), node.eval_depth()
        if score is None:
            assert (node.san(), move.score) == ("Qh4#", 31_999)
            continue
        assert depth == move.depth
        of_mover = score.pov(chess.WHITE if move.player == 1 else chess.BLACK)
        if of_mover.is_mate():
            assert of_mover.mate() == (32_000 - abs(move.score)) // 2 * (1 if move.score > 0 else -1)
        else:
            assert of_mover.score() == move.score
    first = read.next()
    assert first is not None
    assert first.clock() == 60


def test_annotations_of_others_are_kept() -> None:
    text = "{Intro} 1. e4! (1. d4 $14 {vv}) e5 $6 (1... c5) 2. Nf3?! *\n"
    [game] = annotate(text, depth=1)
    read = chess.pgn.read_game(io.StringIO(game.pgn))
    assert read is not None
    assert (read.errors, read.comment) == ([], "Intro")
    assert [node.nags for node in read.mainline()] == [{1}, {6}, {6}]
    side = read.variations[1]
    assert (side.san(), side.nags, side.comment) == ("d4", {14}, "vv")
    first = read.next()
    assert first is not None
    assert [node.san() for node in first.variations] == ["e5", "c5"]


def test_annotations_do_not_pile_up() -> None:
    [once] = annotate(MATE, depth=4)
    assert "was better by" in once.pgn.replace("\n", " ")
    for pgn in once.pgn, '[Variant "nim"]\n[Options "Heaps=1,2"]\n\n1. 2-2 2. 1-1 0-1\n':
        [first] = annotate(pgn, depth=4)
        [again] = annotate(first.pgn, depth=4)
        assert again.pgn == first.pgn
    [again] = annotate(once.pgn, depth=4)
    assert again.pgn == once.pgn
    # No line ends in a command.
    assert all(line.count("[%") == line.count("]") for line in again.pgn.split("\n\n")[1].splitlines())


def test_files_other_games_and_bad_games(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(
        MATE + '\n[Variant "nim"]\n[Options "Heaps=1,2"]\n\n1. 2-2 2. 1-1 0-1\n\n1. e5 *\n', encoding="utf-8"
    )
    done: list[tuple[int, int]] = []
    _, nim, bad = annotate(path, secateurs.Limit(depth=3), progress=lambda now, all: done.append((now, all)))
    assert done[-1] == (10, 10) or done[-1][0] == done[-1][1]
    assert (nim.moves[0].san, nim.moves[0].best_move, nim.moves[0].loss) == (None, "2-1", 2000)
    assert bad.error is not None
    assert bad.error.startswith('the game in line 11: illegal move "e5"')
    (other,) = secateurs.annotate("1. 32-28 19-23 2. 28x19 14x23 *", depth=1)
    assert other.error is not None
    assert other.error.endswith('; it is a game of draughts (--game draughts, in Python game="draughts")')
    assert (bad.moves, bad.pgn, bad.result) == ([], "", "*")
    [other] = annotate("1. 3 *\n", depth=2, game="kalah")
    assert other.moves[0].move == "3"


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    [alone] = annotate("1. e4\n{", depth=2)
    assert (alone.moves, alone.error) == ([], "the game in line 2: a comment without an end")
    good, bad = annotate(MATE + '\n[Event "x"]\n\n1. e4 {', depth=1)
    assert (len(good.moves), bad.error) == (4, "the game in line 8: a comment without an end")
    assert bad.tags == {"Event": "x"}
    with pytest.raises(ValueError, match="limit"):
        annotate(MATE)
    with pytest.raises(BadOption, match="go"):
        annotate(MATE, depth=2, game="go")
    for missing in ("none.pgn", Path("none")):
        with pytest.raises(FileNotFoundError):
            annotate(missing, depth=2)
    for wrong in (b"none.pgn", 5):
        with pytest.raises(TypeError, match=r"pgn is a str, a path, an open file or a chess\.pgn\.Game, not"):
            annotate(wrong, depth=2)  # type: ignore[arg-type]
    [game] = annotate("a\0b", depth=2)
    assert game.error is not None
    assert 'illegal move "a' in game.error
    (tmp_path / "latin.pgn").write_bytes(b'[Event "\xe9"]\n')
    [game] = annotate(tmp_path / "latin.pgn", depth=2)
    assert game.tags == {"Event": "\xe9"}
    assert annotate("\n", depth=2) == []


def test_games_come_from_texts_files_and_python_chess(tmp_path: Path) -> None:
    path = tmp_path / "1. e4 e5"
    path.write_text("1. d4 *\n", encoding="utf-8")
    game = chess.pgn.read_game(io.StringIO(MATE))
    assert game is not None
    cases: list[tuple[Any, list[str]]] = [
        ("1. e4 e5", ["e4", "e5"]),
        ("e4", ["e4"]),
        ("1.e4 e5 2.Nf3", ["e4", "e5", "Nf3"]),
        ("1. e4 c5 1/2-1/2", ["e4", "c5"]),
        (str(path), ["d4"]),
        (path, ["d4"]),
        (io.StringIO("1. c4"), ["c4"]),
        (io.BytesIO(b'[White "\xe9"]\n\n1. c4'), ["c4"]),
        (game, ["f3", "e5", "g4", "Qh4#"]),
    ]
    for given, moves in cases:
        [found] = annotate(given, depth=1)
        assert [move.san for move in found.moves] == moves
    assert annotate("", depth=1) == []


def test_assessments_are_glyphs_lines_and_summaries() -> None:
    [game] = annotate(MATE, depth=4)
    assert [move.assessment for move in game.moves] == ["inaccuracy", None, "blunder", None]
    assert [move.glyph for move in game.moves] == ["?!", "", "??", ""]
    assert (game.moves[2].win_percent, game.moves[3].win_percent, game.moves[3].accuracy) == (0, 100, 100)
    white, black = game.players
    assert (white.inaccuracies, white.mistakes, white.blunders, black.blunders) == (1, 0, 1, 0)
    assert white.accuracy is not None
    assert black.accuracy is not None
    assert white.accuracy < 50 < black.accuracy
    assert white.average_loss == sum(move.loss for move in game.moves[::2]) / 2
    read = chess.pgn.read_game(io.StringIO(game.pgn))
    assert read is not None
    # The glyph of the author stays; ours stands where there was none, with the best line as a variation.
    assert [node.nags for node in read.mainline()] == [{6}, set(), {4}, set()]
    assert [node.san() for node in read.variations[1:]] == [game.moves[0].best_san, "e4"]
    assert read.headers["WhiteAccuracy"] == f"{white.accuracy:.1f}"


def test_the_opening_is_skipped() -> None:
    [game] = annotate(MATE, depth=4, skip=3)
    assert [move.san for move in game.moves] == ["Qh4#"]
    assert game.players[0].accuracy is None
    assert "1. f3 {[%clk 0:01:00]}" in game.pgn
    [short] = annotate("1. e4 *", depth=1, skip=9)
    assert (short.moves, short.error) == ([], None)
    with pytest.raises((TypeError, ValueError)):
        annotate(MATE, depth=1, skip=-1)


def test_games_are_pages_and_graphs() -> None:
    [game, bad] = annotate(MATE + "\n1. e5 *\n", depth=2)
    page = game.html()
    assert page.startswith("<!DOCTYPE html>")
    assert "Fool \u2013 Black 0-1, x" in page
    assert "[%eval" not in page
    assert game.svg("dark").startswith("<svg")
    assert game._repr_html_().startswith("<iframe srcdoc=")
    assert bad._repr_html_().startswith("the game in line ")
    with pytest.raises(ValueError, match="theme"):
        game.svg("night")  # type: ignore[arg-type]


def test_a_position_stands_for_the_start_of_its_game() -> None:
    small = secateurs.Position("kalah", houses=3, seeds=2)
    [found] = annotate("1. 2 2. 1 *", depth=2, game=small)
    assert found.error is None
    for later, moves in (
        (small.play("2"), "1. 1 *"),
        (secateurs.Position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), "1. e4 *"),
    ):
        with pytest.raises(ValueError, match=f"game is a position of {later.game} after its start: .* the tag FEN"):
            annotate(moves, depth=2, game=later)
        with pytest.raises(ValueError, match=f"game is a position of {later.game} after its start: .* the tag FEN"):
            secateurs.Position.from_pgn(moves, later)
    with pytest.raises(OSError, match=r"File has more than \d+ MiB: '/dev/zero'"):
        annotate("/dev/zero", depth=1)
    assert secateurs.Position.from_pgn("1. 2 2. 1 *", small) == small.play_line(["2", "1"])
