"""How the strategist makes offers: what is best for itself first, then giving way.

Memory holds for each partner how often it refused, and so how far the next offer gives way. The
first numbers of the memory are the plan that :mod:`monopoly_agents.scripted.offer_steps` composes
from.
"""

from __future__ import annotations

from monopoly_agents.deals import Deal, menu_deal, new_deal, with_cash
from monopoly_agents.scripted.offer_steps import begin_steps, plan
from monopoly_agents.strategist.deal_value import least_gain, share_factors, strengths_after
from monopoly_agents.strategist.weights import LEVELS, Weights
from monopoly_agents.strategist.win_share import others_squared, win_share
from monopoly_agents.valuation import squares_of_groups
from monopoly_env.bots.actions import NO_ACTION, ids_of
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

# Memory beyond the plan
OFFERED_TO = 4  # seat + 1 to whom an offer is out; 0: to nobody
REFUSALS = 5  # refusals before that offer
EXHAUSTED = 6  # the turn in which no offer worth making was left
LEVEL = 8  # from here on, for each seat: refusals in a row; offers give way with each
PAUSE = 16  # from here on, for each seat: the turn before which no offer is made to it
LONGEST_PAUSE = 20  # rounds
CASH_STEP = 10  # $ to which the cash of an offer is searched for


@jit
def least_for_partner(game: GameState, weights: Weights, view: ViewState, partner: int) -> float:
    """The least that a partner's share is multiplied by, as far as offers to it give way now."""
    level = int(view.memory[LEVEL + partner]) % LEVELS
    two = alive_count(game) == 2
    return float(weights.gives_way_of_two[level] if two else weights.gives_way[level])


# Finding an offer


@jit
def best_cash(
    game: GameState,
    rules: RuleSet,
    weights: Weights,
    deal: Deal,
    others: float,
    their_least: float,
    my_least: float,
) -> tuple[Deal, float]:
    """The deal with the most cash to receive that leaves the partner a share of ``their_least``.

    ``others`` is the sum of squares of the other players' strengths. Returns the deal and one's
    own share after it; -1.0 if that could not be more than ``my_least``.
    """
    low, high = -int(game.cash[deal.me]), int(game.cash[deal.partner])
    mine, theirs = strengths_after(game, rules, weights, with_cash(deal, high))
    if win_share(mine, theirs, others) <= my_least:
        return deal, -1.0
    if win_share(theirs, mine, others) >= their_least:
        return with_cash(deal, high), win_share(mine, theirs, others)
    mine, theirs = strengths_after(game, rules, weights, with_cash(deal, low))
    if win_share(theirs, mine, others) < their_least:
        return deal, -1.0
    while high - low > CASH_STEP:
        cash = (low + high) // 2
        my_next, their_next = strengths_after(game, rules, weights, with_cash(deal, cash))
        if win_share(their_next, my_next, others) >= their_least:
            low, mine, theirs = cash, my_next, their_next
        else:
            high = cash
    return with_cash(deal, low), win_share(mine, theirs, others)


@jit
def deeds_to_complete(game: GameState, player: int, holder: int, group: int) -> int:
    """The deeds by which ``holder`` could complete a group for ``player``; 0 if it could not."""
    missing = GROUP_BITS[group] & ~game.owned[player]
    if missing == 0 or missing & ~tradable(game, holder) != 0:
        return 0
    return int(missing)


@jit
def loose_deeds(game: GameState, player: int) -> int:
    """Tradable deeds outside a player's complete groups."""
    return tradable(game, player) & DEED_BITS & ~squares_of_groups(game.owned[player])


@jit
def deeds_to_ask(game: GameState, me: int, partner: int, number: int) -> int:
    """The ``number``-th set of a partner's deeds to ask for; -1 after the last.

    Nothing; what completes each group; all that is loose; then each loose deed beside own ones.
    """
    if number == 0:
        return 0
    if number <= GROUPS:
        return deeds_to_complete(game, me, partner, number - 1)
    loose = loose_deeds(game, partner)
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
    """The best offer to a partner at which its share is multiplied by ``least`` or more.

    Returns the deal, and what one's own share is multiplied by; 0.0 if there is none.
    """
    me = int(view.seat)
    others = others_squared(game, rules, weights, me, partner)
    best, best_share = new_deal(me, partner, 0, 0, 0), 0.0
    mine, theirs = strengths_after(game, rules, weights, best)
    before = win_share(mine, theirs, others)
    their_least = least * win_share(theirs, mine, others)
    number = 0
    while True:
        ask = deeds_to_ask(game, me, partner, number)
        if ask < 0:
            return best, best_share / before
        for group in range(-1, GROUPS if number <= GROUPS + 1 else 0):
            give = 0 if group < 0 else deeds_to_complete(game, partner, me, group)
            if (give != 0 or group < 0) and ask | give != 0:
                deal = new_deal(me, partner, give, ask, 0)
                my_least = max(best_share, before * least_gain(game, weights, weights.gain, deal))
                deal, after = best_cash(game, rules, weights, deal, others, their_least, my_least)
                if after > best_share and (give != 0 or deal.cash < 0):
                    best, best_share = deal, after
        number += 1


@jit
def make_offer(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """The first action of the best offer to anybody; NO_ACTION if none is worth making."""
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
    """Whether a partner is in the game and has not just refused every level."""
    return bool(game.out[partner] == 0 and game.turns >= view.memory[PAUSE + partner])


@jit
def best_composed(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """The action that begins the best offer to anybody, composed in steps."""
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
    """The best offer of the menu that leaves its partner what the level asks for."""
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
    """Keep an offer that is to be made, and how often offers were refused before it."""
    plan(view, deal)
    view.memory[OFFERED_TO] = deal.partner + 1
    view.memory[REFUSALS] = game.refused[view.seat]


@jit
def who_took_it(game: GameState, view: ViewState) -> int:
    """The partner who took the offer that was out; NOBODY if it was refused or none was out.

    A refusal counts. After every LEVELS of them in a row the partner is asked ever later.
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
    """After a refusal, give way one level; after the last, begin anew, ever later."""
    partner = who_took_it(game, view)
    if partner != NOBODY:
        view.memory[LEVEL + partner] %= LEVELS
