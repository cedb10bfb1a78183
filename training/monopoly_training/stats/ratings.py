"""Elo-scale ratings from a single fit over all games, and head-to-head records."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from monopoly_env.engine.state import Int8s, Int64s
from monopoly_training.stats.bootstrap import (
    LEVEL,
    Float64s,
    Interval,
    intervals_of_ratio,
    sums_by_unit,
)
from monopoly_training.stats.plackett_luce import Choices

ELO = 400 / log(10)  # points per unit of log worth: 400 points are a tenfold worth
DRAWS = 400  # bootstrap draws; each is a fit
SEED = 0  # of the bootstrap


@dataclass(frozen=True)
class RankedGames:
    """The players and ranks of G games with S seats."""

    bots: int  # number of bots in the line-up
    seating: Int64s  # [G, S]: line-up number of the bot in each seat
    ranks: Int8s  # [G, S]: 1 is best, ties share a rank; 0 is an empty seat
    unit: Int64s  # [G]: index of the game's seed, from 0

    @property
    def seats(self) -> int:
        """Number of seats per game."""
        return int(self.seating.shape[1])


@dataclass(frozen=True)
class Rating:
    """The strength of a bot on the Elo scale, relative to the anchor at 0.

    Under the Plackett-Luce model, a bot rated 100 points above another finishes ahead of it in 64%
    of their games, and at 400 points in 91%.
    """

    elo: float | None  # None if it has played no game
    ci95: Interval | None  # bootstrap over seeds; None for the anchor, or with fewer than two seeds


def rate(
    games: RankedGames, anchor: int = 0, draws: int = DRAWS, wins_only: bool = False
) -> list[Rating]:
    """Return the rating of each bot of the line-up; bot ``anchor`` is at 0.

    With ``wins_only``, only first places count. The same games in any order give identical ratings.
    """
    return rate_with_draws(games, anchor, draws, wins_only)[0]


def rate_with_draws(
    games: RankedGames, anchor: int = 0, draws: int = DRAWS, wins_only: bool = False
) -> tuple[list[Rating], Float64s]:
    """Return ratings and log worths, float64[draws + 1, bots]: of all games, then of each draw."""
    choices = Choices.of(games.bots, games.seating, games.ranks.astype(np.int64), wins_only)
    units = int(games.unit.max()) + 1
    worths = np.empty((draws + 1 if units > 1 else 1, games.bots))
    worths[0] = choices.log_worths()
    generator = np.random.default_rng(SEED)
    for draw in range(1, len(worths)):
        times = np.bincount(generator.integers(0, units, units), minlength=units)
        worths[draw] = choices.log_worths(times[games.unit].astype(float), worths[0])
    elo = ELO * (worths - worths[:, anchor : anchor + 1])
    ends = np.percentile(elo[1:], (50 - 50 * LEVEL, 50 + 50 * LEVEL), axis=0) if units > 1 else None
    played = np.bincount(games.seating[games.ranks > 0], minlength=games.bots) > 0
    ratings = []
    for bot in range(games.bots):
        rated = bool(played[bot] and played[anchor])
        interval = None
        if ends is not None and rated and bot != anchor:
            interval = float(ends[0, bot]), float(ends[1, bot])
        ratings.append(Rating(float(elo[0, bot]) if rated else None, interval))
    return ratings, worths


@dataclass(frozen=True)
class Against:
    """How often one bot finished ahead of another. A tie counts one half."""

    games: int
    ahead: float | None  # as a share; None if they have not met
    ci95: Interval | None  # bootstrap over seeds


def head_to_head(games: RankedGames) -> list[list[Against]]:
    """Return the head-to-head record of each bot against each other, by line-up numbers."""
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
    """Return, by seed and pair, how often the first finished ahead and how often they met."""
    bots, seats = games.bots, games.seats
    units, pairs, ahead = [], [], []
    for one in range(seats):
        for other in range(seats):
            if one != other:
                both = (games.ranks[:, one] > 0) & (games.ranks[:, other] > 0)
                difference = games.ranks[both, other] - games.ranks[both, one]
                units.append(games.unit[both])
                pairs.append(games.seating[both, one] * bots + games.seating[both, other])
                ahead.append((np.sign(difference) + 1) / 2)
    unit, pair, share = np.concatenate(units), np.concatenate(pairs), np.concatenate(ahead)
    columns = bots * bots
    count = int(games.unit.max()) + 1
    return (
        sums_by_unit(unit, pair, share, columns, count),
        sums_by_unit(unit, pair, np.ones(len(pair)), columns, count),
    )
