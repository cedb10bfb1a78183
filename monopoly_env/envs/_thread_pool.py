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
    HOLDS,
    LIMIT,
    ROUND,
    TOLD,
    finish_share,
    location_of,
    new_desk,
    take_share,
    watch,
)

LEAST = 32  # games that a thread takes at a time, if there are many
# Looks at the desk before a thread goes to sleep, on the order of a tenth of a millisecond: to be
# woken takes as long as stepping a hundred games.
LOOKS = 4000
LONGEST = 0.1  # s that the caller sleeps before it looks again, should nobody tell
CALLER = 0  # the number of the thread that calls step()


class Work(Protocol):
    """A step of all games: called by each thread with the desk and its number."""

    def __call__(self, desk: Int64s, thread: int) -> object:
        """Step what is taken from the desk, until nothing is left."""


class ThreadPool:
    """Several threads, the caller's among them, for environments of ``n`` games.

    Games are stepped in shares that whoever is free takes, large ones first: a thread that wakes
    late, or not at all, such as in a forked process, leaves more of them to the others.
    """

    def __init__(self, threads: int, n: int) -> None:
        self.count = min(threads, n)
        self.shares = shares(self.count, n)
        self.crew: Workers | None = None
        if self.count > 1:
            self.crew = Workers(self.count, self.shares)
            for number in range(1, self.count):
                arguments = (self.crew, number)
                Thread(target=attend, args=arguments, name="monopoly-env", daemon=True).start()
            self._end = weakref.finalize(self, self.crew.dismiss)

    def play(self, work: Work) -> int:
        """Do the work together; how many tables have more to tell than who decides next.

        Raises the first error of any thread; Ctrl-C is one of the caller. By then nobody steps.
        """
        assert self.crew is not None
        try:
            self.crew.begin(work)
            self.crew.help(CALLER)
            self.crew.helped = not self.crew.problems
        finally:
            self.crew.wait()
        return self.crew.result()

    def close(self) -> None:
        """End the threads; the games can still be stepped, by the caller alone."""
        if self.crew is not None:
            self._end()


def shares(threads: int, n: int) -> list[tuple[int, int]]:
    """Runs of games, each half of what a fair share of those left would be."""
    least = max(min(LEAST, n // (8 * threads)), 1)
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
    """What the threads share: a desk, the work of the round, who sleeps, what went wrong."""

    def __init__(self, threads: int, runs: list[tuple[int, int]]) -> None:
        self.threads, self.runs = threads, runs
        # Whoever looks keeps those from working who have no core, or, in plain Python, no GIL.
        self.looks = LOOKS if JIT and threads <= cores() else 1
        self.asleep: deque[SimpleQueue[None]] = deque()
        self.ended = False
        self.problems: list[BaseException] = []
        self.helped = False  # the caller has taken part until nothing was left
        # The caller sleeps until others are done; on a queue, as Ctrl-C can leave an Event locked.
        self.waiting, self.over = False, SimpleQueue[None]()
        self.start()

    def start(self) -> None:
        """An empty desk."""
        self.process = os.getpid()
        self.desk = new_desk(self.threads, self.runs)
        self.work: tuple[int, Work | None] = (0, None)  # of which round
        self.told = 0  # what is written on the desk of rounds before

    def begin(self, work: Work) -> None:
        """Make a round ready, and wake who sleeps; it begins when the caller takes a share."""
        if os.getpid() != self.process:  # forked: what other threads had in hand stays undone
            self.start()
        elif self.desk[DONE] != self.limit:  # Ctrl-C, in the few moments when nothing catches it
            self.helped = False
            self.wait()
        self.problems = []
        self.told = int(self.desk[TOLD])
        self.helped = False
        self.work = (self.work[0] + 1, work)
        while self.asleep:
            self.asleep.pop().put(None)

    @property
    def limit(self) -> int:
        """The shares of this round and all before it."""
        return self.work[0] * len(self.runs)

    def help(self, thread: int) -> None:
        """Take part in the work of the round until nothing is left to take."""
        number, work = self.work
        if work is None:
            return
        self.desk[location_of(thread) + LIMIT] = number * len(self.runs)
        for _ in range(len(self.runs) + 1):  # each try but the last may fail at another share
            try:
                work(self.desk, thread)
                return
            except BaseException as problem:  # noqa: BLE001 - raised again by result()
                self.problems.append(problem)
                self.let_go(thread)

    def let_go(self, thread: int) -> None:
        """A share that was being stepped when something went wrong is as done as it will be."""
        if self.desk[location_of(thread) + HOLDS] != 0:
            finish_share(self.desk, thread, 0)

    def wait(self) -> None:
        """Until all shares are done. Ctrl-C has to wait, too."""
        while True:
            try:
                self.take_rest()
                self.sleep()
                self.work = (self.work[0], None)  # a late thread keeps no arrays alive
                return
            except KeyboardInterrupt as problem:
                self.problems.append(problem)

    def take_rest(self) -> None:
        """Take what nobody has taken, if the caller could not take part in the work."""
        if not self.helped:
            self.let_go(CALLER)
            self.desk[location_of(CALLER) + LIMIT] = self.limit
            while take_share(self.desk, CALLER) >= 0:
                finish_share(self.desk, CALLER, 0)

    def sleep(self) -> None:
        """Look, then sleep, until the other threads have stepped what they took."""
        while not watch(self.desk, DONE, self.limit, self.looks):
            self.waiting = True  # from here on whoever ends tells
            if not watch(self.desk, DONE, self.limit, 1):
                with suppress(Empty):
                    self.over.get(timeout=LONGEST)
        self.waiting = False

    def result(self) -> int:
        """How many tables have more to tell. Raises the first error of any thread."""
        if self.problems:
            raise self.problems[0]
        return int(self.desk[TOLD]) - self.told

    def dismiss(self) -> None:
        """Let the threads end."""
        self.ended = True
        while self.asleep:
            self.asleep.pop().put(None)


def attend(crew: Workers, thread: int) -> None:
    """What a thread does until it is dismissed."""
    bell: SimpleQueue[None] = SimpleQueue()
    seen = 0
    while not crew.ended:
        if crew.work[0] > seen or watch(crew.desk, ROUND, seen + 1, crew.looks):
            seen = crew.work[0]
            crew.help(thread)
            if crew.waiting:
                crew.over.put(None)
        else:
            crew.asleep.append(bell)
            # Who makes a round ready from here on finds the bell; one made before is seen here.
            if crew.work[0] <= seen and not crew.ended:
                bell.get()
