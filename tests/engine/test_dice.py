"""Throws and shuffles: the generator of the game record, and throws that are forced."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from monopoly_env import Game
from monopoly_env.engine import dice
from monopoly_env.engine.journal import Event
from monopoly_env.engine.state import new_games
from monopoly_env.engine.status import Status
from tests.engine.positions import events, play, position


@pytest.mark.promise("chance")
def test_the_generator_is_splitmix64() -> None:
    """The first numbers for the seed 1234567, as published with the algorithm."""
    published = [
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431,
        16408922859458223821,
    ]  # fmt: skip
    state = np.uint64(1234567)
    for number in published:
        with np.errstate(over="ignore"):
            state += dice.GAMMA
        assert int(dice.mix(state)) == number


def test_a_number_below_n_is_the_high_half_scaled() -> None:
    game = new_games(1)[0]
    game["rng"] = 1234567
    assert dice.below(game, 36) == (6457827717110365317 >> 32) * 36 >> 32
    assert dice.below(game, 40) == (3203168211198807973 >> 32) * 40 >> 32


@pytest.mark.promise("chance")
def test_all_thirty_six_throws_are_equally_likely() -> None:
    """The chance that a fair pair is further off than this is one in a million."""
    game = new_games(1)[0]
    game["rng"] = 20
    throws = 36_000
    counts = Counter(dice.below(game, 36) for _ in range(throws))
    expected = throws / 36
    assert sum((counts[pips] - expected) ** 2 / expected for pips in range(36)) < 90.6


def test_forced_throws_come_first_and_in_order() -> None:
    game = position(A={"at": "jail"}, dice=[(5, 5), (4, 6)], rules={"auctions": False})
    play(game, "A roll")
    assert events(game, Event.THROW) == [("A", "A", 5, 5)]
    play(game, "A roll")
    assert game.state["dice"].tolist() == [4, 6]
    assert game.hand("A").in_jail  # by Free Parking, 10 on, to Go To Jail, 10 more


def test_a_throw_beyond_the_forced_ones_is_a_fault_only_where_no_other_is_allowed() -> None:
    loose = Game.from_position({"players": 2}, seed=1)
    loose.play("roll")
    assert not loose.status()
    strict = position()
    strict.play("roll")
    assert strict.status() == Status.DICE


def test_both_dice_show_one_to_six() -> None:
    pips = []
    for seed in range(120):
        game = Game.from_position({"players": 2}, seed=seed)
        game.play("roll")
        pips.append(game.state["dice"].tolist())
    assert {first for first, _ in pips} == {second for _, second in pips} == set(range(1, 7))
    assert len({tuple(pair) for pair in pips}) > 30  # of 36, neither hanging on the other


def test_a_shuffle_keeps_every_card() -> None:
    game = new_games(1)[0]
    game["rng"] = 7
    cards = np.arange(16, dtype=np.int8)
    dice.shuffle(game, cards, 16)
    assert sorted(cards.tolist()) == list(range(16))
    assert cards.tolist() != list(range(16))


def test_a_shuffle_leaves_what_lies_beyond_alone() -> None:
    game = new_games(1)[0]
    cards = np.arange(16, dtype=np.int8)
    dice.shuffle(game, cards, 4)
    assert cards[4:].tolist() == list(range(4, 16))


@pytest.mark.promise("chance")
@pytest.mark.parametrize("place", range(4))
def test_every_card_comes_to_every_place_equally_often(place: int) -> None:
    """Of 8,000 shuffles of four cards; one in a million fair ones is further off."""
    game = new_games(1)[0]
    game["rng"] = 99
    counts: Counter[int] = Counter()
    for _ in range(8000):
        cards = np.arange(4, dtype=np.int8)
        dice.shuffle(game, cards, 4)
        counts[int(cards[place])] += 1
    assert sum((counts[card] - 2000) ** 2 / 2000 for card in range(4)) < 30.7


@pytest.mark.promise("determinism")
def test_equal_generators_throw_equal_dice() -> None:
    one, other = Game(seed=5), Game(seed=5)
    one.play("roll")
    other.play("roll")
    assert one.state["dice"].tolist() == other.state["dice"].tolist()
