"""Many deals valued at once by the learned value: for bots that look for offers, and for figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from monopoly_env.compiler.records import copy_records
from monopoly_env.engine.board import DEEDS
from monopoly_env.engine.state import Float64s
from monopoly_env.game import Game
from monopoly_env.negotiation.kernel import carry_out_all, tradable_at
from monopoly_env.negotiation.terms import Terms
from monopoly_env.position.public_state import members
from monopoly_env.value.weights import Value, shipped_value


def tradable_items(game: Game, seat: int) -> tuple[int, ...]:
    """The squares of the deeds that a seat may trade, and 40 and 41 for kept cards."""
    return members(tradable_at(game.state.reshape(1), seat))


def changes(game: Game, offers: Sequence[Terms], value: Value | None = None) -> Float64s:
    """Return what each of many deals would change in everybody's chances, float64[n, players].

    The deals are carried out in the position as it stands: deeds, cards and cash change hands.
    :func:`monopoly_env.deal_values` plays the answer by the rules instead, one offer at a time, and
    says whether it can be made; this does not. About 15 µs a deal.

    >>> game = Game.from_position({"players": 3, "A": {"deeds": ["baltic"]}, "B": {"cash": 900}}, seed=1)
    >>> changes(game, [Terms(0, 1, give=(3,), cash=60), Terms(0, 1, give=(3,), cash=600)]).shape
    (2, 3)
    """
    judge = value or shipped_value()
    rules, players = game.edition.rules, game.players
    if not offers:
        return np.zeros((0, players))
    games: Any = copy_records(np.repeat(game.state.reshape(1), len(offers) + 1))
    rows = [*offers, Terms(0, 1)]  # the last one is the position itself
    sides = np.array([(row.proposer, row.partner) for row in rows], np.int64)
    items = np.array([(_bits(row.give), _bits(row.ask)) for row in rows], np.int64)
    cash = np.array([row.cash for row in rows], np.int64)
    carry_out_all(games, rules, sides, items, cash)
    chances = judge.chances(games, rules)[:, :players]
    differences: Float64s = chances[:-1] - chances[-1]
    return differences


def _bits(items: Sequence[int]) -> int:
    return sum(1 << item for item in items)


def packages(game: Game, one: int, other: int) -> list[Terms]:
    """What two seats could swap: each deed of either for each of the other's or for cash alone.

    Cash evens the list prices out, as far as the two have it.
    """
    prices = game.edition.rules[0]["price"]
    mine = [item for item in tradable_items(game, one) if item in DEEDS]
    theirs = [item for item in tradable_items(game, other) if item in DEEDS]
    offers = []
    for give in (None, *mine):
        for ask in (None, *theirs):
            if give is None and ask is None:
                continue
            even = sum(int(prices[give]) for give in [give] if give is not None)
            even -= sum(int(prices[ask]) for ask in [ask] if ask is not None)
            cash = min(max(even, -game.cash[one]), game.cash[other])
            offers.append(
                Terms(
                    one,
                    other,
                    () if give is None else (give,),
                    () if ask is None else (ask,),
                    cash,
                )
            )
    return offers
