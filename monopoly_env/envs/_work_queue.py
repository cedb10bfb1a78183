"""How threads share out the tables of one step, in compiled code: who takes which, who waits.

A desk is an array of int64. Steps are counted in rounds. The shares of a round follow those of the
one before, so that nothing is ever set back and a thread that comes too late finds nothing left
to take. What different threads write lies on different cache lines.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from monopoly_env.compiler.atomic import add, load, pause, swap
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.state import Int64s

LINE = 8  # numbers on a cache line
NEXT, ROUND = 0, LINE  # shares taken ever, rounds begun
DONE, TOLD = 2 * LINE, 2 * LINE + 1  # shares finished ever, tables with more to tell, ever
CUTS, SHARES = 3 * LINE, 3 * LINE + 1  # where the cuts between shares begin; shares a round
PLACES = 4 * LINE  # a line for each thread:
HOLDS, LIMIT = 0, 1  # the share at hand + 1; the end of the thread's round

ALONE = np.zeros(0, np.int64)  # the desk of a caller who steps all tables by himself


def new_desk(threads: int, runs: list[tuple[int, int]]) -> Int64s:
    """A desk for so many threads and these runs of tables."""
    cuts = PLACES + threads * LINE
    desk = np.zeros(cuts + len(runs) + 1, np.int64)
    desk[CUTS], desk[SHARES] = cuts, len(runs)
    desk[cuts:] = [runs[0][0], *(last for _, last in runs)]
    assert all(one[1] == two[0] for one, two in pairwise(runs))
    return desk


@jit
def location_of(thread: int) -> int:
    """Where a thread's own line begins."""
    return PLACES + thread * LINE


@jit
def take_share(desk: Int64s, thread: int) -> int:
    """A share that nobody has taken, or -1 if there is none left of the thread's round.

    The first to ask is the caller, as a rule. His asking is what the watching threads wait for:
    inside compiled code he no longer holds the GIL, which they need next.
    """
    place = location_of(thread)
    limit = desk[place + LIMIT]
    begun = load(desk, ROUND)
    if begun * desk[SHARES] < limit:
        swap(desk, ROUND, begun, begun + 1)
    taken = load(desk, NEXT)
    while taken < limit:
        if swap(desk, NEXT, taken, taken + 1):
            share = taken - (limit - desk[SHARES])
            desk[place + HOLDS] = share + 1
            return int(share)
        taken = load(desk, NEXT)
    return -1


@jit
def finish_share(desk: Int64s, thread: int, told: int) -> None:
    """The share at hand is done; whoever waits for it may use what was written."""
    desk[location_of(thread) + HOLDS] = 0
    add(desk, TOLD, told)
    add(desk, DONE, 1)


@jit
def watch(desk: Int64s, index: int, number: int, looks: int) -> bool:
    """Look so many times whether ``desk[index]`` has come to ``number``."""
    for _ in range(looks):
        if load(desk, index) >= number:
            return True
        pause()
    return False
