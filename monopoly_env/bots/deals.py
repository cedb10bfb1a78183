"""A deal between two players as one record, used by all bots that trade."""

from __future__ import annotations

from typing import NamedTuple

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.deal_menu import menu_offer
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState


class Deal(NamedTuple):
    """What changes hands between two players, from one side's perspective.

    Deeds and kept cards are bit masks of squares; bits 40 and 41 are the cards. Created by
    :func:`new_deal`.
    """

    me: int  # seat
    partner: int  # seat
    give: int  # items that I give
    ask: int  # items that I receive
    cash: int  # $ that I receive; negative: $ that I pay


@jit
def new_deal(me: int, partner: int, give: int, ask: int, cash: int) -> Deal:
    """Return a deal with int64 fields: a single type, so that its users are compiled only once."""
    return Deal(int(me), int(partner), int(give), int(ask), int(cash))


@jit
def with_cash(deal: Deal, cash: int) -> Deal:
    """Return the deal with another amount of cash, received or (if negative) paid."""
    return new_deal(deal.me, deal.partner, deal.give, deal.ask, cash)


@jit
def offered_deal(game: GameState, me: int) -> Deal:
    """Return the pending offer from the perspective of the player who answers it."""
    cash = int(game.deal_give_cash) - int(game.deal_ask_cash)
    return new_deal(me, game.proposer, game.deal_ask, game.deal_give, cash)


@jit
def menu_deal(game: GameState, rules: RuleSet, me: int, number: int) -> Deal:
    """Return offer ``number`` of the deal menu, from 0, from the perspective of the actor.

    The partner is NOBODY if there is no such offer.
    """
    partner, give, ask, cash = menu_offer(game, rules, number)
    return new_deal(me, partner, give, ask, cash)
