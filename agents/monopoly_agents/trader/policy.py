"""trader: the strategist with deals judged by the learned win probability.

Everything but deals is veteran's. An offer is made or accepted if one's own win probability rises
by the learned value (docs/value.md) and the strategist's win share clears its margin.
"""

from __future__ import annotations

from monopoly_agents.strategist.cash import raise_cash
from monopoly_agents.strategist.deal_value import least_gain, share_factors
from monopoly_agents.strategist.policy import decide_elsewhere, go_on
from monopoly_agents.trader.buying import bid, decide_buy
from monopoly_agents.trader.debt_deals import offer_in_debt
from monopoly_agents.trader.judgment import (
    chances_after,
    chances_now,
    is_slow,
    least_chance,
    margins_in,
    weights_in,
)
from monopoly_agents.trader.offers import make_offer
from monopoly_agents.trader.weights import TraderState, trader_at
from monopoly_agents.valuation import amount_due
from monopoly_env.bots.actions import NO_ACTION, first_legal, id_of
from monopoly_env.bots.deals import offered_deal
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy import ViewState, policy
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.worth import raisable


@jit
def answer(game: GameState, rules: RuleSet, trader: TraderState, view: ViewState) -> int:
    """Accept an offer that raises one's own win probability enough; otherwise reject it."""
    deal, margins = offered_deal(game, view.seat), margins_in(game, trader)
    weights = weights_in(game, trader)
    before = chances_now(game, rules, trader.value)[deal.me]
    after = chances_after(game, rules, trader.value, deal)[deal.me]
    share, _ = share_factors(game, rules, weights, deal)
    least_share = least_gain(game, weights, margins.accept_share, deal)
    if is_slow(game, trader):
        least_share = min(least_share, margins.slow_share)
    enough = after > least_chance(game, trader, margins.accept, deal) * before
    return id_of(Kind.ACCEPT) if enough and share >= least_share else id_of(Kind.REJECT)


@jit
def meet_debt(game: GameState, rules: RuleSet, trader: TraderState, view: ViewState) -> int:
    """Raise cash at the least loss; if it cannot cover the debt, sell a deed or go bankrupt."""
    if raisable(game, rules, view.seat) < amount_due(game):
        action = offer_in_debt(game, rules, trader, view)
        return id_of(Kind.BANKRUPT) if action == NO_ACTION else action
    action = raise_cash(game, rules, weights_in(game, trader), view)
    return first_legal(view) if action == NO_ACTION else action


@policy
def trader(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Judge deals by the learned win probability; otherwise play as the strategist."""
    numbers = trader_at(view.weights)
    phase = game.phase
    if phase == Phase.TURN or phase == Phase.END or phase == Phase.BETWEEN:
        if game.turn == view.seat:
            action = make_offer(game, rules, numbers, view)
            if action != NO_ACTION:
                return action
        return go_on(game, rules, weights_in(game, numbers), view)
    if phase == Phase.ANSWER:
        return answer(game, rules, numbers, view)
    if phase == Phase.DEBT:
        return meet_debt(game, rules, numbers, view)
    if phase == Phase.BUY:
        return decide_buy(game, rules, numbers, view)
    if phase == Phase.AUCTION:
        return bid(game, rules, numbers, view)
    return decide_elsewhere(game, rules, weights_in(game, numbers), view)
