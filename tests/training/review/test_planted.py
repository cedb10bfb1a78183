"""Planted blunders are marked, and sensible moves are not."""

from __future__ import annotations

import pytest
from monopoly_training.review.planted import Found, game_of, measure
from monopoly_training.review.plants import PLANTS

FIRST_SEED = 81_000_000
MEASURED_SEED = 91_000_000  # no threshold was chosen by these games


@pytest.mark.slow
def test_most_planted_blunders_are_marked_and_few_other_moves() -> None:
    found = Found()
    for seed in range(FIRST_SEED, FIRST_SEED + 2):
        game_of(seed, list(PLANTS), found, 4)
    planted, marked = sum(found.planted.values()), sum(found.marked.values())
    assert planted >= 6
    assert marked >= 0.7 * planted
    assert found.sensible > 500
    assert found.false <= 0.05 * found.sensible


@pytest.mark.strength
def test_nine_of_ten_planted_blunders_are_marked() -> None:
    found = measure(100, MEASURED_SEED)
    planted, marked = sum(found.planted.values()), sum(found.marked.values())
    assert planted >= 100
    assert marked >= 0.9 * planted
    assert found.sensible >= 2000
    assert found.false <= 0.05 * found.sensible
