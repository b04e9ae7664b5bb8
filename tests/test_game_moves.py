"""Moves of games in Python: any objects, compared by value first and by text second."""

import copy
import pickle
from dataclasses import dataclass
from typing import Any, cast

import numpy
import pytest
import secateurs
from secateurs import Engine, Game, IllegalMove, Outcome, Position


@dataclass(frozen=True, eq=False)
class Square:
    """A move that is equal only to itself."""

    number: int

    def __str__(self) -> str:
        return f"square {self.number}"


@dataclass(frozen=True)
class Fill(Game):
    """Two by two squares; who takes the last loses."""

    taken: tuple[int, ...] = ()
    kind: str = "tuple"
    turn: int = 1

    def moves(self) -> list[Any]:
        return [self.move(square) for square in range(4) if square not in self.taken]

    def move(self, square: int) -> Any:
        numbers = numpy.arange(4)
        kinds: dict[str, Any] = {
            "tuple": divmod(square, 2),
            "numpy": (numbers[square // 2], numbers[square % 2]),
            "nested": ("at", [numbers[square]]),
            "scalar": numbers[square],
            "object": Square(square),
            "array": numpy.array(divmod(square, 2)),
            "set": frozenset({square}),
            "truth": (square > 1, square % 2 == 1),
        }
        return kinds[self.kind]

    def play(self, move: Any) -> "Fill":
        [square] = [square for square in range(4) if str(self.move(square)) == str(move)]
        return Fill((*self.taken, square), self.kind, 3 - self.turn)

    def outcome(self) -> Outcome:
        return Outcome(winner=self.turn)


@pytest.mark.parametrize("kind", ["tuple", "nested", "scalar", "object"])
def test_lines_are_read_as_they_are_written(kind: str) -> None:
    position = Position(Fill(kind=kind))
    line = [position.legal_moves[0], position.legal_moves[3]]
    text = position.variation_san(line)
    assert position.play_line(text).history == line
    assert position.play_line(f"{text} {{a comment}}").history == line
    # A text may be that of one move.
    assert position.play_line(line[0]).history == line[:1]


@pytest.mark.parametrize("text", ["(0, 0) (1, 1)", "(0, 0)!", "1. 2.", "$1 {x} $1"])
def test_a_text_without_a_move_is_no_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"moves has (no move: those with blanks|a variation but no move)"):
        Position(Fill()).play_line(text)


def test_a_tuple_is_a_root_move() -> None:
    position, engine = Position(Fill()), Engine(hash=1)
    for given in ((0, 1), "(0, 1)", [(0, 1)]):
        assert engine.analyse(position, depth=2, root_moves=given).best_move == "(0, 1)"
    sets = Position(Fill(kind="set"))
    assert engine.analyse(sets, depth=2, root_moves=frozenset({1})).best_move == "frozenset({1})"


def test_a_batch_takes_moves_with_items() -> None:
    start = Position(Fill())
    positions = [start, start.play((1, 0))]
    for given in ((0, 1), [(0, 1)], [[(0, 1)], [(0, 1)]], "(0, 1)", ["(0, 1)"]):
        batch = secateurs.analyse_many(positions, depth=2, root_moves=given)
        assert batch["best_move"] == ["(0, 1)"] * 2, given
    found = secateurs.analyse_many(positions, depth=2, root_moves=[[(0, 1)], [(1, 1)]])["best_move"]
    assert found == ["(0, 1)", "(1, 1)"]


def test_a_move_with_blanks_is_in_quotation_marks() -> None:
    start = Position(Fill())
    match = secateurs.match(
        [lambda position: position.legal_moves[0]] * 2, start, rounds=1, openings=['startpos moves "(0, 1)" "(1, 0)"']
    )
    assert match.games[0].opening[1] == ("(0, 1)", "(1, 0)")


def test_a_player_returns_any_move() -> None:
    def first(position: Position) -> Any:
        return cast(Fill, position.state).moves()[0]

    for kind in ("array", "set", "scalar", "nested"):
        start = Position(Fill(kind=kind))
        found = secateurs.match([first] * 2, start, rounds=1, random_plies=0)
        assert [game.ending for game in found.games] == ["rules", "rules"], kind


@pytest.mark.parametrize("kind", ["tuple", "numpy", "nested", "scalar", "object", "truth", "array", "set"])
def test_a_move_is_taken_by_value_and_by_text(kind: str) -> None:
    start = Fill(kind=kind)
    position, engine = Position(start), Engine(hash=1)
    for move, text in zip(start.moves(), position.legal_moves, strict=True):
        after = position.play(move)
        assert after == position.play(text) == position.play_line([move]) == Position(start.play(move))
        assert after.history == [text]
        assert "numpy" not in text
        assert "np." not in text
        assert engine.analyse(position, depth=2, root_moves=[move]).best_move == text
        assert position.svg(move) == position.svg(text)
        with pytest.raises(IllegalMove):
            after.play(move)
    assert position.play_line(start.moves()).outcome is not None
    assert after.state is not None


def test_texts_of_numbers_are_those_of_python() -> None:
    squares = ["(0, 0)", "(0, 1)", "(1, 0)", "(1, 1)"]
    assert Position(Fill()).legal_moves == Position(Fill(kind="numpy")).legal_moves == squares
    assert Position(Fill(kind="scalar")).legal_moves == ["0", "1", "2", "3"]
    assert Position(Fill(kind="nested")).legal_moves[3] == "('at', [3])"
    # Equal values of other types are the same move.
    assert Position(Fill()).play((numpy.int64(0), 1)).history == ["(0, 1)"]
    assert Position(Fill(kind="numpy")).play((1, 1)).history == ["(1, 1)"]
    assert Position(Fill(kind="scalar")).play(2).history == ["2"]


@pytest.mark.parametrize("kind", ["tuple", "numpy", "nested", "scalar", "object", "truth", "array", "set"])
def test_every_form_of_a_move_is_in_the_legal_moves(kind: str) -> None:
    start = Fill(kind=kind)
    legal = Position(start).legal_moves
    for move, text in zip(start.moves(), list(legal), strict=True):
        assert move in legal
        assert text in legal
        assert move not in Position(start).play(move).legal_moves
    others: list[Any] = [(2, 2), 9, None, "0,0"]
    assert not any(other in legal for other in others)
    for again in (pickle.loads(pickle.dumps(legal)), copy.copy(legal), copy.deepcopy(legal)):
        assert again == legal
        assert start.moves()[0] in again
    # What is no longer in the list is not in it.
    legal.remove(legal[0])
    assert start.moves()[0] not in legal


def test_legal_moves_are_recognised_in_all_games() -> None:
    kalah, chess = Position("kalah").legal_moves, Position("chess").legal_moves
    numbers: list[Any] = [3, numpy.int64(3), 9, True, None, 10**30]
    assert [number in kalah for number in numbers] == [True, True, False, False, False, False]
    assert [move in chess for move in ("Nf3", "g1f3", "Nf6", "", "e2")] == [True, True, False, False, False]
    assert isinstance(kalah, list)
    assert repr(kalah) == "['1', '2', '3', '4', '5', '6']"


def test_moves_are_quoted_as_python_quotes_them() -> None:
    class Quote(Fill):
        def move(self, square: int) -> Any:
            return f"it's {square}"

    result = Engine(hash=1).analyse(Position(Quote()), depth=2, tree=True)
    assert result.best_move is not None
    assert repr(result).startswith(f'Result(best_move="{result.best_move}", score=Score(')
    assert repr(result.tree()[1]).startswith("<Node, move \"it's ")


def test_other_objects_are_illegal_moves() -> None:
    position = Position(Fill())
    others: list[Any] = [(2, 2), (0,), 5, None, "0,0", numpy.zeros(2)]
    for wrong in others:
        with pytest.raises(IllegalMove, match="illegal move"):
            position.play(wrong)
    with pytest.raises(IllegalMove):
        Position(Fill(kind="scalar")).play(True)


def test_an_exception_of_a_comparison_is_no_equality() -> None:
    class Strange:
        error: BaseException = ValueError()

        def __eq__(self, other: object) -> bool:
            raise self.error

    strange: Any = Strange()
    with pytest.raises(IllegalMove):
        Position(Fill()).play(strange)
    strange.error = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        Position(Fill()).play(strange)


def test_a_player_answers_with_a_number() -> None:
    players: dict[str, Any] = {"int": lambda position: int(position.legal_moves[0]), "numpy": lambda _: numpy.int64(1)}
    found = secateurs.match(players, Position("kalah", houses=1, seeds=2), rounds=1, random_plies=0, progress=False)
    assert found.endings == {"by the rules": 2}
