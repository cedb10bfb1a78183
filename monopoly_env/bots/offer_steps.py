"""Making offers: an offer is planned as a whole, stored in memory, and composed step by step.

The first numbers of a policy's memory hold the plan; the others are fingerprints of its latest
offers, so that an offer is not repeated until the partner's deeds change.
"""

from __future__ import annotations

from monopoly_env.bots.actions import NO_ACTION, id_of, ids_of, is_legal, largest_step
from monopoly_env.bots.deals import Deal, menu_deal, new_deal
from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import BASE, GROUP_OFFERS, ITEM_INDEX, OFFERS, VALUE_OF
from monopoly_env.engine.agenda import top
from monopoly_env.engine.board import GROUP
from monopoly_env.engine.deal_terms import in_kind, offer_reason, tradable
from monopoly_env.engine.debt import total_due
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy import MEMORY, ViewState
from monopoly_env.engine.rules import Deals, RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.why import Why

# Layout of the memory
PARTNER = 0  # seat + 1; 0 without a plan
ASK = 1  # items asked for, one bit each in the order of the action table
GIVE = 2  # items given, one bit each in the order of the action table
CASH = 3  # $ asked for; negative: given
OLDEST = 4  # index of the fingerprint to replace next
OFFERED = 5  # first fingerprint of an offer
FINGERPRINTS = MEMORY - OFFERED
PRIME = 2_147_483_647

# Making offers: each function returns the first action of the offer, or NO_ACTION


@jit
def offer_cash(game: GameState, rules: RuleSet, view: ViewState, square: int, cash: int) -> int:
    """Offer cash for another player's deed."""
    deal = new_deal(view.seat, game.owner[square], 0, bit(square), -cash)
    return begin_offer(game, rules, view, deal)


@jit
def offer_swap(
    game: GameState, rules: RuleSet, view: ViewState, square: int, own: int, cash: int
) -> int:
    """Offer an own deed and cash for another player's deed; negative cash is asked for."""
    deal = new_deal(view.seat, game.owner[square], bit(own), bit(square), -cash)
    return begin_offer(game, rules, view, deal)


@jit
def offer_for_sale(
    game: GameState, rules: RuleSet, view: ViewState, partner: int, square: int, price: int
) -> int:
    """Offer an own deed to a player for cash."""
    deal = new_deal(view.seat, partner, bit(square), 0, price)
    return begin_offer(game, rules, view, deal)


# Planning


@jit
def begin_offer(game: GameState, rules: RuleSet, view: ViewState, deal: Deal) -> int:
    """Plan an offer and return its first action; NO_ACTION if it is illegal or was already made.

    With a deal menu, the nearest offer on it is made.
    """
    if rules.deals == Deals.MENU:
        action = nearest_proposal(game, rules, view, deal)
        if action != NO_ACTION:
            deal = menu_deal(game, rules, view.seat, VALUE_OF[action])
    else:
        action = begin_steps(game, rules, view, deal)
    key = fingerprint(game, deal)
    if action == NO_ACTION or was_made(view, key):
        return NO_ACTION
    view.memory[OFFERED + view.memory[OLDEST]] = key
    view.memory[OLDEST] = (view.memory[OLDEST] + 1) % FINGERPRINTS
    plan(view, deal)
    return action


@jit
def plan(view: ViewState, deal: Deal) -> None:
    """Store the offer that :func:`compose` will put together."""
    view.memory[PARTNER] = deal.partner + 1
    view.memory[ASK] = items_of(deal.ask)
    view.memory[GIVE] = items_of(deal.give)
    view.memory[CASH] = deal.cash


@jit
def begin_steps(game: GameState, rules: RuleSet, view: ViewState, deal: Deal) -> int:
    """Return the action that starts composing an offer, if it would be legal."""
    action = int(BASE[Kind.DEAL]) + (deal.partner - deal.me) % int(game.players) - 1
    if is_legal(view, action) and could_offer(game, rules, deal):
        return action
    return NO_ACTION


@jit
def could_offer(game: GameState, rules: RuleSet, deal: Deal) -> bool:
    """Return whether both sides have what the offer names, and the rules allow it."""
    me, partner, give, ask, cash = deal
    if ask & ~tradable(game, partner) != 0 or give & ~tradable(game, me) != 0:
        return False
    my_cash, their_cash = int(game.cash[me]), int(game.cash[partner])
    if game.phase == Phase.DEBT and in_kind(rules, top(game), partner):
        their_cash = max(their_cash, total_due(game, top(game)) - my_cash)
    if -cash > my_cash or cash > their_cash:
        return False
    return bool(offer_reason(game, rules, top(game), me, partner, give, ask, cash) == Why.OK)


@jit
def nearest_proposal(game: GameState, rules: RuleSet, view: ViewState, deal: Deal) -> int:
    """Return the menu's offer with the same partner and deeds and the nearest amount of cash."""
    first, after = GROUP_OFFERS, OFFERS  # offers to sell
    if deal.ask != 0:
        first = 3 * int(GROUP[lowest(deal.ask)])
        after = first + 3
    best, best_distance = NO_ACTION, 0
    for number in range(first, after):
        action = int(BASE[Kind.PROPOSE]) + number
        if is_legal(view, action):
            other = menu_deal(game, rules, view.seat, number)
            if other.partner == deal.partner and other.give == deal.give and other.ask == deal.ask:
                distance = abs(other.cash - deal.cash)
                if best == NO_ACTION or distance < best_distance:
                    best, best_distance = action, distance
    return best


@jit
def fingerprint(game: GameState, deal: Deal) -> int:
    """Return a hash of an offer and the partner's deeds."""
    key = fold(fold(fold(1, deal.partner), deal.ask), deal.give)
    key = fold(fold(key, -deal.cash), (deal.ask | deal.give) & game.mortgaged)
    return fold(key, game.owned[deal.partner])


@jit
def was_made(view: ViewState, key: int) -> bool:
    """Return whether an offer is among the latest ones made."""
    for slot in range(OFFERED, OFFERED + FINGERPRINTS):
        if view.memory[slot] == key:
            return True
    return False


@jit
def fold(key: int, part: int) -> int:
    """Mix another number into a fingerprint."""
    return (int(key) * 1_000_003 + int(part) % PRIME) % PRIME


@jit
def items_of(squares: int) -> int:
    """Convert a set of squares to a set of items of the action table, which fits in 30 bits."""
    items = 0
    remaining = squares
    while remaining != 0:
        items |= bit(ITEM_INDEX[lowest(remaining)])
        remaining &= remaining - 1
    return items


# Composing


@jit
def compose(game: GameState, view: ViewState) -> int:
    """Return the next step of the planned offer; without a matching plan, cancel."""
    if view.memory[PARTNER] == game.partner + 1:
        action = next_step(game, view)
        if action != NO_ACTION and is_legal(view, action):
            return action
    view.memory[PARTNER] = 0
    return id_of(Kind.CANCEL)


@jit
def next_step(game: GameState, view: ViewState) -> int:
    """Add deeds, then cash, then make the offer; NO_ACTION if the cash exceeds the plan."""
    action = next_item(view, Kind.ASK, view.memory[ASK], game.deal_ask)
    if action == NO_ACTION:
        action = next_item(view, Kind.GIVE, view.memory[GIVE], game.deal_give)
    if action != NO_ACTION:
        return action
    cash = int(view.memory[CASH])
    kind, missing = Kind.GIVE_CASH, max(-cash, 0) - int(game.deal_give_cash)
    if cash > 0:
        kind, missing = Kind.ASK_CASH, cash - int(game.deal_ask_cash)
    if missing != 0:
        return largest_step(view, kind, missing)
    return id_of(Kind.OFFER)


@jit
def next_item(view: ViewState, kind: int, items: int, included: int) -> int:
    """Return the action that adds the next planned deed or card.

    NO_ACTION when all are included.
    """
    for action in ids_of(kind):
        planned = int(items) >> (action - int(BASE[kind])) & 1
        if planned != 0 and included >> int(VALUE_OF[action]) & 1 == 0:
            return action
    return NO_ACTION
