"""How one game went, in plain numbers that travel between processes and into files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from monopoly_training.matches.compiled_loop import Uint16s

FAULTS = ("illegal", "timed_out", "crashed")
NO_FAULTS = (0, 0, 0)


@dataclass(frozen=True, eq=False)
class Outcome:
    """One game that is over; what has several numbers has one a seat."""

    ranks: tuple[int, ...]  # 1 is best, ties share a place
    worth: tuple[int, ...]  # dollars: cash, deeds, buildings
    turns: int  # player turns
    decisions: int  # actions of all players, forced ones too
    truncated: bool  # a limit ended the game, standings decided it
    faults: tuple[tuple[int, ...], ...]  # answers that a rule settled, in the order of FAULTS
    asked: tuple[int, ...]  # decisions that Python asked the seat for
    seconds: tuple[float, ...]  # what those took
    wall: float  # seconds of the whole game; 0: not known, it was played beside others
    actions: Uint16s | None = None  # every action by id, if they were to be kept

    def as_row(self) -> list[Any]:
        """For the ledger, without the actions. What is zero in most games is short."""
        return [
            self.ranks,
            self.worth,
            self.turns,
            self.decisions,
            int(self.truncated),
            self.faults if any(map(any, self.faults)) else 0,
            self.asked if any(self.asked) else 0,
            [round(seconds, 6) for seconds in self.seconds] if any(self.asked) else 0,
            round(self.wall, 6),
        ]

    @classmethod
    def from_row(cls, row: list[Any]) -> Outcome:
        """The way back."""
        ranks, worth, turns, decisions, truncated, faults, asked, seconds, wall = row
        seats = len(ranks)
        return cls(
            ranks=tuple(ranks),
            worth=tuple(worth),
            turns=turns,
            decisions=decisions,
            truncated=bool(truncated),
            faults=tuple(map(tuple, faults or [NO_FAULTS] * seats)),
            asked=tuple(asked or [0] * seats),
            seconds=tuple(seconds or [0.0] * seats),
            wall=wall,
        )
