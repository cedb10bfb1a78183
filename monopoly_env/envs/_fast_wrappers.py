"""PettingZoo's standard wrappers, with a shortcut to what every step looks up.

A wrapper of PettingZoo has no attributes of the game. Python looks for ``agent_selection`` in vain
and asks ``__getattr__``, at each of three wrappers, some dozens of times a step; most of a step's
time goes there. Here these names are properties that lead to the bare environment. What is refused
is named, and what the caller does to its arrays changes nothing; all else is PettingZoo's, and so is
what happens before the first reset.
"""

from __future__ import annotations

import copy
from operator import attrgetter
from typing import Any, Self

from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from monopoly_env.envs.checks import describe
from monopoly_env.errors import InputError
from monopoly_env.integers import as_int

# What PettingZoo's wrappers and loops read.
NAMES = (
    "agent_selection",
    "agents",
    "possible_agents",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "infos",
    "action_space",
    "observation_space",
)


def shortcut(name: str) -> Any:
    """A property that is the bare environment's."""

    def assign(wrapper: Any, value: object) -> None:
        setattr(wrapper.unwrapped, name, value)

    return property(attrgetter(f"_bare.{name}"), assign)


class ShortcutWrapper(wrappers.BaseWrapper[Any, Any, Any]):  # type: ignore[misc]  # no types there
    """A wrapper with the shortcut, from the beginning."""

    def __init__(self, env: AECEnv[Any, Any, Any], *arguments: Any, **parameters: Any) -> None:
        super().__init__(env, *arguments, **parameters)
        self._bare = env.unwrapped

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What ``agent_selection`` sees, was paid since it acted last, whether it is out, its info."""
        bare = self.__dict__.get("_bare")
        if bare is None:  # before the first reset: PettingZoo says what is wrong
            seen: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
            return seen
        agent = bare.agent_selection
        if agent not in bare.terminations:
            InputError.at("last").fail("no game is running; call reset()")
        return (
            self.observe(agent) if observe else None,
            bare._cumulative_rewards[agent],
            bare.terminations[agent],
            bare.truncations[agent],
            bare.infos[agent],
        )

    def __copy__(self) -> Self:
        """A copy with an environment of its own, as the bare one's copies are."""
        return copy.deepcopy(self)

    def restore_state(self, state: object) -> None:
        """Go on where ``clone_state()`` was taken, of an environment made with the same options."""
        self.env.restore_state(state)


for _name in NAMES:
    setattr(ShortcutWrapper, _name, shortcut(_name))


class TerminateIllegalWrapper(ShortcutWrapper, wrappers.TerminateIllegalWrapper):  # type: ignore[misc]
    """An illegal action ends the game, and its player gets what is given."""

    def observe(self, agent: str) -> Any:
        """What an agent sees. The mask is kept in a copy: the caller may write into its own."""
        seen = self.env.observe(agent)
        if agent == self._bare.agent_selection:
            mask = (seen if isinstance(seen, dict) else self._bare.infos[agent])["action_mask"]
            self._prev_obs: Any = {"action_mask": mask.copy()}
        return seen

    def restore_state(self, state: object) -> None:
        """Go on where ``clone_state()`` was taken; a game that an illegal action ended has ended."""
        super().restore_state(state)
        self._prev_obs = self._prev_info = None
        # No end of a game but this one both terminates and truncates
        bare = self.env.unwrapped
        self._terminated = bare.has_begun and any(
            bare.terminations[agent] and bare.truncations[agent] for agent in bare.agents
        )


class OutOfBoundsError(InputError, AssertionError):
    """An action that is no id. An AssertionError too, as PettingZoo's wrapper raises."""


class AssertOutOfBoundsWrapper(ShortcutWrapper, wrappers.AssertOutOfBoundsWrapper):  # type: ignore[misc]
    """An action that is no id is an error."""

    def __init__(self, env: AECEnv[Any, Any, Any]) -> None:
        super().__init__(env)
        self._num_actions = int(env.action_space(env.possible_agents[0]).n)

    def step(self, action: object) -> None:
        """Take an action, None for an agent that is out."""
        if action is None:
            bare = self._bare
            agent = bare.agent_selection
            if bare.terminations[agent] or bare.truncations[agent]:
                self.env.step(None)
                return
        number = as_int(action)
        if number is None or not 0 <= number < self._num_actions:
            OutOfBoundsError.at("action").fail(
                f"must be the id of an action, from 0 to {self._num_actions - 1}, not {describe(action)}"
            )
        self.env.step(number)


class OrderEnforcingWrapper(ShortcutWrapper, wrappers.OrderEnforcingWrapper):  # type: ignore[misc]
    """To step before the first reset, or to read what is not there yet, is an error."""

    def __init__(self, env: AECEnv[Any, Any, Any]) -> None:
        super().__init__(env)
        del self._bare  # no shortcut until the first reset

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game."""
        super().reset(seed=seed, options=options)
        self._bare = self.env.unwrapped

    def restore_state(self, state: object) -> None:
        """Go on where ``clone_state()`` was taken, if that was before the first reset, too."""
        super().restore_state(state)
        self._has_reset = self.env.unwrapped.has_begun
        self._has_updated = True
        if self._has_reset:
            self._bare = self.env.unwrapped
        else:
            self.__dict__.pop("_bare", None)

    def __str__(self) -> str:
        return str(self.env)
