"""The trader's deals in debt: sell a deed when mortgages and sales cannot cover the debt."""

from __future__ import annotations

from monopoly_agents.strategist.deal_value import share_factors
from monopoly_agents.strategist.offer_search import note_offer
from monopoly_agents.trader.judgment import chances_after, weights_in
from monopoly_agents.trader.weights import TraderState
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
def offer_in_debt(game: GameState, rules: RuleSet, trader: TraderState, view: ViewState) -> int:
    """Sell a deed for the missing cash to a partner that gains, at the best own win probability."""
    if rules.deals == Deals.MENU:
        return best_of_menu(game, rules, trader, view)
    me = int(view.seat)
    lacking = amount_due(game) - raisable(game, rules, me)
    weights, best, best_chance = weights_in(game, trader), NO_ACTION, 0.0
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
                if theirs > 1.0:
                    chance = chances_after(game, rules, trader.value, deal)[deal.me]
                    action = begin_steps(game, rules, view, deal)
                    if chance > best_chance and action != NO_ACTION:
                        best, best_chance = action, chance
                        note_offer(game, view, deal)
    return best


@jit
def best_of_menu(game: GameState, rules: RuleSet, trader: TraderState, view: ViewState) -> int:
    """Return the menu offer with the best own win probability among those its partner gains by."""
    weights, best, best_chance = weights_in(game, trader), NO_ACTION, 0.0
    for action in ids_of(Kind.PROPOSE):
        if view.mask[action] != 0:
            deal = menu_deal(game, rules, view.seat, VALUE_OF[action])
            _, theirs = share_factors(game, rules, weights, deal)
            if theirs > 1.0:
                chance = chances_after(game, rules, trader.value, deal)[deal.me]
                if chance > best_chance:
                    best, best_chance = action, chance
    return best
