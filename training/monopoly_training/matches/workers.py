"""Works through batches of games in this process or in several.

Other processes are started afresh, not forked, so that it works on every system and whatever
libraries are loaded. They end when the process that started them does, however that ends.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import active_children, connection, get_context, parent_process
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any, Protocol, TypeVar

from monopoly_env import interrupts
from monopoly_env.errors import InputError
from monopoly_training.common.stopping import held_back
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.matches.entrants import entrants_again
from monopoly_training.matches.runner import Players
from monopoly_training.matches.schedule import Batch

AHEAD = 2  # batches that wait for each process, so that it is never idle

# Python's tracker of semaphores, a process of its own, removes them if this process ends at once,
# and would warn of that after our last line. It is begun with these options.
QUIET_TRACKER = "ignore:resource_tracker:UserWarning"


PROCESSES, RAY = BACKENDS = ("processes", "ray")


@dataclass(frozen=True)
class WorkOptions:
    """How games are worked through; what comes of them does not depend on it."""

    jobs: int = 1  # processes that play
    resume: bool = False  # go on with what the folder holds
    trust: bool = False  # load files that can run any code
    backend: str = PROCESSES  # or RAY
    address: str | None = None  # of a Ray cluster; None: one of this machine alone


DEFAULTS = WorkOptions()


R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class Job(Protocol[R_co]):
    """What is done with each batch. It travels to other processes, with its fields."""

    @property
    def agents(self) -> tuple[str, ...]:
        """The line-up, by names."""

    @property
    def trust(self) -> bool:
        """Whether files may be loaded that can run any code."""

    @property
    def folder(self) -> Path:
        """Of the results, where the errors of bots go."""

    def do(self, players: Players, batch: Batch) -> R_co:
        """Play a batch; its result."""


def do_all(
    job: Job[R], players: Players, todo: Iterable[Batch], work: WorkOptions
) -> Generator[R, None, None]:
    """Do batches in ``work.jobs`` processes or on a cluster; each result is handed out when it is there.

    In processes, the first is done here in any case: whatever has to be compiled is then compiled
    once.
    """
    if work.backend == RAY:
        from monopoly_training.matches.batches_on_ray import do_on_ray

        yield from do_on_ray(job, todo, work.address)
        return
    jobs, remaining = work.jobs, iter(todo)
    for batch in islice(remaining, 1 if jobs > 1 else None):
        yield job.do(players, batch)
    if jobs > 1:
        yield from _do_elsewhere(job, remaining, jobs)


def _do_elsewhere(job: Job[R], remaining: Iterator[Batch], jobs: int) -> Generator[R, None, None]:
    """Do batches in processes of their own."""
    first = list(islice(remaining, jobs * AHEAD))
    if not first:
        return
    with worker_processes(min(jobs, len(first)), _start, job) as pool:
        running: set[Future[R]] = {submit(pool, _do, batch) for batch in first}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                running |= {submit(pool, _do, batch) for batch in islice(remaining, 1)}
                yield future.result()


def in_order(
    play: Callable[..., R], chunks: Iterator[tuple[Any, ...]], jobs: int
) -> Generator[R, None, None]:
    """``play(*chunk)`` of each chunk in ``jobs`` processes; results in the order of the chunks.

    The first is played here, so that all is compiled once.
    """
    for chunk in islice(chunks, 1 if jobs > 1 else None):
        yield play(*chunk)
    if jobs == 1:
        return
    first = list(islice(chunks, jobs * AHEAD))
    if not first:
        return
    with worker_processes(min(jobs, len(first)), live_with_parent) as pool:
        running = [submit(pool, play, *chunk) for chunk in first]
        while running:
            yield running.pop(0).result()
            running += [submit(pool, play, *chunk) for chunk in islice(chunks, 1)]


@contextmanager
def worker_processes(
    jobs: int, start: Callable[..., None], *arguments: object
) -> Iterator[ProcessPoolExecutor]:
    """Processes that work, each begun by ``start(*arguments)``.

    They are killed if the block is left early: after an interrupt, or when enough was played.

    Raises: InputError if one of them dies.
    """
    before = set(active_children())
    if QUIET_TRACKER not in sys.warnoptions:
        sys.warnoptions.append(QUIET_TRACKER)
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), start, arguments)
    try:
        yield pool
    except BrokenProcessPool:
        interrupts.check()
        InputError.at("jobs").fail(
            "a process that played games has died; finished work is saved; `resume` continues"
        )
    except BaseException:  # games under way are not needed
        for process in set(active_children()) - before:
            process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def submit(pool: ProcessPoolExecutor, call: Callable[..., R], *arguments: object) -> Future[R]:
    """Let a process work; one that is started for it does not hear Ctrl-C from its first moment."""
    with held_back():
        return pool.submit(call, *arguments)


# In the other processes

_of_this_process: list[tuple[Players, Job[Any]]] = []


def _start(job: Job[Any]) -> None:
    """Make the bots of this process; end with the process that started it."""
    live_with_parent()
    sys.stdout = sys.stderr  # results are printed by one process
    players = Players(entrants_again(job.agents, job.trust), ErrorLog(job.folder))
    Finalize(players, players.close, exitpriority=1)
    _of_this_process.append((players, job))


def live_with_parent() -> None:
    """Leave interrupts to the process that started this one, and end when that does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A killed process cannot tell its children; they watch for it."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _do(batch: Batch) -> Any:
    players, job = _of_this_process[-1]
    return job.do(players, batch)
