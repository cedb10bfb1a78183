"""Maximum-likelihood fit of the Plackett-Luce model of rankings; the order of games is irrelevant.

Each bot has a worth. First place goes to a bot of the table with probability proportional to its
worth, second place likewise among the rest, and so on. Tied bots are treated as ranked in every
order with equal frequency: the log likelihood is the mean over these orders.

Each bot also gets half a win and half a loss against a dummy player of worth 1, so that bots that
won or lost every game still have a finite worth.

Sources: R. Plackett, The Analysis of Permutations, Applied Statistics 24 (1975). H. Turner, J. van
Etten, D. Firth, I. Kosmidis, Modelling rankings in R: the PlackettLuce package, Computational
Statistics 35 (2020), section 2.3 on pseudo-rankings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from monopoly_env.engine.state import Int64s
from monopoly_training.stats.bootstrap import Float64s

PRIOR = 0.5  # wins, and losses, of each bot against the dummy player of worth 1
UNITS = 840  # counts are multiples of 1 / UNITS, so that sums are exact in any order
MOST_STEPS = 100  # of Newton's method; it takes five to ten
TOLERANCE = 1e-6  # on the last step, in log worths; the remaining error is about its square
ROUNDING = 1e-12  # relative decrease of the log likelihood that is accepted as rounding error


@dataclass(frozen=True)
class Choices:
    """Rankings decomposed into choices, independent of the order of the games.

    A choice is the selection of one bot from a set for the next place. A pattern is a distinct
    result of a table's game; it has one choice per place, or more if there are ties.
    """

    bots: int
    pattern: Int64s  # [G]: pattern of each game
    members: Int64s  # [K, S]: the bots of each choice, padded with ``bots``
    choice: Int64s  # [N]: choice ids; parallel to the next two arrays
    choice_pattern: Int64s  # [N]: pattern to which the choice belongs
    choice_count: Float64s  # [N]: how often it occurs in a game of that pattern, in UNITS
    placed: Float64s  # [patterns, bots]: how often a bot was placed in a game

    @classmethod
    def of(cls, bots: int, seating: Int64s, ranks: Int64s, wins_only: bool = False) -> Choices:
        """Decompose G games with seating and ranks int[G, S] into choices.

        Rank 1 is best; 0 is an empty seat. With ``wins_only``, only the first place counts, and the
        order of the others is ignored.
        """
        order = np.lexsort((seating, ranks), axis=1)
        key = np.stack(
            [np.take_along_axis(array, order, axis=1) for array in (seating, ranks)], axis=1
        )
        patterns, pattern = np.unique(
            key.reshape(len(key), -1).astype(np.int64), axis=0, return_inverse=True
        )
        rows = patterns.reshape(len(patterns), 2, -1)
        found: dict[tuple[int, ...], int] = {}
        entries = [
            (found.setdefault(members, len(found)), number, count)
            for number, (placed, places) in enumerate(rows.tolist())
            for members, count in choices_of(placed, places, wins_only)
        ]
        members = np.full((max(len(found), 1), seating.shape[1]), bots, np.int64)
        for row, one in zip(members, found, strict=False):
            row[: len(one)] = one
        choice, choice_pattern, count = np.array(entries, np.int64).reshape(-1, 3).T
        counted = rows[:, 1] == 1 if wins_only else rows[:, 1] > 0
        flat = (np.arange(len(rows))[:, None] * bots + rows[:, 0])[counted]
        placed = np.bincount(flat, minlength=len(rows) * bots).reshape(len(rows), bots)
        return cls(
            bots=bots,
            pattern=pattern.reshape(-1).astype(np.int64),
            members=members,
            choice=choice,
            choice_pattern=choice_pattern,
            choice_count=count.astype(np.float64),
            placed=placed.astype(np.float64),
        )

    def log_worths(
        self, weights: Float64s | None = None, start: Float64s | None = None
    ) -> Float64s:
        """Return the maximum-likelihood log worths, float64[bots].

        Args:
            weights: how often each game counts, whole numbers, float64[G]; None: once each.
            start: initial log worths.
        """
        times = np.bincount(self.pattern, weights, len(self.placed))
        wins = times @ self.placed
        counts = np.bincount(
            self.choice, self.choice_count * times[self.choice_pattern], len(self.members)
        )
        worths = np.zeros(self.bots) if start is None else start.copy()
        value, gradient, curvature = self._likelihood(worths, wins, counts / UNITS)
        for _ in range(MOST_STEPS):
            step, before = np.linalg.solve(curvature, gradient), value
            scale, least = 1.0, before - ROUNDING * abs(before)
            value, gradient, curvature = self._likelihood(worths + step, wins, counts / UNITS)
            while value < least:
                scale /= 2
                value, gradient, curvature = self._likelihood(
                    worths + scale * step, wins, counts / UNITS
                )
            worths = worths + scale * step
            if np.abs(step).max() < TOLERANCE:
                break
        return worths

    def _likelihood(
        self, worths: Float64s, wins: Float64s, counts: Float64s
    ) -> tuple[float, Float64s, Float64s]:
        """Return the log likelihood, its gradient and its negated Hessian."""
        bots, members = self.bots, self.members
        top = worths.max()
        exps = np.append(np.exp(worths - top), 0.0)[members]
        sums = exps.sum(axis=1)
        shares = exps / sums[:, None]
        expected = np.bincount(members.ravel(), (counts[:, None] * shares).ravel(), bots + 1)[:bots]
        pairs = counts[:, None, None] * shares[:, :, None] * shares[:, None, :]
        at = members[:, :, None] * (bots + 1) + members[:, None, :]
        both = np.bincount(at.ravel(), pairs.ravel(), (bots + 1) ** 2).astype(np.float64)
        curvature: Float64s = -both.reshape(bots + 1, bots + 1)[:bots, :bots]
        against = 1 / (1 + np.exp(-worths))  # probability of losing to the dummy player
        diagonal = np.einsum("ii->i", curvature)
        diagonal += expected + 2 * PRIOR * against * (1 - against)
        value = wins @ worths - counts @ (np.log(sums) + top)
        value += PRIOR * float(np.sum(np.log(against) + np.log1p(-against)))
        return float(value), wins - expected + PRIOR * (1 - 2 * against), curvature


def choices_of(
    placed: list[int], places: list[int], wins_only: bool = False
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the choices of a ranking, each with its count in UNITS.

    ``placed`` are the bots, best first, and ``places`` their ranks; 0 is an empty seat. If k bots
    are tied, each choice among m of them and all lower-ranked bots occurs in one of comb(k, m)
    orders.
    """
    for place in [1] if wins_only else dict.fromkeys(filter(None, places)):
        tied = [bot for bot, rank in zip(placed, places, strict=True) if rank == place]
        after = [bot for bot, rank in zip(placed, places, strict=True) if rank > place]
        for size in range(1, len(tied) + 1):
            for some in combinations(tied, size):
                yield tuple(sorted([*some, *after])), UNITS // comb(len(tied), size)


def components(bots: int, seating: Int64s, ranks: Int64s) -> list[list[int]]:
    """Return groups of bots connected by games, each sorted.

    Ratings compare only within a group.
    """
    seating = np.where(
        ranks > 0, seating, seating[np.arange(len(seating)), ranks.argmax(axis=1)][:, None]
    )
    group = np.arange(bots)
    for table in np.unique(np.sort(seating, axis=1), axis=0):
        first = group[table].min()
        group[np.isin(group, group[table])] = first
    return [np.flatnonzero(group == one).tolist() for one in np.unique(group)]
