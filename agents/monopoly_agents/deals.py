"""A deal between two players as one record, which bots weigh, plan and make."""

from __future__ import annotations

from typing import NamedTuple

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.deal_menu import menu_offer
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState


class Deal(NamedTuple):
    """What changes hands between two players, as one of them sees it.

    Deeds and kept cards are bit masks of squares, bits 40 and 41 the cards. Make one by
    :func:`new_deal`.
    """

    me: int  # seat
    partner: int  # seat
    give: int  # what I give
    ask: int  # what I receive
    cash: int  # $ that I receive; negative: that I pay


@jit
def new_deal(me: int, partner: int, give: int, ask: int, cash: int) -> Deal:
    """A deal whose numbers are all int64: one type, so that what takes a deal is compiled once."""
    return Deal(int(me), int(partner), int(give), int(ask), int(cash))


@jit
def with_cash(deal: Deal, cash: int) -> Deal:
    """A deal with other cash, received or, if negative, paid."""
    return new_deal(deal.me, deal.partner, deal.give, deal.ask, cash)


@jit
def offered_deal(game: GameState, me: int) -> Deal:
    """The offer that waits for an answer, as the player who answers it sees it."""
    cash = int(game.deal_give_cash) - int(game.deal_ask_cash)
    return new_deal(me, game.proposer, game.deal_ask, game.deal_give, cash)


@jit
def menu_deal(game: GameState, rules: RuleSet, me: int, number: int) -> Deal:
    """Offer ``number`` of the deal menu, from 0, as the actor, who may make it, sees it.

    The partner is NOBODY where there is no such offer.
    """
    partner, give, ask, cash = menu_offer(game, rules, number)
    return new_deal(me, partner, give, ask, cash)
