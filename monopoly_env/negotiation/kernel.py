"""Compiled functions: put an offer to a player at any time, and carry out many deals at once."""

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
from monopoly_env.value.apply_deal import carry_out


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
    """Return Why.OK, or why an offer is impossible: missing items or cash, or against the rules."""
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
    """Make an offer and let ``partner`` answer; return Why.OK, or the reason why it is impossible.

    ``give`` and ``ask`` are bit masks of squares, ``balance`` is the cash that the proposer
    receives. The offer does not count against any limit: this is for valuing positions, and for
    asking a bot how it would answer. An impossible offer changes nothing.
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
    """Return the deeds and Jail cards that a seat may trade, as a bit mask."""
    return int(np.int64(tradable(games[0], seat)))


@jit
def carry_out_all(
    games: Records,
    rules_: Records,
    sides: Int64s,
    items: Int64s,
    cash: Int64s,
) -> None:
    """Apply deals to copies of a position.

    ``games`` GAME[n]; ``sides`` int64[n, 2] proposer and partner; ``items`` int64[n, 2] bit masks
    given and asked for; ``cash`` int64[n] received by the proposer. Interest on mortgaged deeds is
    paid, and they stay mortgaged.
    """
    for index in range(len(games)):
        proposer, partner = sides[index, 0], sides[index, 1]
        give, ask = items[index, 0], items[index, 1]
        carry_out(games[index], rules_[0], proposer, partner, give, ask, cash[index])
