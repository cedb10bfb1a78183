"""Buildings go back to the Bank at half their price."""

from __future__ import annotations

import pytest

from monopoly_env import Why
from monopoly_env.engine.journal import Reason
from monopoly_env.engine.phases import Phase
from tests.engine.positions import (
    EDITIONS,
    LIGHT_BLUES,
    ORANGES,
    SHARED_TEXT,
    options,
    payments,
    play,
    position,
)

HOTELS = {"deeds": ORANGES, "buildings": dict.fromkeys(ORANGES, 5)}


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_house_brings_half_its_price(edition: str) -> None:
    game = position(A={"deeds": ORANGES, "buildings": {"new_york": 1}}, edition=edition)
    play(game, "A sell:new_york")
    assert payments(game) == [("bank", "A", 50, Reason.BUILDING)]
    assert game.hand("A").buildings == {}
    assert int(game.state["houses"]) == 32


def test_buildings_come_down_evenly() -> None:
    built = {"st_james": 2, "tennessee": 2, "new_york": 1}
    game = position(A={"deeds": ORANGES, "buildings": built})
    assert options(game, "sell") == ["sell:st_james", "sell:tennessee"]
    assert game.why("sell:new_york") is Why.UNEVEN
    play(game, "A sell:st_james", "A sell:tennessee")
    assert game.why("sell:new_york") is Why.OK


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_hotel_becomes_four_houses_and_half_its_price(edition: str) -> None:
    game = play(position(A=HOTELS, edition=edition), "A sell:new_york")
    assert payments(game) == [("bank", "A", 50, Reason.BUILDING)]
    assert game.hand("A").buildings == {"st_james": 5, "tennessee": 5, "new_york": 4}
    assert (int(game.state["houses"]), int(game.state["hotels"])) == (28, 10)


def test_in_the_short_game_a_hotel_becomes_three_houses() -> None:
    game = play(position(A=HOTELS, mode="short"), "A sell:new_york")
    assert game.hand("A").buildings["new_york"] == 3
    assert int(game.state["houses"]) == 29


def test_no_hotel_is_broken_down_without_the_houses_for_it() -> None:
    """Source: 002 line 250."""
    game = position(A=HOTELS, bank={"houses": 3, "hotels": 9})
    assert game.why("sell:new_york") is Why.NO_HOUSES
    assert position(A=HOTELS, bank={"houses": 4, "hotels": 9}).why("sell:new_york") is Why.OK


@pytest.mark.parametrize("edition", SHARED_TEXT)
def test_all_hotels_go_at_once_where_houses_are_short(edition: str) -> None:
    """Each has cost 4 times 100 and 100: 250 for it."""
    game = position(A=HOTELS, bank={"houses": 3, "hotels": 9}, edition=edition)
    play(game, "A sell_group:orange")
    assert payments(game) == [("bank", "A", 250, Reason.BUILDING)] * 3
    assert game.hand("A").buildings == {}
    assert (int(game.state["houses"]), int(game.state["hotels"])) == (3, 12)
    assert position(A=HOTELS, edition=edition).why("sell_group:orange") is Why.HOTELS_CAN_BREAK


@pytest.mark.parametrize("edition", ["pokemon1999", "pokemon_fr2000"])
def test_in_the_older_books_all_hotels_may_always_go_at_once(edition: str) -> None:
    """Source: 001 line 216; 002 line 256. Houses beside a hotel go with it: 250 and twice 200."""
    mixed = {"deeds": ORANGES, "buildings": {**dict.fromkeys(ORANGES, 4), "new_york": 5}}
    game = play(position(A=mixed, edition=edition), "A sell_group:orange")
    assert game.cash == (2150, 1500)
    assert (int(game.state["houses"]), int(game.state["hotels"])) == (32, 12)


def test_another_groups_buildings_stay() -> None:
    mine = {
        "deeds": [*ORANGES, *LIGHT_BLUES],
        "buildings": {**dict.fromkeys(ORANGES, 5), **dict.fromkeys(LIGHT_BLUES, 2)},
    }
    game = play(position(A=mine, edition="pokemon1999"), "A sell_group:orange")
    assert game.hand("A").buildings == dict.fromkeys(LIGHT_BLUES, 2)


def test_in_the_short_game_a_hotel_brings_half_of_four_buildings() -> None:
    game = position(A=HOTELS, mode="short", edition="pokemon1999")
    assert play(game, "A sell_group:orange").cash == (2100, 1500)


def test_why_not_here() -> None:
    mine = {"deeds": [*ORANGES, "baltic"], "buildings": {"new_york": 1}}
    theirs = {"deeds": LIGHT_BLUES, "buildings": {"oriental": 1}}
    game = position(A=mine, B=theirs)
    assert game.why("sell:st_james") is Why.NO_BUILDING
    assert game.why("sell:oriental") is Why.NOT_YOURS
    assert game.why("sell:boardwalk") is Why.NOT_OWNED
    assert game.why("sell_group:orange") is Why.NO_HOTEL_HERE
    assert game.why("sell_group:brown") is Why.NO_GROUP
    assert game.why("sell_group:light_blue") is Why.NO_GROUP


def test_buildings_are_sold_before_buying_bidding_and_in_debt() -> None:
    mine = {"deeds": ORANGES, "buildings": dict.fromkeys(ORANGES, 1)}
    game = play(position(A=mine, dice=[(1, 2)]), "A roll", "A sell:new_york")
    assert game.phase is Phase.BUY
    play(game, "A auction", "B open", "A sell:tennessee")
    assert game.phase is Phase.AUCTION
    owing = position(A={**mine, "cash": 150}, dice=[(1, 3)])
    assert play(owing, "A roll", "A sell:new_york").cash == (0, 1500)


def test_nothing_is_sold_while_bidding_for_a_building() -> None:
    mine = {"deeds": ORANGES, "buildings": dict.fromkeys(ORANGES, 1)}
    game = position(A=mine, B={"deeds": LIGHT_BLUES}, bank={"houses": 1, "hotels": 12})
    play(game, "A build:new_york", "B claim")
    assert (game.actor, game.phase) == ("A", Phase.AUCTION)
    assert game.why("sell:new_york") is Why.BIDDING_ON_BUILDINGS
    assert game.why("sell_group:orange") is Why.BIDDING_ON_BUILDINGS
