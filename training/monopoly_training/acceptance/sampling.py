"""Compiled game loop that collects answers to offers.

Offers made in the game are recorded with their answers. At some other decisions, a random offer is
put to a player in a copy of the game, so that the data also covers offers that no bot would make.
"""

from __future__ import annotations

import numpy as np
from monopoly_agents.strategist.weights import Weights
from monopoly_agents.trader.acceptance import standing_of, worth_of, write_learned, write_offer
from monopoly_agents.trader.judgment import chances_after, chances_now

from monopoly_env.bots.deals import Deal, new_deal, offered_deal
from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.engine import new_game
from monopoly_env.engine.actions import BASE, N_KINDS
from monopoly_env.engine.agenda import push, top
from monopoly_env.engine.board import DEED_BITS, GROUP, GROUP_BITS, PLAYERS
from monopoly_env.engine.deal_terms import offer_reason, tradable
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.flow import proceed, step
from monopoly_env.engine.phases import Phase, Task
from monopoly_env.engine.policy import policy_at, wipe
from monopoly_env.engine.policy_loop import LoopState, next_action, seat_players
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import Float32s, GameState, Int8s, Int64s
from monopoly_env.engine.trade import ANSWERING
from monopoly_env.engine.why import Why
from monopoly_env.value.network import NetworkState
from monopoly_training.value.sampling import draw_below

EVERY = 6  # minimum number of decisions between two random offers


@jit
def drawn_deed(deeds: int, random: Int64s) -> int:
    """Return a uniformly drawn deed of a set, as a bit; 0 if the set is empty."""
    left, remaining = 0, deeds
    while remaining != 0:
        remaining &= remaining - 1
        left += 1
    if left == 0:
        return 0
    skip, remaining = draw_below(random, left), deeds
    while skip > 0:
        remaining &= remaining - 1
        skip -= 1
    return bit(lowest(remaining))


@jit
def beside(owned: int, deeds: int) -> int:
    """Return those deeds of a set whose group has other deeds in ``owned``."""
    found, remaining = 0, deeds
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        if owned & GROUP_BITS[GROUP[square]] != 0:
            found |= bit(square)
    return found


@jit
def drawn_side(game: GameState, giver: int, taker: int, random: Int64s) -> int:
    """Draw what one side gives: nothing, or deeds, mostly ones useful to the other side."""
    loose = tradable(game, giver) & DEED_BITS
    draw = draw_below(random, 8)
    if draw < 2:
        return 0
    if draw < 6:
        serving = beside(int(game.owned[taker]), loose)
        deed = drawn_deed(serving if serving != 0 else loose, random)
        if draw == 5 and deed != 0:  # all of the giver's deeds of that group
            return int(loose & GROUP_BITS[GROUP[lowest(deed)]])
        return deed
    deed = drawn_deed(loose, random)
    return deed | drawn_deed(loose & ~deed, random) if draw == 7 else deed


@jit
def drawn_offer(game: GameState, rules: RuleSet, random: Int64s) -> Deal:
    """Draw a random offer between two players; it is empty if none was found."""
    players = int(game.players)
    me = draw_below(random, players)
    partner = (me + 1 + draw_below(random, players - 1)) % players
    none = new_deal(me, partner, 0, 0, 0)
    if game.out[me] != 0 or game.out[partner] != 0:
        return none
    give = drawn_side(game, me, partner, random)
    ask = drawn_side(game, partner, me, random)
    if give | ask == 0:
        return none
    even = worth_of(game, rules, give) - worth_of(game, rules, ask)
    scale = max(worth_of(game, rules, give | ask), 60)
    factor = (draw_below(random, 2001) + draw_below(random, 2001) - 2000) / 1000.0
    if draw_below(random, 3) == 0:
        factor *= 2.5
    cash = even + int(factor * scale)
    cash = min(max(cash, -int(game.cash[me])), int(game.cash[partner]))
    return new_deal(me, partner, give, ask, cash)


@jit
def ask(
    game: GameState, rules: RuleSet, views: Records, loop: LoopState, deal: Deal, games: Records
) -> int:
    """Return the partner's answer to an offer in a copy of the game: 1 yes, 0 no, -1 illegal offer.

    ``games`` is GAME[2] and ``views`` PLAYERS + 1 views, as space for copies.
    """
    games[0] = game
    copy = games[0]
    copy.actor = deal.me
    copy.proposer = deal.me
    copy.partner = deal.partner
    push(copy, Task.DEAL, deal.me, deal.partner)
    copy.deal_give, copy.deal_ask = deal.give, deal.ask
    copy.deal_give_cash, copy.deal_ask_cash = max(-deal.cash, 0), max(deal.cash, 0)
    beneath = copy.agenda[max(copy.depth - 2, 0)]
    if (
        offer_reason(copy, rules, beneath, deal.me, deal.partner, deal.give, deal.ask, deal.cash)
        != Why.OK
    ):
        return -1
    top(copy).step = ANSWERING
    copy.phase = Phase.ANSWER
    copy.actor = deal.partner
    view = views[PLAYERS]
    view.rng = views[deal.partner].rng
    view.memory[:] = views[deal.partner].memory
    view.weights = views[deal.partner].weights
    view.seat = deal.partner
    view.mask[:] = 0
    view.mask[BASE[Kind.ACCEPT]] = 1
    view.mask[BASE[Kind.REJECT]] = 1
    wipe(copy)
    address = loop.policies[loop.line_up[deal.partner]]
    return int(policy_at(address)(copy, rules, view) == BASE[Kind.ACCEPT])


@jit
def play_and_ask(
    games: Records,
    rules_: Records,
    journals: Records,
    views: Records,
    loops: Records,
    weights_: Records,
    values: Records,
    players: int,
    seed: int,
    random: Int64s,
    refusals: Int64s,
    rows: Float32s,
    yes: Int8s,
    kinds: Int8s,
) -> int:
    """Play one game and write offers with their answers; return their number.

    ``games`` is GAME[2], ``views`` VIEW[PLAYERS + 1], ``values`` NETWORK[1]. ``refusals``
    int64[2, 8, 8] counts, by proposer and partner, the offers refused since the last accepted one,
    and those accepted. ``rows`` float32[n, N_FEATURES], ``yes`` int8[n], ``kinds`` int8[n]: 1 for
    offers made in the game.
    """
    game, rules, log = games[0], rules_[0], journals[0]
    bits = np.zeros(N_KINDS, np.int64)
    seat_players(views[:PLAYERS], seed)
    refusals[:] = 0
    new_game.new_game(game, rules, log, players, seed)
    proceed(game, rules, log)
    loops[0].has_rules = 0
    found, until = 0, 0
    while game.phase != Phase.OVER and found < len(rows) - 1:
        window = game.phase in (Phase.TURN, Phase.END)
        until -= 1
        if window and until < 0:
            until = EVERY
            deal = drawn_offer(game, rules, random)
            if deal.give | deal.ask != 0:
                answer = ask(game, rules, views, loops[0], deal, games[1:])
                if answer >= 0:
                    note(game, rules, weights_[0], values[0], deal, refusals, rows[found])
                    yes[found], kinds[found] = answer, 0
                    found += 1
        action = next_action(game, rules, views, loops[0], bits)
        if game.phase == Phase.ANSWER:
            seen = offered_deal(game, int(game.partner))
            deal = new_deal(seen.partner, seen.me, seen.ask, seen.give, -seen.cash)
            accepted = action == BASE[Kind.ACCEPT]
            note(game, rules, weights_[0], values[0], deal, refusals, rows[found])
            yes[found], kinds[found] = accepted, 1
            found += 1
            if accepted:
                refusals[0, deal.me, deal.partner] = 0
                refusals[1, deal.me, deal.partner] += 1
            else:
                refusals[0, deal.me, deal.partner] += 1
        step(game, rules, log, action)
    return found


@jit
def note(
    game: GameState,
    rules: RuleSet,
    weights: Weights,
    value: NetworkState,
    deal: Deal,
    refusals: Int64s,
    row: Float32s,
) -> None:
    """Write the features of an offer."""
    me, partner = deal.me, deal.partner
    standing = standing_of(game, rules, weights, me, partner)
    write_offer(
        game, rules, weights, standing, deal,
        int(refusals[0, me, partner]), int(refusals[1, me, partner]), row,
    )  # fmt: skip
    before, after = chances_now(game, rules, value), chances_after(game, rules, value, deal)
    write_learned(deal, before, after, row)
