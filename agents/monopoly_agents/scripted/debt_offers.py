"""What a scripted bot offers when it owes more than it can raise."""

from __future__ import annotations

from monopoly_agents.valuation import amount_due, book_value, completes
from monopoly_env.bots.actions import NO_ACTION
from monopoly_env.bots.deals import new_deal
from monopoly_env.bots.offer_steps import begin_offer, could_offer
from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import DEED_BITS, NOBODY
from monopoly_env.engine.deal_terms import mortgage_values, tradable
from monopoly_env.engine.policy import ViewState
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.worth import raisable


@jit
def offer_in_debt(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Offer one deed for the missing cash, to the player who would gain most.

    Used for debts that selling buildings and mortgaging everything cannot cover. Others are assumed
    to value a deed at its list price, half if mortgaged, twice if it completes one of their groups.
    """
    me = int(view.seat)
    lacking = amount_due(game) - raisable(game, rules, me)
    best, best_margin = new_deal(me, NOBODY, 0, 0, 0), 0
    remaining = tradable(game, me) & DEED_BITS
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        cash = lacking + mortgage_values(game, rules, bit(square))
        for left in range(1, game.players):
            partner = (me + left) % int(game.players)
            if game.out[partner] == 0:
                worth = book_value(game, rules, square)
                if completes(game, partner, square):
                    worth *= 2
                deal = new_deal(me, partner, bit(square), 0, cash)
                if worth - cash > best_margin and could_offer(game, rules, deal):
                    best, best_margin = deal, worth - cash
    return NO_ACTION if best.give == 0 else begin_offer(game, rules, view, best)
