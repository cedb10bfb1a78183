"""Auctions: who may bid, how much, and what becomes of the lot."""

from __future__ import annotations

import pytest

from monopoly_env import Why
from monopoly_env.engine.journal import Event, Reason
from monopoly_env.engine.phases import Phase
from tests.engine.positions import events, options, payments, play, position

# A lands on Baltic Avenue (60) by the first throw.
ON_BALTIC = [(1, 2)]


def test_everybody_may_bid_and_the_decliners_left_bids_first() -> None:
    game = play(position(3, dice=ON_BALTIC), "A roll", "A auction")
    assert (game.actor, game.phase) == ("B", Phase.AUCTION)
    play(game, "B raise:10", "C raise:10")
    assert game.actor == "A"  # who declined may bid too
    play(game, "A raise:5", "B pass", "C pass")
    assert payments(game) == [("A", "bank", 25, Reason.BID)]
    assert game.owner("baltic") == "A"


def test_who_is_out_of_the_game_is_not_asked() -> None:
    game = position(4, B={"out": True}, dice=ON_BALTIC)
    play(game, "A roll", "A auction", "C pass", "D pass")
    assert game.actor == "A"
    game = position(3, turn="B", A={"out": True}, dice=ON_BALTIC)
    play(game, "B roll", "B auction", "C pass")
    assert game.actor == "B"


def test_bidding_may_start_at_one_dollar() -> None:
    game = play(position(dice=ON_BALTIC), "A roll", "A auction")
    assert options(game, "open", "raise")[:2] == ["open", "raise:1"]
    play(game, "B open", "A pass")
    assert game.cash == (1500, 1499)
    assert game.owner("baltic") == "B"


def test_the_first_bid_must_reach_the_opening_price() -> None:
    game = position(dice=ON_BALTIC, rules={"auction_opening": 30})
    play(game, "A roll", "A auction")
    assert game.why("raise:20") is Why.BID_TOO_LOW
    assert game.why("raise:50") is Why.OK
    play(game, "B open")
    assert game.state["bid"] == 30
    assert game.why("raise:1") is Why.OK  # over the 30 that stand


def test_the_opening_price_is_bid_only_while_no_bid_stands() -> None:
    game = play(position(dice=ON_BALTIC), "A roll", "A auction", "B raise:5")
    assert game.why("open") is Why.BID_STANDS


def test_a_bid_must_be_covered_by_cash_in_hand() -> None:
    game = position(B={"cash": 120}, dice=ON_BALTIC)
    play(game, "A roll", "A auction", "B raise:100", "A raise:10")
    assert game.why("raise:10") is Why.OK  # 120 in all
    assert game.why("raise:20") is Why.NO_CASH


def test_who_cannot_pay_the_opening_price_can_only_pass() -> None:
    game = position(B={"cash": 0}, dice=ON_BALTIC)
    play(game, "A roll", "A auction")
    assert game.legal_actions() == ["pass"]


def test_cash_may_be_raised_before_bidding() -> None:
    game = position(B={"cash": 0, "deeds": ["boardwalk"]}, dice=ON_BALTIC)
    play(game, "A roll", "A auction", "B mortgage:boardwalk")
    assert (game.actor, game.phase) == ("B", Phase.AUCTION)
    play(game, "B raise:200", "A pass")
    assert game.cash == (1500, 0)


def test_who_passes_is_not_asked_again() -> None:
    game = position(3, dice=ON_BALTIC)
    play(game, "A roll", "A auction", "B pass", "C raise:10", "A raise:10", "C raise:10", "A pass")
    assert game.owner("baltic") == "C"
    assert game.cash == (1500, 1500, 1470)


def test_the_highest_bidder_must_buy_though_it_is_above_the_printed_price() -> None:
    game = position(dice=ON_BALTIC)
    play(game, "A roll", "A auction", "B raise:500", "A raise:500", "B pass")
    assert game.cash == (500, 1500)


def test_the_last_one_who_has_not_passed_may_still_open() -> None:
    game = play(position(dice=ON_BALTIC), "A roll", "A auction", "B pass")
    assert (game.actor, options(game, "pass", "open")) == ("A", ["pass", "open"])
    play(game, "A open")
    assert game.owner("baltic") == "A"
    assert game.cash == (1499, 1500)


def test_without_a_bid_the_property_stays_with_the_bank() -> None:
    game = play(position(dice=ON_BALTIC), "A roll", "A auction", "B pass", "A pass")
    assert [event[2] for event in events(game, Event.UNSOLD)] == [3]
    assert game.owner("baltic") is None
    assert game.cash == (1500, 1500)


@pytest.mark.parametrize("bid", [True, False])
def test_the_turn_goes_on_after_the_auction(bid: bool) -> None:
    game = play(position(dice=ON_BALTIC), "A roll", "A auction")
    play(game, *(["B open", "A pass"] if bid else ["B pass", "A pass"]))
    after = ("A", Phase.END) if bid else ("B", Phase.TURN)  # there is a deed to deal in, or none
    assert (game.actor, game.phase) == after


def test_an_auction_that_is_over_leaves_no_trace() -> None:
    game = play(position(dice=ON_BALTIC), "A roll", "A auction", "B open", "A pass")
    state = game.state
    assert (state["bid"], state["opening"], state["bidders"]) == (0, 0, 0)
    assert (state["high_bidder"], state["bidder"], state["lot_square"]) == (-1, -1, -1)


@pytest.mark.parametrize("bid", ["raise:1", "raise:100", "raise:500"])
def test_a_raise_is_over_the_standing_bid(bid: str) -> None:
    game = play(position(dice=ON_BALTIC), "A roll", "A auction", "B raise:20", f"A {bid}")
    assert game.state["bid"] == 20 + int(bid.removeprefix("raise:"))
