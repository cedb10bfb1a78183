"""How threads share out the games of one step, in compiled code: who takes which, who waits.

A work queue is an array of int64. Steps are counted in generations. The chunks of a generation
follow those of the one before, so that nothing is ever set back and a thread that comes too late
finds nothing left to take. What different threads write lies on different cache lines.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from monopoly_env.compiler.atomic import add, load, pause, swap
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.state import Int64s

LINE = 8  # numbers on a cache line
NEXT, GENERATION = 0, LINE  # chunks taken ever, generations begun
DONE = 2 * LINE  # chunks finished ever
CUTS, CHUNKS = 3 * LINE, 3 * LINE + 1  # where the cuts between chunks begin; chunks a generation
LINES = 4 * LINE  # a line for each thread:
HOLDS, LIMIT = 0, 1  # the chunk at hand + 1; the end of the thread's generation

NO_QUEUE = np.zeros(0, np.int64)  # for a caller who steps all games by himself


def new_queue(threads: int, chunks: list[tuple[int, int]]) -> Int64s:
    """Return a queue for so many threads and these chunks of games, each a first and a last one."""
    cuts = LINES + threads * LINE
    queue = np.zeros(cuts + len(chunks) + 1, np.int64)
    queue[CUTS], queue[CHUNKS] = cuts, len(chunks)
    queue[cuts:] = [chunks[0][0], *(last for _, last in chunks)]
    assert all(one[1] == two[0] for one, two in pairwise(chunks))
    return queue


@jit
def line_of(thread: int) -> int:
    """Return where a thread's own line begins."""
    return LINES + thread * LINE


@jit
def take_chunk(queue: Int64s, thread: int) -> int:
    """A chunk that nobody has taken, or -1 if there is none left of the thread's generation.

    The first to ask is the caller, as a rule. His asking is what the watching threads wait for:
    inside compiled code he no longer holds the GIL, which they need next.
    """
    line = line_of(thread)
    limit = queue[line + LIMIT]
    begun = load(queue, GENERATION)
    if begun * queue[CHUNKS] < limit:
        swap(queue, GENERATION, begun, begun + 1)
    taken = load(queue, NEXT)
    while taken < limit:
        if swap(queue, NEXT, taken, taken + 1):
            chunk = taken - (limit - queue[CHUNKS])
            queue[line + HOLDS] = chunk + 1
            return int(chunk)
        taken = load(queue, NEXT)
    return -1


@jit
def finish_chunk(queue: Int64s, thread: int) -> None:
    """The chunk at hand is done; whoever waits for it may use what was written."""
    queue[line_of(thread) + HOLDS] = 0
    add(queue, DONE, 1)


@jit
def watch(queue: Int64s, index: int, number: int, looks: int) -> bool:
    """Look so many times whether ``queue[index]`` has come to ``number``."""
    for _ in range(looks):
        if load(queue, index) >= number:
            return True
        pause()
    return False
