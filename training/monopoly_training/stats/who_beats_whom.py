"""Who beats whom: one fit to all games, shares of each pair, Nash averaging, cycles."""

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

DRAWS = 100  # of the bootstrap of Nash averaging; each is an equilibrium
MOST_BOTS = 60  # for which there are intervals of Nash skills
DRAWN = {"coolest": 1e-4, "cooling": 0.4}  # as exact as their scatter needs


@dataclass(frozen=True)
class Place:
    """How one bot stands among all of them."""

    bot: str
    games: int
    rating: Rating
    nash_weight: float  # in the equilibrium: a mixture of bots that no bot beats
    nash_skill: float  # share of games ahead of the mixture, less one half; at most 0
    nash_skill_ci95: Interval | None  # bootstrap over seeds


@dataclass(frozen=True)
class Cycle:
    """Bots each of which surely finishes ahead of the next more often than not."""

    bots: tuple[str, ...]
    weakest: float  # the smallest of these shares


@dataclass(frozen=True)
class WhoBeatsWhom:
    """What games say about all pairs of bots."""

    anchor: str  # its rating is 0
    places: tuple[Place, ...]  # the best first, by Nash skill; equals, as in the mixture, by name
    against: tuple[tuple[Against, ...], ...]  # in the order of the places
    cycles: tuple[Cycle, ...]  # the shortest first

    def as_json(self) -> dict[str, Any]:
        """The keys that ``ratings --json`` prints."""
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
    """Everything that games say about pairs; ``names`` by number in the line-up.

    A pair that has not met counts in Nash averaging by the Plackett-Luce fit.
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
    """How often each bot finishes ahead of each other one, float64[bots, bots]; one half of itself.

    ``ahead`` and ``met`` are float64[bots * bots]. Where two have not met, log worths say it.
    """
    bots = len(worths)
    fitted = 1 / (1 + np.exp(worths - worths[:, None]))
    shares = np.divide(ahead, met, fitted.ravel(), where=met > 0).reshape(bots, bots)
    np.fill_diagonal(shares, 0.5)
    return shares


def skill_intervals(ahead: Float64s, met: Float64s, worths: Float64s) -> list[Interval] | None:
    """95 % intervals of Nash skills by a bootstrap over seeds; None without two, or for many bots.

    ``worths`` are the log worths of the first draws of seeds: those of the ratings, drawn alike.
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
    """Whether the interval of how often the bot of a row finishes ahead lies above one half."""
    return np.array(
        [[cell.ci95 is not None and cell.ci95[0] > 0.5 for cell in row] for row in cells], bool
    )
