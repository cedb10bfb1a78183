"""The legal actions in the forms people use: a byte mask, a count, a random pick."""

from __future__ import annotations

import numpy as np

from monopoly_env.engine._dispatch import BASE, N_KINDS, SIZE
from monopoly_env.engine._jit import count, jit, lowest, zero
from monopoly_env.engine.dice import GAMMA, S32, mix
from monopoly_env.engine.state import Int8s, Int64s


@jit
def write_mask(bits: Int64s, mask: Int8s) -> int:
    """Write the legal actions into ``mask`` (int8, 1 is legal) and return how many there are."""
    zero(mask, 0, len(mask))
    legal = 0
    for kind in range(N_KINDS):
        rest = bits[kind]
        while rest != 0:
            mask[BASE[kind] + lowest(rest)] = 1
            rest &= rest - 1
            legal += 1
    return legal


@jit
def read_mask(mask: Int8s, bits: Int64s) -> None:
    """The way back: gather a byte mask into the bits of each kind."""
    for kind in range(N_KINDS):
        found = 0
        for index in range(SIZE[kind]):
            if mask[BASE[kind] + index] != 0:
                found |= 1 << index
        bits[kind] = found


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
