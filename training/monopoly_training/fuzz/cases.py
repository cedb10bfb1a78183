"""Play one fuzz case: a number of checked decisions under one setting."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from monopoly_env.compiler.records import copy_records
from monopoly_env.encoding.blocks import labels
from monopoly_env.engine.actions import TEXTS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.state import Uint16s, new_games
from monopoly_env.position.public_state import unsound_text
from monopoly_training.fuzz.bookkeeping import new_books
from monopoly_training.fuzz.checks import COUNTS, Fault, new_desk
from monopoly_training.fuzz.kernel import follow, new_run, play, start_over
from monopoly_training.fuzz.samples import CHECKS, Sample, check_sample, problem_of
from monopoly_training.fuzz.settings import Setting
from monopoly_training.fuzz.styles import weights

PER_CASE = 20_000  # decisions per case; one position per case is sampled for the slow checks

# For tests: corrupts the game after each decision; receives the game and its number of decisions
Spoiler = Callable[[Any, int], None]


@dataclass(frozen=True)
class Case:
    """A fuzz case: its number, its setting and its number of decisions."""

    number: int
    setting: Setting
    decisions: int


@dataclass(frozen=True)
class Failure:
    """A fault, with the shortest known sequence of actions that leads to it."""

    case: Case
    fault: Fault
    detail: str
    start: Any = field(repr=False)  # the position its game began with: an array of one GAME record
    # actions since then; the last one leads to the fault
    actions: tuple[int, ...] = field(repr=False)
    taken: int = 0  # number of actions in the game when the fault was found
    repeats: bool = True  # whether replaying the actions reproduces the fault


@dataclass
class Seen:
    """What was played and covered, summed over cases."""

    cases: int = 0
    games: int = 0
    decisions: int = 0
    counts: dict[str, Any] = field(default_factory=dict)

    def add(self, other: Seen) -> None:
        """Add another sum."""
        self.cases += other.cases
        self.games += other.games
        self.decisions += other.decisions
        for name, row in other.counts.items():
            self.counts[name] = self.counts.get(name, 0) + row


class Table:
    """A game in progress with its books and the working memory of the checks."""

    def __init__(self, case: Case, spoiler: Spoiler | None = None) -> None:
        setting = case.setting
        self.case, self.edition, self.spoiler = case, setting.load(), spoiler
        self.games = new_games(2)  # the current position, and the one with which the game began
        self.journals, self.books, self.desk = new_journals(1), new_books(), new_desk()
        self.run = new_run(setting.seed, setting.players, setting.riches, setting.groups)
        self.liking = weights(setting.style)
        self.actions = np.zeros(case.decisions + 1, np.uint16)

    def play(self, decisions: int) -> int:
        """Continue the run.

        Return the number of decisions taken, which is smaller after a fault.
        """
        taken = 0
        while taken < decisions and self.fault is Fault.NONE:
            taken += play(
                self.games, self.edition.rules, self.journals, self.books, self.desk, self.run,
                self.liking, self.actions, decisions - taken if self.spoiler is None else 1,
            )  # fmt: skip
            self.spoil()
        return taken

    def spoil(self) -> None:
        """Corrupt the game if a test asks for it."""
        if self.spoiler is not None:
            self.spoiler(self.games[0], int(self.run["length"][0]))

    def follow(self, start: Any, actions: Sequence[int]) -> int:
        """Replay actions from a position with all checks; return the number taken up to a fault."""
        self.games[1] = start[0]
        start_over(self.games, self.books)
        steps = np.array(actions, np.uint16)
        if self.spoiler is None:
            return self._follow(steps)
        for taken in range(len(steps) + 1):
            more = self._follow(steps[taken : taken + 1])
            if self.fault is not Fault.NONE:
                return taken + more
            self.run["length"] = taken + 1
            self.spoil()
        return len(steps)

    def _follow(self, steps: Uint16s) -> int:
        return follow(
            self.games, self.edition.rules, self.journals, self.books, self.desk, steps, self.run
        )

    @property
    def fault(self) -> Fault:
        """The fault found."""
        return Fault(int(self.run["fault"][0]))

    @property
    def detail(self) -> int:
        """A number that details the fault."""
        return int(self.desk["detail"][0])

    @property
    def history(self) -> tuple[int, ...]:
        """The actions of the current game."""
        return tuple(self.actions[: int(self.run["length"][0])].tolist())

    def sample(self, actions: Sequence[int]) -> Sample:
        """Return the current position, reached by these actions, for the slow checks."""
        start, game = (copy_records(self.games[index : index + 1]) for index in (1, 0))
        return Sample(start, game, self.edition, actions)

    def seen(self, decisions: int) -> Seen:
        """Return what this table has played and covered."""
        counts = {name: self.desk[name][0].copy() for name in COUNTS}
        return Seen(1, int(self.run["games"][0]), decisions, counts)


def play_case(case: Case, spoiler: Spoiler | None = None) -> Seen | Failure:
    """Play a case to its end or to its first fault."""
    table = Table(case, spoiler)
    stop = random.Random(case.setting.seed).randint(1, case.decisions)
    taken = table.play(stop)
    if table.fault is Fault.NONE:
        fault, problem = check_sample(table.sample(table.history))
        if fault is not Fault.NONE:
            return shortest(table, fault, problem)
        taken += table.play(case.decisions - stop)
    if table.fault is not Fault.NONE:
        return shortest(table, table.fault, in_words(table.fault, table.detail))
    return table.seen(taken)


def shortest(table: Table, fault: Fault, problem: str) -> Failure:
    """Find the shortest prefix of the actions that leads to a fault, by replaying them."""
    case, start, actions = table.case, copy_records(table.games[1:2]), table.history
    again = Table(case, table.spoiler)
    length = again.follow(start, actions)
    if again.fault is not Fault.NONE:
        detail = in_words(again.fault, again.detail)
        return Failure(case, again.fault, detail, start, actions[:length], len(actions))
    if fault in CHECKS:
        for length in lengths_to_try(again, fault, start, actions):
            if problem := problem_after(again, fault, start, actions[:length]):
                return Failure(case, fault, problem, start, actions[:length], len(actions))
    return Failure(case, fault, problem, start, actions, len(actions), repeats=False)


def lengths_to_try(table: Table, fault: Fault, start: Any, actions: Sequence[int]) -> Iterator[int]:
    """Yield prefix lengths that may be the shortest.

    A broken record stays broken and is slow to replay, so a binary search is used for it.
    """
    if fault is not Fault.RECORD:
        yield from range(len(actions) + 1)
        return
    sound, broken = -1, len(actions)
    while broken - sound > 1:
        middle = (sound + broken) // 2
        if problem_after(table, fault, start, actions[:middle]):
            broken = middle
        else:
            sound = middle
    yield broken


def problem_after(table: Table, fault: Fault, start: Any, actions: Sequence[int]) -> str:
    """Return what a sampled check finds after these actions."""
    table.follow(start, actions)
    return problem_of(fault, table.sample(actions))


def in_words(fault: Fault, detail: int) -> str:
    """Return the meaning of the number that details a fault."""
    if fault is Fault.STATUS:
        return unsound_text(detail)
    if fault in (Fault.MASK, Fault.MASK_BYTES):
        return TEXTS[detail]
    if fault is Fault.RAISABLE:
        return f"${abs(detail):,} {'more' if detail > 0 else 'less'}"
    return labels()[detail] if fault is Fault.OBSERVATION else ""
