"""How one game went, in plain numbers that travel between processes and into files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from monopoly_env.engine.state import Float64s, Uint16s
from monopoly_training.behavior.figures import ROUNDING

FAULTS = ("illegal", "timed_out", "crashed")
NO_FAULTS = (0, 0, 0)


@dataclass(frozen=True, eq=False)
class Outcome:
    """One game that is over; what has several numbers has one a seat."""

    ranks: tuple[int, ...]  # 1 is best, ties share a rank
    worth: tuple[int, ...]  # dollars: cash, deeds, buildings
    turns: int  # player turns
    decisions: int  # actions of all players, forced ones too
    truncated: bool  # a limit ended the game, standings decided it
    faults: tuple[tuple[int, ...], ...]  # answers that a rule settled, in the order of FAULTS
    timed_decisions: tuple[int, ...]  # decisions of the seat whose time was taken: those in Python
    seconds: tuple[float, ...]  # what those took
    wall: float  # seconds of the whole game; 0: not known, it was played beside others
    actions: Uint16s | None = None  # every action by id, if they were to be kept
    behavior: Float64s | None = None  # [seats, COLUMNS], if it was to be measured
    luck: tuple[float, ...] | None = None  # in chances to win, if it was taken out

    def as_row(self) -> list[Any]:
        """For the ledger, without the actions. What is zero in most games is short.

        Luck comes last, in tournaments that take it out.
        """
        return [
            self.ranks,
            self.worth,
            self.turns,
            self.decisions,
            int(self.truncated),
            self.faults if any(map(any, self.faults)) else 0,
            self.timed_decisions if any(self.timed_decisions) else 0,
            [round(seconds, 6) for seconds in self.seconds] if any(self.timed_decisions) else 0,
            round(self.wall, 6),
            0
            if self.behavior is None
            else [list(map(short, row)) for row in self.behavior.tolist()],
            *([] if self.luck is None else [[round(luck, 6) for luck in self.luck]]),
        ]

    @classmethod
    def from_row(cls, row: list[Any]) -> Outcome:
        """The outcome of a row of the ledger, without its actions."""
        ranks, worth, turns, decisions, truncated, faults, timed, seconds, wall, behavior, *luck = (
            row
        )
        seats = len(ranks)
        return cls(
            ranks=tuple(ranks),
            worth=tuple(worth),
            turns=turns,
            decisions=decisions,
            truncated=bool(truncated),
            faults=tuple(map(tuple, faults or [NO_FAULTS] * seats)),
            timed_decisions=tuple(timed or [0] * seats),
            seconds=tuple(seconds or [0.0] * seats),
            wall=wall,
            behavior=np.array(behavior, np.float64) if behavior else None,
            luck=tuple(map(float, luck[0])) if luck else None,
        )


def short(number: float) -> float:
    """A number with as few characters as a ledger needs for it."""
    return int(number) if number == int(number) else round(number, ROUNDING)
