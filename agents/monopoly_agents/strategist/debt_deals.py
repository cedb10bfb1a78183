"""The strategist's deals in debt: a deed sold where all that can be raised falls short."""

from __future__ import annotations

from monopoly_agents.scripted.offer_steps import begin_steps
from monopoly_agents.strategist.deal_value import factors
from monopoly_agents.strategist.offer_search import plan
from monopoly_agents.strategist.weights import Weights
from monopoly_agents.valuation import NO_ACTION, amount_due, ids
from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import DEED_BITS
from monopoly_env.engine.deal_menu import menu_offer
from monopoly_env.engine.deal_terms import mortgage_values, tradable
from monopoly_env.engine.dispatch import VALUE_OF, Kind
from monopoly_env.engine.policy import ViewState
from monopoly_env.engine.rules import Deals, RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.worth import raisable


@jit
def offer_in_debt(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Sell a deed for what the debt lacks, to whom that leaves most; NO_ACTION if nobody gains."""
    if rules.deals == Deals.MENU:
        return kindest_proposal(game, rules, weights, view)
    me = int(view.seat)
    lacking = amount_due(game) - raisable(game, rules, me)
    best, best_gain = NO_ACTION, 1.0
    rest = tradable(game, me) & DEED_BITS
    while rest != 0:
        square = lowest(rest)
        rest &= rest - 1
        cash = lacking + mortgage_values(game, rules, bit(square))
        for left in range(1, game.players):
            partner = (me + left) % int(game.players)
            if game.out[partner] == 0 and cash <= game.cash[partner]:
                _, theirs = factors(game, rules, weights, me, partner, bit(square), 0, cash)
                if theirs > best_gain:
                    action = begin_steps(game, rules, view, partner, 0, bit(square), -cash)
                    if action != NO_ACTION:
                        best, best_gain = action, theirs
                        plan(game, view, partner, 0, bit(square), -cash)
    return best


@jit
def kindest_proposal(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """The offer of the menu that serves its partner best; NO_ACTION if none does."""
    best, best_gain = NO_ACTION, 1.0
    for action in ids(Kind.PROPOSE):
        if view.mask[action] != 0:
            partner, give, ask, cash = menu_offer(game, rules, VALUE_OF[action])
            _, theirs = factors(game, rules, weights, view.seat, partner, give, ask, cash)
            if theirs > best_gain:
                best, best_gain = action, theirs
    return best
