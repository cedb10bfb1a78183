"""The terms of deals: what may be traded, with whom, and what speaks against an offer."""

from __future__ import annotations

from typing import Any

import pytest

from monopoly_env import Why
from monopoly_env.engine import deal_terms
from monopoly_env.engine.board import SPACE_IDS
from monopoly_env.engine.phases import Phase
from tests.engine.positions import EDITIONS, ORANGES, RAILROADS, options, play, position


def squares(*ids: str) -> int:
    return sum(1 << SPACE_IDS.index(id_) for id_ in ids)


# --- what may be traded ---


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_street_of_a_group_with_buildings_is_traded(edition: str) -> None:
    mine = {"deeds": [*ORANGES, "water"], "buildings": {"new_york": 1}, "cards": ["card_chest"]}
    game = play(position(A=mine, edition=edition), "A deal:B")
    assert options(game, "give") == ["give:water", "give:card_chest"]
    assert game.why("give:st_james") is Why.BUILDINGS_IN_GROUP


def test_deeds_mortgaged_or_not_and_kept_cards_are_tradable() -> None:
    game = position(A={"deeds": ["reading*", "water"], "cards": ["card_chance"]})
    assert deal_terms.tradable(game.state, 0) == squares("reading", "water") | 1 << 40
    assert deal_terms.tradable(game.state, 1) == 0
    assert deal_terms.barred(game.state) == 0


# --- with whom ---


def test_with_oneself_nobody_and_who_is_out_there_is_no_deal() -> None:
    game = position(3, A={"deeds": ["water"]}, C={"out": True})
    assert game.why("deal:B") is Why.OK
    assert game.why("deal:C") is Why.SEAT_OUT
    assert game.why("deal:H") is Why.NO_SUCH_SEAT


def test_cash_alone_is_nothing_to_trade() -> None:
    assert position().why("deal:B") is Why.NOTHING_TO_TRADE
    assert position(B={"deeds": ["water"]}).why("deal:B") is Why.OK


def test_without_gifts_both_sides_need_something() -> None:
    rich: dict[str, Any] = {"A": {"deeds": ["water"]}, "B": {"cash": 0}}
    assert position(**rich).why("deal:B") is Why.NOTHING_TO_TRADE
    assert position(**rich, rules={"gifts": True}).why("deal:B") is Why.OK


def test_offers_are_counted_between_throws() -> None:
    game = position(A={"deeds": ["water"]}, rules={"trade_limit": 2})
    play(game, "A deal:B", "A cancel", "A deal:B", "A cancel")
    assert game.why("deal:B") is Why.NO_OFFERS_LEFT


# --- the whole offer ---


def test_each_side_gives_something() -> None:
    game = play(position(A={"deeds": ["water"]}), "A deal:B", "A give:water")
    assert game.why("offer") is Why.NO_GIFTS
    assert play(game, "A ask_cash:1").why("offer") is Why.OK


def test_gifts_are_a_house_rule_but_an_empty_offer_is_none() -> None:
    game = position(A={"deeds": ["water"]}, rules={"gifts": True})
    assert play(game, "A deal:B").why("offer") is Why.NO_GIFTS
    assert play(game, "A give:water").why("offer") is Why.OK


def test_who_receives_a_mortgaged_deed_must_be_able_to_pay_the_interest() -> None:
    """20 for Boardwalk, after what is paid for it."""
    game = position(A={"deeds": ["boardwalk*"]}, B={"cash": 25})
    play(game, "A deal:B", "A give:boardwalk", "A ask_cash:5")
    assert game.why("offer") is Why.OK
    assert play(game, "A ask_cash:1").why("offer") is Why.NO_INTEREST_CASH


def test_the_french_book_asks_for_no_interest() -> None:
    game = position(A={"deeds": ["boardwalk*"]}, B={"cash": 25}, edition="pokemon_fr2000")
    play(game, "A deal:B", "A give:boardwalk", "A ask_cash:20", "A ask_cash:5")
    assert game.why("offer") is Why.OK


def test_the_proposer_too_must_be_able_to_pay_the_interest() -> None:
    game = position(A={"deeds": ["water"], "cash": 9}, B={"deeds": ["reading*"]})
    play(game, "A deal:B", "A give:water", "A ask:reading")
    assert game.why("offer") is Why.NO_INTEREST_CASH
    assert play(game, "A ask_cash:1").why("offer") is Why.OK


def test_the_creditor_pays_the_interest_out_of_the_debt() -> None:
    """5 for Oriental. B gives 10 of its 12; A's 200 of rent come back to B, 200 of tax do not."""
    debtor = {"cash": 190, "deeds": ["oriental*"]}
    railway = {"cash": 12, "deeds": RAILROADS}
    for given, reason in (
        ({"B": railway, "dice": [(2, 3)]}, Why.OK),
        ({"B": {"cash": 12}, "dice": [(1, 3)]}, Why.NO_INTEREST_CASH),
    ):
        game = play(position(A=debtor, **given), "A roll", "A deal:B", "A give:oriental")
        assert play(game, "A ask_cash:10").why("offer") is reason


# --- in a debt ---

# A owes 200 of income tax and has 60: 10 in cash and a mortgage of 50 to come.
OWING: dict[str, Any] = {"A": {"cash": 10, "deeds": ["oriental"]}, "dice": [(1, 3)]}


def test_in_a_debt_deals_are_for_what_cannot_be_met_otherwise() -> None:
    assert play(position(**OWING), "A roll").why("deal:B") is Why.OK
    able = {**OWING, "A": {"cash": 150, "deeds": ["oriental"]}}
    assert play(position(**able), "A roll").why("deal:B") is Why.CAN_PAY


def test_a_deal_in_a_debt_must_leave_it_payable() -> None:
    game = play(position(**OWING), "A roll", "A deal:B", "A give:oriental", "A ask_cash:100")
    assert game.why("offer") is Why.DEBT_UNMET
    play(game, "A ask_cash:50", "A ask_cash:20", "A ask_cash:20")
    assert game.why("offer") is Why.OK  # 190 and the 10


def test_what_is_received_may_be_mortgaged_for_the_debt() -> None:
    """Boardwalk brings 200 for the Oriental that would bring 50."""
    game = play(position(**OWING, B={"deeds": ["boardwalk"]}), "A roll", "A deal:B")
    play(game, "A give:oriental", "A ask:boardwalk")
    assert game.why("offer") is Why.OK
    play(game, "A offer", "B accept")
    assert game.phase is Phase.DEBT
    assert play(game, "A mortgage:boardwalk").cash == (10, 1500)


def test_offers_within_a_debt_are_counted_by_themselves() -> None:
    game = play(position(**OWING, rules={"debt_trade_limit": 1, "trade_limit": 5}), "A roll")
    play(game, "A deal:B", "A cancel")
    assert game.why("deal:B") is Why.NO_OFFERS_LEFT


def test_in_the_french_book_rent_may_be_met_in_property() -> None:
    """Source: 002 line 274. A could raise the 50 for two railroads, and offers Oriental instead."""
    rent: dict[str, Any] = {
        "A": {"cash": 10, "deeds": ["oriental"]}, "B": {"deeds": ["reading", "bno"]},
        "dice": [(2, 3)],
    }  # fmt: skip
    game = play(position(**rent, edition="pokemon_fr2000"), "A roll")
    assert game.phase is Phase.DEBT
    assert game.why("deal:B") is Why.OK
    play(game, "A deal:B", "A give:oriental", "A ask_cash:20", "A ask_cash:20", "A offer")
    play(game, "B accept")
    assert game.owner("oriental") == "B"
    assert game.cash == (0, 1510)
    assert play(position(**rent), "A roll").why("deal:B") is Why.CAN_PAY
