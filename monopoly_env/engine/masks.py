"""The legal actions in different forms: a byte mask, a count, and a random choice."""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.bits import bit, count, lowest, spread
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.memory import CACHE_LINE
from monopoly_env.engine.actions import BASE, N_ACTIONS, N_KINDS, SIZE
from monopoly_env.engine.dice import GAMMA, S32, mix
from monopoly_env.engine.state import Int8s, Int64s

WORD = CACHE_LINE  # bits of a word, and bytes that one spread() writes


@jit
def write_mask(bits: Int64s, mask: Int8s) -> int:
    """Write the legal actions into ``mask`` (int8[N_ACTIONS], 1 if legal); return their number.

    The bits of all kinds are concatenated and written 64 at a time. The remainder is written
    together with preceding bits, so that the last write ends at the end of the mask.
    """
    mask[N_ACTIONS - 1] = 0  # triggers bounds checking where it is enabled
    word, filled, start, before, legal = 0, 0, 0, 0, 0
    for kind in range(N_KINDS):
        word |= bits[kind] << filled
        filled += int(SIZE[kind])
        legal += count(bits[kind])
        if filled >= WORD:
            spread(mask, start, word)
            start += WORD
            filled -= WORD
            before = word
            word = bits[kind] >> (int(SIZE[kind]) - filled)
    missing = WORD - filled
    spread(mask, N_ACTIONS - WORD, (word << missing) | ((before >> filled) & (bit(missing) - 1)))
    return legal


@jit
def read_mask(mask: Int8s, bits: Int64s) -> None:
    """Convert a byte mask (int8[N_ACTIONS], 1 if legal) to the bits of each kind of action."""
    for kind in range(N_KINDS):
        legal = 0
        for index in range(SIZE[kind]):
            if mask[BASE[kind] + index] != 0:
                legal |= 1 << index
        bits[kind] = legal


@jit
def random_below(state: np.uint64, n: int) -> int:
    """Return an integer from 0 to n - 1 for a generator state; advance it by GAMMA after use."""
    return int(((mix(state) >> S32) * np.uint64(n)) >> S32)


@jit
def nth_set(bits: int, n: int) -> int:
    """Return the index of the n-th set bit, counted from 0."""
    for _ in range(n):
        bits &= bits - 1
    return lowest(bits)


@jit
def pick(bits: Int64s, state: np.uint64) -> int:
    """Return a random legal action: first a kind of action, then one of that kind.

    A uniform choice of actions would build, mortgage and trade far more often than throw the dice.
    """
    kinds = 0
    for kind in range(N_KINDS):
        if bits[kind] != 0:
            kinds |= 1 << kind
    kind = nth_set(kinds, random_below(state, count(kinds)))
    index = nth_set(bits[kind], random_below(state + GAMMA, count(bits[kind])))
    return int(BASE[kind]) + index
