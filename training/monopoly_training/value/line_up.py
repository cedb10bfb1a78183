"""Who sits at a table of games to learn from: compiled bots by name, some drawn anew each game."""

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
from monopoly_agents.trader.weights import trader_weights

from monopoly_env.engine.policy import weights_address
from monopoly_env.engine.policy_loop import new_loop

VARIATION = 1.5  # steps of weights that are varied, as `tune` counts them
BY_WEIGHTS = {"veteran": "strategist", "varied": "strategist"}  # and whose policy they play by


@lru_cache(maxsize=1)
def policies() -> dict[str, Any]:
    """The compiled policies by name; kept alive, as loops have their addresses."""
    named = {name: load_policy(module, name) for name, (module, _) in BOTS.items()}
    for name in ("trader", "habits"):
        named[name] = load_policy(f"{name}.policy", name)
    return named


@lru_cache(maxsize=1)
def veteran_weights() -> Any:
    """Veteran's weights, WEIGHTS[1]."""
    return weights_in(VETERAN)


@lru_cache(maxsize=1)
def _trader_weights() -> Any:
    return trader_weights()


def weights_for(name: str, rng: np.random.Generator) -> Any:
    """What a bot plays by; drawn anew for ``varied`` and ``habits``. None: its own numbers."""
    if name == "veteran":
        return veteran_weights()
    if name == "varied":
        start = veteran_weights() if rng.random() < 0.5 else STRATEGIST
        return vary(start, VARIATION * rng.standard_normal(dimensions()))
    if name == "habits":
        return draw_habits(rng)
    return _trader_weights() if name == "trader" else None


def seat(views: Any, names: Sequence[str], rng: np.random.Generator) -> tuple[Any, list[Any]]:
    """A LOOP record for these bots, and what must be kept alive as long as it plays.

    ``views`` VIEW[8] or more: the addresses of weights are written there.
    """
    held = [weights_for(name, rng) for name in names]
    for number, weights in enumerate(held):
        views["weights"][number] = weights_address(weights)
    chosen = [policies()[BY_WEIGHTS.get(name, name)] for name in names]
    return new_loop(chosen, skip_forced=True), held
