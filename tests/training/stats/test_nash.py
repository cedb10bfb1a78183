"""Nash averaging and cycles: games with known equilibria, copies, planted cycles."""

from __future__ import annotations

import numpy as np
import pytest
from monopoly_training.stats.nash import nash_mixture, shortest_cycles, skills, weakest_link

pytestmark = pytest.mark.promise("statistics")


def random_margins(bots, seed):
    drawn = np.random.default_rng(seed).uniform(-0.25, 0.25, (bots, bots))
    return drawn - drawn.T


@pytest.mark.parametrize(
    ("margins", "expected"),
    [
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], [1 / 3, 1 / 3, 1 / 3]),
        ([[0, -2, 1], [2, 0, -3], [-1, 3, 0]], [3 / 6, 1 / 6, 2 / 6]),
        ([[0, 0.1], [-0.1, 0]], [1, 0]),
        ([[0, 0, 0.2], [0, 0, 0.1], [-0.2, -0.1, 0]], [0.5, 0.5, 0]),  # of many, the most even one
        ([[0.0]], [1]),
        (np.zeros((4, 4)), [0.25] * 4),
    ],
)
def test_equilibria_that_are_known(margins, expected):
    assert nash_mixture(np.array(margins, float)) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("bots", [2, 3, 8, 25])
def test_no_bot_beats_the_mixture(bots):
    for seed in range(5):
        margins = random_margins(bots, seed)
        mixture = nash_mixture(margins)
        assert mixture.sum() == pytest.approx(1)
        assert skills(margins, mixture).max() < 1e-5


def test_small_margins_are_as_good_as_large_ones():
    margins = random_margins(5, 3)
    assert nash_mixture(1e-4 * margins) == pytest.approx(nash_mixture(margins), abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_ten_copies_of_a_bot_change_neither_skills_nor_the_ranking(seed):
    margins = random_margins(6, seed)
    mixture = nash_mixture(margins)
    expected = skills(margins, mixture)
    for copied in range(6):
        who = np.array([*range(6), *[copied] * 9])
        larger = margins[np.ix_(who, who)]
        found = nash_mixture(larger)
        assert skills(larger, found)[:6] == pytest.approx(expected, abs=1e-5)
        assert np.bincount(who, found) == pytest.approx(mixture, abs=1e-4)


def test_a_mean_over_opponents_is_not_proof_against_copies():
    """What Nash averaging is for: copies of a weak bot lift whoever beats it."""
    margins = np.array([[0, 0.1, 0.02], [-0.1, 0, 0.3], [-0.02, -0.3, 0]])
    who = [0, 1, *[2] * 10]
    assert (
        margins.mean(axis=1).argmax() == 1
    )  # which beats the last one by much, and loses to the first
    assert nash_mixture(margins).argmax() == 0
    assert margins[np.ix_(who, who)].mean(axis=1)[:2].argmax() == 1
    assert nash_mixture(margins[np.ix_(who, who)]).argmax() == 0


def test_cycles_are_found_and_nothing_else():
    order = np.triu(np.ones((7, 7), bool), 1)  # each beats all that come later
    assert shortest_cycles(order) == []
    planted = order.copy()
    planted[1, 4], planted[4, 1] = False, True  # 1 beats 2 and 3, these beat 4, 4 beats 1
    assert shortest_cycles(planted) == [(1, 2, 4), (1, 3, 4)]


def test_a_longer_cycle_without_a_shorter_one_is_found():
    beats = np.zeros((6, 6), bool)
    for one, other in ((5, 1), (1, 3), (3, 2), (2, 5), (5, 0)):
        beats[one, other] = True
    assert shortest_cycles(beats) == [(1, 3, 2, 5)]


def test_a_cycle_is_as_strong_as_its_weakest_link():
    shares = np.array([[0.5, 0.6, 0.45], [0.4, 0.5, 0.7], [0.55, 0.3, 0.5]])
    assert weakest_link((0, 1, 2), shares) == 0.55
