"""The numbers of the fixed policies, one by one: they are a yardstick and change no more."""

from __future__ import annotations

import pytest

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

A, B, C = "fixed_a", "fixed_b", "fixed_c"
ALL = (A, B, C)
BROWN = ["mediterranean", "baltic"]
LIGHT_BLUE = ["oriental", "vermont", "connecticut"]
DARK_BLUE = ["park_place", "boardwalk"]


@pytest.mark.parametrize("bot", ALL)
def test_buys_what_completes_a_group_with_the_last_dollar(bot: str) -> None:
    assert choose(bot, buying("baltic", 60, "mediterranean")) == "buy"
    assert choose(bot, buying("electric", 150, "water")) == "buy"


@pytest.mark.parametrize("bot", ALL)
def test_buys_a_normal_deed_if_200_stay(bot: str) -> None:
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
def test_buys_a_high_deed_whenever_affordable(
    space: str, price: int, high: list[str], normal: list[str]
) -> None:
    for bot in high:
        assert choose(bot, buying(space, price)) == "buy"
    for bot in normal:
        assert choose(bot, buying(space, price + 199)) == "auction"
        assert choose(bot, buying(space, price + 200)) == "buy"


@pytest.mark.parametrize("space", ["electric", "water"])
def test_buys_a_low_deed_if_500_stay(space: str) -> None:
    assert choose(B, buying(space, 649)) == "auction"
    assert choose(B, buying(space, 650)) == "buy"
    for bot in (A, C):
        assert choose(bot, buying(space, 349)) == "auction"
        assert choose(bot, buying(space, 350)) == "buy"


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


@pytest.mark.parametrize("bot", ALL)
def test_leaves_jail_with_200_or_more_by_card_then_fine(bot: str) -> None:
    assert choose(bot, {"A": {"jail": 0, "cash": 200, "cards": ["card_chest"]}}) == "jail_card"
    assert choose(bot, {"A": {"jail": 0, "cash": 200}}) == "jail_pay"
    assert choose(bot, {"A": {"jail": 0, "cash": 199, "cards": ["card_chest"]}}) == "roll"
    assert choose(bot, {"A": {"jail": 1, "cash": 199}}) == "roll"


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


@pytest.mark.parametrize("bot", ALL)
def test_lifts_mortgages_while_500_stay(bot: str) -> None:
    assert choose(bot, {"A": {"cash": 621, "deeds": ["kentucky*"]}}) == "lift:kentucky"
    assert choose(bot, {"A": {"cash": 620, "deeds": ["kentucky*"]}}) == "roll"


def test_lifts_high_deeds_first_then_the_cheapest() -> None:
    given = {"A": {"cash": 1500, "deeds": ["virginia*", "new_york*", "reading*", "electric*"]}}
    assert choose(A, given) == "lift:electric"
    assert choose(B, given) == "lift:reading"
    assert choose(C, given) == "lift:new_york"
    assert choose(B, {"A": {"cash": 1500, "deeds": ["electric*", "kentucky*"]}}) == "lift:kentucky"


def test_lifts_a_deed_just_received_if_500_stay() -> None:
    assert choose(A, received("kentucky", 621)) == "lift:kentucky"
    assert choose(A, received("kentucky", 620)) == "keep:kentucky"


def test_mortgages_low_then_normal_then_high_deeds_the_cheapest_first() -> None:
    deeds = ["electric", "reading", "vermont", "kentucky", "st_james"]
    given = owing(100, deeds=deeds)
    assert choose(A, given) == "mortgage:vermont"
    assert choose(B, given) == "mortgage:electric"
    assert choose(C, given) == "mortgage:electric"
    given = owing(100, deeds=["reading", "vermont", "kentucky", "st_james"])
    assert choose(B, given) == "mortgage:vermont"
    assert choose(C, given) == "mortgage:reading"
    given = owing(50, deeds=["reading", "vermont*", "kentucky*", "st_james*"])
    assert choose(B, given) == "mortgage:reading"


def test_mortgages_deeds_of_complete_groups_last() -> None:
    assert choose(A, owing(100, deeds=[*BROWN, "boardwalk"])) == "mortgage:boardwalk"
    assert choose(A, owing(50, deeds=[*BROWN, "boardwalk*"])) == "mortgage:mediterranean"
    # even before a low deed of a complete group there comes a high one of none
    assert choose(B, owing(50, deeds=["electric", "water", "boardwalk"])) == "mortgage:boardwalk"


def test_gives_up_when_nothing_can_meet_the_debt() -> None:
    assert choose(A, owing(100)) == "bankrupt"
    assert choose(A, {**owing(100, deeds=["baltic"]), "rules": {"deals": "off"}}) == "bankrupt"


@pytest.mark.parametrize("bot", ALL)
def test_offers_five_quarters_in_cash_for_the_missing_deed(bot: str) -> None:
    given = {
        "players": 3,
        "A": {"cash": 600, "deeds": ["boardwalk", "kentucky", "indiana", "st_charles"]},
        "C": {"deeds": ["park_place", "illinois", "states"]},
    }
    made = make_offer(bot, given)  # Illinois costs 240, Park Place 350; pink lacks two
    assert made == MadeOffer("C", [], ["illinois"], 300)


@pytest.mark.parametrize("bot", ALL)
def test_offers_cash_only_if_100_stay(bot: str) -> None:
    mine = ["kentucky", "indiana", "marvin"]
    given = {"A": {"cash": 400, "deeds": mine}, "B": {"deeds": ["illinois"]}}
    assert make_offer(bot, given) == MadeOffer("B", [], ["illinois"], 300)
    given["A"] = {"cash": 399, "deeds": mine}
    made = make_offer(bot, given)  # Marvin Gardens costs 280, 40 more than Illinois
    assert made == MadeOffer("B", ["marvin"], ["illinois"], -40)


def test_swaps_its_dearest_lone_deed_that_is_not_high() -> None:
    mine = ["kentucky", "indiana", "virginia", "boardwalk", "reading", "short_line", "new_york"]
    given = {"A": {"cash": 100, "deeds": mine}, "B": {"deeds": ["illinois"]}}
    assert make_offer(A, given) == MadeOffer("B", ["boardwalk"], ["illinois"], -160)
    made = make_offer(B, given)  # dark blue and railroads are high; New York costs 40 less
    assert made == MadeOffer("B", ["new_york"], ["illinois"], 40)
    made = make_offer(C, {**given, "A": {"cash": 100, "deeds": [*mine[:3], "new_york"]}})
    assert made == MadeOffer("B", ["virginia"], ["illinois"], 80)


def test_makes_no_offer_on_others_turns_nor_without_a_deed_to_give() -> None:
    mine = {"cash": 1500, "deeds": ["kentucky", "indiana"]}
    assert choose(A, between(mine, A={"deeds": ["illinois"]})) == "pass"
    given = {"A": {"cash": 399, "deeds": ["kentucky", "indiana"]}, "B": {"deeds": ["illinois"]}}
    assert choose(A, given) == "roll"


@pytest.mark.parametrize("bot", ALL)
def test_accepts_what_completes_a_group_and_can_be_paid(bot: str) -> None:
    mine = {"cash": 900, "deeds": ["mediterranean"]}
    given = offered(mine, {"deeds": ["baltic"]}, deal_give=["baltic"], deal_ask_cash=900)
    assert choose(bot, given) == "accept"


@pytest.mark.parametrize("bot", ALL)
def test_refuses_what_breaks_a_group(bot: str) -> None:
    given = offered({"deeds": BROWN}, {}, deal_ask=["baltic"], deal_give_cash=1500)
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
        given = offered({"deeds": [space]}, {}, deal_ask=[name], deal_give_cash=cash)
        assert choose(bot, given) == answer
    if worth != 112:  # 112.50 is more than 112
        for cash, answer in ((worth, "reject"), (worth - 1, "accept")):
            given = offered({}, {"deeds": [space]}, deal_give=[name], deal_ask_cash=cash)
            assert choose(bot, given) == answer


def test_a_deed_that_completes_the_other_sides_group_counts_twice() -> None:
    theirs = {"cash": 1500, "deeds": ["mediterranean"]}
    for cash, answer in ((120, "reject"), (121, "accept")):
        given = offered({"deeds": ["baltic"]}, theirs, deal_ask=["baltic"], deal_give_cash=cash)
        assert choose(A, given) == answer
