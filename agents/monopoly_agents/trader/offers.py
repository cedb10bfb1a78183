"""How the trader makes offers: those that gain it most chance to win, of what a partner may take.

What a partner may take is the strategist's guess: a share of the winning that gives way with each
refusal (:mod:`monopoly_agents.strategist.offer_search`). In slow games single deeds are swapped
too, where they bring both sides nearer to a group: from there the way goes on.
"""

from __future__ import annotations

from monopoly_agents.deals import Deal, menu_deal, new_deal
from monopoly_agents.scripted.offer_steps import begin_steps
from monopoly_agents.strategist.deal_value import least_gain, share_factors, strengths_after
from monopoly_agents.strategist.offer_search import (
    EXHAUSTED,
    best_cash,
    deeds_to_ask,
    deeds_to_complete,
    least_for_partner,
    loose_deeds,
    may_be_asked,
    note_answer,
    note_offer,
)
from monopoly_agents.strategist.win_share import others_squared, win_share
from monopoly_agents.trader.judgment import (
    chances_after,
    chances_before,
    is_slow,
    least_chance,
)
from monopoly_agents.trader.weights import TraderState
from monopoly_env.bots.actions import NO_ACTION, ids_of
from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import VALUE_OF
from monopoly_env.engine.board import GROUP, GROUP_BITS, GROUPS
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.policy import ViewState
from monopoly_env.engine.rules import Deals, RuleSet
from monopoly_env.engine.state import GameState

LEAST_LIKELY = 0.05  # that an offer of the menu is taken to be accepted with


@jit
def make_offer(game: GameState, rules: RuleSet, trader: TraderState, view: ViewState) -> int:
    """The first action of the best offer to anybody; NO_ACTION if none is worth making."""
    note_answer(game, view)
    if rules.deals == Deals.OFF or game.offers_left[view.seat] <= 0:
        return NO_ACTION
    if view.memory[EXHAUSTED] == game.turns:
        return NO_ACTION
    if rules.deals == Deals.MENU:
        action = best_proposal(game, rules, trader, view)
    else:
        action = best_composed(game, rules, trader, view)
        if action == NO_ACTION and is_slow(game, trader):
            action = best_swap(game, rules, trader, view)
    if action == NO_ACTION:
        view.memory[EXHAUSTED] = game.turns
    return action


# From the menu


@jit
def best_proposal(game: GameState, rules: RuleSet, trader: TraderState, view: ViewState) -> int:
    """The offer of the menu with the highest gain times the guess that it is accepted."""
    best, best_gain = NO_ACTION, 0.0
    for action in ids_of(Kind.PROPOSE):
        if view.mask[action] != 0:
            deal = menu_deal(game, rules, view.seat, VALUE_OF[action])
            if may_be_asked(game, view, deal.partner):
                gain = expected_gain(game, rules, trader, view, deal)
                if gain > best_gain:
                    best, best_gain = action, gain
                    note_offer(game, view, deal)
    return best


@jit
def expected_gain(
    game: GameState, rules: RuleSet, trader: TraderState, view: ViewState, deal: Deal
) -> float:
    """What an offer adds to one's own chance to win, times the guess that it is accepted; or 0."""
    _, theirs = share_factors(game, rules, trader.weights, deal)
    if theirs < least_for_partner(game, trader.weights, view, deal.partner):
        return 0.0
    before, their_before = chances_before(game, rules, trader, deal)
    after, their_after = chances_after(game, rules, trader, deal)
    if after <= least_chance(game, trader, trader.margins.gain, deal) * before:
        return 0.0
    likely = 0.5 + trader.margins.slope * (their_after - their_before)
    return float((after - before) * min(max(likely, LEAST_LIKELY), 1.0))


# Composed in steps


@jit
def best_composed(game: GameState, rules: RuleSet, trader: TraderState, view: ViewState) -> int:
    """The action that begins the best offer to anybody."""
    best, best_gain = NO_ACTION, 0.0
    for left in range(1, game.players):
        partner = (int(view.seat) + left) % int(game.players)
        if may_be_asked(game, view, partner):
            deal, gain = best_offer(game, rules, trader, view, partner)
            if gain > best_gain:
                action = begin_steps(game, rules, view, deal)
                if action != NO_ACTION:
                    best, best_gain = action, gain
                    note_offer(game, view, deal)
    return best


@jit
def best_offer(
    game: GameState, rules: RuleSet, trader: TraderState, view: ViewState, partner: int
) -> tuple[Deal, float]:
    """The best offer to a partner that leaves it a share as large as the level asks for.

    Returns the deal, and what it adds to one's own chance to win beyond the margin; 0.0 if there
    is none.
    """
    me, weights, margins = int(view.seat), trader.weights, trader.margins
    others = others_squared(game, rules, weights, me, partner)
    best, best_gain = new_deal(me, partner, 0, 0, 0), 0.0
    mine, theirs = strengths_after(game, rules, weights, best)
    share = win_share(mine, theirs, others)
    least = least_for_partner(game, weights, view, partner)
    their_least = least * win_share(theirs, mine, others)
    before, _ = chances_before(game, rules, trader, best)
    number = 0
    while True:
        ask = deeds_to_ask(game, me, partner, number)
        if ask < 0:
            return best, best_gain
        for group in range(-1, GROUPS if number <= GROUPS + 1 else 0):
            give = 0 if group < 0 else deeds_to_complete(game, partner, me, group)
            if (give != 0 or group < 0) and ask | give != 0:
                deal = new_deal(me, partner, give, ask, 0)
                my_least = share * least_gain(game, weights, margins.gain_share, deal)
                deal, my_share = best_cash(
                    game, rules, weights, deal, others, their_least, my_least
                )
                if my_share > my_least and (give != 0 or deal.cash < 0):
                    after, _ = chances_after(game, rules, trader, deal)
                    gain = after - before * least_chance(game, trader, margins.gain, deal)
                    if gain > best_gain:
                        best, best_gain = deal, gain
        number += 1


# Swaps of single deeds


@jit
def beside_own(game: GameState, player: int, deeds: int) -> int:
    """Those of some deeds of whose groups a player has others."""
    beside = 0
    remaining = deeds
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        if game.owned[player] & GROUP_BITS[GROUP[square]] != 0:
            beside |= bit(square)
    return beside


@jit
def best_swap(game: GameState, rules: RuleSet, trader: TraderState, view: ViewState) -> int:
    """The action that begins the best swap of two deeds, list prices evened out by cash.

    Each side gets a deed of a group of which it has another, and gains by the value.
    """
    me, margins = int(view.seat), trader.margins
    best, best_gain = NO_ACTION, 0.0
    for left in range(1, game.players):
        partner = (me + left) % int(game.players)
        if not may_be_asked(game, view, partner):
            continue
        none = new_deal(me, partner, 0, 0, 0)
        before, their_before = chances_before(game, rules, trader, none)
        asked = beside_own(game, me, loose_deeds(game, partner))
        while asked != 0:
            ask = lowest(asked)
            asked &= asked - 1
            given = beside_own(game, partner, loose_deeds(game, me)) & ~GROUP_BITS[GROUP[ask]]
            while given != 0:
                give = lowest(given)
                given &= given - 1
                cash = int(rules.price[give]) - int(rules.price[ask])
                deal = new_deal(me, partner, bit(give), bit(ask), cash)
                after, their_after = chances_after(game, rules, trader, deal)
                gain = after - before * margins.gain
                if gain > best_gain and their_after > margins.accept * their_before:
                    action = begin_steps(game, rules, view, deal)
                    if action != NO_ACTION:
                        best, best_gain = action, gain
                        note_offer(game, view, deal)
    return best
