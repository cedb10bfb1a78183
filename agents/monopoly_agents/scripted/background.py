"""background: the public baseline agent v3_1 of the GNOME-p3 simulator, under these rules.

Its simulator (github.com/mayankkejriwal/GNOME-p3) differs: deeds can be sold to the Bank there,
bids may be any amount, and everybody acts between turns. Here deeds are mortgaged instead of
sold, a bid takes the largest step within what the agent would bid, and what it does between
others' turns it also does before its own throw, as the next player has no other window.
"""

from __future__ import annotations

from monopoly_agents.scripted.common import (
    bid_step,
    cheapest_sale,
    claim_or_pass,
    close_window,
    decide_rare_phase,
    groups_gained,
    leave_jail_or_roll,
    lift_or_keep,
    refuse_to_buy,
    scarce_building_limit,
)
from monopoly_agents.scripted.offer_steps import (
    compose,
    offer_cash,
    offer_for_sale,
    offer_in_debt,
    offer_swap,
)
from monopoly_agents.valuation import (
    amount_due,
    building_price,
    completes,
    is_lone,
    missing_deed,
    rent_gain,
    squares_of_groups,
)
from monopoly_env.bots.actions import NO_ACTION, first_legal, id_of, ids_of
from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import VALUE_OF
from monopoly_env.engine.agenda import top
from monopoly_env.engine.board import COLORS, DEED_BITS, GROUP, GROUP_BITS, NOBODY, STREET_BITS
from monopoly_env.engine.deal_terms import mortgage_values
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.mortgage import lift_cost
from monopoly_env.engine.phases import AuctionLot, Phase
from monopoly_env.engine.policy import ViewState, policy
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.worth import raisable

# Dollars: "one salary" and half of one in the public code
RESERVE = 200
DEAL_RESERVE = 100

# Thousandths of the list price
SELL_COMPLETING = 1250  # asked for a lone deed that completes the other side's group
SELL = 1125  # asked for any other lone deed
SWAP = 750  # what the deed received counts in a swap that completes a group on both sides
BUY = 1125  # paid for a deed that completes an own group
BUY_AGAIN = 1250  # paid once that was refused


@jit
def part_of_price(rules: RuleSet, square: int, thousandths: int) -> int:
    """A part of a list price, rounded down to whole dollars."""
    return int(rules.price[square]) * thousandths // 1000


# Buying and bidding


@jit
def decide_buy(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Buy if 200 stay, or if it completes a group: then mortgage deeds for it if need be."""
    square = int(top(game).square)
    stays = int(game.cash[view.seat]) - int(rules.price[square])
    if stays >= RESERVE:
        return id_of(Kind.BUY)
    if completes(game, view.seat, square):
        if stays >= 0:
            return id_of(Kind.BUY)
        lone = lone_deeds(game, view.seat) & ~GROUP_BITS[GROUP[square]]
        if mortgage_values(game, rules, lone) >= -stays:
            return cheapest_mortgage(rules, view, lone)
    return refuse_to_buy(view)


@jit
def lone_deeds(game: GameState, player: int) -> int:
    """A player's unmortgaged deeds that are the only ones of their groups it has."""
    deeds = 0
    remaining = game.owned[player] & ~game.mortgaged
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        if is_lone(game, player, square):
            deeds |= bit(square)
    return deeds


@jit
def cheapest_mortgage(rules: RuleSet, view: ViewState, among: int) -> int:
    """Mortgage the cheapest of a set of deeds that can be mortgaged now."""
    best = NO_ACTION
    for action in ids_of(Kind.MORTGAGE):
        square = int(VALUE_OF[action])
        if view.mask[action] != 0 and among >> square & 1 != 0:
            if best == NO_ACTION or rules.price[square] < rules.price[VALUE_OF[best]]:
                best = action
    return best


@jit
def bid(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Half-way to the list price; above it, only for a group, by a quarter of the cash left."""
    cash, standing = int(game.cash[view.seat]), int(game.bid)
    square = int(game.lot_square)
    price = int(rules.price[square])
    if game.lot != AuctionLot.DEED:
        price = scarce_building_limit(game, rules, view.seat, game.lot, 0)
    if standing < price:
        step = max((price - standing) // 2, 1)
        return bid_step(game, view, step, price) if standing + step < cash else id_of(Kind.PASS)
    if game.lot == AuctionLot.DEED and completes(game, view.seat, square) and standing < cash:
        return bid_step(game, view, (cash - standing) // 4, cash)
    return id_of(Kind.PASS)


# Building, mortgages, debts


@jit
def build(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Build where rent gained less cost is highest, whenever there is the cash."""
    best, best_worth = NO_ACTION, 0
    for action in ids_of(Kind.BUILD):
        if view.mask[action] != 0:
            square = int(VALUE_OF[action])
            worth = rent_gain(game, rules, square) - building_price(game, rules, square)
            if best == NO_ACTION or worth > best_worth:
                best, best_worth = action, worth
    return best


@jit
def lift(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Lift mortgages, in board order, while 200 stay."""
    for action in ids_of(Kind.LIFT):
        if view.mask[action] != 0:
            if game.cash[view.seat] - lift_cost(rules, VALUE_OF[action]) >= RESERVE:
                return action
    return NO_ACTION


@jit
def meet_debt(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Mortgage the cheapest, sell deeds where that falls short, break up groups last."""
    if raisable(game, rules, view.seat) < amount_due(game):
        action = offer_in_debt(game, rules, view)
        return id_of(Kind.BANKRUPT) if action == NO_ACTION else action
    action = cheapest_mortgage(rules, view, ~squares_of_groups(game.owned[view.seat]))
    if action == NO_ACTION:
        action = cheapest_mortgage(rules, view, DEED_BITS)
    if action == NO_ACTION:
        action = cheapest_sale(game, rules, view)
    return first_legal(view) if action == NO_ACTION else action


# Deals: one unmortgaged street each way at most


@jit
def make_offer(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """With little cash sell a lone street; else swap or buy what completes a group."""
    if rules.deals == 0 or game.offers_left[view.seat] <= 0:
        return NO_ACTION
    if game.cash[view.seat] < RESERVE:
        action = sell_lone(game, rules, view, True)
        return sell_lone(game, rules, view, False) if action == NO_ACTION else action
    action = swap_or_buy(game, rules, view, True)
    return swap_or_buy(game, rules, view, False) if action == NO_ACTION else action


@jit
def sell_lone(game: GameState, rules: RuleSet, view: ViewState, completing: bool) -> int:
    """Offer a lone street at a premium, to whom it completes a group for, or to anybody."""
    remaining = lone_deeds(game, view.seat) & STREET_BITS
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        for left in range(1, game.players):
            partner = (int(view.seat) + left) % int(game.players)
            if completes(game, partner, square) == completing:
                price = part_of_price(rules, square, SELL_COMPLETING if completing else SELL)
                action = offer_for_sale(game, rules, view, partner, square, price)
                if action != NO_ACTION:
                    return action
    return NO_ACTION


@jit
def swap_or_buy(game: GameState, rules: RuleSet, view: ViewState, swap: bool) -> int:
    """Offer for the first color group that lacks one street, unmortgaged, of another player."""
    for group in range(COLORS):
        square = missing_deed(game, view.seat, group)
        if square != NOBODY and game.owner[square] != NOBODY:
            if game.mortgaged >> square & 1 == 0:
                if swap:
                    action = propose_swap(game, rules, view, square)
                else:
                    action = propose_to_buy(game, rules, view, square)
                if action != NO_ACTION:
                    return action
    return NO_ACTION


@jit
def propose_swap(game: GameState, rules: RuleSet, view: ViewState, square: int) -> int:
    """Give a lone street that completes the owner's group; theirs counts × 0.75, it × 1.25."""
    owner = int(game.owner[square])
    remaining = lone_deeds(game, view.seat) & STREET_BITS
    while remaining != 0:
        own = lowest(remaining)
        remaining &= remaining - 1
        if GROUP[own] != GROUP[square] and completes(game, owner, own):
            cash = part_of_price(rules, square, SWAP) - part_of_price(rules, own, SELL_COMPLETING)
            action = offer_swap(game, rules, view, square, own, cash)
            if action != NO_ACTION:
                return action
    return NO_ACTION


@jit
def propose_to_buy(game: GameState, rules: RuleSet, view: ViewState, square: int) -> int:
    """Pay list × 1.125, and × 1.25 once that was refused, if 100 would stay after the latter."""
    if game.cash[view.seat] - part_of_price(rules, square, BUY_AGAIN) <= DEAL_RESERVE:
        return NO_ACTION
    cash = part_of_price(rules, square, BUY)
    action = offer_cash(game, rules, view, square, cash)
    if action == NO_ACTION:
        cash = part_of_price(rules, square, BUY_AGAIN)
        action = offer_cash(game, rules, view, square, cash)
    return action


@jit
def answer(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Accept what gains complete groups, refuse what loses them; else if the cash stays."""
    return id_of(Kind.ACCEPT) if acceptable(game, rules, view.seat) else id_of(Kind.REJECT)


@jit
def acceptable(game: GameState, rules: RuleSet, seat: int) -> bool:
    """Whether a player accepts the offer that is put to it.

    Without a change in groups 200 $ must stay, whatever the offer is worth, or 100 $ if it gains
    in list prices. Mortgaged deeds it never trades.
    """
    price = int(game.deal_ask_cash) - int(game.deal_give_cash)
    stays = int(game.cash[seat]) - price
    nothing_given = game.deal_give == 0 and game.deal_give_cash == 0
    if nothing_given or (game.deal_give | game.deal_ask) & game.mortgaged != 0 or stays < 0:
        return False
    gained = groups_gained(game, seat)
    if gained != 0:
        return gained > 0
    gain = prices(rules, game.deal_give) - prices(rules, game.deal_ask) - price
    return stays >= RESERVE or (stays >= DEAL_RESERVE and gain > 0)


@jit
def prices(rules: RuleSet, items: int) -> int:
    """The list prices of a set of deeds."""
    total = 0
    remaining = items & DEED_BITS
    while remaining != 0:
        total += int(rules.price[lowest(remaining)])
        remaining &= remaining - 1
    return total


# The whole


@jit
def decide_window(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Build and lift except after the own throw; deal on the own turn; then go on."""
    action = NO_ACTION
    if game.phase != Phase.END:
        action = build(game, rules, view)
        if action == NO_ACTION:
            action = lift(game, rules, view)
    if action == NO_ACTION and game.turn == view.seat:
        action = make_offer(game, rules, view)
    if action != NO_ACTION:
        return action
    if game.phase == Phase.TURN:
        return leave_jail_or_roll(game, view, RESERVE)
    return close_window(game)


@policy
def background(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """The public baseline: buys, builds when it can, deals for groups, keeps 200 $ or so."""
    phase = game.phase
    if phase == Phase.TURN or phase == Phase.END or phase == Phase.BETWEEN:
        return decide_window(game, rules, view)
    if phase == Phase.BUY:
        return decide_buy(game, rules, view)
    if phase == Phase.AUCTION:
        return bid(game, rules, view)
    if phase == Phase.DEAL:
        return compose(game, view)
    if phase == Phase.ANSWER:
        return answer(game, rules, view)
    if phase == Phase.DEBT:
        return meet_debt(game, rules, view)
    if phase == Phase.DEED:
        return lift_or_keep(game, rules, view, int(game.cash[view.seat]) - RESERVE)
    if phase == Phase.CLAIM:
        return claim_or_pass(game, rules, view, 0)
    return decide_rare_phase(game, rules, view, RESERVE)
