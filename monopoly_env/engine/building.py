"""Building houses and hotels: at once, or after asking all who might want a scarce building."""

from __future__ import annotations

from monopoly_env.compiler.bits import count
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import pop, push, top
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.journal import Log
from monopoly_env.engine.phases import AuctionLot, Phase, Task
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.scarcity import competitors_for
from monopoly_env.engine.sites import (
    build_at_price,
    buildable,
    fits,
    next_building,
    place,
    price_of,
    stock,
)
from monopoly_env.engine.state import GameState
from monopoly_env.engine.why import Why


@jit
def build_candidates(game: GameState, rules: RuleSet) -> int:
    """Return the streets for which ``may_build`` must be checked."""
    return buildable(game, game.actor)


@jit
def may_build(game: GameState, rules: RuleSet, square: int) -> int:
    """Buy a building at its listed price; in PLACE, place the building that was won."""
    player = game.actor
    if game.owner[square] != player:
        return Why.NOT_OWNED if game.owner[square] == NOBODY else Why.NOT_YOURS
    reason = fits(game, rules, player, square)
    if reason != Why.OK:
        return reason
    building = next_building(game, rules, square)
    if game.phase == Phase.PLACE:
        return Why.OK if building == top(game).flag else Why.WRONG_BUILDING
    return may_ask_for(game, rules, player, square, building)


@jit
def may_ask_for(game: GameState, rules: RuleSet, player: int, square: int, building: int) -> int:
    """The Bank must have the building, the player its price, and no failed request this turn."""
    if rules.limited_buildings != 0:
        if building == AuctionLot.HOUSE and game.houses < 1:
            return Why.NO_HOUSES
        if building == AuctionLot.HOTEL and game.hotels < 1:
            return Why.NO_HOTELS
    denied = game.denied_houses if building == AuctionLot.HOUSE else game.denied_hotels
    if denied >> player & 1 != 0:
        return Why.ASKED_IN_VAIN
    if game.cash[player] < price_of(rules, square, building):
        return Why.NO_CASH
    return Why.OK


@jit
def build(game: GameState, rules: RuleSet, log: Log, square: int) -> None:
    """Build at once, unless the Bank has too few for all players who could want the building.

    Source: 000 line 260; 001 line 208; 002 lines 250 to 252.
    """
    player = game.actor
    building = next_building(game, rules, square)
    if game.phase == Phase.PLACE:
        pop(game)
        place(game, rules, log, player, square)
        return
    competitors = 0
    if rules.limited_buildings != 0 and stock(game, building) < game.players:
        competitors = competitors_for(game, rules, player, building)
    if competitors != 0 and stock(game, building) < 1 + count(competitors):
        game.asker = player
        push(game, Task.CLAIM, player, NOBODY, square, 0, building, competitors)
        return
    build_at_price(game, rules, log, player, square)
