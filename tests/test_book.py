"""Opening books from Python: of registered games, and of games in Python."""

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from secateurs import BadFile, Book, Engine, Game, Outcome, Position

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))

from dots_and_boxes import DotsAndBoxes


@dataclass(frozen=True)
class Pile(Game):
    """One to three from a pile; the last one wins."""

    left: int = 9
    turn: int = 1

    def moves(self) -> list[int]:
        return list(range(1, min(self.left, 3) + 1))

    def play(self, move: int) -> "Pile":
        return type(self)(self.left - move, 3 - self.turn)

    def outcome(self) -> Outcome:
        return Outcome(winner=3 - self.turn)


class Heap(Pile):
    """The same as another game."""


class Faulty(Pile):
    """A game that fails after some moves."""

    def play(self, move: int) -> "Faulty":
        if self.left < 4:
            raise RuntimeError("broken")
        return Faulty(self.left - move, 3 - self.turn)


def below(start: Position, plies: int) -> list[Position]:
    """The unfinished positions after fewer than ``plies`` moves."""
    if plies == 0 or start.outcome:
        return []
    return [start, *(found for mv in start.legal_moves for found in below(start.play(mv), plies - 1))]


@pytest.mark.parametrize(
    "start", [Position("nim", heaps="2,3", theory=False), Position(Pile(12)), Position(DotsAndBoxes(rows=1, columns=2))]
)
def test_a_complete_book_has_the_value_of_every_move(start: Position, tmp_path: Path) -> None:
    book, engine = Book.build(tmp_path / "book", start, plies=4, complete=True, hash=1), Engine(hash=1)
    assert (book.complete, book.plies, book.start, book.game) == (True, 4, start, start.game)
    positions = below(start, 4)
    distinct = {position.key: position for position in positions}
    solutions = {key: engine.solve(position, moves="all", pv=False) for key, position in distinct.items()}
    for position in positions:
        known, solved = book[position], solutions[position.key]
        assert (known.value, known.best_moves, known.moves) == (solved.value, solved.best_moves, solved.moves)
        assert (known.proven, known.complete, known.nodes, known.pv) == ("exact", True, 0, [])
    assert len(book) >= len(distinct) // 4


def test_a_book_has_the_replies_of_both_sides(tmp_path: Path) -> None:
    start = Position(Pile(11))
    book = Book.build(tmp_path / "pile.sbk", start, plies=6, hash=1)
    again = Book(tmp_path / "pile.sbk", Pile(11))
    assert repr(book) == repr(again) == f"<Book of Pile, {len(book)} positions to ply {book.plies}>"
    position = start
    while position in again:  # the second player errs, the first one plays from the book
        known = again.get(position)
        assert known is not None
        assert isinstance(position.state, Pile)
        assert known.best_moves == [str(position.state.left % 4)]
        position = position.play(known.best_moves[0])
        position = position.play("1") if not position.outcome else position
    assert position.outcome
    assert position.outcome.winner == 1
    assert book.get(start.play("1").play("1")) is None  # both have erred
    with pytest.raises(KeyError):
        book[start.play("1").play("1")]


def test_a_build_continues_where_it_ended(tmp_path: Path) -> None:
    start = Position(Pile(15))
    counts: list[int] = []
    whole = Book.build(tmp_path / "whole", start, plies=8, hash=1, progress=counts.append)
    assert len(Book.build(tmp_path / "part", start, plies=8, entries=5, hash=1)) == 5 < counts[-1] == len(whole)
    assert len(Book.build(tmp_path / "part", start, plies=8, hash=1)) == len(whole)
    assert (tmp_path / "part").read_bytes() == (tmp_path / "whole").read_bytes()


def test_values_of_a_book_need_no_search(tmp_path: Path) -> None:
    start = Position(DotsAndBoxes(rows=1, columns=2))
    book = Book.build(tmp_path / "dots", start, plies=3, complete=True)
    for position in below(start, 3):
        solved = Engine(hash=1).solve(position, book=book, moves="none")
        assert (solved.value, solved.nodes) == (book[position].value, 0)


def test_other_games_and_starts_are_refused(tmp_path: Path) -> None:
    path, start = tmp_path / "pile", Position(Pile(9))
    book = Book.build(path, start, plies=2, hash=1)
    for other, wrong in (
        (Pile(10), r"is a book of Pile state=Pile\(left=9, turn=1\), not a book of Pile state=Pile\(left=10, turn=1\)"),
        (Heap(9), "not a book of Heap"),
        (None, "is a book of Pile state=.*, a game in Python: give its start"),
        (Position("nim"), "not a book of nim"),
    ):
        with pytest.raises(BadFile, match=wrong):
            Book(path, other)
        if other is not None:
            with pytest.raises(BadFile, match=wrong):
                Book.build(path, other, plies=2)
    for position in (Position(Heap(9)), Position("nim")):
        with pytest.raises(ValueError, match="a book of Pile has no positions of"):
            book.get(position)
    assert Position(Heap(9)) not in book
    assert "x" not in book
    assert None not in book
    with pytest.raises(TypeError, match="a book is not iterable"):
        list(book)
    with pytest.raises(ValueError, match='a book of kalah begins at the start of the game, not at "'):
        Book.build(tmp_path / "kalah", Position("kalah").play(1))
    with pytest.raises(ValueError, match="has no exact value: a position repeats"):
        Book.build(tmp_path / "chess", Position("chess"), plies=2, hash=1)
    with pytest.raises(BadFile, match="is not an opening book"):
        Book(__file__)
    with pytest.raises(ValueError, match="have more than 3 positions"):
        Book.build(tmp_path / "few", start, plies=3, complete=True, entries=3)


def test_a_start_without_a_text_is_refused(tmp_path: Path) -> None:
    class Mute(Game):
        def __init__(self, left: int = 5, turn: int = 1) -> None:
            self.left, self.turn = left, turn

        def moves(self) -> list[int]:
            return list(range(1, min(self.left, 3) + 1))

        def play(self, move: int) -> "Mute":
            return Mute(self.left - move, 3 - self.turn)

        def outcome(self) -> Outcome:
            return Outcome(winner=3 - self.turn)

    with pytest.raises(ValueError, match="give Mute a method __str__"):
        Book.build(tmp_path / "mute", Mute(), plies=2)


def test_exceptions_of_a_game_are_raised(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="broken"):
        Book.build(tmp_path / "faulty", Faulty(9), plies=3, hash=1)
    assert Book.build(tmp_path / "pile", Pile(9), plies=3, hash=1).get(Pile(8, 2)) is not None
