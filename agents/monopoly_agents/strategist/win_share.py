"""The long-run worth of a player's holdings, and the win share that follows from it.

Strength is in dollars: cash, deeds, and the income over a horizon of groups that are or could be
complete. It is defined for any holdings, such as those after a deal under consideration. A seat's
win share is its strength squared over the sum of all squares.
"""

from __future__ import annotations

from monopoly_agents.strategist.weights import Weights
from monopoly_agents.valuation import book_value, in_complete_color
from monopoly_env.compiler.bits import count, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import COLORS, DEED_BITS, GROUP_BITS, RAILROAD_BITS, UTILITY_BITS
from monopoly_env.engine.mortgage import lift_cost
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.value.landing_rates import LONG_RUN

TARGET = 3  # houses per site in building plans


@jit
def group_rate(rules: RuleSet, group: int, level: int) -> float:
    """Return a whole group's income per opponent turn with ``level`` houses on each site, in $."""
    rate = 0.0
    remaining = GROUP_BITS[group]
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        rate += LONG_RUN[square] * rules.rent[square, level]
    return rate


@jit
def standing_rate(game: GameState, rules: RuleSet, group: int, owned: int) -> float:
    """Return the current income per opponent turn of a color group's unmortgaged deeds, in $."""
    rate = 0.0
    whole = owned & GROUP_BITS[group] == GROUP_BITS[group]
    remaining = owned & GROUP_BITS[group] & ~game.mortgaged
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        level = int(game.level[square])
        rent = float(rules.rent[square, level])
        rate += LONG_RUN[square] * (2 * rent if whole and level == 0 else rent)
    return rate


@jit
def cost_to_target(game: GameState, rules: RuleSet, group: int) -> float:
    """Return the cost of lifting a group's mortgages and building TARGET houses on each site."""
    cost = 0
    remaining = GROUP_BITS[group]
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        cost += max(TARGET - int(game.level[square]), 0) * int(rules.house_price[square])
        if game.mortgaged >> square & 1 != 0:
            cost += lift_cost(rules, square)
    return float(cost)


@jit
def rail_and_utility_rate(game: GameState, rules: RuleSet, owned: int) -> float:
    """Return the income per opponent turn of unmortgaged railroads and utilities, in $."""
    rate = 0.0
    railroads, utilities = count(owned & RAILROAD_BITS), count(owned & UTILITY_BITS)
    remaining = owned & (RAILROAD_BITS | UTILITY_BITS) & ~game.mortgaged
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        if RAILROAD_BITS >> square & 1 != 0:
            rate += LONG_RUN[square] * rules.railroad_rent[railroads - 1]
        else:
            rate += LONG_RUN[square] * 7 * rules.utility_multiplier[utilities - 1]
    return rate


@jit
def deeds_value(game: GameState, rules: RuleSet, weights: Weights, owned: int) -> float:
    """Return the value of deeds apart from their income, in $."""
    total = 0
    remaining = owned
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        total += book_value(game, rules, square)
    return weights.deeds * total


@jit
def idle_mortgages(game: GameState, rules: RuleSet, owned: int) -> int:
    """Return the $ that mortgaging the deeds outside complete color groups would raise."""
    total = 0
    remaining = owned & ~game.mortgaged
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        if not in_complete_color(owned, square):
            total += int(rules.mortgage[square])
    return total


@jit
def strength(game: GameState, rules: RuleSet, weights: Weights, owned: int, cash: float) -> float:
    """Return what deeds and cash are worth together, in $, at least 1.

    Plans build up complete groups in board order as far as the cash goes; a plan's income counts by
    the square of the part that can be paid for.
    """
    owned &= DEED_BITS
    total = cash + deeds_value(game, rules, weights, owned)
    total += weights.railroads * rail_and_utility_rate(game, rules, owned & RAILROAD_BITS)
    total += weights.utilities * rail_and_utility_rate(game, rules, owned & UTILITY_BITS)
    spend = max(cash - weights.keep, 0.0) + weights.idle * idle_mortgages(game, rules, owned)
    for group in range(COLORS):
        bits = GROUP_BITS[group]
        if owned & bits != 0:
            now = standing_rate(game, rules, group, owned)
            if owned & bits != bits:
                total += weights.lone * now
                if count(owned & bits) == 2:
                    total += weights.pair * rules.price[lowest(bits)]
            else:
                total += weights.whole * now
                cost = cost_to_target(game, rules, group)
                if cost > 0:
                    part = min(spend / cost, 1.0)
                    gain = max(group_rate(rules, group, TARGET) - now, 0.0)
                    total += weights.houses * weights.group[group] * gain * part * part
                    total += part * cost
                    spend -= part * cost
    return max(total, 1.0)


@jit
def unowned_deeds(game: GameState) -> int:
    """Return the deeds that the Bank still owns."""
    unowned = DEED_BITS
    for player in range(game.players):
        unowned &= ~game.owned[player]
    return int(unowned)


@jit
def others_squared(game: GameState, rules: RuleSet, weights: Weights, me: int, rival: int) -> float:
    """Return the sum of squared strengths of the players still in, except two."""
    total = 0.0
    for player in range(game.players):
        if game.out[player] == 0 and player != me and player != rival:
            value = strength(game, rules, weights, game.owned[player], float(game.cash[player]))
            total += value * value
    return total


@jit
def win_share(mine: float, theirs: float, others: float) -> float:
    """Return a player's win share, from 0 to 1.

    ``mine`` and ``theirs`` are the strengths of two players, ``others`` is the sum of squares of
    all other strengths.
    """
    return mine * mine / (mine * mine + theirs * theirs + others)
