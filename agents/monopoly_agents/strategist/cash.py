"""Mortgages and debts of the strategist: raise cash where it costs the least income."""

from __future__ import annotations

from monopoly_agents.strategist.debt_deals import offer_in_debt
from monopoly_agents.strategist.rent_risk import spendable
from monopoly_agents.strategist.weights import Weights
from monopoly_agents.valuation import (
    amount_due,
    in_complete_color,
    rent_loss,
    sale_price,
    standing_rent,
)
from monopoly_env.bots.actions import NO_ACTION, first_legal, first_of, id_of, ids_of
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import VALUE_OF
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.mortgage import lift_cost
from monopoly_env.engine.policy import ViewState
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.worth import raisable
from monopoly_env.value.landing_rates import LONG_RUN


@jit
def lift_best(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Lift the mortgage on a deed of a complete group; on another deed only if cash abounds."""
    me = int(view.seat)
    money = spendable(game, rules, weights, me)
    best, best_worth = NO_ACTION, 0.0
    for action in ids_of(Kind.LIFT):
        if view.mask[action] != 0:
            square = int(VALUE_OF[action])
            cost = lift_cost(rules, square)
            complete = in_complete_color(game.owned[me], square)
            if money - cost >= (0 if complete else weights.lift_stays):
                worth = LONG_RUN[square] * rules.rent[square, 0] + (1000.0 if complete else 0.0)
                if best == NO_ACTION or worth > best_worth:
                    best, best_worth = action, worth
    return best


@jit
def mortgage_loss(game: GameState, rules: RuleSet, weights: Weights, square: int) -> float:
    """Return the loss from mortgaging a deed per dollar that it raises."""
    value = max(int(rules.mortgage[square]), 1)
    rent = standing_rent(game, rules, square)
    loss = weights.houses * LONG_RUN[square] * rent + 0.1 * value
    if in_complete_color(game.owned[game.owner[square]], square):
        loss += weights.breaks_group * value
    return float(loss / value)


@jit
def least_mortgage(
    game: GameState, rules: RuleSet, weights: Weights, view: ViewState, among: int
) -> int:
    """Mortgage the idle deed among ``among`` that loses least per dollar raised."""
    best, best_loss = NO_ACTION, 0.0
    for action in ids_of(Kind.MORTGAGE):
        square = int(VALUE_OF[action])
        complete = in_complete_color(game.owned[view.seat], square)
        if view.mask[action] != 0 and among >> square & 1 != 0 and not complete:
            loss = mortgage_loss(game, rules, weights, square)
            if best == NO_ACTION or loss < best_loss:
                best, best_loss = action, loss
    return best


@jit
def raise_cash(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Mortgage or sell whatever loses least per dollar raised."""
    best, best_loss = NO_ACTION, 0.0
    for action in ids_of(Kind.MORTGAGE):
        if view.mask[action] != 0:
            loss = mortgage_loss(game, rules, weights, int(VALUE_OF[action]))
            if best == NO_ACTION or loss < best_loss:
                best, best_loss = action, loss
    for action in ids_of(Kind.SELL):
        if view.mask[action] != 0:
            square = int(VALUE_OF[action])
            refund = max(sale_price(game, rules, square), 1)
            loss = weights.houses * LONG_RUN[square] * rent_loss(game, rules, square) / refund + 1.0
            if best == NO_ACTION or loss < best_loss:
                best, best_loss = action, loss
    return first_of(view, Kind.SELL_GROUP) if best == NO_ACTION else best


@jit
def meet_debt(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Raise cash at the least loss; if it cannot cover the debt, sell a deed or go bankrupt."""
    if raisable(game, rules, view.seat) < amount_due(game):
        action = offer_in_debt(game, rules, weights, view)
        return id_of(Kind.BANKRUPT) if action == NO_ACTION else action
    action = raise_cash(game, rules, weights, view)
    return first_legal(view) if action == NO_ACTION else action
