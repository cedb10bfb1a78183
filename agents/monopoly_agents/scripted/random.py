"""random: a random kind of action, then a random action of that kind."""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import N_KINDS
from monopoly_env.engine.dice import GAMMA
from monopoly_env.engine.masks import pick, read_mask
from monopoly_env.engine.policy import ViewState, policy
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState


@jit
def pick_legal(view: ViewState) -> int:
    """Return a random legal action from the policy's own generator."""
    bits = np.zeros(N_KINDS, np.int64)
    read_mask(view.mask, bits)
    view.rng = np.uint64(view.rng) + GAMMA + GAMMA
    return pick(bits, np.uint64(view.rng))


@policy
def random(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Return a random legal action, uniform over kinds of action and then within the kind.

    Uniform sampling over actions would mortgage, sell and trade far more often than it throws.
    """
    return pick_legal(view)
