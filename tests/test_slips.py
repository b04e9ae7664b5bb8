"""What people write by mistake: each error names the right way."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import secateurs
from secateurs import (
    BadOption,
    Engine,
    Limit,
    Match,
    Outcome,
    Player,
    Position,
    Score,
    UciEngine,
    aio,
    analyse_many,
    compare,
    match,
    solve_many,
)

ENGINE = Engine(hash=1)

START = Position()

NIM = Position("nim", heaps="1,2", theory=False)


def first(position: Position) -> str:
    """A player that plays the first move."""
    return position.legal_moves[0]


def awaited(**keywords: Any) -> Any:
    return asyncio.run(aio.Engine(hash=1).analyse(NIM, **keywords))


@pytest.mark.parametrize(
    ("call", "arguments", "wrong", "meant"),
    [
        (Position, ["kalah"], "house", "houses"),
        (Position, ["kalah"], "Houses", "houses"),
        (Position, ["othello"], "boardsize", "board_size"),
        (Position, ["chess"], "chess960", "uci_chess960"),
        (Position, [], "gam", "game"),
        (Position.parse, ["1,2 1", "nim"], "miser", "misere"),
        (NIM.svg, [], "squars", "squares"),
        (Limit, [], "dept", "depth"),
        (Engine, [], "hsh", "hash"),
        (Engine, [], "cores", "threads"),
        (UciEngine, ["engine"], "option", "options"),
        (ENGINE.analyse, [NIM], "multpv", "multipv"),
        (ENGINE.analyse, [NIM], "lines", "multipv"),
        (ENGINE.play, [NIM], "moves_togo", "moves_to_go"),
        (ENGINE.solve, [NIM], "gues", "guess"),
        (Outcome, [], "winer", "winner"),
        (ENGINE.analyse(NIM, depth=1).tree, [], "plie", "plies"),
        (ENGINE.analyse, [NIM], "remaining_moves", "moves_to_go"),
        (ENGINE.analyse, [NIM], "wtime", "remaining"),
        (ENGINE.analyse, [NIM], "winc", "increment"),
        (ENGINE.analyse, [NIM], "moves", "root_moves"),
        (ENGINE.analyse, [NIM], "searchmoves", "root_moves"),
        (awaited, [], "dept", "depth"),
        (aio.Engine, [], "hsh", "hash"),
        (analyse_many, [[NIM]], "dept", "depth"),
        (analyse_many, [[NIM]], "thread", "threads"),
        (analyse_many, [[NIM]], "heap", "heaps"),
        (solve_many, [[NIM]], "node", "nodes"),
        (compare, [NIM], "depths", "depth"),
        (secateurs.annotate, ["1. e4 *"], "dept", "depth"),
        (match, [[first, first], NIM], "round", "rounds"),
        (match, [[first, first], NIM], "tc", "clock"),
        (Match.load, ["match.jsonl"], "sprtt", "sprt"),
        (Player, [first], "limits", "limit"),
    ],
)
def test_a_mistyped_keyword_is_answered_with_the_right_one(
    call: Callable[..., Any], arguments: list[Any], wrong: str, meant: str
) -> None:
    with pytest.raises((TypeError, BadOption), match=rf'"{wrong}"; did you mean {meant}\?$'):
        call(*arguments, **{wrong: 1})


def test_a_keyword_like_no_other_is_answered_with_all() -> None:
    with pytest.raises(BadOption, match=r'unknown option "frob"; nim takes heaps, misere, max_take, theory$'):
        Position("nim", frob=1)
    with pytest.raises(TypeError, match=r'^Engine.solve\(\) got .* "frob"; limits are nodes, time, movetime$'):
        ENGINE.solve(NIM, frob=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r'^match\(\) got an unexpected keyword argument "frob"$'):
        match([first, first], NIM, frob=1)  # type: ignore[call-arg]


@pytest.mark.parametrize("true", [True, numpy.True_])
def test_a_bool_is_no_number(true: Any) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: ENGINE.analyse(NIM, depth=true),
        lambda: ENGINE.analyse(NIM, depth=2, multipv=true),
        lambda: Limit(time=true),
        lambda: Engine(hash=true),
        lambda: Score(true, 1),
        lambda: NIM.perft(true),
        lambda: START.play(true),
        lambda: START.svg(orientation=true),
        lambda: START.svg(size=true),
        lambda: Position("kalah", houses=true),
        lambda: Position("othello", board_size=true),
        lambda: Position("nim", heaps=[true, 2]),
        lambda: match([first, first], NIM, rounds=true, random_plies=0),
        lambda: match([first, first], NIM, rounds=1, random_plies=0, margin=true),
        lambda: match([first, first], NIM, rounds=1, random_plies=0, sprt=(0, true)),
        lambda: match([first, first], NIM, rounds=1, random_plies=0, resign=(true, 100)),
        lambda: compare(NIM, true),
    ]
    for number, call in enumerate(calls):
        with pytest.raises(TypeError, match=r"not bool_?$"):
            pytest.fail(f"call {number} is accepted: {call()}")
    # A truth value may be one of numpy.
    assert Position("nim", misere=true) == Position("nim", misere=True)
    assert match([first, first], NIM, rounds=1, random_plies=0, proven=true, progress=False).played == 2


def test_a_list_of_numbers_has_one_form() -> None:
    listed = Position("nim", heaps=[3, 4])
    for heaps in ("3, 4", " 3,4 ", "03,4", (3, 4), range(3, 5), numpy.array([3, 4]), (heap for heap in (3, 4))):
        assert Position("nim", heaps=heaps) == listed
    assert listed.options["heaps"] == "3,4"
    with pytest.raises(TypeError, match=r"^heaps\[0\] is an int, not str$"):
        Position("nim", heaps=["3", 4])  # type: ignore[list-item]
    # A set has no order.
    with pytest.raises(TypeError, match=r"^heaps is a str or a list of int, not set$"):
        Position("nim", heaps={3, 4})


def test_a_game_is_an_instance() -> None:
    class MyGame(secateurs.Game):
        """A game."""

    with pytest.raises(TypeError, match=r"^game is a Game, such as MyGame\(\), not the class MyGame$"):
        Position(MyGame)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"^game is the name of a game or a Game, not the class int$"):
        Position(int)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"^position is a Position, not the class Position$"):
        ENGINE.analyse(Position, depth=2)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"^position is a Game, such as MyGame\(\), not the class MyGame$"):
        ENGINE.analyse(MyGame, depth=2)  # type: ignore[call-overload]


def test_a_command_of_several_words_is_a_list() -> None:
    line = f"{sys.executable} 'my engine.py' --fast"
    words = rf"^command is the name of a program, or a list with its arguments: \['{sys.executable}', 'my engine.py', "
    with pytest.raises(ValueError, match=words):
        UciEngine(line)
    with pytest.raises(ValueError, match=words):
        match([line, first], NIM, Limit(depth=2))
    with pytest.raises(ValueError, match=r"list with its arguments: \['sh', '-c', \"'unclosed\"\]$"):
        UciEngine("sh -c 'unclosed")
    with pytest.raises(secateurs.EngineError, match="cannot start"):
        UciEngine("/no/such engine")
