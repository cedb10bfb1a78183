"""Intervals hold the truth as often as they say: simulated, with games of a seed that are alike.

Each test simulates a few thousand experiments with a fixed seed. The bounds are so close that an
interval of 90%, or one that takes games of a seed as independent, is outside them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from monopoly_training.stats.bootstrap import intervals_of_ratio
from monopoly_training.stats.win_rates import wilson

pytestmark = pytest.mark.promise("statistics")

EXPERIMENTS = 1500
GAMES = 4  # a seed

Wins = npt.NDArray[np.float64]


def share_inside(ends: list[tuple[float, float]], truth: float) -> float:
    """How often the truth lies inside."""
    return float(np.mean([low <= truth <= high for low, high in ends]))


def alike(rate: float, seeds: int, likeness: float) -> Wins:
    """Wins of a bot by seed, float64[seeds, EXPERIMENTS]: some seeds go to the same bot in every game."""
    generator = np.random.default_rng(8)
    shape = (seeds, EXPERIMENTS)
    same = GAMES * (generator.random(shape) < rate)
    apart = generator.binomial(GAMES, rate, shape)
    return np.where(generator.random(shape) < likeness, same, apart).astype(float)


@pytest.mark.parametrize("rate", [0.05, 0.25, 0.5, 0.9])
@pytest.mark.parametrize("games", [50, 400])
def test_wilsons_interval_of_independent_games(rate: float, games: int) -> None:
    wins = np.random.default_rng(5).binomial(games, rate, EXPERIMENTS)
    inside = share_inside([wilson(float(won), games) for won in wins], rate)
    assert 0.925 < inside < 0.985  # of few games it is not exact: wins are whole numbers


def test_a_wilson_interval_of_another_level_would_be_seen() -> None:
    wins = np.random.default_rng(5).binomial(400, 0.25, EXPERIMENTS)
    assert share_inside([wilson(float(won), 400, z=1.645) for won in wins], 0.25) < 0.92
    assert share_inside([wilson(float(won), 400, z=2.576) for won in wins], 0.25) > 0.98


@pytest.mark.parametrize("likeness", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(("rate", "seeds"), [(0.25, 100), (0.5, 60)])
def test_the_bootstrap_by_seed_however_alike_the_games_are(
    rate: float, seeds: int, likeness: float
) -> None:
    wins = alike(rate, seeds, likeness)
    ends = intervals_of_ratio(wins, np.full_like(wins, GAMES))
    assert 0.925 < share_inside(ends, rate) < 0.965  # 95% but for the few seeds


def test_games_of_a_seed_taken_as_independent_would_be_seen() -> None:
    wins = alike(0.25, 100, 0.5).sum(axis=0)
    assert share_inside([wilson(float(won), 100 * GAMES) for won in wins], 0.25) < 0.85


def test_a_bootstrap_of_another_level_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("monopoly_training.stats.bootstrap.LEVEL", 0.9)
    wins = alike(0.25, 100, 0.5)
    assert share_inside(intervals_of_ratio(wins, np.full_like(wins, GAMES)), 0.25) < 0.92


def test_seeds_of_unequal_numbers_of_games() -> None:
    """As where a bot sits at some tables only: a ratio of sums, not a mean of ratios."""
    generator = np.random.default_rng(9)
    games = generator.integers(1, 9, (200, EXPERIMENTS)).astype(float)
    strength = np.clip(generator.normal(0.3, 0.2, games.shape), 0, 1)
    wins = generator.binomial(games.astype(int), strength).astype(float)
    truth = float(np.clip(np.random.default_rng(1).normal(0.3, 0.2, 10**6), 0, 1).mean())
    assert 0.925 < share_inside(intervals_of_ratio(wins, games), truth) < 0.965
