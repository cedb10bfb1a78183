"""What a player is worth: for the ending of short, timed and truncated games, and for the tax."""

from __future__ import annotations

from monopoly_env.compiler.bits import lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import HOTEL
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState


@jit
def buildings_at(rules: RuleSet, square: int, level: int) -> int:
    """What so many buildings on a site cost; a hotel includes the houses turned in for it."""
    hotels = 1 if level == HOTEL else 0  # arithmetic: branches that nothing foretells are dear
    houses = level + hotels * (int(rules.hotel_houses) - HOTEL)
    return houses * int(rules.house_price[square]) + hotels * int(rules.hotel_price[square])


@jit
def refund_at(rules: RuleSet, square: int, level: int) -> int:
    """What the Bank pays for so many buildings on a site: half the price of each, rounded down.

    Each building is rounded by itself, so that what they bring does not depend on the order in
    which they are sold, nor on whether they go one by one or as a group.
    """
    hotels = 1 if level == HOTEL else 0
    houses = level + hotels * (int(rules.hotel_houses) - HOTEL)
    return houses * (int(rules.house_price[square]) >> 1) + hotels * (
        int(rules.hotel_price[square]) >> 1
    )


@jit
def worth_of(rules: RuleSet, square: int, level: int, mortgaged: int) -> int:
    """A deed at its price, at half of it where mortgaged (1 or 0), and its buildings at cost."""
    price = int(rules.price[square]) >> mortgaged  # with a mortgage there are no buildings
    return price + buildings_at(rules, square, level)


@jit
def loan_on(rules: RuleSet, square: int, level: int, mortgaged: int) -> int:
    """What selling the buildings of a deed and mortgaging it brings; nothing if that is done."""
    return (1 - mortgaged) * (int(rules.mortgage[square]) + refund_at(rules, square, level))


@jit
def building_cost(game: GameState, rules: RuleSet, square: int) -> int:
    """What the buildings of a site cost."""
    return buildings_at(rules, square, int(game.level[square]))


@jit
def building_refund(game: GameState, rules: RuleSet, square: int) -> int:
    """What the Bank pays for all buildings of a site."""
    return refund_at(rules, square, int(game.level[square]))


@jit
def net_worth(game: GameState, rules: RuleSet, player: int) -> int:
    """Cash, deeds at their price (mortgaged ones at half), buildings at cost.

    Source: 000 line 322; 001 line 246; 002 lines 294 to 301.
    Differs: the time-limit game gives no valuation; the short game's is used.
    """
    worth = int(game.cash[player])
    remaining = game.owned[player]
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        mortgaged = (game.mortgaged >> square) & 1
        worth += worth_of(rules, square, int(game.level[square]), mortgaged)
    return worth


@jit
def total_worth(game: GameState, rules: RuleSet, player: int) -> int:
    """Worth as the income tax counts it: mortgaged deeds at their full printed price.

    Source: 001 line 170.
    """
    worth = int(game.cash[player])
    remaining = game.owned[player]
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        worth += int(rules.price[square]) + building_cost(game, rules, square)
    return worth


@jit
def raisable(game: GameState, rules: RuleSet, player: int) -> int:
    """Cash in hand once every building is sold and every deed mortgaged, in whatever order."""
    cash = int(game.cash[player])
    remaining = game.owned[player]
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        mortgaged = (game.mortgaged >> square) & 1
        cash += loan_on(rules, square, int(game.level[square]), mortgaged)
    return cash
