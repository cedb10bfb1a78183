"""Works through batches of games in this process or in several.

Other processes are started afresh, not forked, so that it works on every system and whatever
libraries are loaded. They end when the process that started them does, however that ends.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from multiprocessing import active_children, connection, get_context, parent_process
from multiprocessing.util import Finalize
from typing import Any, Protocol, TypeVar

from monopoly_env.errors import InputError
from monopoly_training.matches.entrants import entrants
from monopoly_training.matches.runner import Players
from monopoly_training.matches.schedule import Batch

AHEAD = 2  # batches that wait for each process, so that it is never idle


@dataclass(frozen=True)
class WorkOptions:
    """How games are worked through; what comes of them does not depend on it."""

    jobs: int = 1  # processes that play
    resume: bool = False  # go on with what the folder holds
    trust: bool = False  # load files that can run any code


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

    def do(self, players: Players, batch: Batch) -> R_co:
        """Play a batch; its result."""


def do_all(
    job: Job[R], players: Players, todo: Iterable[Batch], jobs: int
) -> Generator[R, None, None]:
    """Do batches in ``jobs`` processes; the result of each is handed out as it is finished.

    The first is done here in any case: whatever has to be compiled is then compiled once.
    """
    remaining = iter(todo)
    for batch in islice(remaining, 1 if jobs > 1 else None):
        yield job.do(players, batch)
    if jobs > 1:
        yield from _do_elsewhere(job, remaining, jobs)


def _do_elsewhere(job: Job[R], remaining: Iterator[Batch], jobs: int) -> Generator[R, None, None]:
    """Do batches in processes of their own."""
    first = list(islice(remaining, jobs * AHEAD))
    if not first:
        return
    before = set(active_children())
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _start, (job,))
    try:
        running: set[Future[R]] = {pool.submit(_do, batch) for batch in first}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                running |= {pool.submit(_do, batch) for batch in islice(remaining, 1)}
                yield future.result()
    except BrokenProcessPool:
        InputError.at("jobs").fail(
            "a process that played games has died; what was finished is kept, `resume` goes on"
        )
    except BaseException:  # interrupted, or enough was played: games under way are not needed
        for process in set(active_children()) - before:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


# In the other processes

_of_this_process: list[tuple[Players, Job[Any]]] = []


def _start(job: Job[Any]) -> None:
    """Make the bots of this process; end with the process that started it."""
    live_with_parent()
    players = Players(entrants(job.agents, job.trust))
    Finalize(players, players.close, exitpriority=1)
    _of_this_process.append((players, job))


def live_with_parent() -> None:
    """Leave interrupts to the process that started this one, and end when that does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
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
