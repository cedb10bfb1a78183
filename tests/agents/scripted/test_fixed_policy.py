"""The numbers of the fixed policies, one by one: they are a yardstick and change no more."""

from __future__ import annotations

import pytest

from monopoly_env.agent import make_agent
from tests.agents.positions import (
    Made,
    asked,
    between,
    bidding,
    buying,
    choose,
    make_offer,
    owing,
    received,
    turn_over,
    waiting,
)

A, B, C = "fixed_a", "fixed_b", "fixed_c"
ALL = (A, B, C)
BROWN = ["mediterranean", "baltic"]
LIGHT_BLUE = ["oriental", "vermont", "connecticut"]
DARK_BLUE = ["park_place", "boardwalk"]

# --- buying ---


@pytest.mark.parametrize("bot", ALL)
def test_buys_what_completes_a_group_with_the_last_dollar(bot: str) -> None:
    assert choose(bot, buying("baltic", 60, "mediterranean")) == "buy"
    assert choose(bot, buying("electric", 150, "water")) == "buy"


@pytest.mark.parametrize("bot", ALL)
def test_buys_a_normal_lot_if_200_stay(bot: str) -> None:
    assert choose(bot, buying("kentucky", 420)) == "buy"
    assert choose(bot, buying("kentucky", 419)) == "auction"


@pytest.mark.parametrize(
    ("space", "price", "high", "normal"),
    [
        ("reading", 200, [B], [A, C]),
        ("short_line", 200, [B], [A, C]),
        ("park_place", 350, [B], [A, C]),
        ("boardwalk", 400, [B], [A, C]),
        ("new_york", 200, [C], [A, B]),
        ("st_james", 180, [C], [A, B]),
        ("oriental", 100, [C], [A, B]),
        ("connecticut", 120, [C], [A, B]),
    ],
)
def test_buys_a_high_lot_whenever_affordable(
    space: str, price: int, high: list[str], normal: list[str]
) -> None:
    for bot in high:
        assert choose(bot, buying(space, price)) == "buy"
    for bot in normal:
        assert choose(bot, buying(space, price + 199)) == "auction"
        assert choose(bot, buying(space, price + 200)) == "buy"


@pytest.mark.parametrize("space", ["electric", "water"])
def test_buys_a_low_lot_if_500_stay(space: str) -> None:
    assert choose(B, buying(space, 649)) == "auction"
    assert choose(B, buying(space, 650)) == "buy"
    for bot in (A, C):
        assert choose(bot, buying(space, 349)) == "auction"
        assert choose(bot, buying(space, 350)) == "buy"


def test_without_auctions_a_lot_stays_with_the_bank() -> None:
    given = {**buying("kentucky", 300), "rules": {"auctions": False}}
    assert choose(A, given) == "pass"


# --- bidding ---


@pytest.mark.parametrize(
    ("bot", "space", "deeds", "limit"),
    [
        (A, "boardwalk", ["park_place"], 600),  # list × 1.5: it completes the group
        (B, "electric", ["water"], 225),
        (B, "boardwalk", [], 400),  # high: × 1.0
        (B, "reading", [], 200),
        (C, "new_york", [], 200),
        (C, "vermont", [], 100),
        (A, "boardwalk", [], 300),  # normal: × 0.75
        (C, "boardwalk", [], 300),
        (A, "electric", [], 112),
        (B, "electric", [], 75),  # low: × 0.5
    ],
)
def test_bids_up_to_a_share_of_the_list_price(
    bot: str, space: str, deeds: list[str], limit: int
) -> None:
    assert choose(bot, bidding(space, 1500, limit - 1, *deeds)) == "raise:1"
    assert choose(bot, bidding(space, 1500, limit, *deeds)) == "pass"


def test_never_bids_below_100_in_hand_unless_it_completes_a_group() -> None:
    assert choose(A, bidding("boardwalk", 300, 199)) == "raise:1"
    assert choose(A, bidding("boardwalk", 300, 200)) == "pass"
    assert choose(A, bidding("boardwalk", 300, 299, "park_place")) == "raise:1"
    assert choose(A, bidding("boardwalk", 300, 300, "park_place")) == "pass"


@pytest.mark.parametrize(
    ("standing", "step"),
    [(0, 100), (99, 100), (101, 50), (200, 50), (201, 20), (260, 20), (299, 1), (297, 1)],
)
def test_raises_by_the_largest_step_within_half_of_the_distance(standing: int, step: int) -> None:
    assert choose(A, bidding("boardwalk", 1500, standing)) == f"raise:{step}"


def test_opens_where_its_step_falls_short_of_the_opening_price() -> None:
    given = bidding("boardwalk", 1500, 0)
    given["engine"]["opening"] = 180
    assert choose(A, given) == "open"
    given["engine"]["opening"] = 301
    assert choose(A, given) == "pass"


# --- Jail ---


@pytest.mark.parametrize("bot", ALL)
def test_leaves_jail_with_200_or_more_by_card_then_fine(bot: str) -> None:
    assert choose(bot, {"A": {"jail": 0, "cash": 200, "cards": ["card_chest"]}}) == "jail_card"
    assert choose(bot, {"A": {"jail": 0, "cash": 200}}) == "jail_pay"
    assert choose(bot, {"A": {"jail": 0, "cash": 199, "cards": ["card_chest"]}}) == "roll"
    assert choose(bot, {"A": {"jail": 1, "cash": 199}}) == "roll"


# --- building ---


@pytest.mark.parametrize("bot", ALL)
def test_builds_while_200_stay(bot: str) -> None:
    assert choose(bot, {"A": {"cash": 250, "deeds": BROWN}}) == "build:baltic"
    assert choose(bot, {"A": {"cash": 249, "deeds": BROWN}}) == "roll"


@pytest.mark.parametrize("bot", ALL)
def test_builds_where_rent_gains_most_a_dollar(bot: str) -> None:
    # Park Place 105 for 200, Boardwalk 100 for 200, Connecticut 24 for 50, Baltic 12 for 50
    given = {"A": {"cash": 400, "deeds": BROWN + LIGHT_BLUE + DARK_BLUE}}
    assert choose(bot, given) == "build:park_place"
    assert choose(bot, {"A": {**given["A"], "cash": 399}}) == "build:connecticut"


def test_builds_in_every_window() -> None:
    rich = {"cash": 400, "deeds": DARK_BLUE}
    assert choose(A, turn_over(rich)) == "build:park_place"
    assert choose(A, between(rich)) == "build:park_place"
    assert choose(A, between({"cash": 399, "deeds": DARK_BLUE})) == "pass"


def test_places_a_building_that_was_won() -> None:
    given = {
        "A": {"cash": 0, "deeds": BROWN + DARK_BLUE},
        "engine": waiting("PLACE", player="A", flag=1),
    }
    assert choose(A, given) == "build:park_place"


# --- mortgages ---


@pytest.mark.parametrize("bot", ALL)
def test_lifts_mortgages_while_500_stay(bot: str) -> None:
    assert choose(bot, {"A": {"cash": 621, "deeds": ["kentucky*"]}}) == "lift:kentucky"
    assert choose(bot, {"A": {"cash": 620, "deeds": ["kentucky*"]}}) == "roll"


def test_lifts_high_lots_first_then_the_cheapest() -> None:
    given = {"A": {"cash": 1500, "deeds": ["virginia*", "new_york*", "reading*", "electric*"]}}
    assert choose(A, given) == "lift:electric"
    assert choose(B, given) == "lift:reading"
    assert choose(C, given) == "lift:new_york"
    assert choose(B, {"A": {"cash": 1500, "deeds": ["electric*", "kentucky*"]}}) == "lift:kentucky"


def test_lifts_a_deed_just_received_if_500_stay() -> None:
    assert choose(A, received("kentucky", 621)) == "lift:kentucky"
    assert choose(A, received("kentucky", 620)) == "keep:kentucky"


# --- debts ---


def test_mortgages_low_then_normal_then_high_lots_the_cheapest_first() -> None:
    lots = ["electric", "reading", "vermont", "kentucky", "st_james"]
    given = owing(100, deeds=lots)
    assert choose(A, given) == "mortgage:vermont"
    assert choose(B, given) == "mortgage:electric"
    assert choose(C, given) == "mortgage:electric"
    given = owing(100, deeds=["reading", "vermont", "kentucky", "st_james"])
    assert choose(B, given) == "mortgage:vermont"
    assert choose(C, given) == "mortgage:reading"
    given = owing(50, deeds=["reading", "vermont*", "kentucky*", "st_james*"])
    assert choose(B, given) == "mortgage:reading"


def test_mortgages_lots_of_complete_groups_last() -> None:
    assert choose(A, owing(100, deeds=[*BROWN, "boardwalk"])) == "mortgage:boardwalk"
    assert choose(A, owing(50, deeds=[*BROWN, "boardwalk*"])) == "mortgage:mediterranean"
    # even before a low lot of a complete group there comes a high one of none
    assert choose(B, owing(50, deeds=["electric", "water", "boardwalk"])) == "mortgage:boardwalk"


def test_then_sells_the_building_that_costs_least_rent_a_dollar() -> None:
    # a house on Boardwalk loses 400 for 100, on Park Place 325 for 100, on Baltic 40 for 25
    built = {"baltic": 2, "mediterranean": 2, "park_place": 2, "boardwalk": 2}
    given = owing(25, deeds=BROWN + DARK_BLUE, buildings=built)
    assert choose(A, given) == "sell:mediterranean"
    given = owing(25, deeds=[*BROWN, "kentucky"], buildings={"baltic": 1})
    assert choose(A, given) == "mortgage:kentucky"
    assert choose(A, owing(25, deeds=BROWN, buildings={"baltic": 1})) == "sell:baltic"


def test_sells_a_whole_group_where_hotels_cannot_be_broken_down() -> None:
    given = owing(25, deeds=BROWN, buildings={"baltic": 5, "mediterranean": 5})
    given["bank"] = {"houses": 0, "hotels": 1}
    assert choose(A, given) == "sell_group:brown"


def test_gives_up_when_nothing_can_meet_the_debt() -> None:
    assert choose(A, owing(100)) == "bankrupt"
    assert choose(A, {**owing(100, deeds=["baltic"]), "rules": {"deals": "off"}}) == "bankrupt"


def test_sells_a_deed_where_mortgages_cannot_meet_the_debt() -> None:
    # 60 to lend on Oriental and Baltic together fall 20 short of 100: 70 for Oriental are needed
    made = make_offer(A, owing(100, deeds=["oriental", "baltic"]))
    assert made == Made("B", ["oriental"], [], -70)
    # nobody can pay so much
    assert make_offer(A, {**owing(100, deeds=["oriental"]), "B": {"cash": 99}}) is None


# --- deals ---


@pytest.mark.parametrize("bot", ALL)
def test_offers_five_quarters_in_cash_for_the_missing_lot(bot: str) -> None:
    given = {
        "players": 3,
        "A": {"cash": 600, "deeds": ["boardwalk", "kentucky", "indiana", "st_charles"]},
        "C": {"deeds": ["park_place", "illinois", "states"]},
    }
    made = make_offer(bot, given)  # Illinois costs 240, Park Place 350; pink lacks two
    assert made == Made("C", [], ["illinois"], 300)


@pytest.mark.parametrize("bot", ALL)
def test_offers_cash_only_if_100_stay(bot: str) -> None:
    mine = ["kentucky", "indiana", "marvin"]
    given = {"A": {"cash": 400, "deeds": mine}, "B": {"deeds": ["illinois"]}}
    assert make_offer(bot, given) == Made("B", [], ["illinois"], 300)
    given["A"] = {"cash": 399, "deeds": mine}
    made = make_offer(bot, given)  # Marvin Gardens costs 280, 40 more than Illinois
    assert made == Made("B", ["marvin"], ["illinois"], -40)


def test_swaps_its_dearest_lone_lot_that_is_not_high() -> None:
    mine = ["kentucky", "indiana", "virginia", "boardwalk", "reading", "short_line", "new_york"]
    given = {"A": {"cash": 100, "deeds": mine}, "B": {"deeds": ["illinois"]}}
    assert make_offer(A, given) == Made("B", ["boardwalk"], ["illinois"], -160)
    made = make_offer(B, given)  # dark blue and railroads are high; New York costs 40 less
    assert made == Made("B", ["new_york"], ["illinois"], 40)
    made = make_offer(C, {**given, "A": {"cash": 100, "deeds": [*mine[:3], "new_york"]}})
    assert made == Made("B", ["virginia"], ["illinois"], 80)


def test_makes_no_offer_on_others_turns_nor_without_a_lot_to_give() -> None:
    mine = {"cash": 1500, "deeds": ["kentucky", "indiana"]}
    assert choose(A, between(mine, A={"deeds": ["illinois"]})) == "pass"
    given = {"A": {"cash": 399, "deeds": ["kentucky", "indiana"]}, "B": {"deeds": ["illinois"]}}
    assert choose(A, given) == "roll"


def test_makes_no_offer_when_none_are_left() -> None:
    given = {"A": {"deeds": ["kentucky", "indiana"]}, "B": {"deeds": ["illinois"]}}
    assert choose(A, given) == "deal:B"
    assert choose(A, {**given, "engine": {"offers_left": {"A": 0}}}) == "roll"


def test_makes_an_offer_once_until_the_other_sides_deeds_change() -> None:
    agent = make_agent(A)
    given = {"A": {"deeds": ["kentucky", "indiana"]}, "B": {"deeds": ["illinois"]}}
    assert make_offer(agent, given) is not None
    assert make_offer(agent, given) is None
    changed = {**given, "B": {"deeds": ["illinois", "boardwalk"]}}
    assert make_offer(agent, changed) is not None


def test_takes_the_nearest_offer_of_a_menu() -> None:
    given = {
        "rules": {"deals": "menu"},
        "A": {"deeds": ["kentucky", "indiana"]},
        "B": {"deeds": ["illinois"]},
    }
    made = make_offer(A, given)  # 300 would be offered; the menu has 264 and 624
    assert made == Made("B", [], ["illinois"], 264)


# --- answers ---


@pytest.mark.parametrize("bot", ALL)
def test_accepts_what_completes_a_group_and_can_be_paid(bot: str) -> None:
    mine = {"cash": 900, "deeds": ["mediterranean"]}
    given = asked(mine, {"deeds": ["baltic"]}, deal_give=["baltic"], deal_ask_cash=900)
    assert choose(bot, given) == "accept"


@pytest.mark.parametrize("bot", ALL)
def test_refuses_what_breaks_a_group(bot: str) -> None:
    given = asked({"deeds": BROWN}, {}, deal_ask=["baltic"], deal_give_cash=1500)
    assert choose(bot, given) == "reject"


@pytest.mark.parametrize(
    ("bot", "space", "worth"),
    [
        (A, "kentucky", 220),  # list price
        (A, "kentucky*", 110),  # mortgaged half
        (B, "boardwalk", 500),  # high × 1.25
        (B, "boardwalk*", 250),
        (C, "oriental", 125),
        (B, "electric", 112),  # low × 0.75
    ],
)
def test_goes_by_value_otherwise(bot: str, space: str, worth: int) -> None:
    name = space.rstrip("*")
    for cash, answer in ((worth, "reject"), (worth + 1, "accept")):
        given = asked({"deeds": [space]}, {}, deal_ask=[name], deal_give_cash=cash)
        assert choose(bot, given) == answer
    if worth != 112:  # 112.50 is more than 112
        for cash, answer in ((worth, "reject"), (worth - 1, "accept")):
            given = asked({}, {"deeds": [space]}, deal_give=[name], deal_ask_cash=cash)
            assert choose(bot, given) == answer


def test_a_deed_that_completes_the_other_sides_group_counts_twice() -> None:
    theirs = {"cash": 1500, "deeds": ["mediterranean"]}
    for cash, answer in ((120, "reject"), (121, "accept")):
        given = asked({"deeds": ["baltic"]}, theirs, deal_ask=["baltic"], deal_give_cash=cash)
        assert choose(A, given) == answer


# --- where the description is silent ---


def test_pays_the_smaller_tax() -> None:
    engine = waiting("TAX", player="A", square="income_tax")
    given = {"edition": "pokemon1999", "A": {"cash": 1999}, "engine": engine}
    assert choose(A, given) == "tax_flat"  # 10 % of 1,999 is rounded up to 200
    given["A"] = {"cash": 1990}
    assert choose(A, given) == "tax_percent"


def test_asks_for_rent() -> None:
    given = {
        "rules": {"rent_asked": True}, "turn": "B",
        "A": {"deeds": ["baltic"]}, "B": {"at": "go"}, "hidden": {"dice": [[1, 2]]},
    }  # fmt: skip
    assert choose(A, given, "roll") == "ask_rent"


def test_wants_a_scarce_building_that_it_would_build() -> None:
    given = {
        "A": {"cash": 400, "deeds": DARK_BLUE}, "B": {"deeds": BROWN}, "turn": "B",
        "bank": {"houses": 1, "hotels": 12},
    }  # fmt: skip
    assert choose(A, given, "build:baltic") == "claim"
    given["A"] = {"cash": 200, "deeds": DARK_BLUE}
    assert choose(A, given, "build:baltic") == "pass"


def test_uses_the_powers_of_doubles() -> None:
    powers = {"edition": "pokemon1999", "rules": {"power_doubles": True}}
    rest = {**powers, "engine": waiting("POWER", player="A") | {"again": 2}}
    assert choose(A, rest) == "power"
    draws = {**powers, "engine": waiting("POWER", player="A") | {"again": 4}}
    assert choose(A, draws) == "roll"
    mine = {"cash": 500, "deeds": ["mediterranean", "pacific"]}
    teleport = {**powers, "A": mine, "engine": waiting("TELEPORT", player="A")}
    assert choose(A, teleport) == "to:baltic"
    theirs = {"deeds": ["baltic", "boardwalk", "north_carolina"]}
    attack = {**powers, "A": mine, "B": theirs, "engine": waiting("ATTACK", player="A")}
    assert choose(A, attack) == "attack:north_carolina"
