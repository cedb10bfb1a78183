"""Intervals against published values, shared wins and places by hand."""

from __future__ import annotations

import numpy as np
import pytest
from monopoly_training.stats.win_rates import fractional_ranks, score, shares_of_wins, wilson


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        # Newcombe 1998, Statistics in Medicine 17, table I: the score method without correction.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_wilson_gives_published_intervals(wins, games, low, high):
    found = wilson(wins, games)
    assert found == pytest.approx((low, high), abs=5e-5)


def test_wilson_knows_nothing_without_games_and_takes_fractions():
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(10, 20)[0] < wilson(10.5, 20)[0] < wilson(11, 20)[0]


RANKS = np.array(
    [
        [1, 2, 3, 4],
        [1, 1, 3, 4],  # two share the win
        [3, 1, 1, 1],  # no: three share it
        [1, 1, 1, 1],
    ],
    np.int8,
)


def test_ties_share_a_win_and_a_place():
    np.testing.assert_allclose(
        shares_of_wins(RANKS),
        [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 1 / 3, 1 / 3, 1 / 3], [0.25] * 4],
    )
    np.testing.assert_allclose(fractional_ranks(RANKS)[:2], [[1, 2, 3, 4], [1.5, 1.5, 3, 4]])
    np.testing.assert_allclose(fractional_ranks(RANKS)[3], [2.5] * 4)
    assert shares_of_wins(RANKS).sum() == pytest.approx(len(RANKS))


def test_a_score_tells_finished_games_from_truncated_ones():
    wins, places = shares_of_wins(RANKS)[:, 0], np.array([1, 1.5, 4, 2.5])
    found = score(wins, places, np.array([False, False, False, True]))
    assert found.games == 4
    assert found.wins == 1.75
    assert found.win_rate == 0.4375
    assert found.win_rate_finished == 0.5
    assert found.truncated == 1
    assert found.mean_rank == 2.25
    assert found.ci95 == wilson(1.75, 4)


def test_a_score_without_finished_games_says_so():
    assert score(np.ones(2), np.ones(2), np.ones(2, bool)).win_rate_finished is None
