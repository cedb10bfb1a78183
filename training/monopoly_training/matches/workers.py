"""Run batches of games in this process or in several worker processes.

Workers are spawned, not forked, so that they work on every system and with any loaded library. They
exit with their parent, however it ends.
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
from monopoly_training.common.stopping import sigint_blocked
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.matches.entrants import reload_entrants
from monopoly_training.matches.runner import Players
from monopoly_training.matches.schedule import Batch

AHEAD = 2  # batches queued per process, so that none is idle

# If this process is killed, Python's resource tracker (a separate process) cleans up its semaphores
# and would print a warning after our last line. This option silences it.
QUIET_TRACKER = "ignore:resource_tracker:UserWarning"


PROCESSES, RAY = BACKENDS = ("processes", "ray")


@dataclass(frozen=True)
class WorkOptions:
    """How games are executed. Results do not depend on it."""

    jobs: int = 1  # number of processes
    resume: bool = False  # continue from the results in the folder
    trust: bool = False  # load files that can run arbitrary code
    backend: str = PROCESSES  # or RAY
    address: str | None = None  # address of a Ray cluster; None starts a local one


DEFAULTS = WorkOptions()


R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class Job(Protocol[R_co]):
    """The work done for each batch. Instances are pickled and sent to other processes."""

    @property
    def agents(self) -> tuple[str, ...]:
        """Names of the bots in the line-up."""

    @property
    def trust(self) -> bool:
        """Whether to load files that can run arbitrary code."""

    @property
    def folder(self) -> Path:
        """The results folder, which also receives the errors of bots."""

    def do(self, players: Players, batch: Batch) -> R_co:
        """Play a batch and return its result."""


def do_all(
    job: Job[R], players: Players, todo: Iterable[Batch], work: WorkOptions
) -> Generator[R, None, None]:
    """Run batches in ``work.jobs`` processes or on a cluster; yield each result when it is ready.

    With several processes, the first batch runs in this one, so that code is compiled only once.
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
    """Run batches in worker processes."""
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
    """Call ``play(*chunk)`` for each chunk in ``jobs`` processes.

    Results keep the order of the chunks. The first chunk runs in this process, so that code is
    compiled only once.
    """
    for chunk in islice(chunks, 1 if jobs > 1 else None):
        yield play(*chunk)
    if jobs == 1:
        return
    first = list(islice(chunks, jobs * AHEAD))
    if not first:
        return
    with worker_processes(min(jobs, len(first)), exit_with_parent) as pool:
        running = [submit(pool, play, *chunk) for chunk in first]
        while running:
            yield running.pop(0).result()
            running += [submit(pool, play, *chunk) for chunk in islice(chunks, 1)]


@contextmanager
def worker_processes(
    jobs: int, start: Callable[..., None], *arguments: object
) -> Iterator[ProcessPoolExecutor]:
    """Start a pool of worker processes, each initialized by ``start(*arguments)``.

    Workers are killed if the block is left by an exception, such as an interrupt.

    Raises: InputError if a worker dies.
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
    except BaseException:  # running games are no longer needed
        for process in set(active_children()) - before:
            process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def submit(pool: ProcessPoolExecutor, call: Callable[..., R], *arguments: object) -> Future[R]:
    """Submit a call to a pool; SIGINT is blocked while it may start a process."""
    with sigint_blocked():
        return pool.submit(call, *arguments)


# In the worker processes

_of_this_process: list[tuple[Players, Job[Any]]] = []


def _start(job: Job[Any]) -> None:
    """Initialize a worker: create its bots, and exit when the parent does."""
    exit_with_parent()
    sys.stdout = sys.stderr  # only the parent writes results
    players = Players(reload_entrants(job.agents, job.trust), ErrorLog(job.folder))
    Finalize(players, players.close, exitpriority=1)
    _of_this_process.append((players, job))


def exit_with_parent() -> None:
    """Ignore interrupts, and exit when the parent process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the parent to exit: a killed parent cannot notify its children."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _do(batch: Batch) -> Any:
    players, job = _of_this_process[-1]
    return job.do(players, batch)
