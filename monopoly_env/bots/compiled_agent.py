"""A compiled policy where Python asks: one function, one memory, one game for a seed."""

from __future__ import annotations

from typing import Any

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.policy import (
    Policy,
    new_views,
    policy_address,
    policy_at,
    weights_address,
)
from monopoly_env.engine.policy_loop import seat_players
from monopoly_env.view import View


@jit
def ask(address: int, games: Any, rules_: Any, views: Any, seat: int) -> int:
    """The decision of the policy at an address. Arrays go in: a record by itself costs 10 µs."""
    action: int = policy_at(address)(games[0], rules_[0], views[seat])
    return action


class CompiledAgent:
    """A compiled policy as an agent that Python can ask.

    With a seed it plays the very game that the compiled loops would play. One object may play
    several seats of one game.

    Args:
        policy: a function under :func:`monopoly_env.bots.policy`.
        name: how tables and results call the bot.
        weights: the numbers that it plays by, if not its own: a contiguous array.
    """

    def __init__(self, policy: Policy, name: str, weights: Any = None) -> None:
        self.name = name
        self.policy = policy
        self.weights = weights
        self._address = policy_address(policy)
        self._views = new_views(1)[0]  # one a seat
        self._views["weights"] = weights_address(weights)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Forget the last game and draw random numbers anew."""
        seat_players(self._views, seed)

    def decide(self, view: View) -> int:
        """The id of the action to take."""
        views = self._views
        views["mask"][view.seat] = view.mask
        return int(ask(self._address, view.games, view.edition.rules, views, view.seat))

    def __repr__(self) -> str:
        return f"CompiledAgent({self.name!r})"
