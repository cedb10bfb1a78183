"""Intervals by seed, ratings and head to head, against cases whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest
from monopoly_training.stats.bootstrap import intervals_of_ratio, sums_by_unit
from monopoly_training.stats.ratings import head_to_head, rate
from monopoly_training.tournament.game_table import GameTable


def test_sums_go_to_their_unit_and_column():
    unit, column = np.array([0, 0, 2, 2]), np.array([1, 1, 0, 1])
    found = sums_by_unit(unit, column, np.array([1.0, 2.0, 4.0, 8.0]), 2)
    np.testing.assert_array_equal(found, [[0, 3], [0, 0], [4, 8]])


def test_the_interval_of_a_mean_is_the_one_of_the_textbook():
    values = np.random.default_rng(3).normal(5, 2, (400, 1))
    low, high = intervals_of_ratio(values, np.ones((400, 1)))[0]
    error = values.std(ddof=1) / np.sqrt(400)
    assert low == pytest.approx(values.mean() - 1.96 * error, abs=0.15 * error)
    assert high == pytest.approx(values.mean() + 1.96 * error, abs=0.15 * error)


def test_games_of_one_seed_that_are_all_alike_count_once():
    once = np.random.default_rng(4).random((50, 1))
    (four,) = intervals_of_ratio(4 * once, np.full((50, 1), 4.0))
    assert four == pytest.approx(intervals_of_ratio(once, np.ones((50, 1)))[0])


def test_what_was_never_played_has_no_interval():
    won, played = np.array([[1.0, 0.0]] * 2), np.array([[2.0, 0.0]] * 2)
    assert intervals_of_ratio(won, played) == [(0.5, 0.5), None]
    assert intervals_of_ratio(won[:1], played[:1]) == [
        None,
        None,
    ]  # one seed says nothing of others


def table_of(ranks, seating, agents=("a", "b", "c", "d")):
    """Games with these places; each is a seed of its own."""
    ranks, seating = np.array(ranks), np.array(seating)
    games = len(ranks)
    zeros = np.zeros(games, np.int64)
    seats = np.zeros_like(ranks)
    return GameTable(
        agents=agents, number=np.arange(games), round=zeros + 1, seed=np.arange(games),
        seating=seating, ranks=ranks, worth=seats, turns=zeros, decisions=zeros,
        truncated=zeros > 0, faults=np.zeros((*ranks.shape, 3), np.int64), asked=seats,
        seconds=seats * 0.0, wall=zeros * 0.0,
    )  # fmt: skip


def test_head_to_head_counts_who_came_in_ahead():
    found = head_to_head(table_of([[1, 2], [2, 1], [1, 1]], [[0, 1], [0, 1], [1, 0]], tuple("abc")))
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
    return table_of(ranks, np.tile(np.arange(4), (games, 1)))


def test_rating_intervals_are_as_wide_as_ratings_scatter():
    strengths, generator = np.array([0.4, 0.2, 0.0, -1.5]), np.random.default_rng(5)
    found = [rate(simulated(600, strengths, generator)) for _ in range(12)]
    mu = np.array([[rating.mu for rating in ratings] for ratings in found])
    sigma = np.array([[rating.sigma for rating in ratings] for ratings in found])
    assert (np.diff(mu.mean(axis=0)) < 0).all()
    assert 0.6 < (mu.std(axis=0, ddof=1) / sigma.mean(axis=0)).mean() < 1.6
