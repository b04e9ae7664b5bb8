"""The games as environments of PettingZoo, in which agents take turns (AEC), with masks of the legal actions; and
environments of PettingZoo as games, by :func:`game`.

>>> from secateurs.pettingzoo import env
>>> game = env("kalah", houses=4, seeds=3)
>>> game.reset(seed=42)
>>> for agent in game.agent_iter():
...     observation, reward, termination, truncation, info = game.last()
...     over = termination or truncation
...     game.step(None if over else game.action_space(agent).sample(observation["action_mask"]))
>>> game.unwrapped.position.outcome is not None
True

It needs PettingZoo: ``pip install 'secateurs[pettingzoo]'``.
"""

import sys
from collections import Counter
from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from secateurs import _native
from secateurs._arguments import is_bool, meant, wrong_type
from secateurs._errors import IllegalMove
from secateurs._extras import needed
from secateurs._native import Position

if TYPE_CHECKING:
    from secateurs._native import _AnyPosition, _Move, _Option

with needed("secateurs.env", "pettingzoo"):
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

    from secateurs._pettingzoo_games import Key, wrapped
    from secateurs._spaces import KINDS, PythonSpaces, mask

__all__ = ["env", "game", "raw_env"]


def game(env: AECEnv, *, key: Key | None = None) -> Position:
    """Returns the start of an environment of PettingZoo as a position of a game in Python.

    >>> import pettingzoo, secateurs
    >>> from secateurs.pettingzoo import game
    >>> position = game(pettingzoo.make("aec", "classic/tictactoe-v3"))
    >>> secateurs.Engine(hash=1).analyse(position, depth=2).best_move
    '0'

    The moves are the numbers of the actions that the mask allows. Each move copies the environment, so a search is
    slow. Two states are the same if their actions are.

    :param env: an environment of two agents who take turns (AEC). The rewards of both must sum up to 0.
    :param key: a function of an environment, whose result identifies its state: everything that matters for the rest of
        the game beside the agent to move. It then replaces the actions.
    :raises TypeError: it is no ``AECEnv``.
    :raises ValueError: it has chance or hidden information, other than two agents, agents that move at the same time,
        or no mask. An environment that does not show its chance at the start is not recognised.
    """
    if not isinstance(env, AECEnv):
        raise wrong_type("env", "an AECEnv", env)
    return Position(wrapped(env, key))


def env(game: "_AnyPosition" = "kalah", *, render_mode: str | None = None, **options: "_Option") -> AECEnv:
    """Returns an environment for a game, in PettingZoo's usual wrappers.

    An illegal action ends the game with a reward of -1 for its agent and 0 for the other, as in PettingZoo's classic
    games.

    :param game: one of the names of :func:`games`, or a position to start from: also a ``chess.Board``, a FEN
        or a state of a :class:`Game`.
    :param render_mode: ``human``, ``ansi``, ``svg``, or ``None``.
    :param options: those of :class:`Position`, such as ``houses=4``.
    :raises TypeError: a game in Python lacks ``num_actions``, ``action(move)`` or ``observation(player)``.
    :raises ValueError: there is no such game, option or mode.
    """
    found = raw_env(game, render_mode=render_mode, **options)
    found = wrappers.TerminateIllegalWrapper(found, illegal_reward=-1)
    found = wrappers.AssertOutOfBoundsWrapper(found)
    return wrappers.OrderEnforcingWrapper(found)


class raw_env(AECEnv):  # type: ignore[misc]
    """The environment without wrappers: :attr:`position` is the position, from which everything follows.

    The agents are ``player_0`` and ``player_1``, the players 1 and 2. Turns need not alternate. An observation is a
    dict of ``observation`` and ``action_mask``, which is all zeros for the agent that is not to move. The reward at the
    end is 1 for the winner and -1 for the loser, or 0 for both. :func:`env` has the parameters.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["human", "ansi", "svg"],
        "name": "secateurs_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }
    terminations: dict[str, bool]
    truncations: dict[str, bool]

    def __init__(self, game: "_AnyPosition" = "kalah", *, render_mode: str | None = None, **options: "_Option") -> None:
        """Makes an environment at the start of a game."""
        super().__init__()
        position = _native._meant(game)
        if position is None and not isinstance(game, str):
            raise wrong_type("game", "the name of a game, a Position or a Game", game)
        if position is not None and options:
            raise ValueError("a position has its options")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode is human, ansi, svg or None, not {render_mode!r}")
        #: The position at the start of each game.
        self.start = Position(game, **options) if position is None else position
        #: The current position.
        self.position = self.start
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "name": f"{self.start.game}_v0"}
        self.possible_agents = ["player_0", "player_1"]
        self.agents = self.possible_agents[:]
        kind = PythonSpaces if self.start.state is not None else KINDS[self.start.game]
        self._spaces = kind(self.start)
        box: spaces.Box = spaces.Box(self._spaces.low, self._spaces.high, self._spaces.shape, self._spaces.dtype.type)
        legal = spaces.Box(0, 1, (self._spaces.actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": box, "action_mask": legal}) for agent in self.agents
        }
        self.action_spaces = {agent: spaces.Discrete(self._spaces.actions) for agent in self.agents}
        self._begin(self.start)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of an agent's actions."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns what an agent sees."""
        player = self.possible_agents.index(agent) + 1
        legal = self._legal if agent == self.agent_selection else {}
        return {
            "observation": self._spaces.observation(self.position, player, self._seen[self.position.key] - 1),
            "action_mask": mask(self._spaces.actions, legal),
        }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game; there is no chance in it.

        :param options: ``{"position": ...}`` is another position to start from, of the same game, options and board: a
            :class:`Position`, a ``chess.Board``, a FEN or a state of a :class:`Game`. Those of other environments are
            ignored.
        :raises TypeError: it is not a position.
        :raises ValueError: it is of another game, with other options, on another board, or over; or a misspelt word.
        """
        if not (options is None or isinstance(options, Mapping)):
            raise wrong_type("options", "a dict", options)
        for word in options or {}:
            if word != "position" and get_close_matches(str(word).lower(), ["position"], cutoff=0.8):
                raise ValueError(f"options has no {word!r}; did you mean 'position'?")
        start = meant('options["position"]', (options or {}).get("position", self.start))
        if start.game != self.start.game:
            raise ValueError(f"the position is of {start.game}, not of {self.start.game}: {start.text}")
        if start.options != self.start.options:
            raise ValueError(f"the position is of {start.game} with other options: {start.text}")
        if not type(self._spaces)(start).fit(self._spaces):
            raise ValueError(f"the position does not fit the spaces of {self.start.text}: {start.text}")
        if start.outcome is not None:
            raise ValueError(f"the game is over: {start.text}")
        self._begin(start)
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Plays an action of the agent to move.

        :raises ValueError: the action is not legal.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        move = self.move(action)
        self._cumulative_rewards[agent] = 0
        self._place(self.position.play(move))
        outcome = self.position.outcome
        if outcome is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            for player, name in enumerate(self.possible_agents, 1):
                self.rewards[name] = 0 if outcome.winner is None else 1 if outcome.winner == player else -1
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def move(self, action: int | None) -> str:
        """Returns the move of an action in the current position.

        :raises TypeError: the action is not a whole number.
        :raises ValueError: the action is not legal.
        """
        # Arrays of numpy with one item are numbers.
        number = getattr(action, "item", lambda: action)()
        if number is not None and (is_bool(number) or not hasattr(number, "__index__")):
            raise wrong_type("action", "a whole number", action)
        if number not in self._legal:
            raise IllegalMove(f"action {number} is not legal in {self.position.text}")
        return self._legal[number]

    def action(self, move: "_Move") -> int:
        """Returns the action of a move, in any form that :meth:`Position.play` takes.

        :raises ValueError: the move is not legal.
        """
        legal = self.position.parse_san(move)
        return next(number for number, text in self._legal.items() if text == legal)

    def render(self) -> str | None:
        """Shows the position (``human``), or returns its text (``ansi``) or drawing (``svg``)."""
        if self.render_mode == "ansi":
            return str(self.position)
        if self.render_mode == "svg":
            return self.position.svg()
        if self.render_mode == "human":
            show(self.position)
        return None

    def close(self) -> None:
        """Does nothing: there is no window."""

    def _begin(self, start: Position) -> None:
        """Starts a game from a position."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        # How often each position has occurred.
        self._seen: Counter[int] = Counter()
        self._place(start)

    def _place(self, position: Position) -> None:
        """Makes a position the current one."""
        self.position = position
        # Its legal moves by their actions. A game may be over, by a draw, though there are moves.
        self._legal = self._spaces.moves(position) if position.outcome is None else {}
        self._seen[position.key] += 1
        self.agent_selection = self.possible_agents[position.turn - 1]


def show(position: Position) -> None:
    """Displays a position: its drawing in a notebook, and its text elsewhere."""
    # Outside a notebook, IPython is not imported.
    if "IPython" in sys.modules:
        from IPython import get_ipython
        from IPython.display import display

        if hasattr(get_ipython(), "kernel"):
            display(position)  # type: ignore[no-untyped-call]
            return
    print(position)
