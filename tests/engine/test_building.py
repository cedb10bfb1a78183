"""Building: what it costs, where, and when."""

from __future__ import annotations

import pytest

from monopoly_env import Why
from monopoly_env.engine.journal import Reason
from monopoly_env.engine.phases import Phase
from tests.engine.positions import (
    DARK_BLUES,
    EDITIONS,
    GREENS,
    ORANGES,
    options,
    payments,
    play,
    position,
)


def test_a_house_costs_its_listed_price_and_comes_from_the_bank() -> None:
    game = play(position(A={"deeds": ORANGES}), "A build:st_james")
    assert payments(game) == [("A", "bank", 100, Reason.BUILDING)]
    assert game.hand("A").buildings == {"st_james": 1}
    assert int(game.state["houses"]) == 31


def test_the_first_house_may_go_on_any_street_of_the_group() -> None:
    game = position(A={"deeds": [*ORANGES, *DARK_BLUES]})
    assert options(game, "build") == [f"build:{site}" for site in (*ORANGES, *DARK_BLUES)]


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_second_house_before_each_street_has_its_first(edition: str) -> None:
    game = play(position(A={"deeds": ORANGES}, edition=edition), "A build:new_york")
    assert game.why("build:new_york") is Why.UNEVEN
    play(game, "A build:st_james", "A build:tennessee")
    assert game.why("build:new_york") is Why.OK


def test_a_whole_group_is_built_up_to_hotels() -> None:
    """Five rounds of three at 100; twelve houses go out and come back."""
    game = position(A={"deeds": ORANGES, "cash": 1500})
    for _ in range(5):
        play(game, *(f"A build:{site}" for site in ORANGES))
    assert game.hand("A").buildings == dict.fromkeys(ORANGES, 5)
    assert game.cash == (0, 1500)
    assert (int(game.state["houses"]), int(game.state["hotels"])) == (32, 9)
    assert game.why("build:new_york") is Why.FULL  # one hotel a street


@pytest.mark.parametrize("edition", ["classic", "kanto2014", "pokemon1999", "pokemon_fr2000"])
def test_in_the_short_game_a_hotel_comes_after_three_houses(edition: str) -> None:
    mine = {"deeds": ORANGES, "buildings": dict.fromkeys(ORANGES, 3)}
    game = position(A=mine, edition=edition, mode="short")
    play(game, "A build:new_york")
    assert game.hand("A").buildings["new_york"] == 5
    assert game.cash == (1400, 1500)


def test_why_not_here() -> None:
    mine = [*ORANGES[:2], "park_place*", "boardwalk"]
    game = position(A={"deeds": mine}, B={"deeds": GREENS})
    assert game.why("build:baltic") is Why.NOT_OWNED
    assert game.why("build:pacific") is Why.NOT_YOURS
    assert game.why("build:st_james") is Why.NO_GROUP
    assert game.why("build:boardwalk") is Why.GROUP_MORTGAGED
    assert game.why("build:reading") is Why.NOT_A_STREET


def test_the_price_must_be_there_in_cash() -> None:
    assert position(A={"deeds": ORANGES, "cash": 99}).why("build:new_york") is Why.NO_CASH
    assert position(A={"deeds": ORANGES, "cash": 100}).why("build:new_york") is Why.OK


def test_who_finds_none_left_has_to_wait() -> None:
    none = {"houses": 0, "hotels": 12}
    assert position(A={"deeds": ORANGES}, bank=none).why("build:new_york") is Why.NO_HOUSES
    full = {"deeds": ORANGES, "buildings": dict.fromkeys(ORANGES, 4)}
    none = {"houses": 20, "hotels": 0}
    assert position(A=full, bank=none).why("build:new_york") is Why.NO_HOTELS


def test_a_hotel_needs_no_house_in_the_bank() -> None:
    full = {"deeds": ORANGES, "buildings": dict.fromkeys(ORANGES, 4)}
    game = play(position(A=full, bank={"houses": 0, "hotels": 1}), "A build:new_york")
    assert (int(game.state["houses"]), int(game.state["hotels"])) == (4, 0)


def test_endless_buildings_are_a_house_rule() -> None:
    game = position(
        A={"deeds": ORANGES}, bank={"houses": 0, "hotels": 0}, rules={"limited_buildings": False}
    )
    play(game, "A build:new_york")
    assert game.hand("A").buildings == {"new_york": 1}


def test_building_is_for_before_and_after_a_throw_and_between_turns() -> None:
    """Source: 000 line 202, even when it isn't your turn; 001 line 200; 002 line 236."""
    game = position(3, A={"deeds": ORANGES}, C={"deeds": DARK_BLUES}, dice=[(1, 2)])
    play(game, "A build:new_york", "A roll")
    assert game.phase is Phase.BUY
    assert game.why("build:st_james") is Why.WRONG_PHASE
    play(game, "A buy", "A build:st_james", "A end_turn")
    assert (game.actor, game.phase) == ("C", Phase.BETWEEN)
    play(game, "C build:boardwalk")
    assert game.hand("C").buildings == {"boardwalk": 1}
