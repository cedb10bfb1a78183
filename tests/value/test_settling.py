"""What waits on the agenda is booked before a position is judged."""

from __future__ import annotations

import pytest

from monopoly_env import Game, win_chances
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import copy_records
from monopoly_env.engine.board import SPACE_IDS
from monopoly_env.engine.phases import Phase
from monopoly_env.value.settling import decided, settle


@jit
def settle_all(games, rules_):
    settle(games[0], rules_[0])
    return decided(games[0], rules_[0])


def settled(game):
    games = copy_records(game.state.reshape(1))
    over = settle_all(games, game.edition.rules)
    return games[0], over


def came_to(square, dice, **position):
    """A game of two in which A has just come to a square."""
    start = {"players": 2, "turn": "A", "hidden": {"dice": [list(dice)]}, **position}
    game = Game.from_position(start, seed=1)
    game.play("roll")
    assert SPACE_IDS[game.state["position"][0]] == square
    return game


def test_the_deed_at_hand_is_bought_if_there_is_the_cash():
    game = came_to("baltic", (1, 2))
    assert game.phase is Phase.BUY
    after, _ = settled(game)
    assert after["owner"][3] == 0
    assert after["owned"][0] == 1 << 3
    assert after["cash"][0] == 1500 - 60
    poor = came_to("baltic", (1, 2), A={"cash": 10})
    after, _ = settled(poor)
    assert after["owner"][3] == -1
    assert after["cash"][0] == 10


def test_a_debt_that_can_be_raised_is_paid_on_credit():
    game = came_to("income_tax", (1, 3), A={"cash": 50, "deeds": ["boardwalk"]})
    assert game.phase is Phase.DEBT
    after, over = settled(game)
    assert after["cash"][0] == 50 - 200
    assert after["out"][0] == 0
    assert not over


def test_who_cannot_pay_is_out_and_two_players_are_decided():
    owner = {"deeds": ["mediterranean", "baltic"], "buildings": {"baltic": 5}}
    owner["buildings"]["mediterranean"] = 5
    game = came_to("baltic", (1, 2), A={"cash": 5}, B=owner)
    assert game.phase is Phase.DEBT
    after, over = settled(game)
    assert over
    assert after["out"][0] != 0
    assert after["cash"][1] == 1505
    assert win_chances(game).tolist() == [0.0, 1.0]


def test_the_standing_bid_takes_the_deed():
    game = came_to("baltic", (1, 2))
    game.play("auction")
    game.play("open")
    after, _ = settled(game)
    bidder = int(game.state["high_bidder"])
    assert after["owner"][3] == bidder
    assert after["cash"][bidder] == 1500 - int(game.state["bid"])


def test_rent_that_is_about_to_be_asked_for_is_paid():
    rules = {"rent_asked": True}
    start = {"players": 2, "turn": "A", "hidden": {"dice": [[1, 2]]}, "B": {"deeds": ["baltic"]}}
    game = Game.from_position(start, seed=1, rules=rules)
    game.play("roll")
    assert game.phase is Phase.RENT
    after, _ = settled(game)
    assert after["cash"][:2].tolist() == pytest.approx([1496, 1504])
