"""Ratings by openskill, and who finishes ahead of whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from monopoly_training.stats.bootstrap import Float64s, Interval, intervals_of_ratio, sums_by_unit
from monopoly_training.stats.win_rates import Z95
from monopoly_training.tournament.game_table import GameTable

# openskill is made for people, who change: it lets sigma grow (tau) and damps its fall (gamma).
# Bots stay as they are. Without the two, sigma is as wide as ratings of simulated tournaments of
# equal players scatter.
DRIFT = 0.0
FULL_STEP = 1.0


@dataclass(frozen=True)
class Rating:
    """The strength of a bot as openskill's Plackett-Luce model sees it; new players have 25."""

    mu: float
    sigma: float

    @property
    def ci95(self) -> tuple[float, float]:
        """Mu plus and minus 1.96 sigma: the model's own uncertainty."""
        return self.mu - Z95 * self.sigma, self.mu + Z95 * self.sigma


def rate(games: GameTable) -> list[Rating]:
    """The rating of each bot of the line-up after all games, in the order of the schedule."""
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=DRIFT, gamma=full_step)
    ratings: list[Any] = [model.rating() for _ in games.agents]
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


def head_to_head(games: GameTable) -> list[list[Against]]:
    """For each bot, how it did against each other one; by numbers in the line-up."""
    bots = len(games.agents)
    ahead, met = pair_sums(games)
    ends = intervals_of_ratio(ahead, met)
    won, count = ahead.sum(axis=0), met.sum(axis=0)
    cells = [
        Against(games, float(wins / games) if games else None, interval)
        for games, wins, interval in zip(count.astype(int).tolist(), won, ends, strict=True)
    ]
    return [cells[row * bots : (row + 1) * bots] for row in range(bots)]


def pair_sums(games: GameTable) -> tuple[Float64s, Float64s]:
    """By seed and pair: how often the first finished ahead, and how often they met."""
    bots, seats = len(games.agents), games.seats
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
