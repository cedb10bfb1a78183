"""Net worth, for the ranks of short, timed and truncated games, and for the income tax."""

from __future__ import annotations

from monopoly_env.compiler.bits import lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import HOTEL
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState


@jit
def buildings_at(rules: RuleSet, square: int, level: int) -> int:
    """Return the cost of a site's buildings; a hotel includes the houses exchanged for it."""
    hotels = 1 if level == HOTEL else 0  # arithmetic, because unpredictable branches are slow
    houses = level + hotels * (int(rules.hotel_houses) - HOTEL)
    return houses * int(rules.house_price[square]) + hotels * int(rules.hotel_price[square])


@jit
def refund_at(rules: RuleSet, square: int, level: int) -> int:
    """Return what the Bank pays for a site's buildings: half the price of each, rounded down.

    Each building is rounded separately, so that the total does not depend on the order in which
    they are sold, or on whether they are sold one by one or as a group.
    """
    hotels = 1 if level == HOTEL else 0
    houses = level + hotels * (int(rules.hotel_houses) - HOTEL)
    return houses * (int(rules.house_price[square]) >> 1) + hotels * (
        int(rules.hotel_price[square]) >> 1
    )


@jit
def worth_of(rules: RuleSet, square: int, level: int, mortgaged: int) -> int:
    """Return the worth of a deed: its price (half if mortgaged) and its buildings at cost."""
    price = int(rules.price[square]) >> mortgaged  # mortgaged deeds have no buildings
    return price + buildings_at(rules, square, level)


@jit
def loan_on(rules: RuleSet, square: int, level: int, mortgaged: int) -> int:
    """Return the proceeds of selling a deed's buildings and mortgaging it; 0 if already done."""
    return (1 - mortgaged) * (int(rules.mortgage[square]) + refund_at(rules, square, level))


@jit
def building_cost(game: GameState, rules: RuleSet, square: int) -> int:
    """Return the cost of a site's buildings."""
    return buildings_at(rules, square, int(game.level[square]))


@jit
def building_refund(game: GameState, rules: RuleSet, square: int) -> int:
    """Return what the Bank pays for a site's buildings."""
    return refund_at(rules, square, int(game.level[square]))


@jit
def net_worth(game: GameState, rules: RuleSet, player: int) -> int:
    """Net worth is cash, deeds at their price (half if mortgaged), and buildings at cost.

    Source: 000 line 322; 001 line 246; 002 lines 294 to 301. Differs: the time-limit game gives no
    valuation; the short game's is used.
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
    """The income tax counts mortgaged deeds at their full printed price.

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
    """Return a player's cash after selling every building and mortgaging every deed."""
    cash = int(game.cash[player])
    remaining = game.owned[player]
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        mortgaged = (game.mortgaged >> square) & 1
        cash += loan_on(rules, square, int(game.level[square]), mortgaged)
    return cash
