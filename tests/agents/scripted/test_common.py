"""What scripted bots do alike: auctions, scarce buildings, sales, taxes, powers."""

from __future__ import annotations

from tests.agents.positions import bidding, buying, choose, owing, waiting

A, B, C = "fixed_a", "fixed_b", "fixed_c"
BROWN = ["mediterranean", "baltic"]
DARK_BLUE = ["park_place", "boardwalk"]


def test_without_auctions_a_deed_stays_with_the_bank() -> None:
    given = {**buying("kentucky", 300), "rules": {"auctions": False}}
    assert choose(A, given) == "pass"


def test_opens_where_its_step_falls_short_of_the_opening_price() -> None:
    given = bidding("boardwalk", 1500, 0)
    given["engine"]["opening"] = 180
    assert choose(A, given) == "open"
    given["engine"]["opening"] = 301
    assert choose(A, given) == "pass"


def test_places_a_building_that_was_won() -> None:
    given = {
        "A": {"cash": 0, "deeds": BROWN + DARK_BLUE},
        "engine": waiting("PLACE", player="A", flag=1),
    }
    assert choose(A, given) == "build:park_place"


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


def test_pays_the_smaller_tax() -> None:
    engine = waiting("TAX", player="A", square="income_tax")
    given = {"edition": "pokemon1999", "A": {"cash": 1999}, "engine": engine}
    assert choose(A, given) == "tax_flat"  # 10% of 1,999 is rounded up to 200
    given["A"] = {"cash": 1990}
    assert choose(A, given) == "tax_percent"


def test_asks_for_rent() -> None:
    given = {
        "rules": {"rent_asked": True},
        "turn": "B",
        "A": {"deeds": ["baltic"]},
        "B": {"at": "go"},
        "hidden": {"dice": [[1, 2]]},
    }
    assert choose(A, given, "roll") == "ask_rent"


def test_wants_a_scarce_building_that_it_would_build() -> None:
    given = {
        "A": {"cash": 400, "deeds": DARK_BLUE},
        "B": {"deeds": BROWN},
        "turn": "B",
        "bank": {"houses": 1, "hotels": 12},
    }
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
