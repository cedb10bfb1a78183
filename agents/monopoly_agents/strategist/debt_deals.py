"""The strategist's deals in debt: sell a deed when mortgages and sales cannot cover the debt."""

from __future__ import annotations

from monopoly_agents.strategist.deal_value import share_factors
from monopoly_agents.strategist.offer_search import note_offer
from monopoly_agents.strategist.weights import Weights
from monopoly_agents.valuation import amount_due
from monopoly_env.bots.actions import NO_ACTION, ids_of
from monopoly_env.bots.deals import menu_deal, new_deal
from monopoly_env.bots.offer_steps import begin_steps
from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import VALUE_OF
from monopoly_env.engine.board import DEED_BITS
from monopoly_env.engine.deal_terms import mortgage_values, tradable
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.policy import ViewState
from monopoly_env.engine.rules import Deals, RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.worth import raisable


@jit
def offer_in_debt(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Sell a deed for the missing cash to the partner that gains most.

    Returns NO_ACTION if nobody gains.
    """
    if rules.deals == Deals.MENU:
        return best_for_partner(game, rules, weights, view)
    me = int(view.seat)
    lacking = amount_due(game) - raisable(game, rules, me)
    best, best_gain = NO_ACTION, 1.0
    remaining = tradable(game, me) & DEED_BITS
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        cash = lacking + mortgage_values(game, rules, bit(square))
        for left in range(1, game.players):
            partner = (me + left) % int(game.players)
            if game.out[partner] == 0 and cash <= game.cash[partner]:
                deal = new_deal(me, partner, bit(square), 0, cash)
                _, theirs = share_factors(game, rules, weights, deal)
                if theirs > best_gain:
                    action = begin_steps(game, rules, view, deal)
                    if action != NO_ACTION:
                        best, best_gain = action, theirs
                        note_offer(game, view, deal)
    return best


@jit
def best_for_partner(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Return the menu offer that benefits its partner most; NO_ACTION if none does."""
    best, best_gain = NO_ACTION, 1.0
    for action in ids_of(Kind.PROPOSE):
        if view.mask[action] != 0:
            deal = menu_deal(game, rules, view.seat, VALUE_OF[action])
            _, theirs = share_factors(game, rules, weights, deal)
            if theirs > best_gain:
                best, best_gain = action, theirs
    return best
