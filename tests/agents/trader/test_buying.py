"""When the trader leaves a deed to the auction, and how far it bids there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from monopoly_agents.trader.numbers import by_name, read_numbers, trader_weights
from monopoly_agents.trader.weights import TWO

from monopoly_env.agent import make_agent
from tests.agents.positions import Given, bidding, buying, choose, decide, seated

LIMIT = 200 * float(trader_weights()["margins"]["bids"][0, TWO])  # $, of New York Avenue
ORANGE = ["st_james", "tennessee", "new_york"]


def against(theirs: int, given: Given, **more: object) -> Given:
    """The position with this much cash of B's."""
    return {**given, "B": {"cash": theirs, **more}}


def test_what_nobody_else_can_pay_for_is_left_to_the_auction() -> None:
    assert choose("trader", against(20, buying("new_york", 900))) == "auction"
    assert choose("veteran", against(20, buying("new_york", 900))) == "buy"
    assert choose("trader", against(900, buying("new_york", 900))) == "buy"


def test_and_is_cheaper_there() -> None:
    game = seated(against(20, buying("new_york", 900)))
    bots = [make_agent("trader"), make_agent("veteran")]
    while "new_york" not in game.position().get("A", {}).get("deeds", []):
        game.play(decide(bots[game.actor_seat], game))
    assert 900 - 60 < int(game.state["cash"][0]) < 900


def test_one_rich_rival_is_enough_to_buy() -> None:
    given = {"players": 3, **against(10, buying("new_york", 900)), "C": {"cash": 1200}}
    assert choose("trader", given) == "buy"
    given["C"] = {"cash": 40}
    assert choose("trader", given) == "auction"


def test_nothing_is_mortgaged_for_what_the_cash_can_win() -> None:
    given = buying("new_york", 150, *ORANGE[:2], "electric", "reading")
    assert choose("trader", against(30, given)) == "auction"
    assert choose("trader", against(500, given)).startswith("mortgage:")


def test_without_auctions_it_buys() -> None:
    given = {**against(20, buying("new_york", 900)), "rules": {"auctions": False}}
    assert choose("trader", given) == "buy"


def test_an_opening_bid_above_the_price_is_no_bargain() -> None:
    given = {**against(20, buying("new_york", 900)), "rules": {"auction_opening": 205}}
    assert choose("trader", given) == "buy"
    bid: Any = against(1500, bidding("new_york", 1500, 0, "tennessee"))
    bid["rules"] = {"auction_opening": 260}
    bid["engine"] |= {"opening": 260}
    assert choose("trader", bid) == "pass"


@pytest.mark.parametrize("standing", [100, 210, 231])
def test_bids_little_beyond_the_list_price(standing: int) -> None:
    given = against(1500, bidding("new_york", 1500, standing, "tennessee"))
    raised = choose("trader", given)
    assert raised.startswith("raise:")
    assert standing + int(raised.partition(":")[2]) <= LIMIT
    assert (
        choose("trader", against(1500, bidding("new_york", 1500, int(LIMIT) + 1, "tennessee")))
        == "pass"
    )


def test_bids_beyond_it_with_more_than_two() -> None:
    given = against(1500, bidding("new_york", 1500, 260, *ORANGE[:2]))
    assert choose("trader", {"players": 3, **given}).startswith("raise:")
    assert choose("trader", given) == "pass"


@pytest.mark.parametrize("of_two", [True, False])
def test_the_weights_are_those_for_the_players_left(of_two: bool, tmp_path: Path) -> None:
    """A trader for whom deeds are worth nothing bids nothing, where these weights apply."""
    numbers: Any = by_name(trader_weights())
    numbers["weights_of_two" if of_two else "weights"] |= dict.fromkeys(
        ("deeds", "lone", "whole", "houses", "pair"), 0.0
    )
    path = tmp_path / "own.json"
    path.write_text(json.dumps(numbers))
    given = against(900, bidding("new_york", 1500, 100, "tennessee"))
    table = {"players": 3, **given, "C": {"cash": 900}}
    for position, applies in ((given, of_two), (table, not of_two)):
        assert (choose(f"trader:{path}", position) == "pass") == applies


def test_a_file_of_before_buys_and_bids_as_before(tmp_path: Path) -> None:
    numbers: Any = by_name(trader_weights())
    for margins in (numbers["margins"], numbers["margins_of_two"]):
        del margins["auction"], margins["bids"]
    path = tmp_path / "own.json"
    path.write_text(json.dumps(numbers))
    assert read_numbers(path)["margins"]["auction"].max() == 0
    assert choose(f"trader:{path}", against(20, buying("new_york", 900))) == "buy"
    given = against(1500, bidding("new_york", 1500, 240, "tennessee"))
    assert choose(f"trader:{path}", given) == choose("veteran", given) != "pass"
