"""The work queue through which threads share the games of one step, in compiled code.

A work queue is an int64 array. Steps are numbered as generations, and chunk numbers continue from
one generation to the next. Nothing is ever reset, so a thread that comes too late finds no chunk
left. Values that different threads write lie on different cache lines.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from monopoly_env.compiler.atomic import add, load, pause, swap
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.state import Int64s

LINE = 8  # numbers on a cache line
NEXT, GENERATION = 0, LINE  # total chunks taken, generations begun
DONE = 2 * LINE  # total chunks finished
# Offset of the cuts between chunks; chunks per generation; polls of an idle thread
CUTS, CHUNKS, LOOKS = 3 * LINE, 3 * LINE + 1, 3 * LINE + 2
WAITING = 4 * LINE  # 1 while the caller sleeps
LINES = 5 * LINE  # one line per thread, which holds:
CALLER = 0  # index of the thread that calls step()
HOLDS, LIMIT = 0, 1  # the current chunk + 1; the limit of its generation

NO_QUEUE = np.zeros(0, np.int64)  # for a caller that steps all games alone


def new_queue(threads: int, chunks: list[tuple[int, int]], looks: int = 1) -> Int64s:
    """Return a queue for ``threads`` and ``chunks``, which are pairs of first and last game.

    An idle thread polls ``looks`` times for the next generation: see :func:`linger`.
    """
    cuts = LINES + threads * LINE
    queue = np.zeros(cuts + len(chunks) + 1, np.int64)
    queue[CUTS], queue[CHUNKS], queue[LOOKS] = cuts, len(chunks), looks
    queue[cuts:] = [chunks[0][0], *(last for _, last in chunks)]
    assert all(one[1] == two[0] for one, two in pairwise(chunks))
    return queue


@jit
def line_of(thread: int) -> int:
    """Return the offset of a thread's own cache line."""
    return LINES + thread * LINE


@jit
def take_chunk(queue: Int64s, thread: int) -> int:
    """Take the next chunk; return -1 if the thread's generation has none left.

    The caller is usually first. Its call starts the generation that the polling threads wait for:
    it is then inside compiled code and has released the GIL, which they need next.
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
    """Mark the current chunk as finished, so that its results may be used."""
    queue[line_of(thread) + HOLDS] = 0
    add(queue, DONE, 1)


@jit
def linger(queue: Int64s, thread: int) -> None:
    """Poll for the next generation, without the GIL, unless the caller sleeps.

    All threads run out of chunks at about the same time. If they returned to Python at once, one of
    them would find the GIL taken, and sleep for as long as it takes to step a hundred games.
    """
    if thread == CALLER:
        return
    following = queue[line_of(thread) + LIMIT] // queue[CHUNKS] + 1
    for _ in range(queue[LOOKS]):
        if load(queue, GENERATION) >= following or load(queue, WAITING) != 0:
            return
        pause()


@jit
def set_waiting(queue: Int64s, waits: bool) -> None:
    """Say whether the caller sleeps."""
    add(queue, WAITING, int(waits) - load(queue, WAITING))


@jit
def watch(queue: Int64s, index: int, number: int, looks: int) -> bool:
    """Poll ``looks`` times; return whether ``queue[index]`` has reached ``number``."""
    for _ in range(looks):
        if load(queue, index) >= number:
            return True
        pause()
    return False
