"""The features of the value model: numbers for each seat, and numbers for the whole table.

Money counts in mean deed prices, and color groups in the order of their prices, so that editions,
generated boards and boards of one's own share a scale: ``brown_part`` is about the cheapest group,
whichever color that is. In the printed editions, this is the order of the board. Nothing here
depends on seat numbers: the same table, turned, has the same rows, turned.
"""

from __future__ import annotations

import math

import numpy as np

from monopoly_env.compiler.bits import count, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import (
    COLORS,
    DEED_BITS,
    GROUP_BITS,
    GROUP_IDS,
    GROUP_SIZE,
    GROUPS,
    HOTEL,
    N_DEEDS,
    NOBODY,
    PLAYERS,
    RAILROAD_BITS,
    SPACE,
    SPACES,
    UTILITY_BITS,
    Space,
)
from monopoly_env.engine.deeds import alive_count
from monopoly_env.engine.mortgage import lift_cost
from monopoly_env.engine.phases import RentBy, Task
from monopoly_env.engine.rent import railroad_rent, street_rent, utility_times
from monopoly_env.engine.rules import Deals, RuleSet
from monopoly_env.engine.state import Float32s, GameState
from monopoly_env.engine.worth import net_worth, raisable
from monopoly_env.value.landing_rates import BY_SPACE, LONG_RUN

FEATURES_VERSION = 2

PLANNED = 3  # houses per street that building plans assume
FIRST_GROUP = 46  # the first of the four columns for each color group
NAMES: tuple[str, ...] = (
    # money
    "cash", "cash_log", "raisable", "worth", "cash_share", "raisable_share", "worth_share",
    "in_debt",
    # deeds
    "deeds", "railroads", "railroads_2", "railroads_4", "utilities", "utilities_2",
    "mortgaged", "houses",
    # income per opponent turn, and building plans
    "colors_now", "others_now", "planned", "potential", "nearly", "plan_cost", "plan_paid",
    "cash_left", "planned_share", "potential_share",
    # total strength in dollars
    "strength", "strength_share", "strength_odds",
    # rents to pay in the next turn, and in the long run
    "rent_ahead", "rent_spread", "over_cash", "over_raisable", "liquidity", "worst_rent",
    "rent_long", "long_over_cash", "long_over_raisable", "due_ahead", "due_share",
    # position
    "in_jail", "jail_tries", "jail_cards", "to_go", "until_turn", "to_throw",
    *(
        f"{group}_{what}"
        for group in GROUP_IDS[:COLORS]
        for what in ("part", "complete", "level", "mortgaged")
    ),
)  # fmt: skip
TABLE_NAMES: tuple[str, ...] = (
    "alive", "seats", "round", "turns_left", "houses", "hotels", "unowned",
    "steps", "menu", "windows", "auctions", "short", "exits_left", "timed", "rounds_left",
    "cash", "pot", "salary", "low_hotels", *(f"{group}_unowned" for group in GROUP_IDS),
)  # fmt: skip
FEATURES, TABLE_FEATURES = len(NAMES), len(TABLE_NAMES)
assert NAMES[FIRST_GROUP] == "brown_part"

(
    CASH, CASH_LOG, RAISABLE, WORTH, CASH_SHARE, RAISABLE_SHARE, WORTH_SHARE, IN_DEBT,
    N_OWNED, RAILROADS, RAILROADS_2, RAILROADS_4, UTILITIES, UTILITIES_2, MORTGAGED, BUILDINGS,
    COLORS_NOW, OTHERS_NOW, PLANNED_RATE, POTENTIAL, NEARLY, PLAN_COST, PLAN_PAID, CASH_LEFT,
    PLANNED_SHARE, POTENTIAL_SHARE, STRENGTH, STRENGTH_SHARE, STRENGTH_ODDS,
    RENT_AHEAD, RENT_SPREAD, OVER_CASH, OVER_RAISABLE, LIQUIDITY, WORST_RENT,
    RENT_LONG, LONG_OVER_CASH, LONG_OVER_RAISABLE, DUE_AHEAD, DUE_SHARE,
    IN_JAIL, JAIL_TRIES, JAIL_CARDS, TO_GO, UNTIL_TURN, TO_THROW,
) = range(FIRST_GROUP)  # fmt: skip

# The worth of holdings in dollars, as multiples of the rent per opponent turn. Fitted once for the
# strategist bot (docs/bots.md). Shares of strength ** POWER predict the winner.
DEEDS_WORTH, LONE, WHOLE, HOUSES, OTHERS, KEPT, IDLE = 0.92, 120.0, 75.0, 42.0, 35.0, 150.0, 0.5
FITTED_AT = 5690 / N_DEEDS  # the mean price of a deed, in $, at which KEPT was fitted
SLOT_BITS = 4  # of a group's place among the groups
PRINTED_PRICES = np.array(  # of all spaces, in $: the same in all printed editions
    (
        0, 60, 0, 60, 0, 200, 100, 0, 100, 120, 0, 140, 150, 140, 160, 200, 180, 0, 180, 200,
        0, 220, 0, 220, 240, 200, 260, 260, 150, 280, 0, 300, 300, 0, 320, 200, 0, 350, 0, 400,
    )
)  # fmt: skip
POWER = 2.75


@jit
def squash(x: float) -> float:
    """Map an unbounded number to -1..1; 4 maps to 0.5."""
    return x / (abs(x) + 4.0)


@jit
def mean_price(rules: RuleSet) -> float:
    """Return the mean price of a deed, in $, at least 1: the unit of money."""
    total = 0
    remaining = DEED_BITS
    while remaining != 0:
        total += int(rules.price[lowest(remaining)])
        remaining &= remaining - 1
    return max(total / N_DEEDS, 1.0)


@jit
def has_printed_prices(rules: RuleSet) -> bool:
    """Return whether deeds cost what they cost in the printed editions."""
    remaining = DEED_BITS
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        if rules.price[square] != PRINTED_PRICES[square]:
            return False
    return True


@jit
def group_price(rules: RuleSet, group: int) -> int:
    """Return six times the mean price of a color group's deeds, in $."""
    total = 0
    remaining = GROUP_BITS[group]
    while remaining != 0:
        total += int(rules.price[lowest(remaining)])
        remaining &= remaining - 1
    return total * 6 // int(GROUP_SIZE[group])


@jit
def order_of_groups(rules: RuleSet) -> int:
    """Return each color group's place by price, from 0, in SLOT_BITS bits each.

    Groups of equal price are in the order of the board.
    """
    order = 0
    for group in range(COLORS):
        price = group_price(rules, group)
        for later in range(group + 1, COLORS):
            dearer = group if price > group_price(rules, later) else later
            order += 1 << SLOT_BITS * dearer
    return order


@jit
def place_of(order: int, group: int) -> int:
    """Return a color group's place in an order of :func:`order_of_groups`."""
    return order >> SLOT_BITS * group & (1 << SLOT_BITS) - 1


@jit
def rent_of(game: GameState, rules: RuleSet, square: int) -> int:
    """Return the current rent of an owned deed, in $; 0 if mortgaged; utilities at a throw of 7."""
    if (game.mortgaged >> square) & 1 != 0:
        return 0
    if SPACE[square] == Space.STREET:
        return street_rent(game, rules, square)
    if SPACE[square] == Space.RAILROAD:
        return railroad_rent(game, rules, square)
    return 7 * utility_times(game, rules, square, RentBy.DICE)


@jit
def write_features(game: GameState, rules: RuleSet, seats: Float32s, table: Float32s) -> None:
    """Write ``seats`` float32[8, FEATURES] and ``table`` float32[TABLE_FEATURES] of a position.

    The position must have been settled by :func:`monopoly_env.value.settling.settle`. Rows of seats
    that are out, or not in the game, are zeros.
    """
    unit, order = mean_price(rules), order_of_groups(rules)
    seats[:] = 0
    for seat in range(game.players):
        if game.out[seat] == 0:
            write_money(game, rules, seat, unit, seats[seat])
            write_place(game, seat, seats[seat])
            write_holdings(game, rules, seat, unit, order, seats[seat])
    write_rents(game, rules, unit, seats)
    write_shares(game, seats)
    write_table(game, rules, unit, order, table)


@jit
def write_money(game: GameState, rules: RuleSet, seat: int, unit: float, row: Float32s) -> None:
    """Write cash, the cash that could be raised, and net worth."""
    cash = max(int(game.cash[seat]), 0) / unit
    row[CASH] = squash(game.cash[seat] / unit)
    row[CASH_LOG] = math.log1p(cash)
    row[RAISABLE] = math.log1p(max(raisable(game, rules, seat), 0) / unit)
    row[WORTH] = math.log1p(max(net_worth(game, rules, seat), 0) / unit)
    row[CASH_SHARE] = cash
    row[RAISABLE_SHARE] = math.expm1(row[RAISABLE])
    row[WORTH_SHARE] = math.expm1(row[WORTH])
    row[IN_DEBT] = 1.0 if game.cash[seat] < 0 else 0.0


@jit
def write_place(game: GameState, seat: int, row: Float32s) -> None:
    """Write Jail, the distance to GO, and how soon this seat throws next."""
    row[IN_JAIL] = game.in_jail[seat]
    row[JAIL_TRIES] = game.jail_tries[seat] / 3
    row[JAIL_CARDS] = (1 if game.card_holder[0] == seat else 0) + (
        1 if game.card_holder[1] == seat else 0
    )
    row[TO_GO] = (SPACES - int(game.position[seat])) / SPACES
    before = 0  # number of players who throw before this one
    player = int(game.turn)
    while player != seat:
        before += 1 if game.out[player] == 0 else 0
        player = (player + 1) % int(game.players)
    frame = game.agenda[0].kind
    throws = frame == Task.TURN or (frame == Task.THROWN and game.again != 0)
    if game.turn == seat:
        row[TO_THROW] = 1.0 if throws else 0.0
        if not throws:
            before = alive_count(game)
    row[UNTIL_TURN] = before / alive_count(game)


@jit
def write_holdings(
    game: GameState, rules: RuleSet, seat: int, unit: float, order: int, row: Float32s
) -> None:
    """Write deeds, groups, their income, and the cost and income of building plans."""
    owned = game.owned[seat] & DEED_BITS
    railroads, utilities = count(owned & RAILROAD_BITS), count(owned & UTILITY_BITS)
    row[N_OWNED] = count(owned) / N_DEEDS
    row[RAILROADS] = railroads / 4
    row[RAILROADS_2] = 1.0 if railroads >= 2 else 0.0
    row[RAILROADS_4] = 1.0 if railroads == 4 else 0.0
    row[UTILITIES] = 1.0 if utilities >= 1 else 0.0
    row[UTILITIES_2] = 1.0 if utilities == 2 else 0.0
    row[MORTGAGED] = count(owned & game.mortgaged) / N_DEEDS
    others, book, idle = 0.0, 0.0, 0.0
    remaining = owned
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        mortgaged = game.mortgaged >> square & 1 != 0
        book += int(rules.price[square]) * (0.5 if mortgaged else 1.0)
        row[BUILDINGS] += game.level[square] / 20
        group = 0
        while GROUP_BITS[group] >> square & 1 == 0:
            group += 1
        if group >= COLORS:
            others += LONG_RUN[square] * rent_of(game, rules, square)
        if not mortgaged and (group >= COLORS or owned & GROUP_BITS[group] != GROUP_BITS[group]):
            idle += int(rules.mortgage[square])
    row[OTHERS_NOW] = others / unit
    cash = float(max(int(game.cash[seat]), 0))
    total = game.cash[seat] + DEEDS_WORTH * book + OTHERS * others
    row[CASH_LEFT] = (
        max(cash - KEPT * (unit / FITTED_AT), 0.0) + IDLE * idle
    )  # $ available for building plans
    for group in range(COLORS):
        if owned & GROUP_BITS[group] != 0:
            total += write_group(game, rules, seat, group, place_of(order, group), row)
    row[CASH_LEFT] = squash(row[CASH_LEFT] / unit)
    row[STRENGTH] = math.log(max(total, 1.0) / unit)
    for column in (COLORS_NOW, PLANNED_RATE, POTENTIAL, NEARLY, PLAN_COST):
        row[column] = row[column] / unit
    row[PLAN_PAID] /= COLORS
    row[PLAN_COST] = squash(row[PLAN_COST])


@jit
def write_group(
    game: GameState, rules: RuleSet, seat: int, group: int, place: int, row: Float32s
) -> float:
    """Write what a seat has of a color group; return what that is worth by its rents, in $."""
    bits = GROUP_BITS[group]
    owned = game.owned[seat] & bits
    column = FIRST_GROUP + 4 * place
    now, built_up, cost, levels = 0.0, 0.0, 0.0, 0
    remaining = bits
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        built_up += LONG_RUN[square] * rules.rent[square, PLANNED]
        if owned >> square & 1 != 0:
            now += LONG_RUN[square] * rent_of(game, rules, square)
            levels += int(game.level[square])
            cost += max(PLANNED - int(game.level[square]), 0) * int(rules.house_price[square])
            if game.mortgaged >> square & 1 != 0:
                cost += lift_cost(rules, square)
    size = int(GROUP_SIZE[group])
    row[column] = count(owned) / size
    row[column + 1] = 1.0 if owned == bits else 0.0
    row[column + 2] = levels / (size * HOTEL)
    row[column + 3] = count(owned & game.mortgaged) / size
    row[COLORS_NOW] += now
    if owned != bits:
        if count(owned) == size - 1:
            row[NEARLY] += built_up
        return LONE * now
    gain = max(built_up - now, 0.0)
    part = 1.0 if cost == 0.0 else min(row[CASH_LEFT] / cost, 1.0)
    row[CASH_LEFT] -= part * cost
    row[PLAN_COST] += cost
    row[PLAN_PAID] += part
    row[PLANNED_RATE] += now + gain * part * part
    row[POTENTIAL] += now + gain
    return WHOLE * now + HOUSES * gain * part * part + part * cost


@jit
def write_rents(game: GameState, rules: RuleSet, unit: float, seats: Float32s) -> None:
    """Write the rents that threaten each seat, and those it collects until its next turn."""
    remaining = DEED_BITS
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        owner = int(game.owner[square])
        if owner == NOBODY or game.out[owner] != 0:
            continue
        dollars = rent_of(game, rules, square)
        if dollars == 0:
            continue
        rent, often = dollars / unit, LONG_RUN[square]
        for seat in range(game.players):
            if seat != owner and game.out[seat] == 0:
                row = seats[seat]
                place = SPACES if game.in_jail[seat] != 0 else int(game.position[seat])
                soon = BY_SPACE[place, square]
                row[RENT_AHEAD] += soon * rent
                row[RENT_SPREAD] += soon * rent * rent
                row[RENT_LONG] += often * rent
                row[WORST_RENT] = max(row[WORST_RENT], rent)
                seats[owner, DUE_AHEAD] += soon * rent
                if dollars > game.cash[seat]:
                    row[OVER_CASH] += soon
                    row[LONG_OVER_CASH] += often
                if rent > row[RAISABLE_SHARE]:
                    row[OVER_RAISABLE] += soon
                    row[LONG_OVER_RAISABLE] += often
    for seat in range(game.players):
        if game.out[seat] == 0:
            row = seats[seat]
            mean = row[RENT_AHEAD]
            row[RENT_SPREAD] = math.sqrt(max(row[RENT_SPREAD] - mean * mean, 0.0))
            row[LIQUIDITY] = squash(game.cash[seat] / unit - mean - row[RENT_SPREAD])
            row[WORST_RENT] = squash(row[WORST_RENT] - row[RAISABLE_SHARE])


@jit
def write_shares(game: GameState, seats: Float32s) -> None:
    """Replace amounts in the share columns by each seat's share of the total."""
    for seat in range(game.players):
        row = seats[seat]
        row[PLANNED_SHARE] = row[PLANNED_RATE]
        row[POTENTIAL_SHARE] = row[POTENTIAL]
        row[DUE_SHARE] = row[DUE_AHEAD]
        if game.out[seat] == 0:
            row[STRENGTH_SHARE] = math.exp(POWER * row[STRENGTH])
    for column in (
        CASH_SHARE, RAISABLE_SHARE, WORTH_SHARE, PLANNED_SHARE, POTENTIAL_SHARE, DUE_SHARE,
        STRENGTH_SHARE,
    ):  # fmt: skip
        total = 0.0
        for seat in range(game.players):
            total += seats[seat, column]
        if total > 0.0:
            for seat in range(game.players):
                seats[seat, column] /= total
    for seat in range(game.players):
        if game.out[seat] == 0:
            seats[seat, STRENGTH_ODDS] = math.log(max(seats[seat, STRENGTH_SHARE], 1e-4))


@jit
def write_table(game: GameState, rules: RuleSet, unit: float, order: int, table: Float32s) -> None:
    """Write the number of players, the stage of the game, the Bank's stock, and the rules."""
    alive = alive_count(game)
    unowned, cash = DEED_BITS, 0
    for seat in range(game.players):
        unowned &= ~game.owned[seat]
        cash += int(game.cash[seat])
    gone = int(game.players) - alive
    table[0] = alive / PLAYERS
    table[1] = game.players / PLAYERS
    table[2] = math.log1p(max(int(game.rounds), 0)) / 4
    table[3] = min((int(rules.max_turns) - int(game.turns)) / (100.0 * alive), 2.0)
    table[4] = min(game.houses / 32, 2.0)
    table[5] = min(game.hotels / 12, 2.0)
    table[6] = count(unowned) / N_DEEDS
    table[7] = 1.0 if rules.deals == Deals.STEPS else 0.0
    table[8] = 1.0 if rules.deals == Deals.MENU else 0.0
    table[9] = rules.between_windows
    table[10] = rules.auctions
    table[11] = 1.0 if rules.end_bankruptcies != 0 else 0.0
    table[12] = max(int(rules.end_bankruptcies) - gone, 0) / PLAYERS
    table[13] = 1.0 if rules.time_limit_rounds != 0 else 0.0
    table[14] = max(int(rules.time_limit_rounds) - int(game.rounds), 0) / 50
    table[15] = math.log1p(max(cash, 0) / (unit * alive))
    table[16] = squash(game.pot / unit)
    table[17] = squash(rules.salary / unit)
    table[18] = 1.0 if rules.hotel_houses == 3 else 0.0
    for group in range(GROUPS):
        place = place_of(order, group) if group < COLORS else group
        table[19 + place] = count(unowned & GROUP_BITS[group]) / int(GROUP_SIZE[group])
