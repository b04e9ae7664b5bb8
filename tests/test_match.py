"""Matches: players of all kinds, openings, clocks, figures."""

import io
import math
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import secateurs
from players import BOARD, OURS, POSIX, chance, first
from secateurs import Clock, Engine, EngineError, Limit, Match, Player, Position, Result, UciEngine, match


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
    other = Player(OURS, depth=1, options={"seeds": 5})
    with pytest.raises(ValueError, match="Seeds=5: the match is played with Seeds=3, as its position has it"):
        match([first, other], BOARD)
    found = match([first, chance()], BOARD, openings=chosen, rounds=3)
    expected = [("<4,0,0,3,3,3,3,3,3,3,3> s", ("2",)), ("startpos", ("1",)), (BOARD.play("3").text, ())]
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
    assert [game.opening for game in found.games[::2]] == [("startpos", ("2",)), ("startpos", ())]
    with pytest.raises(ValueError, match=r'opening number 1, "startpos moves 9": illegal move'):
        match([first, chance()], BOARD, openings=["startpos moves 9"])
    with pytest.raises(ValueError, match=r"opening_plies no other openings"):
        match([first, chance()], BOARD, openings=tmp_path / "lines", opening_plies=1)
    with pytest.raises(ValueError, match=r"opening_plies shortens the games of a file in PGN"):
        match([first, chance()], BOARD, openings=["startpos moves 2"], opening_plies=1)
    with pytest.raises(FileNotFoundError):
        match([first, chance()], BOARD, openings=tmp_path / "none")


def test_arguments_without_effect_are_named() -> None:
    with pytest.raises(
        TypeError, match=r"^openings is an iterable of Position and str, or the path of a file, not Str"
    ):
        match([first, chance()], BOARD, openings=io.StringIO("1. 3 *\n"))  # type: ignore[arg-type]
    for word in "random_plies", "random_candidates", "random_nodes":
        random: dict[str, Any] = {word: 3}
        with pytest.raises(ValueError, match=f"^{word} is for random openings, and .* with those of openings$"):
            match([first, chance()], BOARD, openings=["startpos"], **random)
        with pytest.raises(ValueError, match=f"^{word} is for random openings, and .* at position, which is no start"):
            match([first, chance()], BOARD.play("1"), **random)
    with pytest.raises(ValueError, match=r"^order is that of openings, and there are none$"):
        match([first, chance()], BOARD, order="random")
    with pytest.raises(ValueError, match=r"^twosided is for a match with resign$"):
        match([first, chance()], BOARD, twosided=False)


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


def test_games_side_by_side_are_the_same_games() -> None:
    players: Any = {"a": Engine(hash=1), "b": Player(Engine(hash=1), limit=Limit(nodes=150)), "c": first}
    alone = match(players, BOARD, Limit(nodes=100), rounds=4)
    together = match(players, BOARD, Limit(nodes=100), rounds=4, concurrency=3)
    assert [game.moves for game in alone.games] == [game.moves for game in together.games]
    assert alone.standings == together.standings


def test_a_test_ends_the_match() -> None:
    found = match({"a": Engine(hash=1), "b": chance()}, BOARD, Limit(depth=4), sprt=(0, 50))
    assert found.planned == 40_000  # twice the default number of rounds
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


def test_rules_of_adjudication() -> None:
    players: Any = [Engine(hash=1), Player(Engine(hash=1))]
    short = match(players, BOARD, Limit(nodes=100), rounds=1, length=5)
    assert {(game.ending, len(game.moves), game.result) for game in short.games} == {("length", 5, "1/2-1/2")}
    assert short.names == ("secateurs", "secateurs 2")
    drawn = match(players, BOARD, Limit(nodes=100), rounds=1, draw=(2, 100_000, 4))
    assert {game.ending for game in drawn.games} == {"draw"}
    # As on the command line, the number of plies may be left out.
    rules: Any = [(2, 100_000), (2, 100_000, 0), [2, 100_000, 12]]
    early, same, late = (
        [
            len(game.moves)
            for game in match(players, BOARD, Limit(nodes=100), rounds=1, draw=draw, openings=["startpos"]).games
        ]
        for draw in rules
    )
    assert early == same
    assert max(early) < 12 <= min(late)
    sure = match(players, BOARD, Limit(nodes=100), rounds=2, resign=(1, 1, 6), openings=["startpos"])
    assert {game.ending for game in sure.games} == {"resignation"}
    assert min(len(game.moves) for game in sure.games) >= 6
    won = match([players[0], chance()], BOARD, Limit(depth=4), rounds=2, resign=(1, 1))
    assert all(game.ending == "rules" for game in won.games), "chance says nothing"
    both, one = (
        match(players, BOARD, Limit(nodes=100), rounds=4, resign=(2, 100), twosided=twosided).games
        for twosided in (True, False)
    )
    assert any(game.ending == "resignation" for game in both)
    assert sum(len(game.moves) for game in one) <= sum(len(game.moves) for game in both), "one agrees no later than two"


def test_databases_end_games(tmp_path: Path) -> None:
    build = ["endgame", "build", str(tmp_path), "--option", "Houses=2", "--seeds", "6"]
    subprocess.run([sys.executable, "-m", "secateurs", *build], check=True, capture_output=True)
    # Perfect players: the databases count on best play.
    board, openings = Position("kalah", houses=2, seeds=4), ["startpos"]
    players = [Engine(hash=1), Engine(hash=1)]
    full = match(players, board, Limit(depth=40), rounds=1, openings=openings)
    ended = match(players, board, Limit(depth=40), rounds=1, openings=openings, databases=tmp_path)
    assert ended.endings == {"adjudicated by databases": 2}
    assert [(game.ending, game.result, game.margin) for game in ended.games] == [
        ("databases", game.result, game.margin) for game in full.games
    ]
    with pytest.raises(secateurs.BadFile, match="no endgame database of kalah with Houses=4"):
        match([first, first], BOARD, databases=str(tmp_path))
    with pytest.raises(ValueError, match="chess has no endgame databases; there are some for kalah"):
        match([first, first], Position("chess"), databases=tmp_path)


def test_openings_have_an_order_and_a_start() -> None:
    lines = [f"startpos moves {house}" for house in (1, 2, 3)]

    def played(**options: Any) -> list[str]:
        found = match([first, first], BOARD, rounds=4, openings=lines, **options)
        return [game.opening[1][0] for game in found.games[::2]]

    plain = played()
    assert plain[3] == plain[0]
    assert played(start=3) == [plain[2], *plain[:3]]
    assert played(order="random", start=2)[:2] == played(order="random")[1:3]
    with pytest.raises(ValueError, match="start is the number of an opening, 1 to 3, not 4"):
        played(start=4)
    with pytest.raises(ValueError, match="start is the number of an opening in openings"):
        match([first, first], BOARD, start=2)
    with pytest.raises(ValueError, match='order is "sequential" or "random", not "backward"'):
        played(order="backward")


def test_every_game_of_the_registry_is_played() -> None:
    for game in secateurs.games():
        found = match([Engine(hash=1), chance()], Position(game), Limit(nodes=200), rounds=1)
        assert found.endings == {"by the rules": 2}, game
