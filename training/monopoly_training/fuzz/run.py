"""A fuzz run: cases one after another or in several processes, until enough or the first failure."""

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
from monopoly_training.fuzz.kept_run import EVERY, KeptRun
from monopoly_training.fuzz.settings import draw
from monopoly_training.matches.workers import live_with_parent, submit, worker_processes

PER_EDITION = 1_000  # decisions in each of many generated editions
AHEAD = 4  # cases that wait for each process, so that it is never idle


@dataclass(frozen=True)
class Plan:
    """What is fuzzed. The same seed, the same cases, in however many processes."""

    decisions: int | None = None  # in all; None: until the time is over
    seed: int = 1
    minutes: float | None = None
    jobs: int = 1
    first: int = 0  # number of the first case
    generated: Spec | None = None  # the editions that are played, one a case; None: all kinds

    @property
    def per_case(self) -> int:
        """Decisions of a case."""
        return PER_CASE if self.generated is None else PER_EDITION

    def cases(self) -> Iterator[Case]:
        """The cases, one after the other; the last one may be shorter."""
        left = self.decisions
        for number in count(self.first):
            decisions = self.per_case if left is None else min(self.per_case, left)
            if decisions <= 0:
                return
            yield Case(number, draw(self.seed, number, self.generated), decisions)
            left = None if left is None else left - decisions


@dataclass
class Outcome:
    """What a run has come to."""

    plan: Plan
    seen: Seen = field(default_factory=Seen)  # of the cases before the failure
    failure: Failure | None = None
    seconds: float = 0.0
    interrupted: bool = False


class Tally:
    """Adds up cases by number, whatever the order in which they are over.

    An interrupt at any moment leaves a sum of whole cases: it is replaced in one go.
    """

    def __init__(self, first: int, seen: Seen | None = None) -> None:
        self.seen = Seen() if seen is None else seen  # of all cases before ``next``
        self.later: dict[int, Seen] = {}  # of cases after one that is still played
        self._ahead = first - self.seen.cases

    @property
    def next(self) -> int:
        """The number of the first case that is not in the sum."""
        return self._ahead + self.seen.cases

    def add(self, number: int, seen: Seen) -> None:
        """A case is over."""
        self.later[number] = seen
        while (following := self.later.get(self.next)) is not None:
            self.seen = total([self.seen, following])
            del self.later[self.next - 1]

    def everything(self) -> Seen:
        """The sum, and the cases after it that are over, too."""
        later = [seen for number, seen in self.later.items() if number >= self.next]
        return total([self.seen, *later])


def total(parts: Iterable[Seen]) -> Seen:
    """What all of these have seen together; they stay as they are."""
    found = Seen()
    for seen in parts:
        found.add(seen)
    return found


def fuzz(plan: Plan, progress: Progress | None = None, kept: KeptRun | None = None) -> Outcome:
    """Play a plan's cases until there are no more, the time is over, or one fails.

    An interrupt ends it, too; what was done until then is told. Of several cases that fail at a
    time the first by number is told, so that it does not matter how many processes play.

    ``kept`` is a run that these cases go on with: what it comes to is written down on the way, and
    told with what was there before.

    Raises: InputError for minutes that do not fit, or if a process dies.
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
    """Raise the InputError for minutes that do not fit."""
    if minutes is not None and not 0 < minutes < float("inf"):
        InputError.at("minutes").fail(f"must be more than 0 and finite, not {minutes}")


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
