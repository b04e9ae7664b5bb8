"""Environments of PettingZoo as games in Python, for :mod:`secateurs.pettingzoo`."""

from collections.abc import Callable
from copy import deepcopy
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from pettingzoo import AECEnv

from secateurs._native import Outcome
from secateurs.game import Game

# What identifies the state of an environment.
Key = Callable[[Any], object]

# PettingZoo's games with chance and hidden information, which an environment does not declare.
CARDS = "gin_rummy", "hanabi", "leduc_holdem", "texas_holdem", "texas_holdem_no_limit"


class PettingZooGame(Game):
    """A state of an environment; each kind of environment has a class of its own."""

    #: What identifies the states; ``None``: their actions.
    identity: ClassVar[Key | None] = None

    def __init__(self, env: AECEnv, actions: tuple[int, ...] = (), rewards: tuple[float, float] = (0, 0)) -> None:
        """Wraps an environment, which must not change any more; ``rewards`` are the sums so far."""
        self.env, self.history, self.rewards = env, actions, rewards
        self.turn = env.possible_agents.index(env.agent_selection) + 1
        identity = type(self).identity
        self._key = actions if identity is None else identity(env)

    @cached_property
    def _legal(self) -> list[int]:
        agent = self.env.agent_selection
        if self.env.terminations[agent] or self.env.truncations[agent]:
            return []
        return [int(action) for action in np.flatnonzero(mask_of(self.env, agent))]

    def moves(self) -> list[int]:
        """Returns the actions that the mask allows."""
        return self._legal

    def play(self, move: int) -> "PettingZooGame":
        """Steps a copy of the environment."""
        after = copied(self.env)
        after.step(move)
        first, second = (
            total + after.rewards[agent] for total, agent in zip(self.rewards, after.possible_agents, strict=True)
        )
        return type(self)(after, (*self.history, move), (first, second))

    def outcome(self) -> Outcome:
        """Returns the winner by the sums of the rewards."""
        first, second = self.rewards
        if first + second != 0:
            raise ValueError(
                f"{self.env.metadata['name']} ends with {first} and {second}: the rewards do not sum up to 0"
            )
        return Outcome(winner=None if first == second else 1 if first > second else 2)

    def key(self) -> object:
        """Returns what identifies the state."""
        return self._key

    def __str__(self) -> str:
        """Returns the name and the actions."""
        return f"{self.env.metadata['name']} after {list(self.history)}"


def wrapped(env: AECEnv, key: Key | None) -> PettingZooGame:
    """Returns the start of an environment.

    :raises ValueError: it is one that Secateurs cannot search.
    """
    env = copied(env.unwrapped)
    name: str = env.metadata["name"]
    env.reset(seed=0)
    check(env, name)
    members = {"identity": None if key is None else staticmethod(key), "__doc__": f"A state of {name}."}
    kind: type[PettingZooGame] = type(name, (PettingZooGame,), members)
    return kind(env)


def copied(env: AECEnv) -> AECEnv:
    """Returns a copy in the same state. Gymnasium's ``EzPickle`` makes `deepcopy` return a new environment instead."""
    copy = object.__new__(type(env))
    copy.__dict__.update(deepcopy(vars(env)))
    return copy


def check(env: AECEnv, name: str) -> None:
    """Raises a ``ValueError`` for an environment that is no game of two players who take turns."""
    players = len(env.possible_agents)
    if name.rsplit("_v", 1)[0] in CARDS:
        reason = "it has chance and hidden information"
    elif players != 2:
        reason = f"it has {players} agents"
    elif env.metadata.get("is_parallelizable"):
        reason = "its agents move at the same time"
    elif mask_of(env, env.agent_selection) is None:
        reason = "it has no mask of its legal actions"
    elif has_chance(env):
        reason = "it has chance"
    else:
        return
    raise ValueError(
        f"PettingZoo's {name}: {reason}, and Secateurs plays deterministic zero-sum games of two players with perfect "
        "information"
    )


def mask_of(env: AECEnv, agent: str) -> Any:
    """Returns the mask of the legal actions, which is part of the observation or of the infos."""
    seen = env.observe(agent)
    mask = seen.get("action_mask") if isinstance(seen, dict) else None
    return env.infos[agent].get("action_mask") if mask is None else mask


def has_chance(env: AECEnv) -> bool:
    """Whether two seeds give different starts."""
    seen = []
    for seed in 0, 1:
        other = copied(env)
        other.reset(seed=seed)
        seen.append(repr([(other.agent_selection, other.observe(agent)) for agent in other.possible_agents]))
    return seen[0] != seen[1]
