"""The public baseline: what its code does, as far as the rules here let it."""

from __future__ import annotations

import pytest

from monopoly_env.agent import make_agent
from tests.agents.positions import (
    MadeOffer,
    between,
    bidding,
    buying,
    choose,
    make_offer,
    offered,
    owing,
    received,
    turn_over,
)

BOT = "background"
BROWN = ["mediterranean", "baltic"]
DARK_BLUE = ["park_place", "boardwalk"]


# --- buying and bidding ---


def test_buys_if_200_stay() -> None:
    assert choose(BOT, buying("kentucky", 420)) == "buy"
    assert choose(BOT, buying("kentucky", 419)) == "auction"


def test_buys_what_completes_a_group_with_the_last_dollar() -> None:
    assert choose(BOT, buying("baltic", 60, "mediterranean")) == "buy"


def test_mortgages_lone_deeds_for_what_completes_a_group() -> None:
    given = buying("boardwalk", 300, "park_place", "vermont", "connecticut", "st_james", "states")
    assert choose(BOT, given) == "mortgage:states"  # light blue are two; Park Place is needed
    assert (
        choose(BOT, buying("boardwalk", 240, "park_place", "st_james", "states"))
        == "mortgage:states"
    )
    assert choose(BOT, buying("boardwalk", 239, "park_place", "st_james", "states")) == "auction"
    assert choose(BOT, buying("boardwalk", 399, "kentucky", "states")) == "auction"


@pytest.mark.parametrize(
    ("standing", "action"), [(0, "raise:200"), (200, "raise:100"), (398, "raise:1"), (400, "pass")]
)
def test_bids_half_way_to_the_list_price(standing: int, action: str) -> None:
    assert choose(BOT, bidding("boardwalk", 1500, standing)) == action


def test_bids_half_way_only_with_cash_to_spare() -> None:
    assert choose(BOT, bidding("boardwalk", 201, 0)) == "raise:200"
    assert choose(BOT, bidding("boardwalk", 200, 0)) == "pass"


def test_bids_above_the_list_price_for_a_group_by_a_quarter_of_the_cash_left() -> None:
    assert choose(BOT, bidding("boardwalk", 800, 400, "park_place")) == "raise:100"
    assert choose(BOT, bidding("boardwalk", 799, 400, "park_place")) == "raise:50"
    assert choose(BOT, bidding("boardwalk", 402, 400, "park_place")) == "raise:1"
    assert choose(BOT, bidding("boardwalk", 400, 400, "park_place")) == "pass"


# --- its own turn, and others' ---


def test_leaves_jail_with_200_or_more() -> None:
    assert choose(BOT, {"A": {"jail": 0, "cash": 200, "cards": ["card_chest"]}}) == "jail_card"
    assert choose(BOT, {"A": {"jail": 0, "cash": 200}}) == "jail_pay"
    assert choose(BOT, {"A": {"jail": 0, "cash": 199}}) == "roll"


def test_builds_where_rent_gained_less_cost_is_highest_whenever_affordable() -> None:
    # Park Place -95, Boardwalk -100, Baltic -38, Mediterranean -44
    both = {"cash": 200, "deeds": BROWN + DARK_BLUE}
    assert choose(BOT, between(both)) == "build:baltic"
    assert choose(BOT, between({"cash": 200, "deeds": DARK_BLUE})) == "build:park_place"
    assert choose(BOT, between({"cash": 199, "deeds": DARK_BLUE})) == "pass"
    assert choose(BOT, {"A": both}) == "build:baltic"
    assert choose(BOT, turn_over(both)) == "end_turn"


def test_lifts_mortgages_while_200_stay() -> None:
    assert choose(BOT, between({"cash": 321, "deeds": ["kentucky*"]})) == "lift:kentucky"
    assert choose(BOT, between({"cash": 320, "deeds": ["kentucky*"]})) == "pass"
    assert choose(BOT, received("kentucky", 321)) == "lift:kentucky"
    assert choose(BOT, received("kentucky", 320)) == "keep:kentucky"


# --- debts ---


def test_in_debt_mortgages_the_cheapest_then_breaks_up_groups() -> None:
    deeds = [*BROWN, "electric", "boardwalk"]
    assert choose(BOT, owing(250, deeds=deeds)) == "mortgage:electric"
    assert choose(BOT, owing(25, deeds=[*BROWN, "boardwalk*"])) == "mortgage:mediterranean"
    assert choose(BOT, owing(25, deeds=BROWN, buildings={"baltic": 1})) == "sell:baltic"


def test_sells_a_deed_where_mortgages_cannot_meet_the_debt() -> None:
    made = make_offer(BOT, owing(100, deeds=["oriental", "baltic"]))
    assert made == MadeOffer("B", ["oriental"], [], -70)
    assert choose(BOT, owing(100)) == "bankrupt"


# --- offers ---


def test_with_little_cash_sells_a_lone_deed_at_a_premium() -> None:
    mine = {"cash": 199, "deeds": ["illinois", "vermont"]}
    made = make_offer(BOT, {"A": mine, "B": {"deeds": ["kentucky", "indiana"]}})
    assert made == MadeOffer("B", ["illinois"], [], -300)  # × 1.25: it completes B's group
    made = make_offer(BOT, {"A": mine, "B": {"deeds": ["baltic"]}})
    assert made == MadeOffer("B", ["vermont"], [], -112)  # × 1.125


def test_swaps_deeds_that_complete_a_group_on_both_sides() -> None:
    mine = {"cash": 500, "deeds": ["kentucky", "indiana", "vermont"]}
    theirs = {"deeds": ["illinois", "oriental", "connecticut"]}
    made = make_offer(BOT, {"A": mine, "B": theirs})  # 0.75 × 240 less 1.25 × 100
    assert made == MadeOffer("B", ["vermont"], ["illinois"], 55)


@pytest.mark.promise("bad_input")
def test_buys_what_completes_a_group_and_offers_more_once_that_is_refused() -> None:
    agent = make_agent(BOT)
    given = {"A": {"cash": 500, "deeds": ["kentucky", "indiana"]}, "B": {"deeds": ["illinois"]}}
    assert make_offer(agent, given) == MadeOffer("B", [], ["illinois"], 270)
    assert make_offer(agent, given) == MadeOffer("B", [], ["illinois"], 300)
    assert make_offer(agent, given) is None
    given["A"] = {"cash": 400, "deeds": ["kentucky", "indiana"]}
    assert make_offer(BOT, given) is None  # 100 would be left, not more


# --- answers ---


def test_accepts_what_gains_complete_groups_and_refuses_what_loses_them() -> None:
    mine = {"cash": 900, "deeds": ["mediterranean"]}
    given = offered(mine, {"deeds": ["baltic"]}, deal_give=["baltic"], deal_ask_cash=900)
    assert choose(BOT, given) == "accept"
    given = offered({"deeds": BROWN}, {}, deal_ask=["baltic"], deal_give_cash=1500)
    assert choose(BOT, given) == "reject"


@pytest.mark.parametrize(
    ("cash", "price", "answer"),
    [
        (500, 300, "accept"),  # 200 stay: at any price
        (500, 301, "reject"),
        (319, 219, "accept"),  # 100 stay: only at a gain in list prices
        (320, 220, "reject"),
        (318, 219, "reject"),
    ],
)
def test_without_a_change_in_groups_cash_must_stay(cash: int, price: int, answer: str) -> None:
    theirs = {"deeds": ["kentucky"]}
    given = offered({"cash": cash}, theirs, deal_give=["kentucky"], deal_ask_cash=price)
    assert choose(BOT, given) == answer


def test_never_trades_mortgaged_deeds() -> None:
    mine = {"cash": 900, "deeds": ["mediterranean"]}
    given = offered(mine, {"deeds": ["baltic*"]}, deal_give=["baltic"], deal_ask_cash=1)
    assert choose(BOT, given) == "reject"
