"""How scripted bots deal: an offer is planned whole, kept in memory, then composed step by step.

The first numbers of a policy's memory hold the plan. The rest holds fingerprints of the offers
made last: an offer is not made again until something about the other side's deeds changes.
"""

from __future__ import annotations

from monopoly_agents.valuation import (
    NO_ACTION,
    amount_due,
    completes,
    ids,
    is_legal,
    largest_step,
    list_price,
    plain,
)
from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import GROUP_OFFERS, OFFERS
from monopoly_env.engine.agenda import top
from monopoly_env.engine.board import DEED_BITS, GROUP, NOBODY
from monopoly_env.engine.deal_menu import menu_offer
from monopoly_env.engine.deal_terms import in_kind, mortgage_values, offer_reason, tradable
from monopoly_env.engine.dispatch import BASE, ITEM_INDEX, VALUE_OF, Kind
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy import MEMORY, ViewState
from monopoly_env.engine.rules import Deals, RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.why import Why
from monopoly_env.engine.worth import raisable

# Memory
PARTNER = 0  # seat + 1; 0: nothing is planned
ASK = 1  # deeds and cards asked for, a bit each in the order of the action table
GIVE = 2  # deeds and cards given, the same
CASH = 3  # $ given; negative: asked for
OLDEST = 4  # which fingerprint is replaced next
OFFERED = 5  # from here on: fingerprints of offers made
FINGERPRINTS = MEMORY - OFFERED
PRIME = 2_147_483_647

# Making offers: each returns the action that begins the offer, NO_ACTION if none should be made


@jit
def offer_cash(game: GameState, rules: RuleSet, view: ViewState, square: int, cash: int) -> int:
    """Offer cash for another player's deed."""
    partner = int(game.owner[square])
    return begin_offer(game, rules, view, partner, bit(square), 0, cash)


@jit
def offer_swap(
    game: GameState, rules: RuleSet, view: ViewState, square: int, lot: int, cash: int
) -> int:
    """Offer an own lot and cash for another player's deed; negative cash is asked for."""
    partner = int(game.owner[square])
    return begin_offer(game, rules, view, partner, bit(square), bit(lot), cash)


@jit
def offer_for_sale(
    game: GameState, rules: RuleSet, view: ViewState, partner: int, lot: int, price: int
) -> int:
    """Offer an own lot to a player for cash."""
    return begin_offer(game, rules, view, partner, 0, bit(lot), -price)


# Planning


@jit
def begin_offer(
    game: GameState, rules: RuleSet, view: ViewState, partner: int, ask: int, give: int, cash: int
) -> int:
    """Plan an offer and return the action that begins it; NO_ACTION if it cannot or need not be.

    ``ask`` and ``give`` are bit masks of squares, bits 40 and 41 the kept cards; ``cash`` is
    given, asked for if negative. With a deal menu, the nearest offer on it is made.
    """
    if rules.deals == Deals.MENU:
        action = nearest_proposal(game, rules, view, partner, ask, give, cash)
        if action != NO_ACTION:
            cash = -int(menu_offer(game, rules, VALUE_OF[action])[3])
    else:
        action = begin_steps(game, rules, view, partner, ask, give, cash)
    key = fingerprint(game, partner, ask, give, cash)
    if action == NO_ACTION or was_made(view, key):
        return NO_ACTION
    view.memory[OFFERED + view.memory[OLDEST]] = key
    view.memory[OLDEST] = (view.memory[OLDEST] + 1) % FINGERPRINTS
    view.memory[PARTNER] = partner + 1
    view.memory[ASK] = items_of(ask)
    view.memory[GIVE] = items_of(give)
    view.memory[CASH] = cash
    return action


@jit
def begin_steps(
    game: GameState, rules: RuleSet, view: ViewState, partner: int, ask: int, give: int, cash: int
) -> int:
    """The action that begins to compose an offer, if it could be composed and made."""
    action = int(BASE[Kind.DEAL]) + (partner - int(view.seat)) % int(game.players) - 1
    if is_legal(view, action) and could_offer(game, rules, partner, ask, give, cash):
        return action
    return NO_ACTION


@jit
def could_offer(
    game: GameState, rules: RuleSet, partner: int, ask: int, give: int, cash: int
) -> bool:
    """Whether both sides have what the offer names, and the rules let it be made."""
    player = int(game.actor)
    if ask & ~tradable(game, partner) != 0 or give & ~tradable(game, player) != 0:
        return False
    mine, theirs = int(game.cash[player]), int(game.cash[partner])
    if game.phase == Phase.DEBT and in_kind(rules, top(game), partner):
        theirs = max(theirs, amount_due(game) - mine)
    if cash > mine or -cash > theirs:
        return False
    return bool(offer_reason(game, rules, top(game), player, partner, give, ask, -cash) == Why.OK)


@jit
def nearest_proposal(
    game: GameState, rules: RuleSet, view: ViewState, partner: int, ask: int, give: int, cash: int
) -> int:
    """The offer of the menu with the same partner and deeds whose cash is nearest."""
    first, after = GROUP_OFFERS, OFFERS  # what is sold
    if ask != 0:
        first = 3 * int(GROUP[lowest(ask)])
        after = first + 3
    best, best_distance = NO_ACTION, 0
    for number in range(first, after):
        action = int(BASE[Kind.PROPOSE]) + number
        if is_legal(view, action):
            other, given, asked, balance = menu_offer(game, rules, number)
            if other == partner and given == give and asked == ask:
                distance = abs(int(balance) + cash)
                if best == NO_ACTION or distance < best_distance:
                    best, best_distance = action, distance
    return best


@jit
def fingerprint(game: GameState, partner: int, ask: int, give: int, cash: int) -> int:
    """A number for an offer as the partner sees it now: its content and the partner's deeds."""
    key = fold(fold(fold(1, partner), ask), give)
    key = fold(fold(key, cash), (ask | give) & game.mortgaged)
    return fold(key, game.owned[partner])


@jit
def was_made(view: ViewState, key: int) -> bool:
    """Whether an offer is among the last ones made."""
    for slot in range(OFFERED, OFFERED + FINGERPRINTS):
        if view.memory[slot] == key:
            return True
    return False


@jit
def fold(key: int, part: int) -> int:
    """Mix one more number into a fingerprint."""
    return (int(key) * 1_000_003 + int(part) % PRIME) % PRIME


@jit
def items_of(squares: int) -> int:
    """A set of squares as a set of items of the action table; 30 bits, so memory can hold it."""
    items = 0
    rest = squares
    while rest != 0:
        items |= bit(ITEM_INDEX[lowest(rest)])
        rest &= rest - 1
    return items


# Composing


@jit
def compose(game: GameState, view: ViewState) -> int:
    """The next step of the planned offer; without a plan that fits, the offer is dropped."""
    if view.memory[PARTNER] == game.partner + 1:
        action = next_step(game, view)
        if action != NO_ACTION and is_legal(view, action):
            return action
    view.memory[PARTNER] = 0
    return plain(Kind.CANCEL)


@jit
def next_step(game: GameState, view: ViewState) -> int:
    """First the deeds, then the cash, then the offer itself; NO_ACTION if the cash is beyond it."""
    action = next_item(view, Kind.ASK, view.memory[ASK], game.deal_ask)
    if action == NO_ACTION:
        action = next_item(view, Kind.GIVE, view.memory[GIVE], game.deal_give)
    if action != NO_ACTION:
        return action
    cash = int(view.memory[CASH])
    missing = max(cash, 0) - int(game.deal_give_cash)
    kind = Kind.GIVE_CASH
    if cash < 0:
        missing = -cash - int(game.deal_ask_cash)
        kind = Kind.ASK_CASH
    if missing != 0:
        return largest_step(view, kind, missing)
    return plain(Kind.OFFER)


@jit
def next_item(view: ViewState, kind: int, items: int, included: int) -> int:
    """The action that adds the next planned deed or card; NO_ACTION when all are in."""
    for action in ids(kind):
        planned = int(items) >> (action - int(BASE[kind])) & 1
        if planned != 0 and included >> int(VALUE_OF[action]) & 1 == 0:
            return action
    return NO_ACTION


# In debt


@jit
def offer_in_debt(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Offer one deed for the cash that the debt lacks, to whom it is worth most above that.

    For debts that selling buildings and mortgaging everything cannot meet. A deed is taken to be
    worth its list price to others, half if mortgaged, twice if it completes a group of theirs.
    """
    player = int(view.seat)
    lacking = amount_due(game) - raisable(game, rules, player)
    best, best_partner, best_cash, best_margin = NOBODY, NOBODY, 0, 0
    rest = tradable(game, player) & DEED_BITS
    while rest != 0:
        square = lowest(rest)
        rest &= rest - 1
        cash = lacking + mortgage_values(game, rules, bit(square))
        for left in range(1, game.players):
            partner = (player + left) % int(game.players)
            if game.out[partner] == 0:
                worth = list_price(game, rules, square)
                if completes(game, partner, square):
                    worth *= 2
                if worth - cash > best_margin:
                    if could_offer(game, rules, partner, 0, bit(square), -cash):
                        best, best_partner, best_cash = square, partner, cash
                        best_margin = worth - cash
    if best == NOBODY:
        return NO_ACTION
    return offer_for_sale(game, rules, view, best_partner, best, best_cash)
