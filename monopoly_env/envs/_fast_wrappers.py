"""PettingZoo's standard wrappers, with a shortcut to what every step looks up.

A wrapper of PettingZoo has no attributes of the game. Python looks for ``agent_selection`` in vain
and asks ``__getattr__``, at each of three wrappers, some dozens of times a step; most of a step's
time goes there. Here these names are properties that lead to the bare environment. All else is
PettingZoo's, and so is what happens before the first reset.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

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


for _name in NAMES:
    setattr(ShortcutWrapper, _name, shortcut(_name))


class TerminateIllegalWrapper(ShortcutWrapper, wrappers.TerminateIllegalWrapper):  # type: ignore[misc]
    """An illegal action ends the game, and its player gets what is given."""


class AssertOutOfBoundsWrapper(ShortcutWrapper, wrappers.AssertOutOfBoundsWrapper):  # type: ignore[misc]
    """An action that is no id is an error."""


class OrderEnforcingWrapper(ShortcutWrapper, wrappers.OrderEnforcingWrapper):  # type: ignore[misc]
    """To step before the first reset, or to read what is not there yet, is an error."""

    def __init__(self, env: AECEnv[Any, Any, Any]) -> None:
        super().__init__(env)
        del self._bare  # no shortcut until the first reset

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game."""
        super().reset(seed=seed, options=options)
        self._bare = self.env.unwrapped

    def __str__(self) -> str:
        return str(self.env)
