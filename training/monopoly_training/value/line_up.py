"""Line-ups for games to learn from: compiled bots by name, some drawn anew each game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from monopoly_agents.habits.weights import draw_habits
from monopoly_agents.registry import BOTS, load_policy, weights_in
from monopoly_agents.strategist import VETERAN
from monopoly_agents.strategist.search_space import dimensions, vary
from monopoly_agents.strategist.weights import STRATEGIST
from monopoly_agents.trader.numbers import trader_weights

from monopoly_env.engine.policy import weights_address
from monopoly_env.engine.policy_loop import new_loop

VARIATION = 1.5  # standard deviation of varied weights, in the steps of `tune`
BY_WEIGHTS = {"veteran": "strategist", "varied": "strategist"}  # and whose policy they use


@lru_cache(maxsize=1)
def policies() -> dict[str, Any]:
    """Return the compiled policies by name; cached, because loops hold their addresses."""
    named = {name: load_policy(module, name) for name, (module, _) in BOTS.items()}
    for name in ("trader", "habits"):
        named[name] = load_policy(f"{name}.policy", name)
    return named


@lru_cache(maxsize=1)
def veteran_weights() -> Any:
    """Return veteran's weights, WEIGHTS[1]."""
    return weights_in(VETERAN)


@lru_cache(maxsize=1)
def _trader_weights() -> Any:
    return trader_weights()


def weights_for(name: str, rng: np.random.Generator) -> Any:
    """Return a bot's weights, drawn anew for ``varied`` and ``habits``.

    Returns None for its own defaults.
    """
    if name == "veteran":
        return veteran_weights()
    if name == "varied":
        start = veteran_weights() if rng.random() < 0.5 else STRATEGIST
        return vary(start, VARIATION * rng.standard_normal(dimensions()))
    if name == "habits":
        return draw_habits(rng)
    return _trader_weights() if name == "trader" else None


def seat(views: Any, names: Sequence[str], rng: np.random.Generator) -> tuple[Any, list[Any]]:
    """Return a LOOP record for these bots, and the weights that must stay alive while it plays.

    ``views`` is VIEW[8] or more; the addresses of the weights are written there.
    """
    held = [weights_for(name, rng) for name in names]
    for number, weights in enumerate(held):
        views["weights"][number] = weights_address(weights)
    chosen = [policies()[BY_WEIGHTS.get(name, name)] for name in names]
    return new_loop(chosen, skip_forced=True), held
