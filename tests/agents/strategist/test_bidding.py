"""What the strategist buys, and how far it bids."""

from __future__ import annotations

from tests.agents.positions import bidding, buying, choose

ORANGE = ["st_james", "tennessee", "new_york"]


def test_buys_what_completes_a_group_with_the_last_dollar() -> None:
    assert choose("strategist", buying("new_york", 200, *ORANGE[:2])) == "buy"


def test_mortgages_idle_deeds_to_buy() -> None:
    given = buying("new_york", 150, *ORANGE[:2], "electric", "reading")
    assert choose("strategist", given).startswith("mortgage:")


def test_bids_beyond_the_price_for_a_group_and_not_without() -> None:
    assert choose("strategist", bidding("new_york", 1000, 250, *ORANGE[:2])).startswith("raise:")
    assert choose("strategist", bidding("new_york", 1000, 250)) == "pass"
    assert choose("strategist", bidding("new_york", 1000, 50)).startswith("raise:")
