"""The legal actions in the forms people use: a byte mask, a count, a random pick."""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.bits import bit, count, lowest, spread
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.memory import CACHE_LINE
from monopoly_env.engine.actions import BASE, N_ACTIONS, N_KINDS, SIZE
from monopoly_env.engine.dice import GAMMA, S32, mix
from monopoly_env.engine.state import Int8s, Int64s

WORD = CACHE_LINE  # bits of a number, and numbers of a byte that spread() writes


@jit
def write_mask(bits: Int64s, mask: Int8s) -> int:
    """Write the legal actions into ``mask`` (int8[N_ACTIONS], 1 is legal); how many there are.

    The kinds' bits are strung together, and 64 of them written at a time. The last ones, too few
    to fill that, are written with some of those before, so as to end where the mask ends.
    """
    mask[N_ACTIONS - 1] = 0  # within bounds, or an error where those are checked
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
    """Gather a byte mask (int8[N_ACTIONS], 1 is legal) into the bits of each kind of action."""
    for kind in range(N_KINDS):
        legal = 0
        for index in range(SIZE[kind]):
            if mask[BASE[kind] + index] != 0:
                legal |= 1 << index
        bits[kind] = legal


@jit
def random_below(state: np.uint64, n: int) -> int:
    """A number from 0 to n - 1 for a generator state (advance it by GAMMA between calls)."""
    return int(((mix(state) >> S32) * np.uint64(n)) >> S32)


@jit
def nth_set(bits: int, n: int) -> int:
    """The number of the n-th bit that is set, counted from 0."""
    for _ in range(n):
        bits &= bits - 1
    return lowest(bits)


@jit
def pick(bits: Int64s, state: np.uint64) -> int:
    """A random legal action: first a kind of action, then one of that kind.

    Uniform over actions would build, mortgage and trade far more than it throws.
    """
    kinds = 0
    for kind in range(N_KINDS):
        if bits[kind] != 0:
            kinds |= 1 << kind
    kind = nth_set(kinds, random_below(state, count(kinds)))
    index = nth_set(bits[kind], random_below(state + GAMMA, count(bits[kind])))
    return int(BASE[kind]) + index
