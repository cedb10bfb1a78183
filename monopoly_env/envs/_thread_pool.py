"""Threads that step the games of a vector environment together; compiled code releases the GIL."""

from __future__ import annotations

import os
import weakref
from collections import deque
from contextlib import suppress
from itertools import pairwise
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Protocol

from monopoly_env.compiler.jit import JIT
from monopoly_env.engine.state import Int64s
from monopoly_env.envs._work_queue import (
    DONE,
    GENERATION,
    HOLDS,
    LIMIT,
    finish_chunk,
    line_of,
    new_queue,
    take_chunk,
    watch,
)

SMALLEST = 32  # games that a thread takes at a time, if there are many
# Looks at the queue before a thread goes to sleep, on the order of a tenth of a millisecond: to be
# woken takes as long as stepping a hundred games.
LOOKS = 4000
LONGEST = 0.1  # s that the caller sleeps before it looks again, should nobody wake it
CALLER = 0  # the number of the thread that calls step()


class Task(Protocol):
    """A step of all games: called by each thread with the work queue and its number."""

    def __call__(self, queue: Int64s, thread: int) -> object:
        """Step what is taken from the queue, until nothing is left."""


class ThreadPool:
    """Several threads, the caller's among them, for environments of ``n`` games.

    Games are stepped in chunks that whoever is free takes, large ones first: a thread that wakes
    late, or not at all, such as in a forked process, leaves more of them to the others.
    """

    def __init__(self, threads: int, n: int) -> None:
        self.n = n
        self.count = min(threads, n)
        self.chunks = chunks(self.count, n)
        self.workers: Workers | None = None
        if self.count > 1:
            self.workers = Workers(self.count, self.chunks)
            for number in range(1, self.count):
                arguments = (self.workers, number)
                Thread(target=worker_loop, args=arguments, name="monopoly-env", daemon=True).start()
            self._end = weakref.finalize(self, self.workers.dismiss)

    def __getstate__(self) -> tuple[int, int, bool]:
        closed = self.workers is not None and self.workers.ended
        return self.count, self.n, closed

    def __setstate__(self, state: tuple[int, int, bool]) -> None:
        """A copy has threads of its own."""
        count, n, closed = state
        ThreadPool.__init__(self, count, n)
        if closed:
            self.close()

    def run(self, task: Task) -> None:
        """Do a task together.

        Raises the first error of any thread; Ctrl-C is one of the caller. By then nobody steps.
        """
        assert self.workers is not None
        try:
            self.workers.begin(task)
            self.workers.work(CALLER)
            self.workers.caller_worked = not self.workers.problems
        finally:
            self.workers.wait()
        if self.workers.problems:
            raise self.workers.problems[0]

    def close(self) -> None:
        """End the threads; the games can still be stepped, by the caller alone."""
        if self.workers is not None:
            self._end()


def chunks(threads: int, n: int) -> list[tuple[int, int]]:
    """Runs of games, each half of what a fair share of those left would be."""
    least = max(min(SMALLEST, n // (8 * threads)), 1)
    cuts = [0]
    while cuts[-1] < n:
        left = n - cuts[-1]
        cuts.append(cuts[-1] + min(max(left // (2 * threads), least), left))
    return list(pairwise(cuts))


def cores() -> int:
    """The processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers:
    """What the threads share: a work queue, the task at hand, who sleeps, what went wrong."""

    def __init__(self, threads: int, chunks: list[tuple[int, int]]) -> None:
        self.threads, self.chunks = threads, chunks
        # Whoever looks keeps those from working who have no core, or, in plain Python, no GIL.
        self.looks = LOOKS if JIT and threads <= cores() else 1
        self.asleep: deque[SimpleQueue[None]] = deque()
        self.ended = False
        self.problems: list[BaseException] = []
        self.caller_worked = False  # until nothing was left to take
        # The caller sleeps until others are done; on a queue, as Ctrl-C can leave an Event locked.
        self.waiting, self.all_done = False, SimpleQueue[None]()
        self.start()

    def start(self) -> None:
        """An empty queue."""
        self.process = os.getpid()
        self.queue = new_queue(self.threads, self.chunks)
        self.task: tuple[int, Task | None] = (0, None)  # of which generation

    def begin(self, task: Task) -> None:
        """Make a generation ready, and wake who sleeps; it begins when the caller takes a chunk."""
        if os.getpid() != self.process:  # forked: what other threads had in hand stays undone
            self.start()
        elif self.queue[DONE] != self.limit:  # Ctrl-C, in the few moments when nothing catches it
            self.caller_worked = False
            self.wait()
        self.problems = []
        self.caller_worked = False
        self.task = (self.task[0] + 1, task)
        while self.asleep:
            self.asleep.pop().put(None)

    @property
    def limit(self) -> int:
        """The chunks of this generation and all before it."""
        return self.task[0] * len(self.chunks)

    def work(self, thread: int) -> None:
        """Take part in the task at hand until nothing is left to take."""
        generation, task = self.task
        if task is None:
            return
        self.queue[line_of(thread) + LIMIT] = generation * len(self.chunks)
        for _ in range(len(self.chunks) + 1):  # each try but the last may fail at another chunk
            try:
                task(self.queue, thread)
                return
            except BaseException as problem:  # noqa: BLE001 - raised again by run()
                self.problems.append(problem)
                self.abandon_chunk(thread)

    def abandon_chunk(self, thread: int) -> None:
        """A chunk that was being stepped when something went wrong is as done as it will be."""
        if self.queue[line_of(thread) + HOLDS] != 0:
            finish_chunk(self.queue, thread)

    def wait(self) -> None:
        """Until all chunks are done. Ctrl-C has to wait, too."""
        while True:
            try:
                self.take_remaining()
                self.sleep()
                self.task = (self.task[0], None)  # a late thread keeps no arrays alive
                return
            except KeyboardInterrupt as problem:
                self.problems.append(problem)

    def take_remaining(self) -> None:
        """Take what nobody has taken, if the caller could not take part in the task."""
        if not self.caller_worked:
            self.abandon_chunk(CALLER)
            self.queue[line_of(CALLER) + LIMIT] = self.limit
            while take_chunk(self.queue, CALLER) >= 0:
                finish_chunk(self.queue, CALLER)

    def sleep(self) -> None:
        """Look, then sleep, until the other threads have stepped what they took."""
        while not watch(self.queue, DONE, self.limit, self.looks):
            self.waiting = True  # from here on whoever ends wakes the caller
            if not watch(self.queue, DONE, self.limit, 1):
                with suppress(Empty):
                    self.all_done.get(timeout=LONGEST)
        self.waiting = False

    def dismiss(self) -> None:
        """Let the threads end."""
        self.ended = True
        while self.asleep:
            self.asleep.pop().put(None)


def worker_loop(workers: Workers, thread: int) -> None:
    """What a thread does until it is dismissed."""
    wakeup: SimpleQueue[None] = SimpleQueue()
    seen = 0
    while not workers.ended:
        if workers.task[0] > seen or watch(workers.queue, GENERATION, seen + 1, workers.looks):
            seen = workers.task[0]
            workers.work(thread)
            if workers.waiting:
                workers.all_done.put(None)
        else:
            workers.asleep.append(wakeup)
            # Who makes a generation ready from here on finds the wakeup; one made before is seen.
            if workers.task[0] <= seen and not workers.ended:
                wakeup.get()
