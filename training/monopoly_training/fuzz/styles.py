"""Playing styles of fuzzed games: weights by kind of action."""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.bits import count
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import BASE, N_KINDS
from monopoly_env.engine.dice import GAMMA
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.masks import nth_set, random_below
from monopoly_env.engine.state import Int64s

USUAL = 10  # weight of kinds that a style does not name
STYLES: dict[str, dict[str, int]] = {
    "random": {},
    "builder": {"BUY": 200, "BUILD": 400, "MORTGAGE": 0, "SELL": 0, "SELL_GROUP": 0, "DEAL": 1,
                "CLAIM": 30, "LIFT": 40, "ACCEPT": 40, "RAISE": 20},
    "trader": {"BUY": 100, "DEAL": 60, "OFFER": 60, "CANCEL": 1, "ACCEPT": 60, "MORTGAGE": 3,
               "BUILD": 100, "SELL": 2, "PROPOSE": 60},
    "spender": {"BUY": 100, "MORTGAGE": 30, "BUILD": 100, "SELL": 0, "BANKRUPT": 100, "KEEP": 30},
    "quick": {"BUY": 100, "END_TURN": 60, "PASS": 60, "ROLL": 60, "DEAL": 0, "MORTGAGE": 1},
}  # fmt: skip


def weights(style: str) -> Int64s:
    """Return the weight of each kind of action, int64[N_KINDS]."""
    row = np.full(N_KINDS, USUAL, np.int64)
    for name, weight in STYLES[style].items():
        row[Kind[name]] = weight
    return row


@jit
def weighted_pick(bits: Int64s, liking: Int64s, state: np.uint64) -> int:
    """Pick a kind of action by weight, then an action of that kind.

    Uniformly if all weights are 0.
    """
    total = 0
    for kind in range(N_KINDS):
        if bits[kind] != 0:
            total += max(liking[kind], 0)
    blind = total == 0
    if blind:
        for kind in range(N_KINDS):
            total += 1 if bits[kind] != 0 else 0
    left = random_below(state, total)
    for kind in range(N_KINDS):
        if bits[kind] != 0:
            left -= 1 if blind else liking[kind]
            if left < 0:
                index = random_below(state + GAMMA, count(bits[kind]))
                return int(BASE[kind]) + nth_set(bits[kind], index)
    return -1
