"""The sequential test: Wald's numbers, his promise on simulated games, order of arrival."""

from __future__ import annotations

import itertools
from math import log

import numpy as np
import pytest
from monopoly_training.stats.sprt import Sprt, Trial, TrialMonitor


def test_bounds_and_ratio_are_walds():
    test = Sprt(0.25, 0.3, alpha=0.05, beta=0.1)
    assert test.bounds == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))
    assert test.ratio(30, 100) == pytest.approx(30 * log(0.3 / 0.25) + 70 * log(0.7 / 0.75))
    assert test.decision(0, 0) is None
    assert test.decision(0, 100) == "p0"
    assert test.decision(100, 100) == "p1"


def decide(test, rate, generator):
    trial = Trial(test)
    for won in generator.random(20_000) < rate:
        trial.add_seed(float(won), 1)
        if trial.decided:
            break
    return trial


@pytest.mark.parametrize(("rate", "wrong"), [(0.25, "p1"), (0.35, "p0")])
def test_errors_are_as_rare_as_promised_on_simulated_games(rate, wrong):
    test = Sprt(0.25, 0.35, alpha=0.05, beta=0.05)
    generator = np.random.default_rng(1)
    trials = [decide(test, rate, generator) for _ in range(400)]
    assert all(trial.decided for trial in trials)
    # Wald: at most 5 %; 400 trials would show more than 8 % by chance once in 200 times.
    assert sum(trial.decided == wrong for trial in trials) / 400 < 0.08


def test_it_needs_about_as_many_games_as_wald_expects():
    test = Sprt(0.25, 0.35)
    generator = np.random.default_rng(2)
    games = np.mean([decide(test, 0.35, generator).games for _ in range(400)])
    low, high = test.bounds
    a_game = 0.35 * test.ratio(1, 1) + 0.65 * test.ratio(0, 1)
    expected = (0.05 * low + 0.95 * high) / a_game
    assert expected < games < 1.2 * expected  # a little more: it oversteps the bounds


GAMES = [[(0, 1.0), (0, 0.0)], [(1, 1.0), (1, None)], [(2, 1.0), (2, 1.0)], [(3, 0.0), (3, 0.5)]]


def test_the_order_in_which_batches_come_in_does_not_matter():
    found = set()
    for order in itertools.permutations(range(4)):
        monitor = TrialMonitor(Sprt(0.2, 0.8, 0.25, 0.25), 2)
        for batch in order:
            monitor.add(batch, GAMES[batch])
        trial = monitor.trial
        found.add((trial.decided, trial.seeds, trial.games, trial.wins, monitor.last_seed))
    assert found == {("p1", 2, 3, 2.0, 1)}


def test_a_seed_counts_when_it_has_been_played_from_every_seat():
    monitor = TrialMonitor(Sprt(0.25, 0.3), 4)
    monitor.add(0, [(0, 1.0), (0, 1.0), (0, 0.5)])
    assert monitor.trial.seeds == 0
    monitor.add(1, [(0, 0.0)])
    assert (monitor.trial.seeds, monitor.trial.games, monitor.trial.wins) == (1, 4, 2.5)
