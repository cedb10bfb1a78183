"""Counts of all ways to go on, against counts worked out without the engine.

As chess programs count move sequences: a rule that lets one action too many, or too few, shows.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

import pytest

from monopoly_env import Game

pytestmark = pytest.mark.promise("rules")

DEALS_OFF = {"deals": "off", "windows": "own"}


def perft(game: Game, depth: int, kinds: tuple[str, ...]) -> int:
    """Sequences of ``depth`` actions of these kinds."""
    if depth == 0:
        return 1
    total = 0
    for action in game.legal_actions():
        if action.split(":")[0] in kinds:
            after = game.copy()
            after.play(action)
            total += perft(after, depth - 1, kinds)
    return total


def endings(game: Game, kinds: tuple[str, ...], done: Any) -> Counter[Any]:
    """All complete sequences of actions of these kinds, by what ``done`` says of their end."""
    found: Counter[Any] = Counter()
    outcome = done(game)
    if outcome is not None:
        found[outcome] += 1
        return found
    for action in game.legal_actions():
        if action.split(":")[0] in kinds:
            after = game.copy()
            after.play(action)
            found += endings(after, kinds, done)
    return found


# Auctions


@lru_cache
def auctions(cash: tuple[int, ...], still: int, bid: int, high: int, turn: int) -> tuple[int, ...]:
    """Ways an auction can go, by winner (last: nobody); bids by the nine steps, or pass."""
    ways = [0] * (len(cash) + 1)
    others = [p for p in range(len(cash)) if still >> p & 1 and p != high]
    if not others:
        ways[high if high >= 0 else len(cash)] = 1
        return tuple(ways)
    while turn not in others:
        turn = (turn + 1) % len(cash)
    after = (turn + 1) % len(cash)
    options = [auctions(cash, still & ~(1 << turn), bid, high, after)]
    if high < 0 and cash[turn] >= 1:
        options.append(auctions(cash, still, 1, turn, after))  # open
    options.extend(
        auctions(cash, still, bid + step, turn, after)
        for step in (1, 2, 5, 10, 20, 50, 100, 200, 500)
        if bid + step <= cash[turn]
    )
    return tuple(map(sum, zip(ways, *options, strict=True)))


@pytest.mark.parametrize("cash", [(0, 0), (3, 2), (2, 5, 3), (1, 1, 1, 1), (7, 6), (2, 0, 4)])
def test_auctions(cash: tuple[int, ...]) -> None:
    """Every way an auction can go, by who wins it; the decliner's left bids first."""
    position: dict[str, Any] = {"players": len(cash), "rules": DEALS_OFF}
    for letter, dollars in zip("ABCD", cash, strict=False):
        position[letter] = {"cash": dollars, "at": "go"}
    game = Game.from_position({**position, "hidden": {"dice": [[1, 2]]}})
    game.play("roll")
    game.play("auction")

    def winner(now: Game) -> int | None:
        if now.phase.name == "AUCTION":
            return None
        owner = now.owner("baltic")
        return len(cash) if owner is None else "ABCD".index(owner)

    expected = auctions(cash, (1 << len(cash)) - 1, 0, -1, 1)
    found = endings(game, ("open", "raise", "pass"), winner)
    assert tuple(found[seat] for seat in range(len(cash) + 1)) == expected


# Building


def test_building_orders() -> None:
    """Orders of putting up a group of three: even building allows 3! orders a row."""
    game = Game.from_position(
        {"players": 2, "rules": DEALS_OFF,
         "A": {"cash": 1000, "deeds": ["oriental", "vermont", "connecticut"]}}
    )  # fmt: skip
    rows = [1, 3, 6, 6, 6 * 3, 6 * 6, 6 * 6]
    assert [perft(game, depth, ("build",)) for depth in range(7)] == rows


def test_building_until_the_money_is_gone() -> None:
    game = Game.from_position(
        {"players": 2, "rules": DEALS_OFF, "A": {"cash": 149, "deeds": ["mediterranean", "baltic"]}}
    )
    assert [perft(game, depth, ("build",)) for depth in range(4)] == [1, 2, 2, 0]


def test_selling_orders() -> None:
    """Two hotels come down in turns: two orders for each of the five rows."""
    game = Game.from_position(
        {"players": 2, "rules": DEALS_OFF,
         "A": {"deeds": ["park_place", "boardwalk"],
               "buildings": {"park_place": 5, "boardwalk": 5}}}
    )  # fmt: skip
    assert perft(game, 10, ("sell",)) == 2**5
    assert perft(game, 11, ("sell",)) == 0


# Debts


def test_ways_to_meet_a_debt() -> None:
    """Orders of mortgaging until 200 are raised, counted by a recursion over sets."""
    values = {"mediterranean": 30, "oriental": 50, "states": 70, "tennessee": 90, "boardwalk": 200}

    @lru_cache
    def orders(left: frozenset[str], cash: int) -> int:
        if cash >= 200:
            return 1
        return sum(orders(left - {deed}, cash + values[deed]) for deed in left)

    game = Game.from_position(
        {"players": 2, "rules": DEALS_OFF, "A": {"at": "go", "cash": 5, "deeds": list(values)},
         "hidden": {"dice": [[1, 3]]}}
    )  # fmt: skip
    game.play("roll")
    assert game.phase.name == "DEBT"
    found = endings(
        game, ("mortgage",), lambda now: now.phase.name if now.phase.name != "DEBT" else None
    )
    assert sum(found.values()) == orders(frozenset(values), 5)
