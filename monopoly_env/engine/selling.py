"""Selling houses and hotels back to the Bank: one by one, a group at once, or all of them."""

from __future__ import annotations

from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.auction import bidding_for_building
from monopoly_env.engine.board import COLORS, GROUP_BITS, HOTEL, NOBODY, STREET_BITS
from monopoly_env.engine.deeds import owns_group
from monopoly_env.engine.journal import Event, Log, Reason, note
from monopoly_env.engine.money import pay
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.sites import (
    even_after,
)
from monopoly_env.engine.state import GameState
from monopoly_env.engine.why import Why
from monopoly_env.engine.worth import building_refund


@jit
def sell_candidates(game: GameState, rules: RuleSet) -> int:
    """Return the streets for which ``may_sell`` must be checked."""
    return int(game.owned[game.actor] & game.built)


@jit
def may_sell(game: GameState, rules: RuleSet, square: int) -> int:
    """Sell one building at half its price, evenly; a hotel becomes houses again.

    Source: 000 line 264; 001 lines 212 to 216; 002 lines 250 and 256 to 260.
    Differs: half of an odd price is rounded down for each building, also when many go at once.
    """
    if game.owner[square] != game.actor:
        return Why.NOT_OWNED if game.owner[square] == NOBODY else Why.NOT_YOURS
    if game.level[square] == 0:
        return Why.NO_BUILDING
    if bidding_for_building(game):
        return Why.BIDDING_ON_BUILDINGS
    reason = even_after(game, rules, square, -1)
    if reason != Why.OK:
        return reason
    if game.level[square] == HOTEL and not hotels_can_break(game, rules):
        return Why.NO_HOUSES
    return Why.OK


@jit
def hotels_can_break(game: GameState, rules: RuleSet) -> bool:
    """Return whether the Bank has enough houses to exchange for one hotel."""
    return bool(rules.limited_buildings == 0 or game.houses >= rules.hotel_houses)


@jit
def sell(game: GameState, rules: RuleSet, log: Log, square: int) -> None:
    """Remove one building from a street, and pay half its price."""
    if game.level[square] == HOTEL:
        game.hotels += 1
        game.houses -= rules.hotel_houses
        game.level[square] = rules.hotel_houses
        refund = int(rules.hotel_price[square]) // 2
    else:
        game.houses += 1
        game.level[square] -= 1
        refund = int(rules.house_price[square]) // 2
    if game.level[square] == 0:
        game.built &= ~bit(square)
    note(log, Event.SELL, game.actor, NOBODY, square, game.level[square])
    pay(game, log, NOBODY, game.actor, refund, Reason.BUILDING)


@jit
def sell_group_candidates(game: GameState, rules: RuleSet) -> int:
    """Return the groups for which ``may_sell_group`` must be checked, as bits."""
    mine = game.owned[game.actor] & game.built
    groups = 0
    if mine != 0:
        for group in range(COLORS):
            if (mine & GROUP_BITS[group]) != 0:
                groups |= bit(group)
    return groups


@jit
def may_sell_group(game: GameState, rules: RuleSet, group: int) -> int:
    """Sell all buildings of a group with a hotel at once.

    Always allowed in rule books 001 (line 216) and 002 (line 256); elsewhere only if the Bank has
    too few houses to exchange for a hotel.
    """
    if not owns_group(game, game.actor, group):
        return Why.NO_GROUP
    if bidding_for_building(game):
        return Why.BIDDING_ON_BUILDINGS
    remaining = GROUP_BITS[group] & game.built
    hotel = False
    while remaining != 0:
        if game.level[lowest(remaining)] == HOTEL:
            hotel = True
        remaining &= remaining - 1
    if not hotel:
        return Why.NO_HOTEL_HERE
    if rules.sell_group_always == 0 and hotels_can_break(game, rules):
        return Why.HOTELS_CAN_BREAK
    return Why.OK


@jit
def sell_group(game: GameState, rules: RuleSet, log: Log, group: int) -> None:
    """Sell all buildings of a group at half the price of each."""
    sell_all(game, rules, log, game.actor, GROUP_BITS[group], Reason.BUILDING)


@jit
def sell_all(
    game: GameState, rules: RuleSet, log: Log, player: int, squares: int, reason: int
) -> None:
    """Sell every building on ``squares``; each hotel counts with the houses under it."""
    remaining = squares & game.built & game.owned[player] & STREET_BITS
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        refund = building_refund(game, rules, square)
        if game.level[square] == HOTEL:
            game.hotels += 1
        else:
            game.houses += game.level[square]
        game.level[square] = 0
        game.built &= ~bit(square)
        note(log, Event.SELL, player, NOBODY, square, 0)
        pay(game, log, NOBODY, player, refund, reason)
