"""Ratings and head to head, against cases whose answer is known."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from monopoly_training.stats.plackett_luce import PRIOR, Choices, components
from monopoly_training.stats.ratings import ELO, RankedGames, head_to_head, rate

pytestmark = pytest.mark.promise("statistics")


def ranked(ranks, seating, bots=4, unit=None):
    """Games with these ranks; each is a seed of its own, unless ``unit`` says otherwise."""
    unit = np.arange(len(ranks)) if unit is None else unit
    return RankedGames(bots, np.array(seating), np.array(ranks), unit)


def simulated(games, strengths, generator, ties=0.0, seats=4):
    """Places as the Plackett-Luce model draws them, at tables of some of the bots."""
    seating = np.array([generator.permutation(len(strengths))[:seats] for _ in range(games)])
    drawn = generator.gumbel(size=seating.shape) + np.array(strengths)[seating]
    ranks = (-drawn).argsort(axis=1).argsort(axis=1) + 1
    shared = generator.random(games) < ties
    ranks[shared] = np.where(ranks[shared] == 2, 1, ranks[shared])  # two firsts
    return ranked(ranks, seating, len(strengths), np.arange(games) // 4)


def test_head_to_head_counts_who_came_in_ahead():
    found = head_to_head(ranked([[1, 2], [2, 1], [1, 1]], [[0, 1], [0, 1], [1, 0]], bots=3))
    assert found[0][1].games == 3
    assert found[0][1].ahead == found[1][0].ahead == 0.5
    assert found[0][2].ahead is None
    assert found[0][0].games == 0
    low, high = found[0][1].ci95
    assert low < 0.5 < high


def test_the_same_games_in_any_order_give_the_same_ratings_to_the_last_digit():
    generator = np.random.default_rng(2)
    games = simulated(900, [0.5, 0.2, 0.0, -0.3, -2.0], generator, ties=0.1)
    expected = rate(games, 2)
    for _ in range(3):
        order = generator.permutation(900)
        seats = generator.permutation(4)  # and in any order of the seats
        shuffled = ranked(
            games.ranks[order][:, seats], games.seating[order][:, seats], 5, games.unit[order]
        )
        assert rate(shuffled, 2) == expected


def test_two_bots_have_the_worths_of_their_wins():
    """With the made-up player, the most likely worths of two bots solve two equations by hand."""
    ranks = [[1, 2]] * 30 + [[2, 1]] * 10
    one, other = Choices.of(2, np.tile([0, 1], (40, 1)), np.array(ranks)).log_worths()
    assert one == pytest.approx(-other)
    wins = 40 / (1 + math.exp(other - one)) + 2 * PRIOR / (1 + math.exp(-one))
    assert wins == pytest.approx(30 + PRIOR)


def test_worths_are_the_most_likely_ones_of_all_orders_of_those_who_share_a_place():
    """Against the likelihood as the model states it, game by game and order by order."""
    generator = np.random.default_rng(4)
    games = simulated(60, [0.3, 0.0, -0.4, 0.1], generator, ties=0.4)
    games.ranks[0] = [1, 1, 1, 1]
    games.ranks[1] = [1, 2, 2, 2]

    def likelihood(worths):
        total = PRIOR * np.sum(worths - 2 * np.log1p(np.exp(worths)))
        for seating, ranks in zip(games.seating, games.ranks, strict=True):
            orders = [
                order
                for order in itertools.permutations(range(4))
                if (np.diff(ranks[list(order)]) >= 0).all()
            ]
            for order in orders:
                w = worths[seating[list(order)]]
                total += sum(w[k] - np.log(np.exp(w[k:]).sum()) for k in range(4)) / len(orders)
        return total

    found = Choices.of(4, games.seating, games.ranks).log_worths()
    best = likelihood(found)
    for direction in generator.normal(size=(8, 4)):
        assert likelihood(found + 1e-3 * direction) < best
        slope = (likelihood(found + 1e-5 * direction) - likelihood(found - 1e-5 * direction)) / 2e-5
        assert abs(slope) < 1e-4


def test_strengths_of_simulated_bots_are_found_also_from_a_gauntlet():
    strengths = np.array([1.0, 0.5, 0.0, -2.0, 0.2])
    generator = np.random.default_rng(5)
    seating = np.array([[0, *(1 + generator.permutation(4)[:2])] for _ in range(8000)])
    drawn = generator.gumbel(size=seating.shape) + strengths[seating]
    ranks = (-drawn).argsort(axis=1).argsort(axis=1) + 1
    found = rate(ranked(ranks, seating, 5), anchor=2, draws=50)
    assert [rating.elo / ELO for rating in found] == pytest.approx(strengths, abs=0.1)
    assert (found[2].elo, found[2].ci95) == (0.0, None)
    assert all(low < r.elo < high for r in found if r.ci95 for low, high in [r.ci95])


def test_an_interval_is_by_seed_and_not_by_game():
    """Four games of a seed that end alike are no more than one."""
    once = simulated(200, [0.3, 0.0, -0.3], np.random.default_rng(1), seats=3)
    times = np.repeat(np.arange(200), 4)
    (one, *_), (four, *_) = (
        rate(ranked(once.ranks[rows], once.seating[rows], 3, unit), anchor=2)
        for rows, unit in ((np.arange(200), np.arange(200)), (times, times))
    )
    width = one.ci95[1] - one.ci95[0]
    assert four.ci95[1] - four.ci95[0] == pytest.approx(width, rel=0.05)


def test_who_wins_or_loses_all_games_has_a_finite_rating_and_who_played_none_has_none():
    found = rate(ranked([[1, 2]] * 50, [[0, 1]] * 50, bots=3), anchor=1, draws=20)
    assert 600 < found[0].elo < 2000
    assert found[1].elo == 0.0
    assert (found[2].elo, found[2].ci95) == (None, None)


def test_one_seed_has_no_interval():
    assert rate(ranked([[1, 2]] * 4, [[0, 1]] * 4, 2, np.zeros(4, int)))[1].ci95 is None


def test_bots_that_no_game_connects_are_told_apart():
    assert components(6, np.array([[0, 1], [3, 2], [2, 4]]), np.ones((3, 2), int)) == [
        [0, 1],
        [2, 3, 4],
        [5],
    ]
    assert components(4, np.array([[0, 1], [2, 3], [1, 2]]), np.ones((3, 2), int)) == [[0, 1, 2, 3]]


def test_by_wins_only_the_order_of_the_others_says_nothing():
    seating = np.array([[0, 1, 2]] * 4)
    ranks = np.array([[1, 2, 3], [2, 1, 3], [1, 3, 2], [3, 2, 1]], np.int8)
    turned = ranks.copy()
    turned[0], turned[3] = [1, 3, 2], [2, 3, 1]
    one, other = (
        RankedGames(3, seating, some, np.arange(4, dtype=np.int64)) for some in (ranks, turned)
    )
    by_wins = [[row.elo for row in rate(games, wins_only=True)] for games in (one, other)]
    assert by_wins[0] == by_wins[1]
    assert [row.elo for row in rate(one)] != [row.elo for row in rate(other)]
    assert by_wins[0][1] == pytest.approx(by_wins[0][2])  # one win each
    assert by_wins[0][1] < 0 == by_wins[0][0]  # against two


def test_by_wins_only_worths_are_in_the_proportion_of_wins():
    wins = np.repeat([0, 1, 2], [600, 300, 100])
    ranks = np.full((1000, 3), 2, np.int8)
    ranks[np.arange(1000), wins] = 1
    games = RankedGames(3, np.array([[0, 1, 2]] * 1000), ranks, np.arange(1000, dtype=np.int64))
    elo = [row.elo for row in rate(games, wins_only=True, draws=2)]
    assert elo[1] == pytest.approx(400 * np.log10(300 / 600), abs=3)
    assert elo[2] == pytest.approx(400 * np.log10(100 / 600), abs=6)
