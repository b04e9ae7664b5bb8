"""Games of OpenSpiel as games in Python, for :mod:`secateurs.openspiel`."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar

import pyspiel

from secateurs._arguments import counted
from secateurs._native import Outcome
from secateurs.game import Game

# What identifies a state: its history, or less.
Key = Callable[[Any], object]

# The games in which the board, the player to move and the legal actions are everything that matters: for each of them
# benches/openspiel_games.py has compared the games that follow equal keys. In others something that they do not show
# may matter: a clock, positions that must not repeat, castling rights, the part of the board on which to play.
BOARDS = frozenset(
    (
        "breakthrough",
        "clobber",
        "connect_four",
        "dots_and_boxes",
        "gomoku",
        "havannah",
        "hex",
        "mnk",
        "nine_mens_morris",
        "othello",
        "pentago",
        "tic_tac_toe",
        "y",
    )
)


def board(state: Any) -> object:
    """Returns the board of a state without the mark of the last move, and its legal actions."""
    return str(state).replace("[", " ").replace("]", " "), tuple(state.legal_actions())


def history(state: Any) -> object:
    """Returns the actions that led to a state: no two states of a game share them."""
    return state.history_str()


class SpielGame(Game):
    """A state of OpenSpiel. Each game, with its parameters, has a class of its own, which :func:`kind` makes."""

    #: The game.
    rules: ClassVar[Any]
    #: What identifies its states.
    identity: ClassVar[Key]

    def __init__(self, state: Any) -> None:
        """Wraps a state, which must not change any more."""
        self.state = state
        # A game that is over has no player to move.
        self.turn = max(state.current_player(), 0) + 1
        self._key = type(self).identity(state)

    @cached_property
    def actions(self) -> dict[str, int]:
        """The legal actions by their texts, which OpenSpiel need not make distinct."""
        found: dict[str, int] = {}
        if self.state.is_terminal():
            return found
        for action in self.state.legal_actions():
            text = self.state.action_to_string(action)
            found[text if text not in found else f"{text} {action}"] = action
        return found

    def moves(self) -> list[str]:
        """Returns the texts of the legal actions."""
        return list(self.actions)

    def play(self, move: str) -> "SpielGame":
        """Applies an action."""
        return type(self)(self.state.child(self.actions[move]))

    def outcome(self) -> Outcome:
        """Returns the winner; the margin, where the returns are larger than 1."""
        first = self.state.returns()[0]
        if self.rules.max_utility() > 1:
            if first != int(first):
                raise ValueError(f"{self.rules} ends with {first}: a margin is a whole number")
            return Outcome(margin=int(first))
        return Outcome(winner=None if first == 0 else 1 if first > 0 else 2)

    @property
    def num_actions(self) -> int:
        """The number of all actions, for environments."""
        number: int = self.rules.num_distinct_actions()
        return number

    def action(self, move: str) -> int:
        """Returns OpenSpiel's number of a legal move."""
        return self.actions[move]

    def observation(self, player: int) -> Any:
        """Returns OpenSpiel's tensor of what a player sees."""
        import numpy as np

        if self.state.is_terminal() and not self.rules.get_type().provides_observation_tensor:
            raise ValueError(f"{self.rules} has no tensor")
        seen = np.array(self.state.observation_tensor(player - 1), np.float32)
        return seen.reshape(self.rules.observation_tensor_shape())

    def key(self) -> object:
        """Returns what identifies the state."""
        return self._key

    def __str__(self) -> str:
        """Returns OpenSpiel's text."""
        return str(self.state).rstrip()

    def __repr__(self) -> str:
        """Returns the game and the actions."""
        return f"{self.rules} after {self.state.history()}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the game and the state as OpenSpiel writes them."""
        return restored, (pyspiel.serialize_game_and_state(self.rules, self.state), type(self).identity)


_kinds: dict[tuple[str, Key], type[SpielGame]] = {}


def kind(game: Any, key: Key | None = None) -> type[SpielGame]:
    """Returns the class of the states of a game.

    :raises ValueError: it is a game that Secateurs cannot search.
    """
    name = game.get_type().short_name
    check(game)
    key = key or (board if name in BOARDS else history)
    found = _kinds.get((str(game), key))
    if found is None:
        members = {"rules": game, "identity": staticmethod(key), "__doc__": f"A state of {game}."}
        found = _kinds[str(game), key] = type(name, (SpielGame,), members)
    return found


def restored(text: str, key: Key) -> SpielGame:
    """Reads a pickled state."""
    game, state = pyspiel.deserialize_game_and_state(text)
    return kind(game, key)(state)


def check(game: Any) -> None:
    """Raises a ``ValueError`` for a game that is no two-player zero-sum game of perfect information."""
    kinds, of = game.get_type(), pyspiel.GameType
    for wrong, reason in (
        (kinds.dynamics != of.Dynamics.SEQUENTIAL, "its players move at the same time"),
        (kinds.chance_mode != of.ChanceMode.DETERMINISTIC, "it has chance"),
        (kinds.information != of.Information.PERFECT_INFORMATION, "it has hidden information"),
        (game.num_players() != 2, f"it has {counted(game.num_players(), 'player')}"),
        (kinds.utility != of.Utility.ZERO_SUM, "its returns do not sum up to 0"),
    ):
        if wrong:
            raise ValueError(
                f"OpenSpiel's {kinds.short_name}: {reason}, and Secateurs plays deterministic zero-sum games of two "
                "players with perfect information"
            )
