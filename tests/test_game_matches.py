"""Games in Python in matches: players, statistics, records, faults of the game itself."""

import io
import pickle
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import secateurs
from secateurs import Engine, Game, Limit, Match, Outcome, Player, Position, annotate
from secateurs._matches import play

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))

from dots_and_boxes import DotsAndBoxes


@dataclass(frozen=True)
class Steps(Game):
    """Moves are tuples, whose texts have spaces; who makes the last of them wins."""

    left: int = 9
    turn: int = 1

    def moves(self) -> list[tuple[str, int]]:
        return [("by", step) for step in range(1, min(self.left, 2) + 1)]

    def play(self, move: tuple[str, int]) -> "Steps":
        return type(self)(self.left - move[1], 3 - self.turn)

    def outcome(self) -> Outcome:
        return Outcome(winner=3 - self.turn)


def first(position: Position) -> str:
    return position.legal_moves[0]


def chance(seed: int) -> Any:
    dice = random.Random(seed)

    def play(position: Position) -> str:
        return dice.choice(position.legal_moves)

    return play


def test_a_solution_is_no_move() -> None:
    engine = Engine(hash=1)
    wrong: Any = engine.solve
    found = secateurs.match([first, lambda position: wrong(position)], Position(Steps()), rounds=1)
    taken = "a str, an int, a chess.Move, a PlayResult or a Result"
    error = ("crash", f"TypeError: it returned Solution, where a move is {taken}")
    assert (found.games[1].ending, found.games[1].detail) == error
    with pytest.raises(TypeError, match="info is a Result, not str"):
        secateurs.PlayResult("e2e4")  # type: ignore[arg-type]


def test_an_engine_beats_chance_and_the_match_has_everything(tmp_path: Path) -> None:
    start, path = Position(DotsAndBoxes(rows=1, columns=3)), tmp_path / "match.jsonl"
    players: dict[str, Any] = {"search": Engine(hash=1), "chance": chance(5)}
    seen = []
    found = secateurs.match(
        players,
        start,
        Limit(depth=4),
        rounds=4,
        random_plies=2,
        concurrency=2,
        sprt=(0, 400),
        record=path,
        progress=lambda so_far: seen.append(so_far.played),
    )
    assert found.played == len(found.games) == 8 or found.finished
    assert found.standings[0].name == "search"
    assert found.standings[0].points > found.played / 2
    assert found.sprt is not None
    assert seen[-1] == found.played
    for game in found.games:
        end = start.play_line([*game.opening[1], *game.moves])
        assert end.outcome is not None
        assert end.outcome.margin == game.margin
    # A record continues and loads, with the position.
    again = secateurs.match(players, start, Limit(depth=4), rounds=4, random_plies=2, sprt=(0, 400), record=path)
    assert again.games == found.games
    assert Match.load(path, start, sprt=(0, 400)).standings == found.standings
    with pytest.raises(secateurs.BadFile, match=r'is a match of "DotsAndBoxes", a game in Python: secateurs\.Match'):
        Match.load(path)
    with pytest.raises(secateurs.BadFile, match=r'is a match of "DotsAndBoxes", not of Steps'):
        Match.load(path, Position(Steps()))
    with pytest.raises(secateurs.BadFile, match="is the record of another match: its start"):
        secateurs.match(
            players, start.play("h11"), Limit(depth=4), rounds=4, random_plies=2, sprt=(0, 400), record=path
        )
    with pytest.raises(TypeError, match="position is a Position, not int"):
        Match.load(path, 3)  # type: ignore[arg-type]
    for kind in "pgn", "csv", "html":
        found.export(tmp_path / f"match.{kind}")
        assert "search" in (tmp_path / f"match.{kind}").read_text(encoding="utf-8")
    assert "+--+" in (tmp_path / "match.html").read_text(encoding="utf-8")
    copy = pickle.loads(pickle.dumps(found))
    assert copy == found
    copy.export(tmp_path / "again.html")
    assert found._repr_html_()


def test_moves_may_be_objects_and_openings_follow_the_position() -> None:
    start = Position(Steps()).play(("by", 2))
    openings = [start, start.play(("by", 1)), Position(Steps()).play_line([("by", 2), ("by", 2)])]
    players = [Player(Engine(hash=1), "one", Limit(depth=9)), Player(first, "other")]
    found = secateurs.match(players, start, rounds=3, openings=openings)
    assert [game.opening[1] for game in found.games[::2]] == [(), ("('by', 1)",), ("('by', 2)",)]
    # With 7 left the mover wins, with 6 the opponent: the engine wins what can be won, and more against this player.
    assert found.standings[0].points >= 3
    assert {mv for game in found.games for mv in game.moves} <= {"('by', 1)", "('by', 2)"}
    with pytest.raises(ValueError, match=r"openings\[0\] does not follow from the position of the match"):
        secateurs.match(players, start, rounds=1, openings=[Position(Steps())])
    with pytest.raises(ValueError, match=r"openings\[0\] is a Position, or text as \"startpos moves \.\.\.\""):
        secateurs.match(players, start, rounds=1, openings=["('by', 1)"])
    over = start.play_line([("by", 2), ("by", 2), ("by", 2), ("by", 1)])
    with pytest.raises(ValueError, match="opening number 1: the game is over"):
        secateurs.match(players, start, rounds=1, openings=[over])


def test_openings_are_texts_too(tmp_path: Path) -> None:
    start = Position(DotsAndBoxes(rows=1, columns=1))
    lines = ["startpos", "startpos moves h11 v11"]
    found = secateurs.match([first, first], start, rounds=2, openings=lines)
    assert [game.opening[1] for game in found.games[::2]] == [(), ("h11", "v11")]
    path = tmp_path / "openings.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    again = secateurs.match([first, first], start, rounds=2, openings=path)
    assert [game.moves for game in again.games] == [game.moves for game in found.games]
    path.write_text("h11", encoding="utf-8")
    with pytest.raises(secateurs.BadFile, match="its games begin at startpos"):
        secateurs.match([first, first], start, rounds=2, openings=path)


def test_players_see_the_state_and_the_clock() -> None:
    seen: list[tuple[Any, int, Any]] = []

    class Watcher:
        def play(self, position: Position, clock: secateurs.Clock) -> Any:
            assert isinstance(position.state, Steps)
            seen.append((position.state.left, position.turn, clock.remaining))
            return position.state.moves()[0][1]  # no move: an int

    players = [Player(Watcher(), "watcher", clock="10+1"), Player(Engine(hash=1), "engine", clock="10+1")]
    found = secateurs.match(players, Position(Steps()), rounds=1, random_plies=0)
    assert [game.ending for game in found.games] == ["illegal-move", "illegal-move"]
    assert [turn for _, turn, _ in seen] == [1, 2]
    assert seen[0][0] == 9
    assert all(9 < remaining <= 10 for _, _, remaining in seen)


@pytest.mark.parametrize("who", ["secateurs", ["secateurs"], Path("secateurs")])
def test_programs_are_refused(who: Any) -> None:
    with pytest.raises(ValueError, match="is a program, and a game in Python is known to this process alone"):
        secateurs.match([who, first], Position(Steps()), Limit(depth=1))
    with pytest.raises(ValueError, match="a player has no limit"):
        secateurs.match([Engine(hash=1), first], Position(Steps()))


@pytest.mark.parametrize("method", ["moves", "play", "outcome", "key"])
@pytest.mark.parametrize("concurrency", [1, 3])
def test_an_exception_of_the_game_ends_the_match(method: str, concurrency: int) -> None:
    def fail(self: Steps, *arguments: object) -> object:
        if self.left < 4:
            raise ArithmeticError(method)
        return getattr(Steps, method)(self, *arguments)

    kind: Any = type("Faulty", (Steps,), {method: fail})
    with pytest.raises(ArithmeticError, match=method) as caught:
        secateurs.match([first, chance(1)], Position(kind()), rounds=4, random_plies=0, concurrency=concurrency)
    assert caught.value.match.played == 0  # type: ignore[attr-defined]


def test_databases_and_their_rules_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Steps has no endgame databases"):
        secateurs.match([first, first], Position(Steps()), rounds=1, databases=tmp_path)
    with pytest.raises(secateurs.BadOption, match="every game ends within 9 random moves"):
        secateurs.match([first, first], Position(Steps()), rounds=1, random_plies=9)


def test_a_cyclic_game_is_drawn_by_repetition() -> None:
    @dataclass(frozen=True)
    class Ring(Game):
        cyclic = True
        place: int = 0
        turn: int = 1

        def moves(self) -> list[str]:
            return ["on"]

        def play(self, move: str) -> "Ring":
            return Ring((self.place + 1) % 4, 3 - self.turn)

        def outcome(self) -> Outcome:
            raise AssertionError

    found = secateurs.match([first, first], Position(Ring()), rounds=1, random_plies=0)
    assert [(game.result, game.ending, len(game.moves)) for game in found.games] == [("1/2-1/2", "rules", 8)] * 2


class Tuples(Steps):
    """Its moves are tuples."""


def test_a_player_may_return_the_move_itself() -> None:
    def last(position: Position) -> Any:
        assert position.state is not None
        return list(position.state.moves())[-1]

    def wrong(position: Position) -> Any:
        return ("by", 7)

    found = secateurs.match({"last": last, "wrong": wrong}, Position(Tuples()), rounds=1, random_plies=0)
    assert {game.ending for game in found.games} == {"illegal-move"}
    assert all("('by', 7)" in game.detail for game in found.games)
    assert found.standings[0].name == "last"
    games = secateurs.match([last, first], Position(Tuples()), rounds=1, random_plies=0).games
    assert all(game.ending == "rules" for game in games)


def test_games_are_annotated_with_their_start(tmp_path: Path) -> None:
    start, path = Position(DotsAndBoxes(rows=1, columns=2)), tmp_path / "games.pgn"
    players = [Player(Engine(hash=1), depth=2), Player(Engine(hash=1), name="nodes", nodes=10)]
    secateurs.match(players, start, rounds=1, random_plies=2).export(path)
    # A side may move twice: each move has its number.
    assert " 2. " in path.read_text()
    assert "..." not in path.read_text()
    assert start.state is not None
    for given in (start, start.state):
        games = secateurs.annotate(path, depth=3, game=given)
        assert [(game.error, len(game.moves)) for game in games] == [(None, 7)] * 2
        assert "<svg" in games[0].html()
        assert pickle.loads(pickle.dumps(games)) == games
        end = Position.from_pgn(path, given)
        assert (end.history, end.start) == ([move.move for move in games[0].moves], start.start)
        with path.open() as file:
            read = [Position.from_pgn(file, given) for _ in range(3)]
            assert [position and len(position.history) for position in read] == [7, 7, None]
    assert Position.from_pgn("1. e4 *\n", "chess") == Position.from_pgn('[Variant "chess"]\n\n1. e4 *\n', start)
    assert secateurs.annotate(path, depth=1)[0].error is not None
    takes: list[Callable[[str, Any], Any]] = [Position.from_pgn, lambda pgn, game: annotate(pgn, depth=1, game=game)]
    for take in takes:
        with pytest.raises(TypeError, match=r"game is a Game, such as DotsAndBoxes\(\), not the class DotsAndBoxes"):
            take("1. h11 *", DotsAndBoxes)
        with pytest.raises(TypeError, match="game is a Position or the name of a game, not int"):
            take("1. h11 *", 3)


def test_a_game_that_fails_while_its_records_are_read() -> None:
    class Broken(Steps):
        def moves(self) -> Any:
            return [1] if self.left == 9 else 1 / 0

        def play(self, move: Any) -> "Broken":
            return Broken(self.left - move, 3 - self.turn)

    for pgn in "1. 1 1 *", io.StringIO("1. 1 1 *\n"):
        with pytest.raises(ZeroDivisionError):
            Position.from_pgn(pgn, Broken())


def test_the_text_of_a_state_may_fail() -> None:
    class Mute(Steps):
        def __str__(self) -> str:
            raise RuntimeError("no text")

    with pytest.raises(RuntimeError, match="no text"):
        secateurs.match([first, first], Position(Mute()), rounds=1)


def test_a_game_whose_positions_repeat_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    assert play.LONGEST == 3200
    monkeypatch.setattr(play, "LONGEST", 40)

    class Round(Steps):
        def play(self, move: tuple[str, int]) -> "Round":
            return Round(9 if self.left == 2 else self.left - 1, 3 - self.turn)

    played = secateurs.match([first, first], Position(Round()), rounds=1).games
    assert [(game.result, game.ending, len(game.moves)) for game in played] == 2 * [("1/2-1/2", "length", 40)]


def test_numbers_of_moves_are_no_moves() -> None:
    start = Position(DotsAndBoxes(rows=1, columns=2))
    one, two = start.legal_moves[:2]
    for text in (f"1. {one} 2... {two}", f"1. {one} 2\N{HORIZONTAL ELLIPSIS} {two}"):
        assert start.play_line(text).history == [one, two]
