"""Planted blunders are marked, and sensible moves are not."""

from __future__ import annotations

import pytest
from monopoly_training.review.planted import Found, game_of
from monopoly_training.review.plants import PLANTS

FIRST_SEED = 81_000_000


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
