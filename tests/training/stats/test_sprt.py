"""The sequential test: published numbers, its error rates on simulated games, order of arrival."""

from __future__ import annotations

import itertools
from math import log

import numpy as np
import pytest
from monopoly_training.reference.statistics_page import (
    GAMES,
    MODELS,
    alike,
    by_games,
    by_seeds,
    partly_alike,
    trial_errors,
)
from monopoly_training.stats.sprt import Sprt, Trial, TrialMonitor

pytestmark = pytest.mark.promise("statistics")

P0, P1 = 0.25, 0.45
TRIALS = 300


def test_bounds_are_walds():
    test = Sprt(0.25, 0.3, alpha=0.05, beta=0.1)
    assert test.bounds == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))
    assert test.decision(log(0.1 / 0.95)) == "p0"
    assert test.decision(0.0) is None
    assert test.decision(log(0.9 / 0.05)) == "p1"


@pytest.mark.parametrize("wins", [0, 1, 30, 50, 99, 100])
def test_seeds_of_one_game_make_it_walds_test_of_a_win_rate(wins):
    found = Sprt(0.25, 0.3).ratios(np.array([1.0, 0.0]), np.array([wins, 100.0 - wins]))
    assert found == pytest.approx(wins * log(0.3 / 0.25) + (100 - wins) * log(0.7 / 0.75), abs=0.02)


def test_the_most_likely_scores_with_a_mean_have_that_mean_and_are_the_most_likely():
    """Against a search over all distributions over three scores."""
    scores, counts = np.array([0.0, 0.5, 1.0]), np.array([50.0, 20.0, 30.0])
    first, last = np.meshgrid(np.linspace(1e-4, 1, 2000), np.linspace(1e-4, 1, 2000))

    def best(mean):
        """The highest log likelihood: the middle score follows from the mean, the last one."""
        middle = 2 * (mean - last)
        with np.errstate(invalid="ignore", divide="ignore"):
            chances = [first, middle, last]
            fits = np.abs(first + middle + last - 1) < 4e-4
            found = sum(n * np.log(p) for n, p in zip(counts, chances, strict=True))
        return np.nanmax(np.where(fits & (middle > 0), found, -np.inf))

    assert Sprt(0.3, 0.45).ratios(scores, counts) == pytest.approx(best(0.45) - best(0.3), abs=0.1)


def test_the_variance_of_scores_counts_not_that_of_games():
    """To a first approximation n (p1 - p0) (2 mean - p0 - p1) / (2 variance)."""
    scores, counts = np.array([0.0, 0.25, 0.5, 0.75]), np.array([300.0, 400.0, 200.0, 100.0])
    mean = scores @ counts / 1000
    variance = (scores - mean) ** 2 @ counts / 1000
    expected = 1000 * 0.02 * (2 * mean - 0.25 - 0.27) / (2 * variance)
    assert Sprt(0.25, 0.27).ratios(scores, counts) == pytest.approx(expected, rel=0.05)


def test_scores_that_never_vary_are_decided_after_a_few_seeds_not_after_one():
    """Two seats, mirrored: the bot wins one game of each seed."""
    trial = Trial(Sprt(0.25, 0.5))
    trial.add_seed(1.0, 2)
    assert trial.decided is None
    assert trial.ratio == pytest.approx(log(1 / 0.5), abs=0.01)  # at most half of them under p0
    for _ in range(10):
        trial.add_seed(1.0, 2)
    assert (trial.decided, trial.seeds) == ("p1", 5)


def test_before_the_first_seed_nothing_is_known():
    trial = Trial(Sprt(0.25, 0.3))
    assert (trial.ratio, trial.decided, trial.as_json()["log_likelihood_ratio"]) == (0.0, None, 0.0)


def test_equal_scores_are_one_whatever_order_they_were_added_up_in():
    trial = Trial(Sprt(0.25, 0.3))
    trial.add_seed(1 / 3 + 1 / 3 + 1 / 3 + 0.1, 4)
    trial.add_seed(0.1 + 1 / 3 + 1 / 3 + 1 / 3, 4)
    assert list(trial.scores.values()) == [2]


# Simulated seeds


def share_of_errors(model, rate, ratios):
    """How often a test decides for the wrong hypothesis; all of them decide."""
    wrong, undecided, _ = trial_errors(Sprt(P0, P1), model, rate, ratios, TRIALS, 250)
    assert undecided == 0
    return wrong


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("rate", [P0, P1])
def test_errors_are_as_rare_as_promised_however_the_games_of_a_seed_hang_together(model, rate):
    """5% are allowed; 300 trials would show 9% by chance once in 500 times."""
    assert share_of_errors(model, rate, by_seeds) < 0.09


@pytest.mark.parametrize("rate", [P0, P1])
def test_games_counted_as_independent_would_err_more_often(rate):
    assert share_of_errors(alike, rate, by_games) > 0.15
    assert share_of_errors(partly_alike, rate, by_games) > 0.08


def test_a_trial_decides_where_the_ratios_do():
    test, generator = Sprt(P0, P1), np.random.default_rng(4)
    wins = partly_alike(P1, (1, 200), generator)
    trial = Trial(test)
    for won in wins[0].tolist():
        trial.add_seed(won, GAMES)
    low, high = test.bounds
    ratios = by_seeds(test, wins)[0]
    assert trial.decided is not None
    assert trial.seeds == 1 + int(np.argmax((ratios <= low) | (ratios >= high)))
    assert trial.ratio == pytest.approx(ratios[trial.seeds - 1])


def test_it_needs_about_as_many_seeds_as_wald_expects():
    """Games of a seed that are all alike are one game of Wald's test."""
    test = Sprt(P0, P1)
    low, high = test.bounds
    ratios = by_seeds(test, alike(P1, (TRIALS, 250), np.random.default_rng(2)))
    seeds = 1 + ((ratios <= low) | (ratios >= high)).argmax(axis=1).mean()
    a_seed = P1 * log(P1 / P0) + (1 - P1) * log((1 - P1) / (1 - P0))
    expected = (0.05 * low + 0.95 * high) / a_seed
    assert expected < seeds < 1.25 * expected  # a little more: it oversteps the bounds


# The order in which batches come in

BATCHES = [
    [(0, 1.0), (0, 0.0)],
    [(1, 1.0), (1, None)],
    [(2, 1.0), (2, 1.0)],
    [(3, 1.0), (3, 0.5)],
]


def test_the_order_in_which_batches_come_in_does_not_matter():
    found = set()
    for order in itertools.permutations(range(4)):
        monitor = TrialMonitor(Sprt(0.2, 0.8, 0.25, 0.25), 2)
        for batch in order:
            monitor.add(batch, BATCHES[batch])
        trial = monitor.trial
        found.add((trial.decided, trial.seeds, trial.games, trial.wins, monitor.last_seed))
    assert found == {("p1", 2, 3, 2.0, 1)}


def test_a_seed_counts_when_it_has_been_played_from_every_seat():
    monitor = TrialMonitor(Sprt(0.25, 0.3), 4)
    monitor.add(0, [(0, 1.0), (0, 1.0), (0, 0.5)])
    assert monitor.trial.seeds == 0
    monitor.add(1, [(0, 0.0)])
    assert (monitor.trial.seeds, monitor.trial.games, monitor.trial.wins) == (1, 4, 2.5)
