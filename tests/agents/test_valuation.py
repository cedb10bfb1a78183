"""What scripted bots look up in a position."""

from __future__ import annotations

from typing import Any

import pytest
from monopoly_agents import valuation

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import SPACE_IDS
from tests.agents.positions import Given, owing, seated

ORANGE = ["st_james", "tennessee", "new_york"]


@jit
def worths(games: Any, rules_: Any, square: int) -> tuple[int, int, int, int]:
    """Book value, rent, rent gained by the next building, and its price."""
    game, rules = games[0], rules_[0]
    return (
        valuation.book_value(game, rules, square),
        valuation.standing_rent(game, rules, square),
        valuation.rent_gain(game, rules, square),
        valuation.building_price(game, rules, square),
    )


@jit
def sale(games: Any, rules_: Any, square: int) -> tuple[int, int]:
    """What the topmost building sells for, and the rent that goes with it."""
    game, rules = games[0], rules_[0]
    return valuation.sale_price(game, rules, square), valuation.rent_loss(game, rules, square)


@jit
def due(games: Any) -> int:
    """What the debtor owes."""
    return valuation.amount_due(games[0])


@jit
def groups(games: Any, square: int) -> tuple[bool, bool, bool, int]:
    """Of A: what a deed completes, whether it is lone, in a complete color; complete groups."""
    game = games[0]
    return (
        valuation.completes(game, 0, square),
        valuation.is_lone(game, 0, square),
        valuation.in_complete_color(game.owned[0], square),
        valuation.complete_groups(game.owned[0]),
    )


def arguments(given: Given, space: str) -> tuple[Any, Any, int]:
    game = seated(given)
    return game.state.reshape(1), game.edition.rules, SPACE_IDS.index(space)


@pytest.mark.parametrize(
    ("deeds", "space", "expected"),
    [
        (ORANGE, "new_york", (200, 32, 48, 100)),  # rent doubles in a complete group
        (["reading", "short_line"], "reading", (200, 50, 0, 0)),
        (["electric"], "electric", (150, 28, 0, 0)),  # 4 times the mean throw
        (["kentucky*"], "kentucky", (110, 0, 0, 0)),
        ([], "kentucky", (220, 0, 0, 0)),
    ],
    ids=str,
)
def test_what_deeds_are_worth(deeds: list[str], space: str, expected: tuple[int, ...]) -> None:
    street = space == "new_york"
    result = worths(*arguments({"A": {"deeds": deeds}}, space))
    assert result[: 4 if street else 2] == expected[: 4 if street else 2]


def test_what_a_sale_brings_and_costs() -> None:
    built = {"A": {"deeds": ORANGE, "buildings": {"new_york": 1}}}
    assert sale(*arguments(built, "new_york")) == (50, 80 - 2 * 16)
    hotel = {"A": {"deeds": ORANGE, "buildings": dict.fromkeys(ORANGE, 5)}}
    assert sale(*arguments(hotel, "new_york")) == (50, 1000 - 800)


def test_what_is_owed() -> None:
    assert due(seated(owing(123)).state.reshape(1)) == 123


def test_groups() -> None:
    two = {"A": {"deeds": [*ORANGE[:2], "reading"]}}
    games, _, new_york = arguments(two, "new_york")
    assert groups(games, new_york) == (True, False, False, 0)
    assert groups(games, SPACE_IDS.index("reading")) == (False, True, False, 0)
    games, _, _ = arguments({"A": {"deeds": [*ORANGE, "electric", "water"]}}, "new_york")
    assert groups(games, new_york) == (False, False, True, 2)
    assert groups(games, SPACE_IDS.index("water"))[2] is False  # complete, but no color
