"""Relations between all pairs of bots: ratings, pairwise shares, Nash averaging and cycles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_training.stats.bootstrap import LEVEL, Float64s, Interval
from monopoly_training.stats.nash import nash_mixture, shortest_cycles, skills, weakest_link
from monopoly_training.stats.ratings import (
    SEED,
    Against,
    RankedGames,
    Rating,
    head_to_head,
    pair_sums,
    rate_with_draws,
)

DRAWS = 100  # bootstrap draws of Nash averaging; each computes an equilibrium
MOST_BOTS = 60  # the most for which intervals of Nash skills are computed
DRAWN = {"coolest": 1e-4, "cooling": 0.4}  # lower accuracy suffices for the draws


@dataclass(frozen=True)
class Place:
    """The results of one bot among all."""

    bot: str
    games: int
    rating: Rating
    nash_weight: float  # in the equilibrium mixture, which no bot beats
    nash_skill: float  # share of games ahead of the mixture, minus one half; at most 0
    nash_skill_ci95: Interval | None  # bootstrap over seeds


@dataclass(frozen=True)
class Cycle:
    """Bots of which each finishes ahead of the next significantly more often than not."""

    bots: tuple[str, ...]
    weakest: float  # the smallest of these shares


@dataclass(frozen=True)
class WhoBeatsWhom:
    """The relations between all pairs of bots."""

    anchor: str  # the bot whose rating is 0
    # best first, by Nash skill; ties, such as bots in the mixture, by name
    places: tuple[Place, ...]
    against: tuple[tuple[Against, ...], ...]  # in the order of ``places``
    cycles: tuple[Cycle, ...]  # shortest first

    def as_json(self) -> dict[str, Any]:
        """Return the keys that ``ratings --json`` prints."""
        names = [place.bot for place in self.places]
        return {
            "anchor": self.anchor,
            "bots": [asdict(place) for place in self.places],
            "head_to_head": [
                {"agent": names[row], "against": names[column], **asdict(cell)}
                for row, cells in enumerate(self.against)
                for column, cell in enumerate(cells)
                if row != column
            ],
            "cycles": [asdict(cycle) for cycle in self.cycles],
        }


def who_beats_whom(names: Sequence[str], games: RankedGames, anchor: int = 0) -> WhoBeatsWhom:
    """Compute all relations from the games; ``names`` are by line-up number.

    In Nash averaging, a pair that has not met uses the share predicted by the Plackett-Luce fit.
    """
    ratings, worths = rate_with_draws(games, anchor)
    ahead, met = pair_sums(games)
    shares = pair_shares(ahead.sum(axis=0), met.sum(axis=0), worths[0])
    mixture = nash_mixture(shares - 0.5)
    skill = np.minimum(skills(shares - 0.5, mixture), 0.0)
    cells = head_to_head(games)
    counts = np.bincount(games.seating[games.ranks > 0], minlength=games.bots)
    ends = skill_intervals(ahead, met, worths[1:])
    order = sorted(range(games.bots), key=lambda bot: (-round(float(skill[bot]), 4), names[bot]))
    return WhoBeatsWhom(
        anchor=names[anchor],
        places=tuple(
            Place(
                names[bot],
                int(counts[bot]),
                ratings[bot],
                float(mixture[bot]),
                float(skill[bot]),
                None if ends is None else ends[bot],
            )
            for bot in order
        ),
        against=tuple(tuple(cells[one][other] for other in order) for one in order),
        cycles=tuple(
            Cycle(tuple(names[bot] for bot in cycle), weakest_link(cycle, shares))
            for cycle in shortest_cycles(surely_beats(cells))
        ),
    )


def pair_shares(ahead: Float64s, met: Float64s, worths: Float64s) -> Float64s:
    """Return how often each bot finishes ahead of each other, float64[bots, bots]; diagonal 0.5.

    ``ahead`` and ``met`` are float64[bots * bots]. Pairs that have not met use the log worths.
    """
    bots = len(worths)
    fitted = 1 / (1 + np.exp(worths - worths[:, None]))
    shares = np.divide(ahead, met, fitted.ravel(), where=met > 0).reshape(bots, bots)
    np.fill_diagonal(shares, 0.5)
    return shares


def skill_intervals(ahead: Float64s, met: Float64s, worths: Float64s) -> list[Interval] | None:
    """Return bootstrap 95% intervals of Nash skills; None for one seed or too many bots.

    ``worths`` are the log worths of the ratings' draws, which use the same resampled seeds.
    """
    units, bots = len(ahead), worths.shape[1]
    if units < 2 or bots > MOST_BOTS:
        return None
    generator = np.random.default_rng(SEED)
    drawn = np.empty((DRAWS, bots))
    for draw in range(DRAWS):
        times = np.bincount(generator.integers(0, units, units), minlength=units).astype(float)
        margins = pair_shares(times @ ahead, times @ met, worths[draw]) - 0.5
        drawn[draw] = np.minimum(skills(margins, nash_mixture(margins, **DRAWN)), 0.0)
    low, high = np.percentile(drawn, (50 - 50 * LEVEL, 50 + 50 * LEVEL), axis=0)
    return [(float(a), float(b)) for a, b in zip(low, high, strict=True)]


def surely_beats(cells: Sequence[Sequence[Against]]) -> npt.NDArray[np.bool_]:
    """Return whether the interval of each pair's share lies above one half."""
    return np.array(
        [[cell.ci95 is not None and cell.ci95[0] > 0.5 for cell in row] for row in cells], bool
    )
