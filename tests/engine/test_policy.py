"""What compiled policies are handed: a wiped game, a view, random numbers of their own."""

from __future__ import annotations

import numpy as np
import pytest

from monopoly_env.engine import policy
from monopoly_env.engine.decks import CARD_IDS
from tests.engine.positions import play, position


def test_the_generator_and_forced_throws_are_hidden() -> None:
    game = position(dice=[(1, 2), (3, 4)])
    policy.wipe(game.state)
    assert int(game.state["rng"]) == 0
    assert not game.state["forced"].any()
    assert [int(game.state[name]) for name in ("forced_count", "forced_next", "forced_only")] == [
        0
    ] * 3


def test_the_order_of_undrawn_cards_is_hidden_but_not_which_they_are() -> None:
    one = position(chance=["ch_jail", "ch_go"])
    other = position(chance=["ch_loan", "ch_reading"])
    assert one != other
    for game in (one, other):
        policy.wipe(game.state)
    assert one == other
    for pile in (0, 1):
        cards = one.edition.rules[0]["deck"][pile].tolist()
        assert one.state["deck"][pile].tolist() == sorted(cards)


def test_cards_that_were_drawn_are_known() -> None:
    """Everybody has seen them go under the pile."""
    game = position(dice=[(3, 4)], chance=["ch_loan"])
    play(game, "A roll")
    policy.wipe(game.state)
    assert CARD_IDS[game.state["deck"][0][15]] == "ch_loan"
    undrawn = game.state["deck"][0][:15].tolist()
    assert undrawn == sorted(undrawn)


@pytest.mark.promise("isolation")
def test_a_wiped_game_is_told_nothing_else() -> None:
    game = position(A={"deeds": ["water"]}, dice=[(1, 2)])
    wiped = game.copy()
    policy.wipe(wiped.state)
    for name in ("cash", "owner", "position", "agenda", "deck_size", "unseen", "card_holder"):
        assert wiped.state[name].tobytes() == game.state[name].tobytes(), name


def test_a_policys_random_numbers_are_below_n_and_move_on() -> None:
    view = policy.new_views(1)[0][0]
    numbers = [policy.chance(view, 6) for _ in range(200)]
    assert set(numbers) == set(range(6))
    again = policy.new_views(1)[0][0]
    assert [policy.chance(again, 6) for _ in range(200)] == numbers


def test_views_are_a_row_a_game_and_a_seat() -> None:
    views = policy.new_views(3)
    assert views.shape == (3, 8)
    assert not views.tobytes().strip(b"\0")


def test_weights_are_handed_by_address() -> None:
    assert policy.weights_address(None) == 0
    weights = np.arange(8.0)
    assert policy.weights_address(weights) == weights.ctypes.data
    with pytest.raises(ValueError, match="must lie in one piece"):
        policy.weights_address(weights[::2])
