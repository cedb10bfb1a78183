"""What deeds add to a player's strength, computed once per group and used for any amount of cash.

A search for an offer tries many amounts of cash with the same deeds, and many sets of deeds that
differ in one or two groups. Only the groups that change are computed again, and another amount of
cash costs a few additions.
"""

from __future__ import annotations

from typing import Annotated

from monopoly_agents.strategist.weights import Weights
from monopoly_agents.valuation import book_value
from monopoly_env.compiler.bits import count, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.pointers import scratch_record
from monopoly_env.compiler.records import Field, dtype_of
from monopoly_env.engine.board import COLORS, GROUP, GROUP_BITS, GROUPS, RAILROAD
from monopoly_env.engine.mortgage import lift_cost
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import Float64s, GameState, Int32s
from monopoly_env.value.landing_rates import LONG_RUN

TARGET = 3  # houses per site in building plans


class HoldingsState:
    """What a set of deeds adds to a player's strength, by group."""

    stands: Annotated[Float64s, Field("f8", (GROUPS,), "$", "rents as they stand")]
    pair: Annotated[Float64s, Field("f8", (COLORS,), "$", "two of three deeds of a group, more")]
    plan: Annotated[Float64s, Field("f8", (COLORS,), "$", "rents that planned houses add")]
    plan_cost: Annotated[Float64s, Field("f8", (COLORS,), "$", "of that plan; 0: none is left")]
    book: Annotated[Int32s, Field("i4", (GROUPS,), "$", "list prices, half if mortgaged")]
    idle: Annotated[Int32s, Field("i4", (GROUPS,), "$", "that mortgaging would bring")]
    all_book: Annotated[int, Field("i8", (), "$", "list prices of all groups")]
    all_idle: Annotated[int, Field("i8", (), "$", "that mortgaging idle deeds would bring")]
    deeds: Annotated[float, Field("f8", (), "$", "what all of them count by themselves")]
    idle_part: Annotated[float, Field("f8", (), "$", "of idle mortgages that goes into plans")]
    keep: Annotated[float, Field("f8", (), "$", "cash that stays out of plans")]
    colors: Annotated[int, Field("i8", (), "groups", "bit mask of color groups with a deed")]


HOLDINGS = dtype_of(HoldingsState)
new_holdings = scratch_record(HOLDINGS)


@jit
def hold(
    game: GameState, rules: RuleSet, weights: Weights, owned: int, holdings: HoldingsState
) -> None:
    """Compute what a set of deeds adds."""
    holdings.keep = weights.keep
    holdings.colors, holdings.all_book, holdings.all_idle = 0, 0, 0
    for group in range(GROUPS):
        deeds = int(owned & GROUP_BITS[group])
        holdings.book[group], holdings.idle[group], holdings.stands[group] = 0, 0, 0.0
        if deeds != 0:
            hold_group(game, rules, weights, deeds, group, holdings)
    sum_up(weights, holdings)


@jit
def hold_changed(
    game: GameState,
    rules: RuleSet,
    weights: Weights,
    owned: int,
    changed: int,
    holdings: HoldingsState,
) -> None:
    """Update the groups of ``changed``, the deeds that came or went."""
    remaining = changed
    while remaining != 0:
        group = int(GROUP[lowest(remaining)])
        remaining &= ~GROUP_BITS[group]
        hold_group(game, rules, weights, int(owned & GROUP_BITS[group]), group, holdings)
    sum_up(weights, holdings)


@jit
def take_group(weights: Weights, holdings: HoldingsState, other: HoldingsState, group: int) -> None:
    """Copy what one group adds from ``other``."""
    holdings.all_book += int(other.book[group]) - int(holdings.book[group])
    holdings.all_idle += int(other.idle[group]) - int(holdings.idle[group])
    holdings.book[group], holdings.idle[group] = other.book[group], other.idle[group]
    holdings.stands[group] = other.stands[group]
    if group < COLORS:
        holdings.colors = holdings.colors & ~(1 << group) | other.colors & 1 << group
        holdings.pair[group] = other.pair[group]
        holdings.plan[group] = other.plan[group]
        holdings.plan_cost[group] = other.plan_cost[group]
    sum_up(weights, holdings)


@jit
def sum_up(weights: Weights, holdings: HoldingsState) -> None:
    """Update the sums over all groups."""
    holdings.deeds = weights.deeds * int(holdings.all_book)
    holdings.idle_part = weights.idle * int(holdings.all_idle)


@jit
def hold_group(
    game: GameState,
    rules: RuleSet,
    weights: Weights,
    deeds: int,
    group: int,
    holdings: HoldingsState,
) -> None:
    """Compute what ``deeds``, all that are owned of a group, add."""
    book, mortgages = 0, 0
    remaining = deeds
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        book += book_value(game, rules, square)
        if game.mortgaged >> square & 1 == 0:
            mortgages += int(rules.mortgage[square])
    idle = 0 if deeds == GROUP_BITS[group] and group < COLORS else mortgages
    holdings.all_book += book - int(holdings.book[group])
    holdings.all_idle += idle - int(holdings.idle[group])
    holdings.book[group], holdings.idle[group] = book, idle
    if group < COLORS:
        hold_color(game, rules, weights, deeds, group, holdings)
    else:
        times = weights.railroads if group == RAILROAD else weights.utilities
        holdings.stands[group] = times * other_rate(game, rules, deeds, group)


@jit
def hold_color(
    game: GameState,
    rules: RuleSet,
    weights: Weights,
    deeds: int,
    group: int,
    holdings: HoldingsState,
) -> None:
    """Compute what the deeds of a color group add apart from their prices."""
    holdings.colors &= ~(1 << group)
    if deeds == 0:
        return
    holdings.colors |= 1 << group
    holdings.pair[group], holdings.plan_cost[group] = 0.0, 0.0
    bits = GROUP_BITS[group]
    now = standing_rate(game, rules, group, deeds)
    if deeds != bits:
        holdings.stands[group] = weights.lone * now
        if count(deeds) == 2:
            holdings.pair[group] = weights.pair * rules.price[lowest(bits)]
    else:
        holdings.stands[group] = weights.whole * now
        holdings.plan_cost[group] = cost_to_target(game, rules, group)
        gain = max(target_rate(rules, group) - now, 0.0)
        holdings.plan[group] = weights.houses * weights.group[group] * gain


# Rents


@jit
def target_rate(rules: RuleSet, group: int) -> float:
    """Return a whole group's income per opponent turn with TARGET houses on each site, in $."""
    rate = 0.0
    remaining = GROUP_BITS[group]
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        rate += LONG_RUN[square] * rules.rent[square, TARGET]
    return rate


@jit
def standing_rate(game: GameState, rules: RuleSet, group: int, deeds: int) -> float:
    """Return the current income per opponent turn of a color group's unmortgaged deeds, in $."""
    rate = 0.0
    whole = deeds == GROUP_BITS[group]
    remaining = deeds & ~game.mortgaged
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
def other_rate(game: GameState, rules: RuleSet, deeds: int, group: int) -> float:
    """Return the income per opponent turn of unmortgaged railroads, or utilities, in $."""
    rate = 0.0
    number = count(deeds) - 1
    remaining = deeds & ~game.mortgaged
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        if group == RAILROAD:
            rate += LONG_RUN[square] * rules.railroad_rent[number]
        else:
            rate += LONG_RUN[square] * 7 * rules.utility_multiplier[number]
    return rate


# With cash


@jit
def strength_with(holdings: HoldingsState, cash: float) -> float:
    """Return what deeds and cash are worth together, in $, at least 1.

    Plans build up complete groups in board order as far as the cash goes; a plan's income counts by
    the square of the part that can be paid for.
    """
    total = cash + holdings.deeds
    for group in range(COLORS, GROUPS):
        total += holdings.stands[group]
    spend = max(cash - holdings.keep, 0.0) + holdings.idle_part
    remaining = holdings.colors
    while remaining != 0:
        group = lowest(remaining)
        remaining &= remaining - 1
        total += holdings.stands[group]
        total += holdings.pair[group]
        cost = holdings.plan_cost[group]
        if cost > 0:
            part = min(spend / cost, 1.0)
            total += holdings.plan[group] * part * part
            total += part * cost
            spend -= part * cost
    return max(total, 1.0)
