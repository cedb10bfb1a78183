"""Building sites: which streets may be built on, what stands there, and what comes next."""

from __future__ import annotations

import pytest

from monopoly_env import Why
from monopoly_env.engine import sites
from monopoly_env.engine.board import SPACE_IDS
from monopoly_env.engine.phases import AuctionLot
from tests.engine.positions import DARK_BLUES, ORANGES, RAILROADS, UTILITIES, play, position

SITE = SPACE_IDS.index("new_york")


def squares(*ids: str) -> int:
    return sum(1 << SPACE_IDS.index(id_) for id_ in ids)


def test_sites_are_the_streets_of_complete_open_groups() -> None:
    """Railroads and utilities are none, and one mortgage closes its whole group."""
    deeds = [*ORANGES, "park_place", "boardwalk*", "baltic", *RAILROADS, *UTILITIES]
    game = position(A={"deeds": deeds})
    assert sites.buildable(game.state, 0) == squares(*ORANGES)
    assert sites.buildable(game.state, 1) == 0


@pytest.mark.parametrize(
    ("mode", "level", "height"),
    [("standard", 4, 4), ("standard", 5, 5), ("short", 3, 3), ("short", 5, 4)],
)
def test_a_hotel_is_one_higher_than_the_houses_turned_in(
    mode: str, level: int, height: int
) -> None:
    mine = {"deeds": ORANGES, "buildings": dict.fromkeys(ORANGES, level)}
    game = position(A=mine, mode=mode)
    assert sites.height(game.state, game.edition.rules[0], SITE) == height


@pytest.mark.parametrize(("mode", "houses"), [("standard", 4), ("short", 3)])
def test_a_hotel_comes_after_the_last_house(mode: str, houses: int) -> None:
    for level in range(houses + 1):
        built = dict.fromkeys(ORANGES, level) if level else {}
        game = position(A={"deeds": ORANGES, "buildings": built}, mode=mode)
        follows = AuctionLot.HOTEL if level == houses else AuctionLot.HOUSE
        assert sites.next_building(game.state, game.edition.rules[0], SITE) == follows


@pytest.mark.parametrize(
    ("site", "price"),
    [("baltic", 50), ("vermont", 50), ("states", 100), ("new_york", 100),
     ("indiana", 150), ("marvin", 150), ("pacific", 200), ("boardwalk", 200)],
)  # fmt: skip
def test_each_side_of_the_board_has_its_price(site: str, price: int) -> None:
    rules = position().edition.rules[0]
    for building in (AuctionLot.HOUSE, AuctionLot.HOTEL):
        assert sites.price_of(rules, SPACE_IDS.index(site), building) == price


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("deeds", "built", "reason"),
    [
        (ORANGES[1:], {}, Why.NO_GROUP),
        (["st_james*", *ORANGES[1:]], {}, Why.GROUP_MORTGAGED),
        (ORANGES, dict.fromkeys(ORANGES, 5), Why.FULL),
        (ORANGES, {"new_york": 1}, Why.UNEVEN),
        (ORANGES, dict.fromkeys(ORANGES, 4), Why.OK),
        (ORANGES, {**dict.fromkeys(ORANGES, 4), "tennessee": 3}, Why.UNEVEN),
    ],
)  # a hotel needs four houses on each street of the group
def test_why_a_building_does_not_fit(deeds: list[str], built: dict[str, int], reason: Why) -> None:
    game = position(A={"deeds": deeds, "buildings": built})
    assert Why(sites.fits(game.state, game.edition.rules[0], 0, SITE)) is reason


def test_uneven_building_is_a_house_rule() -> None:
    mine = {"deeds": ORANGES, "buildings": {"new_york": 3}}
    game = position(A=mine, rules={"even_building": False})
    assert Why(sites.fits(game.state, game.edition.rules[0], 0, SITE)) is Why.OK


def test_a_hotel_sends_its_houses_back() -> None:
    mine = {"deeds": DARK_BLUES, "buildings": dict.fromkeys(DARK_BLUES, 4)}
    game = position(A=mine)
    assert (int(game.state["houses"]), int(game.state["hotels"])) == (24, 12)
    play(game, "A build:boardwalk")
    assert (int(game.state["houses"]), int(game.state["hotels"])) == (28, 11)
    assert game.hand("A").buildings == {"park_place": 4, "boardwalk": 5}


def test_the_stock_is_what_the_bank_has_left() -> None:
    game = position(bank={"houses": 3, "hotels": 2})
    assert sites.stock(game.state, AuctionLot.HOUSE) == 3
    assert sites.stock(game.state, AuctionLot.HOTEL) == 2
