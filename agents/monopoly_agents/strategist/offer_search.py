"""The strategist's offers: the best deal for itself first, then growing concessions.

Memory counts each partner's refusals, which set how much the next offer concedes. The first entries
of memory are the plan from which :mod:`monopoly_env.bots.offer_steps` composes.
"""

from __future__ import annotations

from monopoly_agents.strategist.deal_value import is_stalled, least_gain, share_factors
from monopoly_agents.strategist.sides import (
    SideState,
    change_hands,
    copy_side,
    give_group,
    new_side,
    strengths_at,
    take_side,
)
from monopoly_agents.strategist.weights import LEVELS, Weights
from monopoly_agents.strategist.win_share import others_squared, win_share
from monopoly_agents.valuation import squares_of_groups
from monopoly_env.bots.actions import NO_ACTION, ids_of
from monopoly_env.bots.deals import Deal, menu_deal, new_deal, with_cash
from monopoly_env.bots.offer_steps import begin_steps, plan
from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import VALUE_OF
from monopoly_env.engine.board import DEED_BITS, GROUP, GROUP_BITS, GROUPS, NOBODY
from monopoly_env.engine.deal_terms import tradable
from monopoly_env.engine.deeds import alive_count
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.policy import ViewState
from monopoly_env.engine.rules import Deals, RuleSet
from monopoly_env.engine.state import GameState

# Memory layout after the plan
OFFERED_TO = 4  # seat + 1 of the partner with an open offer; 0: none
REFUSALS = 5  # the player's refusal count when that offer was made
EXHAUSTED = 6  # the turn in which no offer was worth making
LEVEL = 8  # from here, per seat: refusals; each one makes the next offer concede more
PAUSE = 16  # from here, per seat: the turn before which no offer is made to it
LONGEST_PAUSE = 20  # rounds
CASH_STEP = 10  # precision in $ of the search for an offer's cash


@jit
def least_for_partner(game: GameState, weights: Weights, view: ViewState, partner: int) -> float:
    """Return the least factor on a partner's share that an offer to it must leave now."""
    level = int(view.memory[LEVEL + partner]) % LEVELS
    if alive_count(game) > 2:
        return float(weights.gives_way[level])
    # in a stall, what such a player accepts itself
    least = weights.even if is_stalled(game) else 0.0
    return max(least, float(weights.gives_way_of_two[level]))


# Finding an offer


@jit
def best_cash(
    deal: Deal,
    my_side: SideState,
    their_side: SideState,
    others: float,
    their_least: float,
    my_least: float,
) -> tuple[Deal, float]:
    """Return the deal with the most cash received that leaves the partner ``their_least`` of share.

    The sides are those after the deeds have changed hands. ``others`` is the sum of squares of the
    other players' strengths. Also returns one's own share after the deal, or -1.0 if no cash leaves
    the partner enough or oneself more than ``my_least``.
    """
    low, high = -int(my_side.cash_now), int(their_side.cash_now)
    mine, theirs = strengths_at(my_side, their_side, high)
    if win_share(mine, theirs, others) <= my_least:
        return deal, -1.0
    if win_share(theirs, mine, others) >= their_least:
        return with_cash(deal, high), win_share(mine, theirs, others)
    mine, theirs = strengths_at(my_side, their_side, low)
    if win_share(theirs, mine, others) < their_least:
        return deal, -1.0
    while high - low > CASH_STEP:
        cash = (low + high) // 2
        my_next, their_next = strengths_at(my_side, their_side, cash)
        if win_share(their_next, my_next, others) >= their_least:
            low, mine, theirs = cash, my_next, their_next
        else:
            high = cash
    return with_cash(deal, low), win_share(mine, theirs, others)


@jit
def deeds_to_complete(game: GameState, player: int, among: int, group: int) -> int:
    """Return the deeds among ``among`` that complete a group for ``player``; 0 if they do not."""
    missing = GROUP_BITS[group] & ~game.owned[player]
    return 0 if missing & ~among != 0 else int(missing)


@jit
def deeds_to_serve(game: GameState, player: int, among: int) -> int:
    """Return all deeds among ``among`` that complete a group for ``player``."""
    deeds = 0
    for group in range(GROUPS):
        deeds |= deeds_to_complete(game, player, among, group)
    return deeds


@jit
def loose_deeds(game: GameState, player: int) -> int:
    """Return a player's tradable deeds outside its complete groups."""
    return tradable(game, player) & DEED_BITS & ~squares_of_groups(game.owned[player])


@jit
def deeds_to_ask(game: GameState, me: int, among: int, loose: int, number: int) -> int:
    """Return the ``number``-th set of a partner's deeds to ask for; -1 after the last.

    Order: no deeds; the deeds that complete each group; all loose deeds; then each loose deed of a
    group that the player owns part of. ``among`` are the partner's tradable deeds, ``loose`` its
    :func:`loose_deeds`.
    """
    if number == 0:
        return 0
    if number <= GROUPS:
        return deeds_to_complete(game, me, among, number - 1)
    if number == GROUPS + 1:
        return loose
    remaining = loose
    for _ in range(number - GROUPS - 2):
        remaining &= remaining - 1
    if remaining == 0:
        return -1
    square = lowest(remaining)
    return bit(square) if game.owned[me] & GROUP_BITS[GROUP[square]] != 0 else 0


@jit
def best_offer(
    game: GameState, rules: RuleSet, weights: Weights, view: ViewState, partner: int, least: float
) -> tuple[Deal, float]:
    """Return the best offer that multiplies the partner's share by at least ``least``.

    Returns the deal and the factor on one's own share; the factor is 0.0 if there is no such offer.
    """
    me = int(view.seat)
    others = others_squared(game, rules, weights, me, partner)
    my_side, their_side, my_asked, their_asked = new_side(), new_side(), new_side(), new_side()
    my_given, their_given, my_next, their_next = new_side(), new_side(), new_side(), new_side()
    take_side(game, rules, weights, me, my_side)
    take_side(game, rules, weights, partner, their_side)
    among, loose = tradable(game, partner), loose_deeds(game, partner)
    served = deeds_to_serve(game, partner, tradable(game, me))
    copy_side(my_given, my_side)
    copy_side(their_given, their_side)
    given = new_deal(me, partner, served, 0, 0)
    change_hands(game, rules, weights, given, served, my_given, their_given)
    best, best_share = new_deal(me, partner, 0, 0, 0), 0.0
    mine, theirs = strengths_at(my_side, their_side, 0)
    before = win_share(mine, theirs, others)
    their_least = least * win_share(theirs, mine, others)
    number = -1
    while True:
        number += 1
        ask = deeds_to_ask(game, me, among, loose, number)
        if ask < 0:
            return best, best_share / before
        if ask == 0 and number > 0:  # as before
            continue
        deal = new_deal(me, partner, 0, ask, 0)
        copy_side(my_asked, my_side)
        copy_side(their_asked, their_side)
        change_hands(game, rules, weights, deal, ask, my_asked, their_asked)
        if ask != 0:
            my_least = max(best_share, before * least_gain(game, weights, weights.gain, deal))
            deal, after = best_cash(deal, my_asked, their_asked, others, their_least, my_least)
            if after > best_share and deal.cash < 0:
                best, best_share = deal, after
        for group in range(GROUPS if number <= GROUPS + 1 else 0):
            give = int(served & GROUP_BITS[group])
            if give == 0:
                continue
            deal = new_deal(me, partner, give, ask, 0)
            copy_side(my_next, my_asked)
            copy_side(their_next, their_asked)
            give_group(
                game, rules, weights, deal, group, my_next, their_next, my_given, their_given
            )
            my_least = max(best_share, before * least_gain(game, weights, weights.gain, deal))
            deal, after = best_cash(deal, my_next, their_next, others, their_least, my_least)
            if after > best_share:
                best, best_share = deal, after


@jit
def make_offer(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Return the first action of the best offer to any partner.

    Returns NO_ACTION if none is worth making.
    """
    note_answer(game, view)
    if rules.deals == Deals.OFF or game.offers_left[view.seat] <= 0:
        return NO_ACTION
    if view.memory[EXHAUSTED] == game.turns:
        return NO_ACTION
    if rules.deals == Deals.MENU:
        action = best_proposal(game, rules, weights, view)
    else:
        action = best_composed(game, rules, weights, view)
    if action == NO_ACTION:
        view.memory[EXHAUSTED] = game.turns
    return action


@jit
def may_be_asked(game: GameState, view: ViewState, partner: int) -> bool:
    """Return whether a partner is in the game and not in a pause after refusing every level."""
    return bool(game.out[partner] == 0 and game.turns >= view.memory[PAUSE + partner])


@jit
def best_composed(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Return the action that starts composing the best offer to any partner."""
    best, best_gain = NO_ACTION, 0.0
    for left in range(1, game.players):
        partner = (int(view.seat) + left) % int(game.players)
        if may_be_asked(game, view, partner):
            least = least_for_partner(game, weights, view, partner)
            deal, gain = best_offer(game, rules, weights, view, partner, least)
            if gain > best_gain:
                action = begin_steps(game, rules, view, deal)
                if action != NO_ACTION:
                    best, best_gain = action, gain
                    note_offer(game, view, deal)
    return best


@jit
def best_proposal(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Return the best menu offer that leaves its partner what the current level demands."""
    best, best_gain = NO_ACTION, 0.0
    for action in ids_of(Kind.PROPOSE):
        if view.mask[action] != 0:
            deal = menu_deal(game, rules, view.seat, VALUE_OF[action])
            mine, theirs = share_factors(game, rules, weights, deal)
            least = max(best_gain, least_gain(game, weights, weights.gain, deal))
            if may_be_asked(game, view, deal.partner) and mine > least:
                if theirs >= least_for_partner(game, weights, view, deal.partner):
                    best, best_gain = action, mine
                    note_offer(game, view, deal)
    return best


# Memory


@jit
def note_offer(game: GameState, view: ViewState, deal: Deal) -> None:
    """Record an offer about to be made, and the number of refusals before it."""
    plan(view, deal)
    view.memory[OFFERED_TO] = deal.partner + 1
    view.memory[REFUSALS] = game.refused[view.seat]


@jit
def accepting_partner(game: GameState, view: ViewState) -> int:
    """Return the partner that accepted the open offer; NOBODY if it was refused or none was open.

    Counts a refusal. After every LEVELS refusals, the pause before the next offer grows.
    """
    number = int(view.memory[OFFERED_TO])
    view.memory[OFFERED_TO] = 0
    if number == 0:
        return NOBODY
    partner = number - 1
    if game.refused[view.seat] <= view.memory[REFUSALS]:
        return partner
    refusals = int(view.memory[LEVEL + partner]) + 1
    view.memory[LEVEL + partner] = refusals
    if refusals % LEVELS == 0:
        rounds = min(refusals // LEVELS - 1, LONGEST_PAUSE)
        view.memory[PAUSE + partner] = game.turns + rounds * game.players
    return NOBODY


@jit
def note_answer(game: GameState, view: ViewState) -> None:
    """Update the concession level of the partner that answered the open offer.

    A refusal moves to the next level; after the last, the levels start over after a growing pause.
    """
    partner = accepting_partner(game, view)
    if partner != NOBODY:
        view.memory[LEVEL + partner] %= LEVELS
