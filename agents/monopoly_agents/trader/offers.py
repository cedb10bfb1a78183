"""The trader's offers: maximize the gain in win probability times the chance of acceptance.

Candidates are deeds that complete a group for either side or both, all loose deeds, also for a single
one, and single deeds of partly owned groups, each with several amounts of cash. The small network of
the acceptance model (:mod:`monopoly_agents.trader.acceptance`) and the strategist's win shares
shortlist the most promising ones; the learned value and the large network judge those. In slow games,
single deeds are also swapped where that brings both sides nearer to a group.
"""

from __future__ import annotations

import numpy as np

from monopoly_agents.strategist.deal_value import completes_group, least_gain, strengths_after
from monopoly_agents.strategist.offer_search import (
    EXHAUSTED,
    LEVEL,
    accepting_partner,
    deeds_to_ask,
    deeds_to_complete,
    loose_deeds,
    may_be_asked,
    note_offer,
)
from monopoly_agents.strategist.sides import strengths_at
from monopoly_agents.strategist.weights import STRATEGIST
from monopoly_agents.strategist.win_share import win_share
from monopoly_agents.trader.acceptance import (
    N_FEATURES,
    Standing,
    acceptance_probability,
    standing_of,
    worth_of,
    write_learned,
    write_shares,
    write_terms,
)
from monopoly_agents.trader.judgment import (
    chances_after,
    chances_now,
    is_slow,
    least_chance,
    margins_in,
    weights_in,
)
from monopoly_agents.trader.listing import (
    JUDGED,
    ListingState,
    clear,
    keep,
    new_listing,
    shortlisted,
    weakest,
)
from monopoly_agents.trader.sides import change_sides, take_sides
from monopoly_agents.trader.weights import TraderState
from monopoly_env.bots.actions import NO_ACTION, ids_of
from monopoly_env.bots.deals import Deal, menu_deal, new_deal, with_cash
from monopoly_env.bots.offer_steps import begin_steps
from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import VALUE_OF
from monopoly_env.engine.board import GROUP, GROUP_BITS, GROUPS, NOBODY
from monopoly_env.engine.deal_terms import tradable
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.policy import ViewState
from monopoly_env.engine.rules import Deals, RuleSet
from monopoly_env.engine.state import Float64s, GameState

TAKEN = 24  # from here in memory, per seat: offers it accepted
# Cash to try: the difference in list prices, plus these multiples of the worth that changes hands
STEPS = (-2.5, -1.4, -0.8, -0.4, -0.15, 0.0, 0.15, 0.4, 0.8, 1.4, 2.5)
TOUCH = 0.03  # skip offers less likely to be accepted than this


@jit
def make_offer(game: GameState, rules: RuleSet, trader: TraderState, view: ViewState) -> int:
    """Return the first action of the best offer to any partner.

    Returns NO_ACTION if none is worth making.
    """
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


@jit
def note_answer(game: GameState, view: ViewState) -> None:
    """Count refusals since the last acceptance, and acceptances."""
    partner = accepting_partner(game, view)
    if partner != NOBODY:
        view.memory[LEVEL + partner] = 0
        view.memory[TAKEN + partner] += 1


# From the menu


@jit
def best_proposal(game: GameState, rules: RuleSet, trader: TraderState, view: ViewState) -> int:
    """Return the menu offer with the highest gain times its chance of acceptance."""
    weights = weights_in(game, trader)
    best, best_gain = NO_ACTION, float(margins_in(game, trader).least)
    before = chances_now(game, rules, trader.value)
    for action in ids_of(Kind.PROPOSE):
        if view.mask[action] != 0:
            deal = menu_deal(game, rules, view.seat, VALUE_OF[action])
            if may_be_asked(game, view, deal.partner):
                standing = standing_of(game, rules, weights, deal.me, deal.partner)
                gain = expected_gain(game, rules, trader, view, standing, deal, before)
                if gain > best_gain:
                    best, best_gain = action, gain
                    note_offer(game, view, deal)
    return best


@jit
def expected_gain(
    game: GameState,
    rules: RuleSet,
    trader: TraderState,
    view: ViewState,
    standing: Standing,
    deal: Deal,
    before: Float64s,
) -> float:
    """Return what an offer adds to one's own win probability, times its acceptance probability.

    Only what a deal adds beyond the margins counts; 0.0 if it adds less. ``before`` has each seat's
    win probability without the deal, float64[PLAYERS].
    """
    margins, weights = margins_in(game, trader), weights_in(game, trader)
    mine, theirs = strengths_after(game, rules, weights, deal)
    share = win_share(mine, theirs, standing.others_b)
    share_before = win_share(standing.mine_b, standing.theirs_b, standing.others_b)
    share_gain = share - share_before * least_gain(game, weights, margins.gain_share, deal)
    if share_gain <= 0.0:
        return 0.0
    after = chances_after(game, rules, trader.value, deal)
    least = least_chance(game, trader, margins.gain, deal)
    gain = float(after[deal.me] - before[deal.me] * least)
    if gain <= 0.0:
        return 0.0
    features = np.empty(N_FEATURES, np.float32)
    refusals = int(view.memory[LEVEL + deal.partner])
    taken = int(view.memory[TAKEN + deal.partner])
    by_strategist = strengths_after(game, rules, STRATEGIST[0], deal)
    write_shares(standing, by_strategist, (mine, theirs), features)
    write_terms(game, rules, deal, refusals, taken, features)
    write_learned(deal, before, after, features)
    return gain * acceptance_probability(trader.acceptance.large, features)


# Composed in steps


@jit
def best_composed(game: GameState, rules: RuleSet, trader: TraderState, view: ViewState) -> int:
    """Return the action that starts composing the best offer to any partner."""
    listing, weights = new_listing(), weights_in(game, trader)
    clear(listing)
    for left in range(1, game.players):
        partner = (int(view.seat) + left) % int(game.players)
        if may_be_asked(game, view, partner):
            list_offers(game, rules, trader, view, partner, listing)
    best, best_gain = NO_ACTION, float(margins_in(game, trader).least)
    before = chances_now(game, rules, trader.value)
    for row in range(JUDGED):
        if listing.score[row] > 0.0:
            deal = shortlisted(listing, row, view.seat)
            standing = standing_of(game, rules, weights, deal.me, deal.partner)
            gain = expected_gain(game, rules, trader, view, standing, deal, before)
            if gain > best_gain:
                action = begin_steps(game, rules, view, deal)
                if action != NO_ACTION:
                    best, best_gain = action, gain
                    note_offer(game, view, deal)
    return best


@jit
def list_offers(
    game: GameState,
    rules: RuleSet,
    trader: TraderState,
    view: ViewState,
    partner: int,
    listing: ListingState,
) -> None:
    """Shortlist the best offers to a partner."""
    me, weights = int(view.seat), weights_in(game, trader)
    standing = standing_of(game, rules, weights, me, partner)
    take_sides(game, rules, weights, me, partner, listing.now)
    among, loose, own = tradable(game, partner), loose_deeds(game, partner), tradable(game, me)
    number = 0
    while True:
        ask = deeds_to_ask(game, me, among, loose, number)
        if ask < 0:
            return
        for group in range(-1, GROUPS if number <= GROUPS + 1 else 0):
            give = 0 if group < 0 else deeds_to_complete(game, partner, own, group)
            if (give != 0 or group < 0) and ask | give != 0:
                deal = new_deal(me, partner, give, ask, 0)
                change_sides(game, rules, weights, deal, listing.now, listing.after)
                list_best(game, rules, trader, view, standing, deal, listing)
        if number == GROUPS + 1 and ask != 0 and not completes_group(game.owned[me], ask):
            only = new_deal(me, partner, 0, ask, 0)
            list_for_one(game, rules, trader, view, standing, only, listing)
        number += 1


@jit
def list_for_one(
    game: GameState,
    rules: RuleSet,
    trader: TraderState,
    view: ViewState,
    standing: Standing,
    deal: Deal,
    listing: ListingState,
) -> None:
    """Shortlist the best offers of a single deed for all that ``deal`` asks for, its loose deeds.

    Neither side completes a color group by it. Some players want a deed for what they do not sell.
    """
    weights = weights_in(game, trader)
    given = beside_own(game, deal.partner, loose_deeds(game, deal.me))
    while given != 0:
        give = bit(lowest(given))
        given &= given - 1
        if not completes_group(game.owned[deal.partner], give):
            swap = new_deal(deal.me, deal.partner, give, deal.ask, 0)
            change_sides(game, rules, weights, swap, listing.now, listing.after)
            list_best(game, rules, trader, view, standing, swap, listing)


@jit
def list_best(
    game: GameState,
    rules: RuleSet,
    trader: TraderState,
    view: ViewState,
    standing: Standing,
    deal: Deal,
    listing: ListingState,
) -> None:
    """Try a deal with several amounts of cash and shortlist the most promising one.

    ``listing.after`` has the sides after the deal without cash.
    """
    after, features = listing.after, listing.features
    low, high = -int(game.cash[deal.me]), int(game.cash[deal.partner])
    even = worth_of(game, rules, deal.give) - worth_of(game, rules, deal.ask)
    scale = max(worth_of(game, rules, deal.give | deal.ask), 60)
    before = win_share(standing.mine_b, standing.theirs_b, standing.others_b)
    least_share = margins_in(game, trader).gain_share
    least = before * least_gain(game, weights_in(game, trader), least_share, deal)
    refusals = int(view.memory[LEVEL + deal.partner])
    taken = int(view.memory[TAKEN + deal.partner])
    best, found = 0, False
    # an offer with a lower score would not be kept
    best_score = float(listing.score[weakest(listing)])
    last = low - 1
    for k in range(len(STEPS)):
        cash = min(max(even + int(STEPS[k] * scale), low), high)
        if cash == last:
            continue
        last = cash
        mine, theirs = strengths_at(after.mine_b, after.theirs_b, cash)
        gain = win_share(mine, theirs, standing.others_b) - least
        # the probability is at most 1
        if gain > best_score and (deal.give != 0 or cash < 0):
            of_a = strengths_at(after.mine_a, after.theirs_a, cash)
            write_shares(standing, of_a, (mine, theirs), features)
            write_terms(game, rules, with_cash(deal, cash), refusals, taken, features)
            chance = acceptance_probability(trader.acceptance.small, features)
            if chance > TOUCH and gain * chance > best_score:
                best, best_score, found = cash, gain * chance, True
    if found:
        keep(listing, with_cash(deal, best), best_score)


# Swaps of single deeds


@jit
def beside_own(game: GameState, player: int, deeds: int) -> int:
    """Return those of ``deeds`` that belong to groups the player owns part of."""
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
    """Return the action that starts composing the best swap of two deeds, evened out by cash.

    Each side gets a deed of a group that it owns part of, and gains by the learned value.
    """
    me, margins = int(view.seat), margins_in(game, trader)
    before = chances_now(game, rules, trader.value)
    best, best_gain = NO_ACTION, 0.0
    for left in range(1, game.players):
        partner = (me + left) % int(game.players)
        if not may_be_asked(game, view, partner):
            continue
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
                after = chances_after(game, rules, trader.value, deal)
                gain = after[me] - before[me] * margins.gain
                if gain > best_gain and after[partner] > margins.accept * before[partner]:
                    action = begin_steps(game, rules, view, deal)
                    if action != NO_ACTION:
                        best, best_gain = action, gain
                        note_offer(game, view, deal)
    return best
