"""What a player is worth: for endings, for the tax, and in a debt."""

from __future__ import annotations

import random
from typing import Any

import pytest

from monopoly_env import Game, Why
from monopoly_env.engine import worth
from monopoly_env.engine.board import COLORS, GROUP_BITS, HOTEL, SPACE_IDS, STREETS
from monopoly_env.engine.phases import Phase
from tests.engine.positions import BROWNS, DARK_BLUES, ORANGES, options, play, position

BUILT: dict[str, Any] = {
    "deeds": ORANGES,
    "buildings": {"st_james": 2, "tennessee": 1, "new_york": 1},
}
HOTELS: dict[str, Any] = {"deeds": DARK_BLUES, "buildings": dict.fromkeys(DARK_BLUES, 5)}


@pytest.mark.parametrize(
    ("row", "value"),
    [
        ({}, 1500),
        ({"deeds": ["boardwalk"]}, 1900),
        ({"deeds": ["boardwalk*"]}, 1700),  # at half its price
        ({"deeds": ["reading", "water*"]}, 1775),
        (BUILT, 1500 + 560 + 400),
        (HOTELS, 1500 + 750 + 2 * 1000),  # each with the four houses turned in
    ],
)
def test_net_worth_is_cash_deeds_at_price_and_buildings_at_cost(
    row: dict[str, Any], value: int
) -> None:
    """Source: 000 line 322; 001 line 246; 002 lines 294 to 301."""
    assert position(A=row).hand("A").worth == value


def test_a_hotel_of_the_short_game_counts_three_houses() -> None:
    assert position(A=HOTELS, mode="short").hand("A").worth == 1500 + 750 + 2 * 800


def test_the_tax_counts_mortgaged_deeds_at_their_full_price() -> None:
    """Source: 001 line 170."""
    game = position(A={"deeds": ["boardwalk*", "water*"]})
    assert worth.total_worth(game.state, game.edition.rules[0], 0) == 2050


@pytest.mark.parametrize(
    ("row", "cash"),
    [
        ({}, 1500),
        ({"deeds": ["boardwalk", "water"]}, 1500 + 200 + 75),
        ({"deeds": ["boardwalk*"]}, 1500),
        (BUILT, 1500 + 90 + 90 + 100 + 4 * 50),
        (HOTELS, 1500 + 175 + 200 + 2 * 500),
    ],
)
def test_a_debtor_can_raise_mortgages_and_half_of_what_buildings_cost(
    row: dict[str, Any], cash: int
) -> None:
    game = position(A=row)
    assert worth.raisable(game.state, game.edition.rules[0], 0) == cash


@pytest.mark.parametrize(
    ("site", "level", "cost"),
    [("baltic", 0, 0), ("baltic", 1, 50), ("baltic", 5, 250), ("boardwalk", 3, 600)],
)
def test_what_the_buildings_of_a_site_cost(site: str, level: int, cost: int) -> None:
    rules = position().edition.rules[0]
    assert worth.buildings_at(rules, SPACE_IDS.index(site), level) == cost


def test_the_refund_of_a_site_is_half() -> None:
    game = position(A={"deeds": BROWNS, "buildings": dict.fromkeys(BROWNS, 5)})
    assert worth.building_refund(game.state, game.edition.rules[0], 1) == 125


def test_of_an_odd_price_each_building_brings_half_rounded_down() -> None:
    """A hotel of 15 on houses of 13: 7 and four times 6, at once or one by one."""
    odd = {"house_price": {"new_york": 13}, "hotel_price": {"new_york": 15}}
    rules = position(rules=odd).edition.rules[0]
    site = SPACE_IDS.index("new_york")
    assert [worth.refund_at(rules, site, level) for level in range(6)] == [0, 6, 12, 18, 24, 31]
    assert worth.buildings_at(rules, site, 5) == 67


RAISES = ("sell", "sell_group", "mortgage")
Estate = tuple[dict[str, Any], dict[str, Any], dict[str, int]]  # of A, the rules, the Bank


def odd_estate(seed: int) -> Estate:
    """Color groups with buildings at odd prices; the Bank may be short of houses."""
    chance = random.Random(seed)
    switches = (
        "even_building",
        "limited_buildings",
        "sell_group_always",
        "mortgage_beside_buildings",
    )
    rules: dict[str, Any] = {name: chance.randint(0, 1) for name in switches}
    top = chance.randint(3, 4)
    rules["hotel_houses"] = top
    for price in ("house_price", "hotel_price", "mortgage"):
        rules[price] = {SPACE_IDS[square]: chance.randrange(1, 60) for square in STREETS}
    buildings: dict[str, int] = {}
    for group in chance.sample(range(COLORS), 3):
        low, high = chance.randint(0, top), top + 1
        if rules["even_building"]:
            high = low + 1
        for square in STREETS:
            if GROUP_BITS[group] >> square & 1:
                height = chance.choice((low, high))
                buildings[SPACE_IDS[square]] = HOTEL if height > top else height
    hotels = list(buildings.values()).count(HOTEL)
    houses = sum(buildings.values()) - hotels * HOTEL
    bank = {"houses": chance.choice((0, top - 1, 32 - houses)), "hotels": 12 - hotels}
    built = {site: level for site, level in buildings.items() if level}
    return {"cash": 0, "deeds": list(buildings), "buildings": built}, rules, bank


def sell_off(game: Game, chance: random.Random) -> None:
    """Sell and mortgage in an order drawn at random, until nothing is left or the phase ends."""
    phase = game.phase
    while game.phase is phase and (left := options(game, *RAISES)):
        game.play(chance.choice(left))


@pytest.mark.parametrize("seed", range(60))
def test_in_any_order_selling_brings_what_was_counted_on(seed: int) -> None:
    mine, rules, bank = odd_estate(seed)
    start = position(A=mine, rules=rules, bank=bank)
    expected = worth.raisable(start.state, start.edition.rules[0], 0)
    for order in range(4):
        game = start.copy()
        sell_off(game, random.Random(order))
        assert game.hand("A").buildings == {}
        assert game.cash[0] == expected


@pytest.mark.parametrize("seed", range(30))
def test_a_debt_that_counts_as_payable_is_paid_and_a_dollar_more_is_not(seed: int) -> None:
    mine, rules, bank = odd_estate(seed)
    start = position(A=mine, rules=rules, bank=bank)
    expected = worth.raisable(start.state, start.edition.rules[0], 0)
    for due, reason in ((expected, Why.CAN_PAY), (expected + 1, Why.OK)):
        taxed = {**rules, "tax": {"income_tax": due}}
        game = play(position(A=mine, rules=taxed, bank=bank, dice=[(1, 3)]), "A roll")
        assert game.phase is Phase.DEBT
        assert game.why("bankrupt") is reason
        sell_off(game, random.Random(seed))
        assert (game.phase is Phase.DEBT) == (reason is Why.OK)
