"""The outcome of one game as plain numbers, for other processes and for files."""

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
    """The outcome of a finished game; tuples have one entry per seat."""

    ranks: tuple[int, ...]  # 1 is best, ties share a rank
    worth: tuple[int, ...]  # dollars: cash, deeds, buildings
    turns: int  # player turns
    decisions: int  # actions of all players, including forced ones
    truncated: bool  # whether a limit ended the game; standings then decided it
    # per seat, faults settled by the fallback rule, in the order of FAULTS
    faults: tuple[tuple[int, ...], ...]
    timed_decisions: tuple[int, ...]  # timed decisions, of bots in Python only
    seconds: tuple[float, ...]  # time spent on them
    wall: float  # seconds of the whole game; 0 if unknown because games were played in parallel
    actions: Uint16s | None = None  # every action id, if they were kept
    behavior: Float64s | None = None  # [seats, COLUMNS], if measured
    luck: tuple[float, ...] | None = None  # in win probability, if measured

    def as_row(self) -> list[Any]:
        """Return the row of the ledger, without the actions.

        Fields that are usually zero are shortened. Luck comes last, and only in tournaments that
        measure it.
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
        """Build the outcome from a row of the ledger, without its actions."""
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
    """Round a number to the precision of the ledger, as an int if it is whole."""
    return int(number) if number == int(number) else round(number, ROUNDING)
