"""A fuzz run: cases one after another or in several processes, until enough or the first failure."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from itertools import count, islice

from monopoly_env.errors import InputError
from monopoly_training.common.progress import NoProgress, Progress, speed_and_time_left
from monopoly_training.fuzz.cases import PER_CASE, Case, Failure, Seen, play_case
from monopoly_training.fuzz.settings import draw
from monopoly_training.matches.workers import live_with_parent, submit, worker_processes

AHEAD = 4  # cases that wait for each process, so that it is never idle


@dataclass(frozen=True)
class Plan:
    """What is fuzzed. The same seed, the same cases, in however many processes."""

    decisions: int | None = None  # in all; None: until the time is over
    seed: int = 1
    minutes: float | None = None
    jobs: int = 1
    first: int = 0  # number of the first case

    def cases(self) -> Iterator[Case]:
        """The cases, one after the other; the last one may be shorter."""
        left = self.decisions
        for number in count(self.first):
            decisions = PER_CASE if left is None else min(PER_CASE, left)
            if decisions <= 0:
                return
            yield Case(number, draw(self.seed, number), decisions)
            left = None if left is None else left - decisions


@dataclass
class Outcome:
    """What a run has come to."""

    plan: Plan
    seen: Seen = field(default_factory=Seen)  # of the cases before the failure
    failure: Failure | None = None
    seconds: float = 0.0
    interrupted: bool = False


def fuzz(plan: Plan, progress: Progress | None = None) -> Outcome:
    """Play a plan's cases until there are no more, the time is over, or one fails.

    An interrupt ends it, too; what was done until then is told. Of several cases that fail at a
    time the first by number is told, so that it does not matter how many processes play.

    Raises: InputError for minutes that do not fit, or if a process dies.
    """
    if plan.minutes is not None and not 0 < plan.minutes < float("inf"):
        InputError.at("minutes").fail(f"must be more than 0 and finite, not {plan.minutes}")
    shown, began = progress or NoProgress(), time.perf_counter()
    deadline = None if plan.minutes is None else time.monotonic() + 60 * plan.minutes
    shown.stage("fuzzing")
    done: dict[int, Seen] = {}
    outcome, decisions = Outcome(plan), 0
    failed: Failure | None = None
    try:
        for number, result in results(until(plan.cases(), deadline), plan.jobs):
            if isinstance(result, Failure):
                failed = result if failed is None or number < failed.case.number else failed
                continue
            done[number] = result
            decisions += result.decisions
            seconds = time.perf_counter() - began
            share = progress_of(plan, decisions, seconds)
            shown.update(share, speed_and_time_left(share, decisions, "decisions", seconds))
    except KeyboardInterrupt:
        outcome.interrupted = True
    outcome.failure = failed
    for number in sorted(done):
        if failed is None or number < failed.case.number:
            outcome.seen.add(done[number])
    outcome.seconds = time.perf_counter() - began
    return outcome


def progress_of(plan: Plan, decisions: int, seconds: float) -> float:
    """How much of a plan is done, 0 to 1."""
    by_decisions = 0.0 if plan.decisions is None else decisions / plan.decisions
    by_time = 0.0 if plan.minutes is None else seconds / (60 * plan.minutes)
    return min(max(by_decisions, by_time), 1.0)


def until(cases: Iterable[Case], deadline: float | None) -> Iterator[Case]:
    """The cases that can be begun in time; one at least."""
    for number, case in enumerate(cases):
        if number and deadline is not None and time.monotonic() >= deadline:
            return
        yield case


def results(cases: Iterator[Case], jobs: int) -> Iterator[tuple[int, Seen | Failure]]:
    """The outcome of each case as it is known; after a failure no more are begun.

    The first is played here in any case: whatever has to be compiled is then compiled once.
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
    """The same from processes of their own."""
    first = list(islice(cases, jobs * AHEAD))
    if not first:
        return
    with worker_processes(min(jobs, len(first)), live_with_parent) as pool:
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
