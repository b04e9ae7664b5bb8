"""Matches: records, taken up or loaded, and games in files and tables."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import secateurs
from players import BOARD, OURS, POSIX, chance, first, ours
from secateurs import BadFile, Engine, Limit, Match, Player, Position, match


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
    assert Match.load(record, BOARD).names == loaded.names
    with pytest.raises(BadFile, match=f"is a match of {BOARD.game}, not of chess"):
        Match.load(record, Position("chess"))
    with pytest.raises(BadFile):
        Match.load(__file__)
    record.write_text('{"secateurs":1,"game":"nim","options":{},"engines":[{"name":"a"},3]}\n')
    with pytest.raises(BadFile, match="does not name the players"):
        Match.load(record)


def test_a_test_is_for_two_players(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    match({"a": first, "b": first, "c": first}, BOARD, rounds=1, record=record)
    with pytest.raises(ValueError, match=r"^sprt is for a match of two players$"):
        Match.load(record, sprt=(0, 5))
    with pytest.raises(ValueError, match=r"^sprt is for a match of two players$"):
        match([first, first, first], BOARD, rounds=1, sprt=(0, 5))
    assert Match.load(record).sprt is None
    match([first, first], BOARD, rounds=1, record=tmp_path / "two.jsonl")
    with pytest.raises(secateurs.BadOption, match=r"sprt\[0\] is a number below sprt\[1\], not 5"):
        Match.load(tmp_path / "two.jsonl", sprt=(5, 0))


def test_nobody_changes_a_match() -> None:
    found = match({"a": first, "b": first}, BOARD, rounds=1, random_plies=0)
    before = found.to_pandas().to_json(), found.standings, found.endings, hash(found.games[0])
    found.games.clear()
    found.endings.clear()
    found.remarks().clear()
    found.standings[0].faults["sloth"] = 1
    assert (found.to_pandas().to_json(), found.standings, found.endings, hash(found.games[0])) == before
    assert all(isinstance(part, tuple) for game in found.games for part in (game.moves, game.opening[1], game.details))


@POSIX
def test_the_figures_are_those_of_the_command_line(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    command = " ".join(OURS)
    words = ["match", "--option", "Houses=4", "--option", "Seeds=3", "--rounds", "6", "--each", "option.Hash=1"]
    words += ["-e", f"cmd='{command}' name=one nodes=300", "-e", f"cmd='{command}' name=two nodes=40"]
    words += ["--sprt", "0,50", "--record", str(record)]
    # The wheel's command line plays without a word on stderr.
    printed = ours(*words)
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
        assert f"{value:+.1f} [{low:+.1f}, {high:+.1f}]" in printed
        assert f"of one: {' '.join(map(str, found.pentanomial))}" in printed
        assert f"llr {found.sprt.llr:.2f}" in printed


def test_a_record_names_the_files_of_the_engines(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    match([Engine(hash=1), first], BOARD, Limit(nodes=10), rounds=1, record=record)
    own, other = json.loads(record.read_text().splitlines()[0])["engines"]
    assert [file["path"] for file in own["files"]] == ["secateurs"]
    assert "files" not in other


def test_exported_games_have_their_clocks(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    match([Engine(hash=1), Engine(hash=1)], Position("nim"), clock="1+0.01", rounds=1).export(path)
    assert path.read_text().count('[TimeControl "1+0.01"]') == 2


def test_games_are_exported(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    found = match({"first <player>": first, "chance": chance()}, BOARD, rounds=2, sprt=(0, 5), record=record)
    for one in (found, Match.load(record)):
        one.export(tmp_path / "games.pgn")
        one.export(tmp_path / "games.csv")
        one.export(tmp_path / "games.html")
        assert (tmp_path / "games.pgn").read_text().count("[Event ") == 4
        assert (tmp_path / "games.pgn").read_text().count('[TimeControl "-"]') == 4
        assert len((tmp_path / "games.csv").read_text().splitlines()) == 5
        page = (tmp_path / "games.html").read_text()
        assert "<title>first &lt;player&gt; \u2013 chance: kalah</title>" in page
        assert ("SPRT [0, 5]" in page) == (one is found)
    with pytest.raises(ValueError, match=r"not '\.txt'"):
        found.export(tmp_path / "games.txt")
    with pytest.raises(OSError, match="missing"):
        found.export(tmp_path / "missing" / "games.html")
    rows = found.rows()
    assert [row["game"] for row in rows] == [1, 2, 3, 4]
    assert json.loads(json.dumps(rows)) == rows


def test_a_file_has_one_purpose(tmp_path: Path) -> None:
    openings = tmp_path / "openings"
    openings.write_text("startpos\n")
    new = tmp_path / "new"
    for arguments, names in [
        ({"openings": openings, "record": openings}, "openings and record"),
        ({"openings": openings, "transcript": openings}, "openings and transcript"),
        ({"record": new, "transcript": tmp_path / "." / "new"}, "record and transcript"),
    ]:
        with pytest.raises(ValueError, match=f"{names} name the same file, "):
            match([first, chance()], BOARD, rounds=1, **arguments)  # type: ignore[arg-type]
        assert openings.read_text() == "startpos\n"
        assert not new.exists()
    with pytest.raises(BadFile, match=r"is not the record of a dialogue, and transcript would replace it"):
        match([first, chance()], BOARD, rounds=1, transcript=openings)
    assert openings.read_text() == "startpos\n"
    # A player may be a script, or read a file.
    for player in [str(openings)], ["sh", str(openings)], ["sh", f"--weights={openings}"]:
        with pytest.raises(ValueError, match="a player and transcript name the same file, "):
            match([player, chance()], BOARD, Limit(nodes=1), rounds=1, transcript=openings)
        assert openings.read_text() == "startpos\n"


def test_games_as_a_frame() -> None:
    pandas = pytest.importorskip("pandas")
    found = match([first, chance()], BOARD, rounds=2)
    frame = found.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.points.sum() == sum(game.points for game in found.games)


def test_a_record_without_a_game_is_that_of_another_match(tmp_path: Path) -> None:
    record, tiny = tmp_path / "record.jsonl", Position("kalah", houses=2, seeds=1)
    with pytest.raises(ValueError, match=r"in Python random_plies="):
        match([first, first], tiny, rounds=1, random_plies=99, record=record)
    match([first, first], tiny, rounds=1, random_plies=0, record=record)
    assert len(record.read_text().splitlines()) == 3


def test_a_forged_record_controls_no_terminal(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    match({"one": first, "other": lambda position: "wrong"}, BOARD, rounds=1, record=record)
    text = record.read_text()
    for word in '"one"', '"wrong"', "illegal move":
        text = text.replace(word, word[:-1] + r"\u001b[31m" + word[-1])
    record.write_text(text)
    found = Match.load(record)
    game = found.games[0]
    shown = [repr(found), str(found), found._repr_html_(), *found.names, *found.remarks(), game.detail]
    assert not any("\x1b" in text for text in [*shown, *game.players, *game.moves])
    assert found.names[0] == game.players[0] == r"one\u{1b}[31m"


def test_damaged_records_are_named(tmp_path: Path) -> None:
    record, damaged = tmp_path / "record.jsonl", tmp_path / "damaged.jsonl"
    match([first, chance()], BOARD, rounds=1, record=record)
    header, *games = record.read_bytes().splitlines(keepends=True)
    wrong = 'damaged.jsonl" line 2: '
    for contents, words in [
        (b"hello\n", 'damaged.jsonl" is not a record of a match$'),
        (b"\xff\n", 'damaged.jsonl" is not a record of a match$'),
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
        secateurs.Result._restore(BOARD, "{}")  # type: ignore[attr-defined]
    damaged.write_bytes(b"\xff")
    with pytest.raises(BadFile, match=r'damaged.jsonl" is not a file of openings'):
        match([first, chance()], BOARD, openings=damaged)


def test_an_interrupt_loses_no_finished_game(tmp_path: Path, interrupted: Callable[..., Any]) -> None:
    for seed in range(12):
        record = tmp_path / f"{seed}.jsonl"
        seconds = 0.01 + 0.04 * random.Random(seed).random()
        players = {"a": chance(seed), "b": first}
        board = Position("kalah", houses=2, seeds=3)
        with pytest.raises(KeyboardInterrupt) as raised:
            interrupted(seconds, match, players, board, rounds=100_000, record=record, progress=False)
        found: Match | None = getattr(raised.value, "match", None)
        if found is None:
            # It came before the match began.
            assert not record.exists()
            continue
        assert found.played == sum("number" in json.loads(line) for line in record.read_text().splitlines())


def test_an_export_replaces_no_file_of_another_kind(tmp_path: Path) -> None:
    played = match([Engine(hash=1)] * 2, "nim", depth=1, rounds=1)
    for name in ("a.pgn", "a.csv", "a.html"):
        path = tmp_path / name
        path.write_text("import os\n")
        with pytest.raises(BadFile, match=r"is not .*, and path would replace it"):
            played.export(path)
        assert path.read_text() == "import os\n"
        path.write_text("")
        for _ in range(2):
            played.export(path)
