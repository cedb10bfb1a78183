"""Ratings by openskill, and who finishes ahead of whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from monopoly_env.engine.state import Int8s, Int64s
from monopoly_training.stats.bootstrap import Float64s, Interval, intervals_of_ratio, sums_by_unit
from monopoly_training.stats.win_rates import Z95

# openskill is made for people, who change: it lets sigma grow (tau) and damps its fall (gamma).
# Bots stay as they are. Without the two, sigma is as wide as ratings of simulated tournaments of
# equal players scatter.
DRIFT = 0.0
FULL_STEP = 1.0


@dataclass(frozen=True)
class RankedGames:
    """Who played in each of G games of S seats, and how they came in."""

    bots: int  # in the line-up
    seating: Int64s  # [G, S]: the number in the line-up of who sits there
    ranks: Int8s  # [G, S]: 1 is best, ties share a rank
    unit: Int64s  # [G]: the number of the game's seed among those played, from 0

    @property
    def seats(self) -> int:
        """Players in each game."""
        return int(self.seating.shape[1])


@dataclass(frozen=True)
class Rating:
    """The strength of a bot as openskill's Plackett-Luce model sees it; new players have 25."""

    mu: float
    sigma: float

    @property
    def ci95(self) -> tuple[float, float]:
        """Mu plus and minus 1.96 sigma: the model's own uncertainty."""
        return self.mu - Z95 * self.sigma, self.mu + Z95 * self.sigma


def rate(games: RankedGames) -> list[Rating]:
    """The rating of each bot of the line-up after all games, in the order of the schedule."""
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=DRIFT, gamma=full_step)
    ratings: list[Any] = [model.rating() for _ in range(games.bots)]
    for seating, ranks in zip(games.seating.tolist(), games.ranks.tolist(), strict=True):
        after = model.rate([[ratings[number]] for number in seating], ranks=ranks)
        for number, (rating,) in zip(seating, after, strict=True):
            ratings[number] = rating
    return [Rating(float(rating.mu), float(rating.sigma)) for rating in ratings]


def full_step(*_: object) -> float:
    """How much of a game's evidence narrows sigma, as openskill asks for it."""
    return FULL_STEP


@dataclass(frozen=True)
class Against:
    """How often one bot finished ahead of another. Sharing a place counts one half."""

    games: int
    ahead: float | None  # a share; None: they have not met
    ci95: Interval | None  # bootstrap over seeds


def head_to_head(games: RankedGames) -> list[list[Against]]:
    """For each bot, how it did against each other one; by numbers in the line-up."""
    bots = games.bots
    ahead, met = pair_sums(games)
    ends = intervals_of_ratio(ahead, met)
    won, count = ahead.sum(axis=0), met.sum(axis=0)
    cells = [
        Against(games, float(wins / games) if games else None, interval)
        for games, wins, interval in zip(count.astype(int).tolist(), won, ends, strict=True)
    ]
    return [cells[row * bots : (row + 1) * bots] for row in range(bots)]


def pair_sums(games: RankedGames) -> tuple[Float64s, Float64s]:
    """By seed and pair: how often the first finished ahead, and how often they met."""
    bots, seats = games.bots, games.seats
    units, pairs, ahead = [], [], []
    for one in range(seats):
        for other in range(seats):
            if one != other:
                difference = games.ranks[:, other] - games.ranks[:, one]
                units.append(games.unit)
                pairs.append(games.seating[:, one] * bots + games.seating[:, other])
                ahead.append((np.sign(difference) + 1) / 2)
    unit, pair, share = np.concatenate(units), np.concatenate(pairs), np.concatenate(ahead)
    columns = bots * bots
    return (
        sums_by_unit(unit, pair, share, columns),
        sums_by_unit(unit, pair, np.ones(len(pair)), columns),
    )
