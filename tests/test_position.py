"""Positions: immutable values of every registered game, and errors that name what was wrong."""

import copy
import itertools
import pickle
import random
from collections.abc import Callable

import numpy
import pytest
import secateurs
from secateurs import BadOption, BadPosition, IllegalMove, Position

GAMES = list(secateurs.games())


def walk(position: Position, seed: int) -> list[Position]:
    """Every position of a random game."""
    dice = random.Random(seed)
    line = [position]
    while line[-1].outcome is None:
        line.append(line[-1].play(dice.choice(line[-1].legal_moves)))
    return line


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("game", GAMES)
def test_a_game_can_be_played_to_its_end(game: str, seed: int) -> None:
    line = walk(Position(game), seed)
    for before, after in itertools.pairwise(line):
        assert before.outcome is None
        assert before.turn in (1, 2)
        assert after.history[:-1] == before.history
        assert after.history[-1] in before.legal_moves
        assert before.evaluate()
        assert str(before)
    assert line[-1].outcome is not None
    if not line[-1].legal_moves:
        with pytest.raises(IllegalMove):
            line[-1].play("1")


@pytest.mark.parametrize("game", GAMES)
def test_positions_are_values(game: str) -> None:
    for position in walk(Position(game), 7):
        twin = Position.parse(position.text, game)
        again = eval(repr(position), {"Position": Position})
        assert position == twin == again
        assert hash(position) == hash(twin) == hash(again)
        assert twin.history == []
        assert position != position.text
    line = walk(Position(game), 8)
    # The last position may be the first one that comes back.
    assert len(set(line[:-1])) == len(line) - 1
    with pytest.raises(AttributeError):
        line[0].text = "1"  # type: ignore[misc]


@pytest.mark.parametrize("game", GAMES)
def test_perft_counts_the_lines(game: str) -> None:
    def count(position: Position, depth: int) -> int:
        return sum(count(position.play(move), depth - 1) for move in position.legal_moves) if depth else 1

    position = Position(game)
    assert [position.perft(depth) for depth in range(4)] == [count(position, depth) for depth in range(4)]
    for end in walk(position, 9)[-2:]:
        assert end.perft(3) == count(end, 3)


def test_a_position_of_a_position_is_the_same() -> None:
    position = Position("nim", heaps=[1, 2]).play("1-1")
    for same in (Position(position), Position.parse(position)):
        assert (same, same.history) == (position, ["1-1"])
    with pytest.raises(TypeError, match="a position has its own options"):
        Position(position, misere=True)
    with pytest.raises(ValueError, match='text is a board of nim, and the game is "chess"'):
        Position("chess", position)


def test_positions_and_scores_can_be_formatted() -> None:
    position = Position("nim", heaps=[1, 2], theory=False)
    assert f"{position:>40}" == str(position).rjust(40)
    assert f"{secateurs.Engine(hash=1).analyse(position, depth=5).score:>30}" == "win in 3 plies proven".rjust(30)


def test_a_fen_names_its_game() -> None:
    start = Position("chess").text
    assert Position(start) == Position.parse(start) == Position("chess")
    assert Position("chess").play("e2e4") == Position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    assert Position(Position("xiangqi").text).game == Position.parse(Position("xiangqi").text).game == "xiangqi"
    with pytest.raises(BadPosition):
        Position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN2 w KQkq - 0 1")
    with pytest.raises(BadPosition, match="White has 0 kings"):
        Position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQQBNR w kq - 0 1")
    for other in ("8/8/8/8", "/usr/share/a/b/c/d/e", "", "3,4,5 1"):
        with pytest.raises(BadOption, match=r"unknown game .*; Position.parse\(text, game\) reads a position"):
            Position(other)


@pytest.mark.parametrize("game", secateurs.games())
def test_a_position_takes_its_text(game: str) -> None:
    position = walk(Position(game), 3)[2]
    text = position.text
    for same in (Position(game, text), Position(game, text=text), Position(game, fen=text)):
        assert same == position == Position.parse(text, game)


def test_a_text_is_read_as_by_parse() -> None:
    assert Position("connect4", "44453").text == Position("connect4").play_line([4, 4, 4, 5, 3]).text
    assert Position("nim", "1,2 1", theory=False).options["theory"] is False
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert Position(fen=fen) == Position("chess", fen=fen) == Position(fen)
    assert Position("kalah", "startpos moves 3").history == ["3"]
    with pytest.raises(BadPosition, match="bad position"):
        Position("nim", "none")
    with pytest.raises(BadOption, match='unknown option "foo"; cfour has no options'):
        Position("cfour", foo=1)
    with pytest.raises(BadOption, match='unknown option "foo"; connect4 takes columns, rows'):
        Position("connect4", "44453", foo=1)
    wrong: list[tuple[str, Callable[[], object]]] = [
        ("give text or fen, not both", lambda: Position("chess", fen, fen=fen)),
        ("text is a str, not int", lambda: Position("kalah", 4)),  # type: ignore[call-overload]
        (
            r"position is a Position, not str: Position.parse\(text, game\) reads one",
            lambda: secateurs.Engine(hash=1).analyse("44453", depth=1),
        ),
    ]
    for message, call in wrong:
        with pytest.raises(TypeError, match=message):
            call()


def test_playing_leaves_the_position_as_it_was() -> None:
    position = Position("kalah")
    text = position.text
    assert position.play("3").text != text
    with pytest.raises(IllegalMove):
        position.play("7")
    assert position.text == text
    assert position.history == []


@pytest.mark.parametrize("game", GAMES)
def test_a_line_is_its_moves(game: str) -> None:
    line = walk(Position(game), 10)
    last = line[0].play_line(line[-1].history)
    assert (last, last.history, last.key) == (line[-1], line[-1].history, line[-1].key)
    assert line[0].play_line([]) == line[0]
    assert line[2].play_line(last.history[2:]).history == last.history
    with pytest.raises(IllegalMove, match='illegal move "no-such" in '):
        line[0].play_line([*last.history[:2], "no-such"])
    assert line[0].play_line(" ".join(last.history)).history == last.history
    assert line[0].play_line(line[0].variation_san(last.history)).history == last.history
    with pytest.raises(TypeError):
        line[0].play_line(b"12")
    assert len({position.key for position in line}) > 1
    assert all(0 <= position.key < 2**64 for position in line)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("game", GAMES)
def test_positions_are_pickled_with_their_history(game: str, protocol: int) -> None:
    for position in walk(Position(game), 11):
        again = pickle.loads(pickle.dumps(position, protocol))
        assert (again, again.history, again.options) == (position, position.history, position.options)
        assert copy.copy(position) is position
        assert copy.deepcopy([position])[0] is position
    small = Position("kalah", houses=3, seeds=2, capture="empty").play("1")
    assert repr(pickle.loads(pickle.dumps(small, protocol))) == repr(small)


def test_long_lines_are_let_go() -> None:
    position = Position("nim", heaps=",".join(["199"] * 16))
    for heap in range(1, 17):
        for _ in range(199):
            position = position.play(f"{heap}-1")
    assert len(position.history) == 16 * 199
    assert position.outcome is not None


@pytest.mark.parametrize("text", ["+1", "01", " 1", "1 ", "\u0661", "1.0", "", "99999999999999999999", "p@d1"])
def test_moves_are_as_they_are_written(text: str) -> None:
    with pytest.raises(IllegalMove):
        Position("kalah").play(text)
    for nim in (text, f"{text}-1", f"1-{text}"):
        with pytest.raises(IllegalMove):
            Position("nim").play(nim)


def test_connect_four_has_a_name_for_each_notation() -> None:
    position = Position.parse("44453", "connect4")
    assert position.text == "7/7/7/3x3/3o3/2xxo2 o"
    assert position.turn == 2
    assert position.legal_moves == ["4", "3", "5", "2", "6", "1", "7"]
    drops = Position.parse(position.text, "cfour")
    assert drops.text == "7/7/7/3P3/3p3/2PPp2[PPPPPPPPPPPPPPPPPPppppppppppppppppppp] b - - 0 3"
    assert drops.legal_moves[:3] == ["P@d4", "P@c2", "P@e2"]
    assert drops.play("p@d4").history == drops.play("4").history == ["P@d4"]
    with pytest.raises(BadPosition, match='move 7, "4": the column is full'):
        Position.parse("4444444", "connect4")
    with pytest.raises(BadOption, match="Columns 16 and Rows 9"):
        Position("connect4", columns=16, rows=9)


def test_boards_of_connect_four_may_have_more_than_64_squares() -> None:
    wide = Position("connect4", columns=16, rows=7).play_line([16, 1, 16])
    assert wide.text == "16/16/16/16/16/15x/o14x o"
    assert wide.board[-1] == (2, *[0] * 14, 1)
    assert len(wide.legal_moves) == 16


def test_four_in_a_line_end_the_game() -> None:
    won = Position.parse("1212121", "connect4")
    assert won.outcome is not None
    assert won.outcome.winner == 1
    assert won.legal_moves == []
    full = Position.parse("1111122222", "connect4", columns=2, rows=5).outcome
    assert full is not None
    assert full.winner is None
    result = secateurs.Engine(hash=1).analyse(Position.parse("121212", "connect4"), depth=3)
    assert (result.best_move, result.proven) == ("1", "exact")


def test_turns_need_not_alternate() -> None:
    position = Position("kalah").play("3")
    assert position.turn == 1
    assert position.play("1").turn == 2


def test_options_are_keywords() -> None:
    position = Position("kalah", houses=4, seeds=3, capture="empty")
    assert position.text == "<4,0,0,3,3,3,3,3,3,3,3> s"
    assert position.options["houses"] == 4
    assert repr(position) == "Position.parse('<4,0,0,3,3,3,3,3,3,3,3> s', 'kalah', houses=4, seeds=3, capture='empty')"
    assert Position("KALAH", houses=4, seeds=3, capture="empty") == position
    assert position.play("1").options == position.options
    nim = Position("nim", max_take=3, misere=True)
    assert nim.options == {"heaps": "3,4,5", "misere": True, "max_take": 3, "theory": True}
    assert "2-4" not in nim.legal_moves
    chess = Position("chess").legal_moves
    assert chess.index("e4") == chess.index("e2e4")
    assert (chess.count("Nf3"), chess.count("Nf4")) == (1, 0)
    with pytest.raises(ValueError, match="'e5' is not in list"):
        chess.index("e5")
    assert nim != Position("nim")
    assert eval(repr(nim), {"Position": Position}) == nim


def test_outcomes_are_told_by_player() -> None:
    won = Position.parse("<1,5,0,0,1> n", houses=1, seeds=3).outcome
    assert won is not None
    assert (won.winner, won.margin) == (1, 4)
    drawn = Position.parse("<1,1,0,0,1> s", houses=1, seeds=1).outcome
    assert drawn is not None
    assert (drawn.winner, drawn.margin) == (None, 0)
    taken = Position("nim", heaps="2").play("1-2")
    assert taken.turn == 2
    assert repr(taken.outcome) == "Outcome(winner=1, margin=None)"
    assert taken.outcome == Position.parse("0 2", "nim").outcome
    assert repr(Position("nim", heaps="2", misere=True).play("1-2").outcome) == "Outcome(winner=2, margin=None)"


def test_bad_options_are_named() -> None:
    with pytest.raises(BadOption, match='"depth"; kalah takes houses, seeds, capture'):
        Position("kalah", depth=3)
    with pytest.raises(BadOption, match='"MaxTake"; did you mean max_take'):
        Position("nim", MaxTake=3)
    with pytest.raises(BadOption, match='"0" for option Houses: a whole number from 1 to 12'):
        Position("kalah", houses=0)
    for huge in (2**63, -(2**64), 10**30, 10**5000):
        with pytest.raises(BadOption, match="Houses"):
            Position("kalah", houses=huge)
    with pytest.raises(BadOption, match='"both" for option Capture'):
        Position("kalah", capture="both")
    with pytest.raises(BadOption, match="at most 288"):
        Position("kalah", houses=12, seeds=24)
    with pytest.raises(BadOption, match="Heaps"):
        Position.parse("1,2 1", "nim", heaps="many")
    with pytest.raises(BadOption, match="unknown game"):
        Position("mornington crescent")


@pytest.mark.parametrize("game", secateurs.games())
def test_numbers_are_numbers_in_every_option(game: str) -> None:
    start = Position(game)
    texts = {name: value for name, value in start.options.items() if isinstance(value, str)}
    assert not [name for name, value in texts.items() if value.strip("-").isdigit()]
    for name, value in start.options.items():
        if type(value) is int:
            for same in (value, numpy.int64(value)):
                assert Position(game, **{name: same}) == start
    assert eval(repr(start), {"Position": Position}) == start
    assert pickle.loads(pickle.dumps(start)).options == start.options


def test_the_size_of_a_board_is_a_number() -> None:
    small = Position("othello", board_size=4)
    assert small == Position("othello", board_size="4")
    assert small.options == {"board_size": 4, "othello_eval_file": ""}
    assert repr(small) == f"Position.parse({small.text!r}, 'othello', board_size=4)"
    with pytest.raises(BadOption, match='"5" for option BoardSize: one of 4, 6, 8'):
        Position("othello", board_size=5)
    with pytest.raises(TypeError, match="board_size is an int, not bool"):
        Position("othello", board_size=True)
    with pytest.raises(TypeError, match="board_size is an int, not float"):
        Position("othello", board_size=4.0)  # type: ignore[call-overload]
    [row] = secateurs.analyse_many(["startpos"], depth=1, game="othello", board_size=4)
    [solution] = secateurs.solve_many(["startpos"], nodes=1, game="othello", board_size=4)
    compared = secateurs.compare(depth=1, procedures="minimax", game="othello", board_size=4)
    assert row["position"] == solution.position.text == compared[0]["subject"] == small.text
    players = [lambda position: position.legal_moves[0]] * 2
    assert secateurs.match(players, small, rounds=1, random_plies=0, progress=False).played == 2


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("kalah", {"houses": "6"}),
        ("kalah", {"houses": True}),
        ("kalah", {"houses": 6.0}),
        ("kalah", {"houses": None}),
        ("kalah", {"capture": 3}),
        ("nim", {"misere": "true"}),
        ("nim", {"misere": 1}),
        ("nim", {"heaps": [3.0, 4, 5]}),
    ],
)
def test_options_of_the_wrong_type_are_named(game: str, options: dict[str, object]) -> None:
    with pytest.raises(TypeError, match=next(iter(options))):
        Position(game, **options)  # type: ignore[call-overload]


@pytest.mark.parametrize("text", ["", "\0", "<6,0,0", "<1,0,0,-1,1> s", "<13,0,0> s", "<1," + "9" * 100_000, "é\n'\""])
def test_bad_positions_are_named_in_brief(text: str) -> None:
    with pytest.raises(BadPosition, match="bad position") as caught:
        Position.parse(text)
    assert isinstance(caught.value, ValueError)
    assert len(str(caught.value)) < 500


def test_the_game_of_a_position_is_named() -> None:
    text = Position("chess").text
    with pytest.raises(BadPosition, match=r'; it is a position of chess \(--game chess, in Python game="chess"\)$'):
        Position.parse(text, "kalah")
    assert Position.parse(text, game="chess").text == text
    # A number, which is a heap of Nim too, names no game.
    with pytest.raises(BadPosition, match="bad position") as caught:
        Position("kalah", "99")
    assert "nim" not in str(caught.value)


def test_wrong_types_are_refused() -> None:
    position = Position("kalah")
    for call in (
        lambda: Position(3),  # type: ignore[call-overload]
        lambda: Position.parse(None),  # type: ignore[arg-type]
        lambda: Position.parse(b"<1,0,0,1,1> s"),  # type: ignore[arg-type]
        lambda: position.play(3.0),  # type: ignore[arg-type]
        lambda: position.perft("3"),  # type: ignore[arg-type]
        lambda: position.perft(2.0),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError):
            call()
    for text in ("\ud800", "<1,0,0,1,1> \udfff"):
        for refused in (position.play, Position, Position.parse):
            with pytest.raises(ValueError, match="\ufffd"):
                refused(text)
    for depth in (-1, 256, 2**62):
        with pytest.raises(ValueError, match="from 0 to 255"):
            position.perft(depth)
    with pytest.raises(ValueError, match="from 0 to 255, plies, not"):
        position.perft(2**70)


def test_openings_are_positions() -> None:
    position = Position.parse("startpos moves 3 1")
    assert position == Position().play_line(["3", "1"])
    assert position.history == ["3", "1"]
    assert Position.parse(" startpos ") == Position.parse("startpos moves") == Position()
    end = Position.parse("1,2 1 moves 2-2 1-1", "nim", misere=True)
    assert (end.text, end.history, end.legal_moves) == ("0,0 1", ["2-2", "1-1"], [])
    assert pickle.loads(pickle.dumps(end)).history == end.history
    with pytest.raises(IllegalMove, match='illegal move "9" in '):
        Position.parse("startpos moves 3 9")
    with pytest.raises(BadPosition, match='bad position "start"'):
        Position.parse("start moves 3")


def test_positions_of_games_differ() -> None:
    assert Position("kalah") != Position("nim")
    assert Position("kalah") != Position("kalah", houses=5)
    assert Position("kalah") != Position("kalah", capture="empty")
    assert len({Position("kalah"), Position("kalah"), Position("nim")}) == 2
    assert copy.copy([Position("nim")]) == [Position("nim")]
    assert Position() == Position("kalah")
