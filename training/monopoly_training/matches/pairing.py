"""Pairing of bots at tables for each tournament format. A table is a tuple of bot numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

Table = tuple[int, ...]

FORMATS = ("table", "round_robin", "gauntlet", "paired", "swiss")
MOST_TABLES = 100_000


def fixed_tables(form: str, bots: int, seats: int) -> list[Table]:
    """Return the tables of a format whose pairings do not depend on results; each plays every seed.

    ``table``: all bots at one. ``round_robin``: every choice of ``seats`` bots. ``gauntlet``: the
    first bot with every choice of the others. ``paired``: all others with the first bot, and again
    with the second in its place.
    """
    if form == "table":
        return [tuple(range(bots))]
    if form == "round_robin":
        return list(combinations(range(bots), seats))
    if form == "paired":
        return [(first, *range(2, bots)) for first in (0, 1)]
    return [(0, *others) for others in combinations(range(1, bots), seats - 1)]


def count_tables(form: str, bots: int, seats: int) -> int:
    """Return the number of tables per round."""
    if form == "table":
        return 1
    if form == "round_robin":
        return comb(bots, seats)
    if form == "paired":
        return 2
    return comb(bots - 1, seats - 1) if form == "gauntlet" else bots // seats


class Swiss:
    """Swiss pairing: bots with similar standings meet, preferring those who have met least.

    If the bots do not fill the tables, some sit out a round: those with the most rounds played, and
    of these the lowest placed. Sitting out scores nothing, because standings go by win rate.
    """

    def __init__(self, bots: int, seats: int) -> None:
        self.bots, self.seats = bots, seats
        self.met = np.zeros((bots, bots), np.int64)  # rounds in which two bots sat at one table
        self.rounds = np.zeros(bots, np.int64)  # rounds that a bot has played

    def pair(self, rates: npt.NDArray[np.float64]) -> list[Table]:
        """Return the tables of the next round, given each bot's win rate so far."""
        order = sorted(range(self.bots), key=lambda bot: (-rates[bot], bot))
        waiting = self._playing(order)
        tables: list[Table] = []
        while waiting:
            table = [waiting.pop(0)]
            while len(table) < self.seats:
                table.append(waiting.pop(self._least_met(table, waiting)))
            tables.append(tuple(sorted(table)))
        for one in tables:
            self._note(one)
        return tables

    def _playing(self, order: Sequence[int]) -> list[int]:
        """Return the bots that play in this round, best first."""
        spare = self.bots % self.seats
        places = {bot: place for place, bot in enumerate(order)}
        resting = sorted(order, key=lambda bot: (-self.rounds[bot], -places[bot]))[:spare]
        return [bot for bot in order if bot not in resting]

    def _least_met(self, table: Sequence[int], waiting: Sequence[int]) -> int:
        """Return the position in ``waiting`` of the bot that has met the table least.

        Ties go to the best.
        """
        met = [int(self.met[bot, table].sum()) for bot in waiting]
        return met.index(min(met))

    def _note(self, table: Table) -> None:
        self.rounds[list(table)] += 1
        for one, other in combinations(table, 2):
            self.met[one, other] += 1
            self.met[other, one] += 1
