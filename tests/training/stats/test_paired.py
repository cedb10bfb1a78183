"""Comparisons of two bots that play the same seeds, against cases whose answer is known."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from monopoly_training.reference.statistics_page import MODELS, false_alarms, share_inside
from monopoly_training.stats.paired import compare, p_value

pytestmark = pytest.mark.promise("statistics")


@pytest.mark.parametrize("seed", range(6))
def test_the_p_value_is_the_share_of_all_signs_that_go_as_far(seed):
    differences = np.random.default_rng(seed).choice([-0.5, -0.25, 0.0, 0.25, 0.25, 1 / 3], 9)
    signs = np.array(list(itertools.product((-1, 1), repeat=9)))
    exact = np.mean(np.abs(signs @ differences) >= abs(differences.sum()) - 1e-9)
    assert p_value(differences) == pytest.approx(exact, abs=0.015)


def test_the_p_value_is_never_0_and_1_without_a_difference():
    assert p_value(np.ones(200)) == pytest.approx(1 / 20_001)
    assert p_value(np.zeros(10)) == 1.0


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_equal_bots_differ_as_rarely_as_promised(model):
    assert false_alarms(model, 0.25, 40, 300, flips=400) < 0.09
    assert share_inside(model, 0.25, 60, 300)[2] > 0.9


def test_a_comparison_says_who_is_better_by_how_much():
    generator = np.random.default_rng(3)
    luck = generator.normal(0, 0.2, 300)  # shared by both
    wins = np.stack([0.35 + luck, 0.25 + luck + generator.normal(0, 0.05, 300)], axis=1).round(2)
    found = compare(wins, 4 - 3 * wins)
    assert found.difference == pytest.approx(0.1, abs=0.01)
    assert found.ci95[0] < 0.1 < found.ci95[1]
    assert found.ci95[1] - found.ci95[0] < 0.02  # far narrower than without pairs
    assert found.correlation > 0.9
    assert found.rank_difference == pytest.approx(-0.3, abs=0.03)
    assert found.p_value < 1e-4
    assert 290 < found.better + found.worse <= found.seeds == 300 > found.better > 200


def test_the_other_way_round_is_the_opposite():
    wins = np.random.default_rng(1).choice([0, 0.25, 0.5], (40, 2))
    one, other = compare(wins, 4 - wins), compare(wins[:, ::-1], 4 - wins[:, ::-1])
    assert one.difference == -other.difference
    assert one.p_value == other.p_value
    assert (one.better, one.worse) == (other.worse, other.better)


def test_one_seed_says_nothing_of_others():
    found = compare(np.array([[0.5, 0.25]]), np.array([[2.0, 3.0]]))
    assert (found.ci95, found.correlation, found.p_value) == (None, None, 1.0)
