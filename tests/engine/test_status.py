"""Each invariant speaks up when a sound position is broken in that one way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from monopoly_env import Game
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.status import Status
from tests.engine.positions import ORANGES, play, position

NOBODY = -1
BALTIC, ST_JAMES, NEW_YORK, READING, GO_TO_JAIL = 3, 16, 19, 5, 30


def sound() -> Game:
    """Three players with deeds, buildings, a mortgage and a kept card; C is out."""
    return position(
        3, A={"deeds": [*ORANGES, "reading*"], "buildings": dict.fromkeys(ORANGES, 2)},
        B={"deeds": ["baltic"], "cards": ["card_chest"]}, C={"out": True},
    )  # fmt: skip


def put(name: str, *path_and_value: int) -> Callable[[Any], None]:
    """Set a field, or one number of it."""
    *path, value = path_and_value

    def change(state: Any) -> None:
        if path:
            state[name][tuple(path)] = value
        else:
            state[name] = value

    return change


def both(*changes: Callable[[Any], None]) -> Callable[[Any], None]:
    def change(state: Any) -> None:
        for one in changes:
            one(state)

    return change


def mortgage(square: int) -> Callable[[Any], None]:
    def change(state: Any) -> None:
        state["mortgaged"] |= 1 << square

    return change


BROKEN: list[tuple[str, Status, Callable[[Any], None]]] = [
    ("money is made", Status.MONEY, put("pot", 1)),
    ("a hand is below nothing", Status.CASH, both(put("cash", 0, -5), put("bank", -1495))),
    ("an owner without the deed", Status.DEEDS, put("owner", BALTIC, 0)),
    ("a deed without its owner", Status.DEEDS, put("owner", BALTIC, NOBODY)),
    ("an owner who does not play", Status.DEEDS, put("owner", BALTIC, 7)),
    ("a deed twice", Status.DEEDS, put("owned", 2, 1 << BALTIC)),
    ("a level that is not marked", Status.BUILDINGS, put("built", 0)),
    ("a house off a street", Status.BUILDINGS | Status.SUPPLY, put("level", READING, 1)),
    ("six buildings", Status.BUILDINGS | Status.SUPPLY, put("level", NEW_YORK, 6)),
    ("a house lost", Status.SUPPLY, put("houses", 25)),
    ("a hotel made", Status.SUPPLY, put("hotels", 13)),
    (
        "two houses higher than its neighbour", Status.EVENNESS,
        both(put("level", NEW_YORK, 4), put("houses", 24)),
    ),
    ("a mortgage beside buildings", Status.MORTGAGE, mortgage(NEW_YORK)),
    ("a mortgage of the Bank's", Status.MORTGAGE, mortgage(39)),
    ("a card in two places", Status.CARDS, put("card_holder", 1, NOBODY)),
    ("a card held by who is out", Status.CARDS, put("card_holder", 1, 2)),
    ("a card missing", Status.CARDS, put("deck_size", 0, 15)),
    ("a card doubled", Status.CARDS, put("deck", 0, 0, 1)),
    ("a token off the board", Status.PLACES, put("position", 0, 40)),
    ("an inmate elsewhere", Status.PLACES, put("in_jail", 0, 1)),
    ("a token on Go To Jail", Status.PLACES, put("position", 0, GO_TO_JAIL)),
    ("cash of who is out", Status.OUT, both(put("cash", 2, 5), put("bank", -3005))),
    ("cash beyond the table", Status.OUT, both(put("cash", 5, 5), put("bank", -3005))),
    ("who is out decides", Status.ACTOR, put("actor", 2)),
    ("nobody decides", Status.ACTOR, put("actor", NOBODY)),
    ("no frame", Status.AGENDA, put("depth", 0)),
    ("too deep", Status.AGENDA, put("depth", 17)),
    ("a throw too many", Status.DICE, put("dice_missing", 1)),
]  # fmt: skip


def test_a_sound_position_breaks_nothing() -> None:
    assert sound().status() == Status(0)


@pytest.mark.parametrize(
    ("flag", "change"), [row[1:] for row in BROKEN], ids=[r[0] for r in BROKEN]
)
def test_one_invariant_broken(flag: Status, change: Callable[[Any], None]) -> None:
    game = sound()
    change(game.state)
    assert flag in game.status(), game.status()


def test_a_game_with_one_player_left_should_have_ended() -> None:
    game = position(2)
    game.state["out"][1] = 1
    game.state["bank"] += game.state["cash"][1]
    game.state["cash"][1] = 0
    assert game.status() == Status.OVER


def test_a_game_that_is_over_has_neither_actor_nor_agenda() -> None:
    game = play(position(A={"cash": 0}, dice=[(1, 3)]), "A roll", "A bankrupt")
    assert not game.status()
    game.state["actor"] = 1
    assert game.status() == Status.AGENDA


def test_a_decision_without_a_choice_is_a_fault() -> None:
    """Which lot to attack, where nobody else has any."""
    game = sound()
    game.state["owner"][BALTIC] = NOBODY
    game.state["owned"][1] = 0
    game.state["phase"] = Phase.ATTACK
    assert game.status() == Status.MASK


def test_uneven_buildings_and_mortgages_beside_them_are_sound_where_the_rules_allow_them() -> None:
    loose: dict[str, object] = {"even_building": False, "mortgage_beside_buildings": True}
    row = {"deeds": ["st_james*", *ORANGES[1:]], "buildings": {"new_york": 3}}
    assert not position(A=row, rules=loose).status()


def test_every_invariant_is_broken_here() -> None:
    """But OVER and MASK, which have tests of their own."""
    seen = Status(0)
    for _, flag, _ in BROKEN:
        seen |= flag
    assert seen | Status.OVER | Status.MASK == ~Status(0)
