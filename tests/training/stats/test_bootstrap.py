"""Intervals by seed, against cases whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest
from monopoly_training.stats.bootstrap import intervals_of_ratio, sums_by_unit


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
