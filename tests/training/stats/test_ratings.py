"""Ratings and head to head, against cases whose answer is known."""

from __future__ import annotations

import numpy as np
from monopoly_training.stats.ratings import RankedGames, head_to_head, rate


def ranked(ranks, seating, bots=4):
    """Games with these ranks; each is a seed of its own."""
    return RankedGames(bots, np.array(seating), np.array(ranks), np.arange(len(ranks)))


def test_head_to_head_counts_who_came_in_ahead():
    found = head_to_head(ranked([[1, 2], [2, 1], [1, 1]], [[0, 1], [0, 1], [1, 0]], bots=3))
    assert found[0][1].games == 3
    assert found[0][1].ahead == found[1][0].ahead == 0.5
    assert found[0][2].ahead is None
    assert found[0][0].games == 0
    low, high = found[0][1].ci95
    assert low < 0.5 < high


def simulated(games, strengths, generator):
    """Places as the Plackett-Luce model draws them."""
    drawn = generator.gumbel(size=(games, len(strengths))) + strengths
    ranks = (-drawn).argsort(axis=1).argsort(axis=1) + 1
    return ranked(ranks, np.tile(np.arange(4), (games, 1)))


def test_rating_intervals_are_as_wide_as_ratings_scatter():
    strengths, generator = np.array([0.4, 0.2, 0.0, -1.5]), np.random.default_rng(5)
    found = [rate(simulated(600, strengths, generator)) for _ in range(12)]
    mu = np.array([[rating.mu for rating in ratings] for ratings in found])
    sigma = np.array([[rating.sigma for rating in ratings] for ratings in found])
    assert (np.diff(mu.mean(axis=0)) < 0).all()
    assert 0.6 < (mu.std(axis=0, ddof=1) / sigma.mean(axis=0)).mean() < 1.6
