"""Run fuzz cases in this process or several, until a limit or the first failure."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from itertools import count, islice

from monopoly_env.editions.generated.spec import Spec
from monopoly_env.errors import InputError
from monopoly_training.common.progress import NoProgress, Progress, speed_and_time_left
from monopoly_training.fuzz.cases import PER_CASE, Case, Failure, Seen, play_case
from monopoly_training.fuzz.resumable_run import EVERY, KeptRun
from monopoly_training.fuzz.settings import draw
from monopoly_training.matches.workers import exit_with_parent, submit, worker_processes

PER_EDITION = 1_000  # decisions per case when many generated editions are played
AHEAD = 4  # cases queued per process, so that none is idle


@dataclass(frozen=True)
class Plan:
    """The plan of a run. The same seed gives the same cases, with any number of processes."""

    decisions: int | None = None  # total; None: until the time limit
    seed: int = 1
    minutes: float | None = None
    jobs: int = 1
    first: int = 0  # number of the first case
    # play only these generated editions, one per case; None: all editions
    generated: Spec | None = None

    @property
    def per_case(self) -> int:
        """Decisions per case."""
        return PER_CASE if self.generated is None else PER_EDITION

    def cases(self) -> Iterator[Case]:
        """Yield the cases in order; the last one may be shorter."""
        left = self.decisions
        for number in count(self.first):
            decisions = self.per_case if left is None else min(self.per_case, left)
            if decisions <= 0:
                return
            yield Case(number, draw(self.seed, number, self.generated), decisions)
            left = None if left is None else left - decisions


@dataclass
class Outcome:
    """The result of a run."""

    plan: Plan
    seen: Seen = field(default_factory=Seen)  # totals of the cases before the failure
    failure: Failure | None = None
    seconds: float = 0.0
    interrupted: bool = False


class Tally:
    """Sums up cases in order of their numbers, whatever the order in which they finish.

    The sum is replaced atomically, so an interrupt leaves a sum of whole cases.
    """

    def __init__(self, first: int, seen: Seen | None = None) -> None:
        self.seen = Seen() if seen is None else seen  # totals of all cases before ``next``
        self.later: dict[int, Seen] = {}  # finished cases after one that is still running
        self._ahead = first - self.seen.cases

    @property
    def next(self) -> int:
        """The number of the first case that is not in the sum."""
        return self._ahead + self.seen.cases

    def add(self, number: int, seen: Seen) -> None:
        """Add a finished case."""
        self.later[number] = seen
        while (following := self.later.get(self.next)) is not None:
            self.seen = total([self.seen, following])
            del self.later[self.next - 1]

    def everything(self) -> Seen:
        """Return the sum including finished cases beyond ``next``."""
        later = [seen for number, seen in self.later.items() if number >= self.next]
        return total([self.seen, *later])


def total(parts: Iterable[Seen]) -> Seen:
    """Return the sum of several results; they are not changed."""
    found = Seen()
    for seen in parts:
        found.add(seen)
    return found


def fuzz(plan: Plan, progress: Progress | None = None, kept: KeptRun | None = None) -> Outcome:
    """Run a plan's cases until they end, the time is over, or one fails.

    An interrupt also ends the run, with the results so far. If several cases fail at once, the
    first by number is reported, so that the result does not depend on the number of processes.

    ``kept`` is a saved run that these cases continue; its progress is saved along the way, and the
    result includes what was there before.

    Raises: InputError for invalid minutes, or if a process dies.
    """
    check_minutes(plan.minutes)
    shown, began = progress or NoProgress(), time.perf_counter()
    deadline = None if plan.minutes is None else time.monotonic() + 60 * plan.minutes
    shown.stage("fuzzing")
    tally = Tally(plan.first, None if kept is None else kept.seen)
    outcome, before = Outcome(plan), 0.0 if kept is None else kept.seconds
    written, done = tally.next, 0
    failed: Failure | None = None
    try:
        for number, result in results(until(plan.cases(), deadline), plan.jobs):
            if isinstance(result, Failure):
                failed = result if failed is None or number < failed.case.number else failed
                continue
            tally.add(number, result)
            seconds = time.perf_counter() - began
            if kept is not None and tally.next - written >= EVERY:
                kept.save(tally.seen, before + seconds)
                written = tally.next
            done += result.decisions
            share = progress_of(plan, done, seconds)
            shown.update(share, speed_and_time_left(share, done, "decisions", seconds))
    except KeyboardInterrupt:
        outcome.interrupted = True
    outcome.failure, outcome.seconds = failed, before + time.perf_counter() - began
    outcome.seen = tally.seen if failed is not None or kept is not None else tally.everything()
    if kept is not None:
        kept.save(tally.seen, outcome.seconds)
    return outcome


def check_minutes(minutes: float | None) -> None:
    """Raise an InputError for invalid minutes."""
    if minutes is not None and not 0 < minutes < float("inf"):
        InputError.at("minutes").fail(f"must be more than 0 and finite, not {minutes}")


def progress_of(plan: Plan, decisions: int, seconds: float) -> float:
    """Return the completed fraction of a plan, 0 to 1."""
    by_decisions = 0.0 if plan.decisions is None else decisions / plan.decisions
    by_time = 0.0 if plan.minutes is None else seconds / (60 * plan.minutes)
    return min(max(by_decisions, by_time), 1.0)


def until(cases: Iterable[Case], deadline: float | None) -> Iterator[Case]:
    """Yield cases until the deadline; at least one."""
    for number, case in enumerate(cases):
        if number and deadline is not None and time.monotonic() >= deadline:
            return
        yield case


def results(cases: Iterator[Case], jobs: int) -> Iterator[tuple[int, Seen | Failure]]:
    """Yield each case's result when it is ready; start no more cases after a failure.

    With several processes, the first case runs in this one, so that code is compiled only once.
    """
    for case in islice(cases, 1 if jobs > 1 else None):
        result = play_case(case)
        yield case.number, result
        if isinstance(result, Failure):
            return
    if jobs > 1:
        yield from results_from_elsewhere(cases, jobs)


def results_from_elsewhere(
    cases: Iterator[Case], jobs: int
) -> Iterator[tuple[int, Seen | Failure]]:
    """Yield results from worker processes."""
    first = list(islice(cases, jobs * AHEAD))
    if not first:
        return
    with worker_processes(min(jobs, len(first)), exit_with_parent) as pool:
        running: dict[Future[Seen | Failure], int] = {
            submit(pool, play_case, case): case.number for case in first
        }
        failed = False
        while running:
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                number, result = running.pop(future), future.result()
                failed = failed or isinstance(result, Failure)
                for case in () if failed else islice(cases, 1):
                    running[submit(pool, play_case, case)] = case.number
                yield number, result
