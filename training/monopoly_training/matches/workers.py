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
from itertools import islice
from multiprocessing import active_children, connection, get_context, parent_process
from multiprocessing.util import Finalize
from typing import Any, Protocol, TypeVar

from monopoly_training.common.schema import location_of
from monopoly_training.matches.entrants import entrants
from monopoly_training.matches.runner import Players
from monopoly_training.matches.schedule import Batch

AHEAD = 2  # batches a process has waiting, so that it is never idle


R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class Job(Protocol[R_co]):
    """What is done with each batch. It travels to other processes."""

    @property
    def agents(self) -> tuple[str, ...]:
        """The line-up, by names."""

    @property
    def trust(self) -> bool:
        """Whether files may be loaded that can run any code."""

    def do(self, players: Players, batch: Batch) -> R_co:
        """Play a batch; what came of it."""


def do_all(
    job: Job[R], players: Players, todo: Iterable[Batch], jobs: int
) -> Generator[R, None, None]:
    """Do batches in ``jobs`` processes; what came of each is handed out as it is finished.

    The first is done here in any case: whatever has to be compiled is then compiled once.
    """
    waiting = iter(todo)
    for batch in islice(waiting, 1 if jobs > 1 else None):
        yield job.do(players, batch)
    if jobs > 1:
        yield from _do_apart(job, waiting, jobs)


def _do_apart(job: Job[R], waiting: Iterator[Batch], jobs: int) -> Generator[R, None, None]:
    """Do batches in processes of their own."""
    ahead = list(islice(waiting, jobs * AHEAD))
    if not ahead:
        return
    before = set(active_children())
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _start, (job,))
    try:
        running: set[Future[R]] = {pool.submit(_do, batch) for batch in ahead}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                running |= {pool.submit(_do, batch) for batch in islice(waiting, 1)}
                yield future.result()
    except BrokenProcessPool:
        location_of("--jobs").fail(
            "a process that played games has died; what was finished is kept, --resume goes on"
        )
    except BaseException:  # interrupted, or enough was played: games under way are not needed
        for process in set(active_children()) - before:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


# In the other processes

_here: list[tuple[Players, Job[Any]]] = []  # what this process plays


def _start(job: Job[Any]) -> None:
    """Make the bots of this process; end with the process that started it."""
    live_with_parent()
    players = Players(entrants(job.agents, job.trust))
    Finalize(players, players.close, exitpriority=1)
    _here.append((players, job))


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
    players, job = _here[-1]
    return job.do(players, batch)
