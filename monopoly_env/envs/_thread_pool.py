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
from monopoly_env.compiler.processes import cores
from monopoly_env.engine.state import Int64s
from monopoly_env.envs._work_queue import (
    CALLER,
    DONE,
    GENERATION,
    HOLDS,
    LIMIT,
    finish_chunk,
    line_of,
    new_queue,
    set_waiting,
    take_chunk,
    watch,
)

SMALLEST = 32  # games in the smallest chunk, if there are many
# How often a thread polls the queue before it sleeps, 0.2 to 0.6 ms in all: as long as choosing random
# actions takes. Waking up takes as long as stepping a hundred games.
LOOKS = 16_000
LONGEST = 0.1  # s, the longest sleep of the caller between two polls


class Task(Protocol):
    """A step of all games. Each thread calls it with the work queue and its own index."""

    def __call__(self, queue: Int64s, thread: int) -> object:
        """Step chunks from the queue until none is left."""


class ThreadPool:
    """Several threads, including the caller's, that step ``n`` games.

    Free threads take chunks of games, large ones first. A thread that wakes up late, or not at all
    (as in a forked process), leaves more chunks to the others.
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
        """Start new threads for a copy."""
        count, n, closed = state
        ThreadPool.__init__(self, count, n)
        if closed:
            self.close()

    def run(self, task: Task) -> None:
        """Run a task on all threads.

        Raises: the first error of any thread; Ctrl-C counts as an error of the caller. No thread is
        stepping games any more when this returns or raises.
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
        """Stop the threads. The caller can still step games alone."""
        if self.workers is not None:
            self._end()


def chunks(threads: int, n: int) -> list[tuple[int, int]]:
    """Divide ``n`` games into chunks, each half of a thread's fair share of the remaining games."""
    least = max(min(SMALLEST, n // (8 * threads)), 1)
    cuts = [0]
    while cuts[-1] < n:
        left = n - cuts[-1]
        cuts.append(cuts[-1] + min(max(left // (2 * threads), least), left))
    return list(pairwise(cuts))


class Workers:
    """The state that the threads share: work queue, current task, sleeping threads, errors."""

    def __init__(self, threads: int, chunks: list[tuple[int, int]]) -> None:
        self.threads, self.chunks = threads, chunks
        # Polling takes the core of another thread if cores are few, and the GIL if not compiled.
        self.looks = LOOKS if JIT and threads <= cores() else 1
        self.asleep: deque[SimpleQueue[None]] = deque()
        self.ended = False
        self.problems: list[BaseException] = []
        self.caller_worked = False  # whether the caller found the queue empty
        # The caller waits on a queue: Ctrl-C can leave an Event locked.
        self.waiting, self.all_done = False, SimpleQueue[None]()
        self.start()

    def start(self) -> None:
        """Start with an empty queue."""
        self.process = os.getpid()
        self.queue = new_queue(self.threads, self.chunks, self.looks)
        self.task: tuple[int, Task | None] = (0, None)  # generation, task

    def begin(self, task: Task) -> None:
        """Publish a task as the next generation, and wake sleeping threads."""
        if os.getpid() != self.process:  # forked: the other threads do not exist here
            self.start()
        elif self.queue[DONE] != self.limit:  # Ctrl-C interrupted the last step
            self.caller_worked = False
            self.wait()
        self.problems = []
        self.caller_worked = False
        self.task = (self.task[0] + 1, task)
        while self.asleep:
            self.asleep.pop().put(None)

    @property
    def limit(self) -> int:
        """The number of chunks in this generation and all before it."""
        return self.task[0] * len(self.chunks)

    def work(self, thread: int) -> None:
        """Step chunks of the current task until none is left."""
        generation, task = self.task
        if task is None:
            return
        self.queue[line_of(thread) + LIMIT] = generation * len(self.chunks)
        for _ in range(len(self.chunks) + 1):  # each chunk may fail once
            try:
                task(self.queue, thread)
                return
            except BaseException as problem:  # noqa: BLE001 - raised again by run()
                self.problems.append(problem)
                self.abandon_chunk(thread)

    def abandon_chunk(self, thread: int) -> None:
        """Mark a chunk as finished if stepping it failed."""
        if self.queue[line_of(thread) + HOLDS] != 0:
            finish_chunk(self.queue, thread)

    def wait(self) -> None:
        """Wait until all chunks are finished, even after Ctrl-C."""
        while True:
            try:
                self.take_remaining()
                self.sleep()
                self.task = (self.task[0], None)  # a late thread must not keep arrays alive
                return
            except KeyboardInterrupt as problem:
                self.problems.append(problem)

    def take_remaining(self) -> None:
        """Take all remaining chunks without stepping them, if the caller failed."""
        if not self.caller_worked:
            self.abandon_chunk(CALLER)
            self.queue[line_of(CALLER) + LIMIT] = self.limit
            while take_chunk(self.queue, CALLER) >= 0:
                finish_chunk(self.queue, CALLER)

    def sleep(self) -> None:
        """Poll, then sleep, until the other threads have finished their chunks."""
        while not watch(self.queue, DONE, self.limit, self.looks):
            self.wake_caller(True)  # threads that finish now wake the caller
            if not watch(self.queue, DONE, self.limit, 1):
                with suppress(Empty):
                    self.all_done.get(timeout=LONGEST)
        self.wake_caller(False)

    def wake_caller(self, wake: bool) -> None:
        """Set whether threads that run out of chunks wake the caller."""
        if self.waiting != wake:
            self.waiting = wake
            set_waiting(self.queue, wake)

    def dismiss(self) -> None:
        """Let the threads exit."""
        self.ended = True
        while self.asleep:
            self.asleep.pop().put(None)


def worker_loop(workers: Workers, thread: int) -> None:
    """Run a thread: step chunks of each generation until the pool is dismissed."""
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
            # begin() wakes us from here on; a generation published before is seen now.
            if workers.task[0] <= seen and not workers.ended:
                wakeup.get()
