"""Compiled policies as Python agents."""

from __future__ import annotations

import copy
import sys
from importlib import import_module
from typing import Any, Self

import numpy as np

from monopoly_env.agent import find_agent
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import copy_records
from monopoly_env.engine.policy import (
    Policy,
    new_views,
    policy_address,
    policy_at,
    weights_address,
)
from monopoly_env.engine.policy_loop import seat_players
from monopoly_env.view import View

REMEMBERED = ("rng", "memory")  # fields of a view that persist between decisions
SHARED = ("policy", "weights", "_address", "_views", "_rules", "_edition")  # set by _set_policy()


def find_policy(module: str, function: str, bot: str) -> Policy:
    """Return a policy by module and name, or, for a Python file, by the name of the bot.

    Raises: AgentError, one line.
    """
    if module not in sys.modules and ":" in bot:
        known = find_agent(bot)[0].policy
        if known is not None:
            return known
    found: Policy = getattr(import_module(module), function)
    return found


@jit
def ask(address: int, games: Any, rules_: Any, views: Any, seat: int) -> int:
    """Return a policy's decision. Takes arrays, because passing a record costs 10 µs."""
    action: int = policy_at(address)(games[0], rules_[0], views[seat])
    return action


class CompiledAgent:
    """A compiled policy as a Python agent.

    It plays exactly as in the compiled loops. One object may play several seats of a game, with
    different random numbers in each.

    Args:
        policy: a function decorated with :func:`monopoly_env.bots.policy`.
        name: the name in tables and results.
        weights: a contiguous array of weights, if they are not built in.
    """

    def __init__(self, policy: Policy, name: str, weights: Any = None) -> None:
        self.name = name
        self._set_policy(policy, weights)
        self.reset(0)

    def _set_policy(self, policy: Policy, weights: Any) -> None:
        """Set the policy, and allocate one view per seat for its memory."""
        self.policy = policy
        self.weights = weights
        self._address = policy_address(policy)
        self._views = new_views(1)[0]
        self._views["weights"] = weights_address(weights)
        self._views["seat"] = np.arange(len(self._views))  # set here, because copies are not reset
        self._rules: Any = None  # a copy, because the policy could write to it
        self._edition: Any = None  # the edition of these rules

    def reset(self, seed: int) -> None:
        """Start a new game with new random numbers."""
        seat_players(self._views, seed)

    def decide(self, view: View) -> int:
        """Return the id of the chosen action."""
        views = self._views
        views["mask"][view.seat] = view.mask
        if self._edition is not view.edition:
            self._edition, self._rules = view.edition, copy_records(view.edition.rules)
        return int(ask(self._address, view.games, self._rules, views, view.seat))

    def clone_state(self) -> bytes:
        """Return the random numbers and memory of all seats, for :meth:`restore_state`."""
        return b"".join(np.asarray(self._views[name]).tobytes() for name in REMEMBERED)

    def restore_state(self, state: bytes) -> None:
        """Restore a state of :meth:`clone_state`."""
        offset = 0
        for name in REMEMBERED:
            target = self._views[name]
            data = np.frombuffer(state, target.dtype, target.size, offset)
            target[:] = data.reshape(target.shape)
            offset += data.nbytes

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        own = {name: value for name, value in self.__dict__.items() if name not in SHARED}
        twin.__dict__.update(copy.deepcopy(own, memo))
        twin._set_policy(self.policy, self.weights)
        twin.restore_state(self.clone_state())
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """Return everything except addresses; the policy is stored by name."""
        own = {name: value for name, value in self.__dict__.items() if name not in SHARED}
        function = getattr(self.policy, "py_func", self.policy)
        found_by = (function.__module__, function.__qualname__, self.name)
        return {
            "own": own,
            "policy": found_by,
            "weights": self.weights,
            "state": self.clone_state(),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state["own"])
        self._set_policy(find_policy(*state["policy"]), state["weights"])
        self.restore_state(state["state"])

    def __repr__(self) -> str:
        return f"CompiledAgent({self.name!r})"
