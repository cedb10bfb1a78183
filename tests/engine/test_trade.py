"""Deals between players: composed step by step, then answered."""

from __future__ import annotations

from typing import Any

import pytest

from monopoly_env import Why
from monopoly_env.engine.journal import Event, Reason
from monopoly_env.engine.phases import Phase
from tests.engine.positions import EDITIONS, events, options, payments, play, position

SWAP: dict[str, Any] = {"A": {"deeds": ["water", "reading"]}, "B": {"deeds": ["electric"]}}


@pytest.mark.parametrize("edition", EDITIONS)
def test_deeds_cards_and_cash_change_hands_in_one_deal(edition: str) -> None:
    game = position(
        A={"deeds": ["water", "reading"], "cards": ["card_chance"]},
        B={"deeds": ["boardwalk"], "cards": ["card_chest"]}, edition=edition,
    )  # fmt: skip
    play(
        game, "A deal:B", "A give:water", "A give:card_chance", "A ask:boardwalk",
        "A ask:card_chest", "A give_cash:100", "A give_cash:50", "A offer", "B accept",
    )  # fmt: skip
    assert game.hand("A").deeds == ("reading", "boardwalk")
    assert game.hand("B").deeds == ("water",)
    assert game.hand("A").cards == ("card_chest",)
    assert game.hand("B").cards == ("card_chance",)
    assert payments(game) == [("A", "B", 150, Reason.DEAL)]
    assert (game.actor, game.phase) == ("A", Phase.TURN)


def test_cash_may_be_asked_for() -> None:
    game = play(position(**SWAP), "A deal:B", "A give:water", "A ask_cash:200", "A offer")
    assert (game.actor, game.phase, game.legal_actions()) == (
        "B", Phase.ANSWER, ["accept", "reject"],
    )  # fmt: skip
    assert play(game, "B accept").cash == (1700, 1300)


def test_a_refused_offer_changes_nothing() -> None:
    game = play(position(**SWAP), "A deal:B", "A give:water", "A ask:electric", "A offer")
    play(game, "B reject")
    assert [event[0] for event in events(game, Event.REJECT)] == ["B"]
    assert game.hand("A").deeds == ("reading", "water")
    assert game.cash == (1500, 1500)
    assert int(game.state["refused"][0]) == 1


def test_an_offer_may_be_dropped_while_it_is_composed() -> None:
    game = position(**SWAP)
    play(game, "A deal:B", "A give:water", "A cancel")
    assert (game.actor, game.phase) == ("A", Phase.TURN)
    assert int(game.state["deal_give"]) == 0
    assert int(game.state["proposer"]) == -1


def test_a_deal_that_is_over_leaves_no_trace() -> None:
    game = play(position(**SWAP), "A deal:B", "A give:water", "A ask_cash:5", "A offer", "B accept")
    state = game.state
    assert [int(state[name]) for name in ("deal_give", "deal_ask", "deal_ask_cash")] == [0, 0, 0]
    assert (int(state["proposer"]), int(state["partner"])) == (-1, -1)


# --- composing ---


def test_why_a_deed_or_card_cannot_be_in_the_offer() -> None:
    game = play(position(**SWAP), "A deal:B", "A give:water")
    assert game.why("give:water") is Why.ALREADY_IN
    assert game.why("give:electric") is Why.NOT_YOURS
    assert game.why("ask:reading") is Why.NOT_YOURS
    assert game.why("ask:boardwalk") is Why.NOT_OWNED
    assert game.why("give:card_chance") is Why.NO_CARD
    assert options(game, "give", "ask") == ["give:reading", "ask:electric"]


def test_cash_goes_one_way() -> None:
    game = play(position(**SWAP), "A deal:B", "A give_cash:10")
    assert game.why("ask_cash:1") is Why.OTHER_WAY
    game = play(position(**SWAP), "A deal:B", "A ask_cash:10")
    assert game.why("give_cash:1") is Why.OTHER_WAY


def test_nobody_offers_or_is_asked_for_more_cash_than_is_there() -> None:
    game = position(A={"deeds": ["water"], "cash": 30}, B={"cash": 60})
    play(game, "A deal:B")
    assert game.why("give_cash:50") is Why.NO_CASH
    assert game.why("ask_cash:100") is Why.PARTNER_NO_CASH
    play(game, "A ask_cash:50", "A ask_cash:10")
    assert game.why("ask_cash:1") is Why.PARTNER_NO_CASH


def test_deals_can_be_switched_off() -> None:
    game = position(**SWAP, rules={"deals": "off"})
    assert game.why("deal:B") is Why.DEALS_OFF
    assert options(game, "deal") == []


# --- when ---


def test_deals_are_made_in_jail_and_between_turns() -> None:
    inmate = position(A={"jail": 0, "deeds": ["water"]})
    play(inmate, "A deal:B", "A give:water", "A ask_cash:50", "A offer", "B accept", "A jail_pay")
    game = position(3, C={"deeds": ["water"]}, dice=[(4, 6)])
    play(game, "A roll", "A end_turn", "C deal:A", "C give:water", "C ask_cash:100", "C offer")
    play(game, "A accept", "C pass")
    assert game.cash == (1400, 1500, 1600)
    assert (game.actor, game.phase) == ("B", Phase.TURN)


def test_a_jail_card_bought_from_another_player_may_be_played() -> None:
    """Source: 000 line 291; 001 line 184; 002 line 226."""
    game = position(A={"jail": 1}, B={"cards": ["card_chest"]})
    play(game, "A deal:B", "A ask:card_chest", "A give_cash:20", "A offer", "B accept")
    play(game, "A jail_card")
    assert not game.hand("A").in_jail


# --- in a debt ---


def test_a_debt_that_the_deal_covers_is_paid_at_once() -> None:
    game = position(A={"cash": 10, "deeds": ["oriental"]}, dice=[(1, 3)])
    play(game, "A roll", "A deal:B", "A give:oriental", "A ask_cash:200", "A offer", "B accept")
    assert payments(game) == [("B", "A", 200, Reason.DEAL), ("A", "bank", 200, Reason.TAX)]
    assert game.cash == (10, 1300)


def test_mortgaged_deeds_are_settled_by_their_receivers_after_the_debt() -> None:
    """Both ways: A receives Reading, B Water, each mortgaged."""
    game = position(A={"deeds": ["water*"]}, B={"deeds": ["reading*"]})
    play(game, "A deal:B", "A give:water", "A ask:reading", "A offer", "B accept")
    assert (game.actor, game.phase) == ("A", Phase.DEED)  # Reading comes first on the board
    play(game, "A keep:reading", "B lift:water")
    assert game.cash == (1490, 1417)
