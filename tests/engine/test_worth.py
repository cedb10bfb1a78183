"""What a player is worth: for endings, for the tax, and in a debt."""

from __future__ import annotations

from typing import Any

import pytest

from monopoly_env.engine import worth
from monopoly_env.engine.board import SPACE_IDS
from tests.engine.positions import BROWNS, DARK_BLUES, ORANGES, position

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
