"""The engine as an agent of Kaggle's simulations: ConnectX and the ``open_spiel_*`` environments of games it knows.

The file of a submission is the line ``from secateurs.kaggle import agent``.

>>> from secateurs.kaggle import agent
>>> board = [0] * 42
>>> board[-4:-1] = [1, 1, 1]  # three in a row from the fourth column on the lowest row
>>> board[-9] = board[-10] = board[-11] = 2
>>> observation = {"board": board, "mark": 1, "remainingOverageTime": 60}
>>> configuration = {"columns": 7, "rows": 6, "inarow": 4, "actTimeout": 2}
>>> agent(observation, configuration) in (2, 6)
True

The module itself needs nothing but Secateurs; the ``open_spiel_*`` environments need OpenSpiel. Both come with
``pip install 'secateurs[kaggle]'``.
"""

import math
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from secateurs._arguments import number, spelled, wrong_type
from secateurs._boards import connect_four
from secateurs._extras import needed
from secateurs._native import Engine, Position

if TYPE_CHECKING:
    import pyspiel as _pyspiel

__all__ = ["Agent", "agent", "seconds_for"]

# The overage, seconds, that a search leaves for the machine: a start of Python, a busy processor.
RESERVE = 5.0

# The share of the rest that a move may use. The first moves matter most, and later ones are solved early.
SHARE = 1 / 8

# What a move leaves of its own time, seconds: for the conversion and the environment.
MARGIN = 0.1

# The games of the `open_spiel_*` environments.
GAMES = "connect_four", "mancala", "chess"

# The game, its parameters and the history of a serialized state in a proxy.
PROXY = re.compile(r"^\[Game\]\n(\w+)_proxy(\(.*\))\n\[State\]\n(?:.*\n)*?history=([\d:,]*)$", re.MULTILINE)


class Agent:
    """An agent for Kaggle's environments: call it with an observation and a configuration.

    It returns a column for ConnectX, and ``{"submission": action}`` for an ``open_spiel_*`` environment, also for the
    step of set-up, which has no game yet. The transposition table is kept between the moves.

    :param hash: the size of the table in MiB.
    :param threads: the number of threads.
    :param most: the most time for a move, seconds, whatever the clock allows.
    """

    @spelled
    def __init__(self, *, hash: int = 64, threads: int = 1, most: float = 10.0) -> None:
        """Makes an agent with an engine of its own."""
        self.engine = Engine(hash=hash, threads=threads)
        self.most = number("most", most)
        if not 0 < self.most <= 1e9:
            raise ValueError(f"most is a positive number of seconds up to 1e9, not {most}")

    def __call__(self, observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> int | dict[str, int]:
        """Returns the action for an observation.

        :raises TypeError: an argument is no mapping, or a value in it has the wrong type.
        :raises ValueError: the game or the rules are none of Secateurs', the game is over, or a value is missing.
        """
        for name, given in (("observation", observation), ("configuration", configuration)):
            if not isinstance(given, Mapping):
                raise wrong_type(name, "a mapping", given)
        if "board" in observation and "mark" in observation:
            position = connectx_position(observation, configuration)
            return int(self.move(position, observation, configuration)) - 1
        if "openSpielGameName" not in configuration:
            raise ValueError("observation is neither of ConnectX nor of an open_spiel environment")
        name = configuration["openSpielGameName"]
        if name not in GAMES:
            raise ValueError(f"the environment is open_spiel_{name}; known are {', '.join(GAMES)}")
        if "serializedGameAndState" not in observation:
            # The step of set-up, whose action is ignored.
            return {"submission": -1}
        from secateurs.openspiel import action_of, position_of

        state = state_from(observation["serializedGameAndState"])
        move = self.move(position_of(state), observation, configuration, state.is_terminal())
        return {"submission": action_of(state, move)}

    def move(
        self,
        position: Position,
        observation: Mapping[str, Any],
        configuration: Mapping[str, Any],
        is_over: bool = False,
    ) -> str:
        """Searches a position for the time that the clock allows, and returns the move."""
        moves = position.legal_moves
        if is_over or not moves:
            raise ValueError(f"the game is over: {position.text}")
        seconds = min(seconds_for(observation, configuration), self.most)
        return moves[0] if len(moves) == 1 else self.engine.play(position, time=seconds).move or moves[0]


def seconds_for(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> float:
    """Returns the time for a move, seconds, from ``actTimeout`` and ``remainingOverageTime``.

    It is the time of a move less a margin, and an eighth of the overage beyond five seconds. Where there is hardly any
    time, it is a twentieth of what there is, and at least a millisecond. A missing overage counts as none.

    :raises ValueError: ``actTimeout`` is missing, or a value is negative or not a number.
    """
    if "actTimeout" not in configuration:
        raise ValueError("configuration has no actTimeout")
    act = seconds_of("actTimeout", configuration["actTimeout"])
    overage = seconds_of("remainingOverageTime", observation.get("remainingOverageTime", 0))
    extra = max(0.0, overage - RESERVE) * SHARE
    return max(act - MARGIN - act / 20 + extra, (act + overage) / 20, 0.001)


def seconds_of(name: str, given: Any) -> float:
    """Checks a time in seconds."""
    seconds = number(name, given)
    if math.isnan(seconds) or seconds < 0:
        raise ValueError(f"{name} is a number of seconds, at least 0, not {given}")
    return seconds


def connectx_position(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> Position:
    """Returns the position of an observation of ConnectX."""
    if missing := [name for name in ("columns", "rows", "inarow") if name not in configuration]:
        raise ValueError(f"configuration has no {missing[0]}")
    columns, rows, inarow = (configuration[name] for name in ("columns", "rows", "inarow"))
    if inarow != 4:
        raise ValueError(f"inarow is {inarow}: Secateurs' Connect Four has four in a row")
    board = list(observation["board"])
    if len(board) != columns * rows:
        raise ValueError(f"board has {len(board)} squares, not {columns} x {rows}")
    if any(stone not in (0, 1, 2) for stone in board) or observation["mark"] not in (1, 2):
        raise ValueError("board has squares of 0, 1 and 2, and mark is 1 or 2")
    stones = "".join(".xo"[stone] for stone in board)
    lines = [stones[row * columns : (row + 1) * columns] for row in range(rows)]
    text = connect_four(lines, "xo"[observation["mark"] - 1])
    return Position.parse(text, "connect4", columns=columns, rows=rows)


def state_from(serialized: str) -> "_pyspiel.State":
    """Returns the state of an observation's ``serializedGameAndState``.

    Kaggle wraps some games in a proxy with pickled content, which is not read: the history has the whole game.
    """
    with needed("an open_spiel environment", "kaggle"):
        import pyspiel

    if not isinstance(serialized, str):
        raise wrong_type("serializedGameAndState", "a str", serialized)
    proxy = PROXY.search(serialized)
    try:
        if proxy is None:
            return pyspiel.deserialize_game_and_state(serialized)[1]
        state = pyspiel.load_game(proxy[1] + proxy[2]).new_initial_state()
        # Each entry is a player and an action.
        for entry in filter(None, proxy[3].split(",")):
            state.apply_action_with_legality_check(int(entry.rpartition(":")[2]))
    except pyspiel.SpielError as error:
        raise ValueError(f"serializedGameAndState is no state of OpenSpiel: {str(error)[:200]}") from None
    return state


# The agent of :func:`agent`, from its first move on.
_agent: Agent | None = None


def agent(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> int | dict[str, int]:
    """Returns the action for an observation, as :class:`Agent` with a table of 64 MiB and one thread.

    :raises TypeError: as for :class:`Agent`.
    :raises ValueError: as for :class:`Agent`.
    """
    global _agent
    _agent = _agent or Agent()
    return _agent(observation, configuration)
