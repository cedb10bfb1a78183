"""A position as text, with the edition's names."""

from __future__ import annotations

import pytest

from monopoly_env import Game
from tests.game.random_play import play_randomly


@pytest.mark.parametrize("edition", ["classic", "pokemon_fr2000", "yugioh2016"])
def test_print_a_position(edition: str) -> None:
    game = Game(edition, players=4, seed=2, rules={"houses": 4, "rent_asked": True})
    for _ in play_randomly(game, 600):
        lines = str(game).splitlines()
        assert max(map(len, lines)) <= 100
        assert any(line.startswith(f"{game.actor} decides ({game.phase.name})") for line in lines)
    assert game.status() == 0
