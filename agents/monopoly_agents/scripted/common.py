"""Shared behavior of scripted bots, mainly for decisions that their descriptions leave open."""

from __future__ import annotations

from monopoly_agents.valuation import (
    building_price,
    complete_groups,
    completes,
    rent_gain,
    rent_loss,
    sale_price,
)
from monopoly_env.bots.actions import (
    NO_ACTION,
    first_legal,
    first_of,
    id_of,
    id_on,
    ids_of,
    is_legal,
    largest_step,
)
from monopoly_env.compiler.bits import count, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import BASE, VALUE_OF
from monopoly_env.engine.agenda import top
from monopoly_env.engine.board import DEED_BITS, FREE_PARKING, GO, GROUP, GROUP_BITS, NOBODY
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.money import percent
from monopoly_env.engine.mortgage import lift_cost
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy import ViewState
from monopoly_env.engine.powers import DRAW_CHANCE, DRAW_CHEST
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.sites import could_place, price_of
from monopoly_env.engine.state import GameState
from monopoly_env.engine.worth import total_worth


@jit
def decide_rare_phase(game: GameState, rules: RuleSet, view: ViewState, reserve: int) -> int:
    """Decide in the rare phases: rent, taxes, powers, and placing a building that was won.

    ``reserve`` is the cash to keep after a purchase.
    """
    phase = game.phase
    if phase == Phase.RENT:
        return id_of(Kind.ASK_RENT)
    if phase == Phase.TAX:
        return smaller_tax(game, rules, view)
    if phase == Phase.PLACE:
        return best_building(game, rules, view, -1)
    if phase == Phase.POWER:
        return use_power(game, view)
    if phase == Phase.TELEPORT:
        return teleport_target(game, rules, view, reserve)
    if phase == Phase.ATTACK:
        return attack_target(game, rules, view)
    return first_legal(view)


@jit
def smaller_tax(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Choose the cheaper of the two ways to pay tax."""
    square = top(game).square
    share = percent(total_worth(game, rules, view.seat), rules.tax_percent[square])
    return id_of(Kind.TAX_PERCENT) if share < rules.tax[square] else id_of(Kind.TAX_FLAT)


# Jail


@jit
def leave_jail(view: ViewState) -> int:
    """Leave Jail by a card, otherwise by the fine; throw if neither is legal."""
    if is_legal(view, id_of(Kind.JAIL_CARD)):
        return id_of(Kind.JAIL_CARD)
    if is_legal(view, id_of(Kind.JAIL_PAY)):
        return id_of(Kind.JAIL_PAY)
    return id_of(Kind.ROLL)


@jit
def leave_jail_or_roll(game: GameState, view: ViewState, min_cash: int) -> int:
    """Leave Jail with at least ``min_cash``; otherwise throw."""
    return leave_jail(view) if game.cash[view.seat] >= min_cash else id_of(Kind.ROLL)


# Windows: before and after a player's own throw, and between turns


@jit
def close_window(game: GameState) -> int:
    """Finish a window: end one's own turn, or pass in another player's."""
    return id_of(Kind.END_TURN) if game.phase == Phase.END else id_of(Kind.PASS)


# Buying and bidding


@jit
def refuse_to_buy(view: ViewState) -> int:
    """Send the property to auction, or leave it with the Bank if there are no auctions."""
    action = id_of(Kind.AUCTION)
    return action if is_legal(view, action) else id_of(Kind.PASS)


@jit
def bid_step(game: GameState, view: ViewState, most: int, limit: int) -> int:
    """Raise by the largest step up to ``most`` $, or open if no step fits.

    The raise is at least $1, and the bid never exceeds ``limit``.
    """
    if game.bid + 1 > limit:
        return id_of(Kind.PASS)
    action = largest_step(view, Kind.RAISE, min(max(most, 1), limit - int(game.bid)))
    if action != NO_ACTION:
        return action
    if is_legal(view, id_of(Kind.OPEN)) and game.opening <= limit:
        return id_of(Kind.OPEN)
    return id_of(Kind.PASS)


# Building


@jit
def best_building(game: GameState, rules: RuleSet, view: ViewState, reserve: int) -> int:
    """Build where the next building gains the most rent per dollar, if ``reserve`` $ remain.

    A negative reserve means that the building is already paid for.
    """
    best, best_gain, best_price = NO_ACTION, 0, 1
    for action in ids_of(Kind.BUILD):
        if view.mask[action] != 0:
            square = int(VALUE_OF[action])
            price = max(building_price(game, rules, square), 1)
            if reserve < 0 or game.cash[view.seat] - price >= reserve:
                gain = rent_gain(game, rules, square)
                if best == NO_ACTION or gain * best_price > best_gain * price:
                    best, best_gain, best_price = action, gain, price
    return best


@jit
def scarce_building_limit(
    game: GameState, rules: RuleSet, player: int, building: int, reserve: int
) -> int:
    """Return the most to bid for a scarce building, in $: its highest list price where it fits.

    ``building`` is an AuctionLot, HOUSE or HOTEL. The limit is at most the cash above the reserve,
    and 0 if the building fits nowhere.
    """
    price = 0
    remaining = could_place(game, rules, player, building, False)
    while remaining != 0:
        price = max(price, price_of(rules, lowest(remaining), building))
        remaining &= remaining - 1
    return max(min(price, int(game.cash[player]) - reserve), 0)


@jit
def claim_or_pass(game: GameState, rules: RuleSet, view: ViewState, reserve: int) -> int:
    """Claim a scarce building if the bot would build it at that price; otherwise pass."""
    limit = scarce_building_limit(game, rules, view.seat, top(game).flag, reserve)
    return id_of(Kind.CLAIM) if limit > 0 else id_of(Kind.PASS)


@jit
def cheapest_sale(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Sell the building that loses the least rent per dollar received.

    If hotels cannot be broken down, sell a whole group's buildings; NO_ACTION if there are none.
    """
    best, best_loss, best_refund = NO_ACTION, 0, 1
    for action in ids_of(Kind.SELL):
        if view.mask[action] != 0:
            square = int(VALUE_OF[action])
            refund = max(sale_price(game, rules, square), 1)
            loss = rent_loss(game, rules, square)
            if best == NO_ACTION or loss * best_refund < best_loss * refund:
                best, best_loss, best_refund = action, loss, refund
    return first_of(view, Kind.SELL_GROUP) if best == NO_ACTION else best


# Mortgaged deeds received


@jit
def lift_or_keep(game: GameState, rules: RuleSet, view: ViewState, budget: int) -> int:
    """Lift the mortgage of a received deed if it costs at most ``budget`` $; otherwise keep it."""
    square = lowest(top(game).squares)
    action = id_on(Kind.LIFT, square)
    affordable = lift_cost(rules, square) <= budget
    return action if affordable and is_legal(view, action) else id_on(Kind.KEEP, square)


# Offers received


@jit
def groups_gained(game: GameState, player: int) -> int:
    """Return the change in a player's number of complete groups if it accepts the pending offer."""
    owned = game.owned[player]
    after = (owned & ~game.deal_ask | game.deal_give) & DEED_BITS
    return complete_groups(after) - complete_groups(owned)


# Power Doubles


@jit
def use_power(game: GameState, view: ViewState) -> int:
    """Use the power of a double, unless it only draws a card: then throw again."""
    if game.again == DRAW_CHANCE or game.again == DRAW_CHEST:
        return id_of(Kind.ROLL)
    action = id_of(Kind.POWER)
    return action if is_legal(view, action) else id_of(Kind.ROLL)


@jit
def teleport_target(game: GameState, rules: RuleSet, view: ViewState, reserve: int) -> int:
    """Go to the best affordable deed of the Bank; otherwise to GO or a safe corner.

    The best one completes a group; otherwise, it is the most expensive that leaves the reserve.
    """
    cash = int(game.cash[view.seat])
    best, best_score = NO_ACTION, 0
    for action in ids_of(Kind.TO):
        square = int(VALUE_OF[action])
        if view.mask[action] != 0 and DEED_BITS >> square & 1 != 0:
            price = int(rules.price[square])
            if game.owner[square] == NOBODY and price <= cash:
                score = price if cash - price >= reserve else 0
                if completes(game, view.seat, square):
                    score = price + cash
                if score > best_score:
                    best, best_score = action, score
    if best != NO_ACTION:
        return best
    corner = int(BASE[Kind.TO]) + GO
    return corner if is_legal(view, corner) else int(BASE[Kind.TO]) + FREE_PARKING


@jit
def attack_target(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Attack a deed in the group of which one owns the most; ties go to the most expensive."""
    best, best_count, best_price = NO_ACTION, 0, 0
    for action in ids_of(Kind.ATTACK):
        if view.mask[action] != 0:
            square = int(VALUE_OF[action])
            mine = count(game.owned[view.seat] & GROUP_BITS[GROUP[square]])
            price = int(rules.price[square])
            if (
                best == NO_ACTION
                or mine > best_count
                or (mine == best_count and price > best_price)
            ):
                best, best_count, best_price = action, mine, price
    return best
