"""Deals between players: composed step by step, then answered.

An offer consists of deeds, Get Out of Jail Free cards and cash, in either direction. Sets of deeds
and cards are bit masks of squares, with bits 40 and 41 for the two cards.
"""

from __future__ import annotations

from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import pop, push, top, wait
from monopoly_env.engine.board import CARD_CHANCE, NOBODY, SPACES
from monopoly_env.engine.deal_terms import (
    barred,
    in_kind,
    may_trade_with,
    offer_reason,
    something_to_trade,
    tradable,
    tradable_beside,
)
from monopoly_env.engine.debt import settle, total_due
from monopoly_env.engine.deeds import (
    kept_cards,
    move_deed,
    squares_of_built_groups,
    squares_pending,
)
from monopoly_env.engine.journal import Event, Log, Reason, note
from monopoly_env.engine.money import pay
from monopoly_env.engine.mortgage import FROM_DEAL
from monopoly_env.engine.phases import Phase, Task
from monopoly_env.engine.rules import Deals, RuleSet
from monopoly_env.engine.state import MOST_COUNTED, GameState, Int8s
from monopoly_env.engine.why import Why

COMPOSING, ANSWERING = 0, 1  # the step of a DEAL item


# Starting a deal


@jit
def may_deal(game: GameState, rules: RuleSet, partner: int) -> int:
    """Compose an offer to another player; in debt, only if nothing else can pay the debt."""
    if rules.deals != Deals.STEPS:
        return Why.DEALS_OFF
    return may_trade_with(game, rules, partner)


@jit
def partners(game: GameState, rules: RuleSet) -> int:
    """Return the seats that ``may_deal`` allows, as a bit mask; looks up barred deeds only once."""
    if rules.deals != Deals.STEPS:
        return 0
    seats = 0
    if game.phase == Phase.DEBT:
        for player in range(game.players):
            if may_trade_with(game, rules, player) == Why.OK:
                seats |= bit(player)
        return seats
    if game.offers_left[game.actor] <= 0:
        return 0
    closed, actor = barred(game), int(game.actor)
    mine = tradable_beside(game, actor, closed)
    for player in range(game.players):
        if player != actor and game.out[player] == 0:
            theirs = tradable_beside(game, player, closed)
            if something_to_trade(game, rules, player, mine, theirs):
                seats |= bit(player)
    return seats


@jit
def deal(game: GameState, rules: RuleSet, log: Log, partner: int) -> None:
    """Start to compose an offer; it counts against the limit even if it is cancelled."""
    if game.phase == Phase.DEBT:
        top(game).step += 1
    else:
        game.offers_left[game.actor] -= 1
    begin_deal(game, game.actor, partner)


@jit
def begin_deal(game: GameState, proposer: int, partner: int) -> None:
    """Start an empty offer that counts against no limit."""
    game.proposer = proposer
    game.partner = partner
    push(game, Task.DEAL, proposer, partner)


@jit
def resume_deal(game: GameState) -> bool:
    """Wait for the proposer to compose the offer, or for the partner to answer."""
    if top(game).step == ANSWERING:
        return wait(game, Phase.ANSWER, game.partner)
    return wait(game, Phase.DEAL, game.proposer)


# Composing


@jit
def may_include(game: GameState, player: int, item: int) -> int:
    """Check whether a deed or card of ``player`` may be part of the offer."""
    if item >= CARD_CHANCE:
        return Why.OK if kept_cards(game, player) >> item & 1 != 0 else Why.NO_CARD
    if game.owner[item] != player:
        return Why.NOT_OWNED if game.owner[item] == NOBODY else Why.NOT_YOURS
    if squares_pending(game) >> item & 1 != 0:
        return Why.PENDING
    if squares_of_built_groups(game) >> item & 1 != 0:
        return Why.BUILDINGS_IN_GROUP
    return Why.OK


@jit
def to_give(game: GameState, rules: RuleSet) -> int:
    """Return the deeds and cards that ``may_give`` allows."""
    return tradable(game, game.proposer) & ~game.deal_give


@jit
def may_give(game: GameState, rules: RuleSet, item: int) -> int:
    """Add an own deed or card to the offer."""
    if game.deal_give >> item & 1 != 0:
        return Why.ALREADY_IN
    return may_include(game, game.proposer, item)


@jit
def give(game: GameState, rules: RuleSet, log: Log, item: int) -> None:
    """Offer a deed or card."""
    game.deal_give |= bit(item)


@jit
def to_ask(game: GameState, rules: RuleSet) -> int:
    """Return the deeds and cards that ``may_ask`` allows."""
    return tradable(game, game.partner) & ~game.deal_ask


@jit
def may_ask(game: GameState, rules: RuleSet, item: int) -> int:
    """Ask for a deed or card of the other side."""
    if game.deal_ask >> item & 1 != 0:
        return Why.ALREADY_IN
    return may_include(game, game.partner, item)


@jit
def ask(game: GameState, rules: RuleSet, log: Log, item: int) -> None:
    """Ask for a deed or card."""
    game.deal_ask |= bit(item)


@jit
def may_give_cash(game: GameState, rules: RuleSet, amount: int) -> int:
    """Offer cash; it goes in one direction only, and cannot exceed the cash in hand."""
    if game.deal_ask_cash != 0:
        return Why.OTHER_WAY
    if game.deal_give_cash + amount > game.cash[game.proposer]:
        return Why.NO_CASH
    return Why.OK


@jit
def give_cash(game: GameState, rules: RuleSet, log: Log, amount: int) -> None:
    """Offer (more) cash."""
    game.deal_give_cash += amount


@jit
def ask_limit(game: GameState, rules: RuleSet) -> int:
    """Return the maximum cash to ask for: the partner's, or what a debt in kind still needs."""
    limit = int(game.cash[game.partner])
    debt = game.agenda[max(game.depth - 2, 0)]
    if in_kind(rules, debt, game.partner):
        limit = max(limit, total_due(game, debt) - int(game.cash[game.proposer]))
    return limit


@jit
def may_ask_cash(game: GameState, rules: RuleSet, amount: int) -> int:
    """Ask for cash, up to what the other side has."""
    if game.deal_give_cash != 0:
        return Why.OTHER_WAY
    if game.deal_ask_cash + amount > ask_limit(game, rules):
        return Why.PARTNER_NO_CASH
    return Why.OK


@jit
def ask_cash(game: GameState, rules: RuleSet, log: Log, amount: int) -> None:
    """Ask for (more) cash."""
    game.deal_ask_cash += amount


# Offering


@jit
def may_offer(game: GameState, rules: RuleSet, _: int) -> int:
    """An offer must be one that the other side can accept."""
    return offer_reason(
        game,
        rules,
        game.agenda[max(game.depth - 2, 0)],
        game.proposer,
        game.partner,
        game.deal_give,
        game.deal_ask,
        int(game.deal_ask_cash) - int(game.deal_give_cash),
    )


@jit
def offer(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Make the offer to the other side."""
    note(log, Event.OFFER, game.proposer, game.partner, NOBODY, 0)
    top(game).step = ANSWERING


@jit
def offer_whole(
    game: GameState, rules: RuleSet, log: Log, given: int, asked: int, balance: int
) -> None:
    """Make a whole offer in a deal that has begun.

    ``given`` and ``asked`` are bit masks of squares, ``balance`` is the cash that the proposer
    receives.
    """
    game.deal_give = given
    game.deal_ask = asked
    game.deal_give_cash = max(-balance, 0)
    game.deal_ask_cash = max(balance, 0)
    offer(game, rules, log, 0)


@jit
def may_cancel(game: GameState, rules: RuleSet, _: int) -> int:
    """An offer may be cancelled while it is being composed."""
    return Why.OK


@jit
def cancel(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Cancel the offer."""
    pop(game)
    clear_deal(game)


# Answering


@jit
def may_answer(game: GameState, rules: RuleSet, _: int) -> int:
    """An offer can always be accepted or refused."""
    return Why.OK


@jit
def count_up(counts: Int8s, player: int) -> None:
    """Add one to a player's count, up to MOST_COUNTED."""
    if counts[player] < MOST_COUNTED:
        counts[player] += 1


@jit
def reject(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Refuse: nothing changes hands."""
    note(log, Event.REJECT, game.partner, game.proposer, NOBODY, 0)
    count_up(game.refused, game.proposer)
    count_up(game.offers_made, game.proposer)
    count_up(game.offers_rejected, game.partner)
    pop(game)
    clear_deal(game)


@jit
def accept(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """The deal is carried out; if it covers a debt, the debt is paid at once.

    Source: 000 lines 276 to 280; 001 lines 210 and 228; 002 lines 256 and 264.
    """
    proposer, partner = game.proposer, game.partner
    note(log, Event.ACCEPT, partner, proposer, NOBODY, 0)
    count_up(game.offers_made, proposer)
    count_up(game.offers_accepted, partner)
    pop(game)
    pay(game, log, proposer, partner, game.deal_give_cash, Reason.DEAL)
    pay(game, log, partner, proposer, game.deal_ask_cash, Reason.DEAL)
    hand_over(game, log, game.deal_give, proposer, partner)
    hand_over(game, log, game.deal_ask, partner, proposer)
    mortgaged = (game.deal_give | game.deal_ask) & game.mortgaged
    clear_deal(game)
    debt = top(game)
    if debt.kind == Task.DEBT and game.cash[debt.player] >= total_due(game, debt):
        settle(game, rules, log)
    if mortgaged != 0:
        push(game, Task.DEED, NOBODY, NOBODY, NOBODY, 0, FROM_DEAL, mortgaged)


@jit
def hand_over(game: GameState, log: Log, items: int, giver: int, receiver: int) -> None:
    """Transfer deeds and Jail cards from one player to another."""
    remaining = items
    while remaining != 0:
        item = lowest(remaining)
        remaining &= remaining - 1
        if item < SPACES:
            move_deed(game, log, item, receiver)
        else:
            game.card_holder[item - CARD_CHANCE] = receiver
            note(log, Event.KEEP_CARD, receiver, giver, item - CARD_CHANCE, 0)


@jit
def clear_deal(game: GameState) -> None:
    """Clear the fields of a deal that is over."""
    game.deal_give = 0
    game.deal_ask = 0
    game.deal_give_cash = 0
    game.deal_ask_cash = 0
    game.proposer = NOBODY
    game.partner = NOBODY
