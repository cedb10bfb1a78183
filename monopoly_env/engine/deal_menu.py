"""The deal menu: sensible whole offers to choose from, instead of composing one in steps.

An offer's number determines its type, so that it has the same meaning throughout a game. Each of
the ten groups has three offers, in board order:

    3g + 1   buy a deed that I lack for 11/10 of its list price (3/4 if I own none of the group)
    3g + 2   buy the same deed for 13/5 of its list price (5/4 if it does not complete my group)
    3g + 3   swap the same deed for the one of mine that helps its owner most; I pay the difference
             of the list prices plus a tenth of its price

Two more sell my least useful single deed: number 31 for 9/10 of its list price, number 32 for twice
the list price, to the player whom it helps most. Offers that the rules or a lack of cash forbid are
left out. Nearly all offers favor the other side a little, because a player who compares list prices
refuses an even exchange.
"""

from __future__ import annotations

from monopoly_env.compiler.bits import bit, count, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import GROUP_OFFERS
from monopoly_env.engine.agenda import top
from monopoly_env.engine.board import (
    DEED_BITS,
    GROUP,
    GROUP_BITS,
    GROUP_SIZE,
    GROUPS,
    NOBODY,
)
from monopoly_env.engine.deal_terms import may_trade_with, offer_reason, tradable
from monopoly_env.engine.deeds import squares_of_built_groups, squares_pending
from monopoly_env.engine.journal import Log
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.rules import Deals, RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.trade import deal, offer_whole
from monopoly_env.engine.why import Why

LOW, HIGH, SWAP = 0, 1, 2


@jit
def completes(game: GameState, player: int, square: int) -> bool:
    """Return whether receiving a deed would complete its group for a player."""
    group = GROUP[square]
    return bool(count(game.owned[player] & GROUP_BITS[group]) == GROUP_SIZE[group] - 1)


@jit
def on_offer(game: GameState, player: int) -> int:
    """Return the deeds of the other players that could be traded now, as a bit mask."""
    deeds = 0
    for other in range(game.players):
        if other != player:
            deeds |= game.owned[other]
    return int(deeds & ~(squares_of_built_groups(game) | squares_pending(game)))


@jit
def cheapest_offered(game: GameState, rules: RuleSet, player: int, group: int) -> int:
    """Return the cheapest tradable deed of a group that another player owns, or NOBODY."""
    remaining = on_offer(game, player) & GROUP_BITS[group]
    best, best_price = NOBODY, 0
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        price = int(rules.price[square])
        if best == NOBODY or price < best_price:
            best, best_price = square, price
    return best


@jit
def service(game: GameState, player: int, square: int) -> int:
    """Return how useful a deed is: 100 if it completes a group, else deeds owned of its group."""
    if completes(game, player, square):
        return 100
    return count(game.owned[player] & GROUP_BITS[GROUP[square]])


@jit
def spare_deed(game: GameState, rules: RuleSet, player: int, other: int, barred: int) -> int:
    """Return the own deed that helps ``other`` most, outside ``barred`` and own groups."""
    remaining = tradable(game, player) & DEED_BITS & ~barred & ~game.mortgaged
    best, best_service = NOBODY, -1
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        bits = GROUP_BITS[GROUP[square]]
        if game.owned[player] & bits != bits:
            score = service(game, other, square) - count(game.owned[player] & bits)
            if best == NOBODY or score > best_service:
                best, best_service = square, score
    return best


@jit
def lone_deed(game: GameState, rules: RuleSet, player: int) -> int:
    """Return the least useful own deed: fewest of its group, then cheapest; or NOBODY."""
    remaining = tradable(game, player) & DEED_BITS
    best, best_score = NOBODY, 0
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        bits = GROUP_BITS[GROUP[square]]
        if game.owned[player] & bits != bits:
            score = 10_000 * count(game.owned[player] & bits) + int(rules.price[square])
            if best == NOBODY or score < best_score:
                best, best_score = square, score
    return best


@jit
def buyer_for(game: GameState, seller: int, square: int, price: int) -> int:
    """Return the player whom a deed helps most among those who can pay ``price``, or NOBODY."""
    best, best_service = NOBODY, -1
    for offset in range(1, game.players):
        player = (seller + offset) % game.players
        if game.out[player] == 0 and game.cash[player] >= price:
            score = service(game, player, square)
            if score > best_service:
                best, best_service = player, score
    return best


@jit
def cash_price(game: GameState, rules: RuleSet, player: int, square: int, form: int) -> int:
    """Return the cash that the menu offers for a deed."""
    price = int(rules.price[square])
    if form == LOW:
        beside = game.owned[player] & GROUP_BITS[GROUP[square]]
        return share(rules, price, 22) if beside != 0 else share(rules, price, 15)
    return share(rules, price, 52) if completes(game, player, square) else share(rules, price, 25)


@jit
def share(rules: RuleSet, price: int, twentieths: int) -> int:
    """Return twentieths of a price, rounded up to whole dollars or the menu's unit."""
    amount = (price * twentieths + 19) // 20
    unit = int(rules.menu_unit)
    return amount if unit == 0 else (amount + unit - 1) // unit * unit


@jit
def group_offer(
    game: GameState, rules: RuleSet, player: int, group: int, form: int
) -> tuple[int, int, int, int]:
    """Return a group's offer: partner, deeds given, deeds asked for, cash received."""
    square = cheapest_offered(game, rules, player, group)
    if square == NOBODY:
        return NOBODY, 0, 0, 0
    partner = int(game.owner[square])
    if form != SWAP:
        return partner, 0, bit(square), -cash_price(game, rules, player, square, form)
    spare = spare_deed(game, rules, player, partner, GROUP_BITS[group])
    if spare == NOBODY:
        return NOBODY, 0, 0, 0
    price = int(rules.price[square])
    balance = int(rules.price[spare]) - price - share(rules, price, 2)
    return partner, bit(spare), bit(square), balance


@jit
def menu_offer(game: GameState, rules: RuleSet, number: int) -> tuple[int, int, int, int]:
    """Return offer ``number`` (from 0) of the actor: partner, given, asked for, cash received.

    The partner is NOBODY if there is no such offer.
    """
    player = game.actor
    if number < GROUP_OFFERS:
        return group_offer(game, rules, player, number // 3, number % 3)
    square = lone_deed(game, rules, player)
    if square == NOBODY:
        return NOBODY, 0, 0, 0
    price = share(rules, int(rules.price[square]), 18 if number == GROUP_OFFERS else 40)
    return buyer_for(game, player, square, price), bit(square), 0, price


@jit
def may_propose(game: GameState, rules: RuleSet, number: int) -> int:
    """Make a whole offer of the menu, if it could be accepted."""
    if rules.deals != Deals.MENU:
        return Why.NO_MENU
    partner, give, ask, balance = menu_offer(game, rules, number)
    if partner == NOBODY:
        return Why.NO_MENU
    reason = may_trade_with(game, rules, partner)
    if reason != Why.OK:
        return reason
    if int(game.cash[game.actor]) + balance < 0:
        return Why.NO_CASH
    if game.cash[partner] < balance:
        return Why.PARTNER_NO_CASH
    return offer_reason(game, rules, top(game), game.actor, partner, give, ask, balance)


@jit
def propose_candidates(game: GameState, rules: RuleSet) -> int:
    """Return the numbers of offers for which ``may_propose`` must be checked."""
    if rules.deals != Deals.MENU:
        return 0
    if game.phase != Phase.DEBT and game.offers_left[game.actor] <= 0:
        return 0
    candidates = bit(GROUP_OFFERS) | bit(GROUP_OFFERS + 1)
    others = on_offer(game, game.actor)
    for group in range(GROUPS):
        if others & GROUP_BITS[group] != 0:
            candidates |= 7 << (3 * group)
    return candidates


@jit
def propose(game: GameState, rules: RuleSet, log: Log, number: int) -> None:
    """Make an offer of the menu to its partner."""
    partner, give, ask, balance = menu_offer(game, rules, number)
    deal(game, rules, log, partner)
    offer_whole(game, rules, log, give, ask, balance)
