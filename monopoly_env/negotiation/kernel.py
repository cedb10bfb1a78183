"""The compiled part: an offer put to a seat in anybody's turn; many deals carried out at once."""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.engine.agenda import top
from monopoly_env.engine.deal_terms import offer_reason, tradable
from monopoly_env.engine.flow import proceed
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState, Int64s
from monopoly_env.engine.trade import begin_deal, offer_whole
from monopoly_env.engine.why import Why
from monopoly_env.value.carrying_out import carry_out


@jit
def may_put(
    game: GameState,
    rules: RuleSet,
    proposer: int,
    partner: int,
    give: int,
    ask: int,
    balance: int,
) -> int:
    """Return whether both sides have what an offer names, and the rules let it be accepted."""
    if game.out[proposer] != 0 or game.out[partner] != 0:
        return Why.SEAT_OUT
    if give & ~tradable(game, proposer) != 0 or ask & ~tradable(game, partner) != 0:
        return Why.NOT_YOURS
    if int(game.cash[proposer]) + balance < 0:
        return Why.NO_CASH
    return offer_reason(game, rules, top(game), proposer, partner, give, ask, balance)


@jit
def put_offer(
    games: Records,
    rules_: Records,
    journals: Records,
    proposer: int,
    partner: int,
    give: int,
    ask: int,
    balance: int,
) -> int:
    """Let ``partner`` answer an offer; the reason (and no change) if it could not be accepted.

    ``give`` and ``ask`` are bits of squares, ``balance`` the cash that the proposer receives. No
    offer is counted: this is for positions to value, and for asking a bot what it would answer.
    """
    game, rules, log = games[0], rules_[0], journals[0]
    reason = may_put(game, rules, proposer, partner, give, ask, balance)
    if reason == Why.OK:
        begin_deal(game, proposer, partner)
        offer_whole(game, rules, log, give, ask, balance)
        proceed(game, rules, log)
    return int(np.int64(reason))


@jit
def tradable_at(games: Records, seat: int) -> int:
    """Deeds and kept cards that a seat may trade, as bits."""
    return int(np.int64(tradable(games[0], seat)))


@jit
def carry_out_all(
    games: Records,
    rules_: Records,
    sides: Int64s,
    items: Int64s,
    cash: Int64s,
) -> None:
    """Carry deals out in copies of a position, as far as holdings go.

    ``games`` GAME[n]; ``sides`` int64[n, 2] proposer and partner, ``items`` int64[n, 2] bits given and
    asked for, ``cash`` int64[n] received by the proposer. Interest on mortgaged deeds is paid, and
    they stay mortgaged.
    """
    for index in range(len(games)):
        proposer, partner = sides[index, 0], sides[index, 1]
        give, ask = items[index, 0], items[index, 1]
        carry_out(games[index], rules_[0], proposer, partner, give, ask, cash[index])
