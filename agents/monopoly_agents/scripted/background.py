"""background: the public baseline agent v3_1 of the GNOME-p3 simulator, adapted to these rules.

Its simulator (github.com/mayankkejriwal/GNOME-p3) differs: deeds can be sold to the Bank, bids may
be any amount, and all players act between turns. Here, deeds are mortgaged instead of sold, a bid
takes the largest step within the agent's own bid, and what the agent does between other players'
turns it also does before its own throw, because the next player has no other window.
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
from monopoly_agents.scripted.debt_offers import offer_in_debt
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
from monopoly_env.bots.offer_steps import (
    compose,
    offer_cash,
    offer_for_sale,
    offer_swap,
)
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
SELL_COMPLETING = 1250  # asked for a lone deed that completes the buyer's group
SELL = 1125  # asked for any other lone deed
SWAP = 750  # value of the received deed in a swap that completes a group on both sides
BUY = 1125  # paid for a deed that completes one of its own groups
BUY_AGAIN = 1250  # paid after the first price was refused


@jit
def part_of_price(rules: RuleSet, square: int, thousandths: int) -> int:
    """Return a fraction of a list price, rounded down to whole dollars."""
    return int(rules.price[square]) * thousandths // 1000


# Buying and bidding


@jit
def decide_buy(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Buy if 200 would remain, or if it completes a group, mortgaging deeds if necessary."""
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
    """Return a player's unmortgaged deeds that are the only ones of their groups it has."""
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
    """Mortgage the cheapest deed of a set, if one can be mortgaged now."""
    best = NO_ACTION
    for action in ids_of(Kind.MORTGAGE):
        square = int(VALUE_OF[action])
        if view.mask[action] != 0 and among >> square & 1 != 0:
            if best == NO_ACTION or rules.price[square] < rules.price[VALUE_OF[best]]:
                best = action
    return best


@jit
def bid(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Raise half-way to the list price.

    Above it, only for a group, by a quarter of the cash left.
    """
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
    """Build where rent gained minus cost is highest, whenever it is affordable."""
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
    """Lift mortgages, in board order, while 200 remain."""
    for action in ids_of(Kind.LIFT):
        if view.mask[action] != 0:
            if game.cash[view.seat] - lift_cost(rules, VALUE_OF[action]) >= RESERVE:
                return action
    return NO_ACTION


@jit
def meet_debt(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Mortgage the cheapest deeds, offer deeds if that is not enough, break up groups last."""
    if raisable(game, rules, view.seat) < amount_due(game):
        action = offer_in_debt(game, rules, view)
        return id_of(Kind.BANKRUPT) if action == NO_ACTION else action
    action = cheapest_mortgage(rules, view, ~squares_of_groups(game.owned[view.seat]))
    if action == NO_ACTION:
        action = cheapest_mortgage(rules, view, DEED_BITS)
    if action == NO_ACTION:
        action = cheapest_sale(game, rules, view)
    return first_legal(view) if action == NO_ACTION else action


# Deals: at most one unmortgaged street each way


@jit
def make_offer(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """With little cash, offer a lone street for sale; otherwise swap or buy to complete a group."""
    if rules.deals == 0 or game.offers_left[view.seat] <= 0:
        return NO_ACTION
    if game.cash[view.seat] < RESERVE:
        action = sell_lone(game, rules, view, True)
        return sell_lone(game, rules, view, False) if action == NO_ACTION else action
    action = swap_or_buy(game, rules, view, True)
    return swap_or_buy(game, rules, view, False) if action == NO_ACTION else action


@jit
def sell_lone(game: GameState, rules: RuleSet, view: ViewState, completing: bool) -> int:
    """Offer a lone street at a premium, to players whose group it completes or to the others."""
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
    """Make an offer for the first color group that lacks one street of another player.

    Mortgaged streets are skipped.
    """
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
    """Offer a lone street that completes the owner's group; theirs counts × 0.75, ours × 1.25."""
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
    """Offer list × 1.125, then × 1.25 after a refusal, if 100 would remain after the latter."""
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
    """Accept offers that gain complete groups, refuse those that lose them.

    Otherwise decide by cash.
    """
    return id_of(Kind.ACCEPT) if acceptable(game, rules, view.seat) else id_of(Kind.REJECT)


@jit
def acceptable(game: GameState, rules: RuleSet, seat: int) -> bool:
    """Return whether a player accepts the pending offer.

    Without a change in groups, at least $200 must remain, or $100 if it gains in list prices.
    Mortgaged deeds are never traded.
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
    """Return the total list price of a set of deeds."""
    total = 0
    remaining = items & DEED_BITS
    while remaining != 0:
        total += int(rules.price[lowest(remaining)])
        remaining &= remaining - 1
    return total


# The policy


@jit
def decide_window(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Build and lift except after its own throw; trade on its own turn; then continue."""
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
    """Play as the public baseline: buy and build when affordable, trade for groups, keep $200."""
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
