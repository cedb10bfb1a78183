"""What no player can see of a position."""

from __future__ import annotations

from typing import Any

import pytest

from monopoly_env import Game
from tests.game.random_play import play_randomly
from tests.position.faults import fault_of


def test_named_cards_stay_on_top() -> None:
    hidden = {"chance": ["ch_jail", "ch_go"], "dice": [[3, 4]]}
    for seed in range(5):
        game = Game.from_position({"players": 2, "hidden": hidden}, seed=seed)
        assert game.position()["hidden"]["chance"][:2] == ["ch_jail", "ch_go"]
        game.play("roll")
        assert game.hand("A").in_jail


def test_without_hidden_things_another_game_comes_of_it() -> None:
    game = Game(seed=5)
    for _ in play_randomly(game, 50):
        pass
    text = game.to_yaml(hidden=False)
    assert "rng" not in text
    twin = Game.from_yaml(text, seed=1)
    assert twin != game
    assert twin.position(hidden=False) == game.position(hidden=False)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"hidden": {"rng": -1}}, "hidden.rng: must be from 0"),
        ({"hidden": {"rng": 2**64}}, "hidden.rng: must be from 0"),
        ({"hidden": {"dice": [[0, 1]]}}, "hidden.dice.1: must be from 1 to 6"),
        ({"hidden": {"dice": [[2, 1]], "dice_used": 2}}, "dice_used: must be from 0 to 1"),
        ({"hidden": {"dice_only": 1}}, "dice_only: must be true or false"),
        ({"hidden": {"chance": ["ch_none"]}}, "ch_none: there is no such card"),
        ({"hidden": []}, "hidden: must be a mapping"),
    ],
)
def test_hidden_things_that_do_not_fit(change: dict[str, Any], says: str) -> None:
    assert says in fault_of(change)
