"""PettingZoo's standard wrappers, with shortcuts for the attributes that every step reads.

PettingZoo's wrappers forward attributes through ``__getattr__``, at each of three wrappers and
dozens of times per step, which takes most of a step's time. Here these attributes are properties
that read the bare environment directly. Error messages name what was refused, and masks are copied,
so that a caller may modify its own. Everything else is PettingZoo's behavior, including what
happens before the first reset.
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

# The attributes that PettingZoo's wrappers and loops read.
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
    """Return a property that reads and sets an attribute of the bare environment."""

    def assign(wrapper: Any, value: object) -> None:
        setattr(wrapper.unwrapped, name, value)

    return property(attrgetter(f"_bare.{name}"), assign)


class ShortcutWrapper(wrappers.BaseWrapper[Any, Any, Any]):  # type: ignore[misc]  # no types there
    """A wrapper whose attribute shortcuts work from the start."""

    def __init__(self, env: AECEnv[Any, Any, Any], *arguments: Any, **parameters: Any) -> None:
        super().__init__(env, *arguments, **parameters)
        self._bare = env.unwrapped

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return observation, reward, termination, truncation, info of the current agent."""
        bare = self.__dict__.get("_bare")
        if bare is None:  # before the first reset, PettingZoo raises its own error
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
        """Return a deep copy, as the bare environment's copies are."""
        return copy.deepcopy(self)

    def restore_state(self, state: object) -> None:
        """Restore a state of ``clone_state()`` from the same options."""
        self.env.restore_state(state)


for _name in NAMES:
    setattr(ShortcutWrapper, _name, shortcut(_name))


class TerminateIllegalWrapper(ShortcutWrapper, wrappers.TerminateIllegalWrapper):  # type: ignore[misc]
    """Ends the game on an illegal action, with a set reward for its player."""

    def observe(self, agent: str) -> Any:
        """Return an agent's observation, and keep a copy of its mask."""
        seen = self.env.observe(agent)
        if agent == self._bare.agent_selection:
            mask = (seen if isinstance(seen, dict) else self._bare.infos[agent])["action_mask"]
            self._prev_obs: Any = {"action_mask": mask.copy()}
        return seen

    def restore_state(self, state: object) -> None:
        """Restore a state, including whether an illegal action ended it."""
        super().restore_state(state)
        self._prev_obs = self._prev_info = None
        # Only this kind of ending sets both flags
        bare = self.env.unwrapped
        self._terminated = bare.has_begun and any(
            bare.terminations[agent] and bare.truncations[agent] for agent in bare.agents
        )


class OutOfBoundsError(InputError, AssertionError):
    """Not an action id. Also an AssertionError, which PettingZoo's wrapper raises."""


class AssertOutOfBoundsWrapper(ShortcutWrapper, wrappers.AssertOutOfBoundsWrapper):  # type: ignore[misc]
    """Raises an error for anything that is not an action id."""

    def __init__(self, env: AECEnv[Any, Any, Any]) -> None:
        super().__init__(env)
        self._num_actions = int(env.action_space(env.possible_agents[0]).n)

    def step(self, action: object) -> None:
        """Take an action; None for an agent that is done."""
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
    """Raises an error for steps and reads before the first reset."""

    def __init__(self, env: AECEnv[Any, Any, Any]) -> None:
        super().__init__(env)
        del self._bare  # no shortcut until the first reset

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game."""
        super().reset(seed=seed, options=options)
        self._bare = self.env.unwrapped

    def restore_state(self, state: object) -> None:
        """Restore a state, which may be from before the first reset."""
        super().restore_state(state)
        self._has_reset = self.env.unwrapped.has_begun
        self._has_updated = True
        if self._has_reset:
            self._bare = self.env.unwrapped
        else:
            self.__dict__.pop("_bare", None)

    def __str__(self) -> str:
        return str(self.env)
