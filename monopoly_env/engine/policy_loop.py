"""Whole games inside one compiled call: any mix of compiled policies and outside players.

A line-up is a tuple of eight policies, one a seat. Seats named in ``outside`` decide for
themselves in the phases named in ``decides``: there the loop stops and hands back. In every
other phase their policy of the line-up plays for them (the papers' hybrid agents).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from monopoly_env.compiler.bits import count
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.engine import new_game
from monopoly_env.engine.actions import BASE, N_ACTIONS, N_KINDS
from monopoly_env.engine.dice import GAMMA
from monopoly_env.engine.dispatch import legal_bits
from monopoly_env.engine.ending import ranks
from monopoly_env.engine.flow import proceed, step
from monopoly_env.engine.journal import Log
from monopoly_env.engine.masks import nth_set, pick, write_mask
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy import ViewState, wipe
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GAME, GameState, Int8s, Int64s

MEMORY_SALT = np.uint64(0xD1B54A32D192ED03)
ALL_PHASES = (1 << len(Phase)) - 1
Lineup = Any  # a tuple of eight compiled policies


@jit
def only_action(bits: Int64s) -> int:
    """The id of the one legal action, -1 if there are several."""
    from_kind = -1
    for kind in range(N_KINDS):
        if bits[kind] != 0:
            if from_kind != -1 or count(bits[kind]) > 1:
                return -1
            from_kind = kind
    return first_action(bits, from_kind)


@jit
def offers_some(bits: Int64s, kinds: int) -> bool:
    """Whether an action of some of these kinds, bit k for kind k, is legal."""
    for kind in range(N_KINDS):
        if kinds >> kind & 1 != 0 and bits[kind] != 0:
            return True
    return False


@jit
def leave_out(bits: Int64s, kinds: int) -> None:
    """Take all actions of these kinds away."""
    for kind in range(N_KINDS):
        if kinds >> kind & 1 != 0:
            bits[kind] = 0


@jit
def first_action(bits: Int64s, kind: int) -> int:
    """The first legal id of a kind."""
    return int(BASE[kind]) + nth_set(bits[kind], 0)


@jit
def ask_policy(
    game: GameState,
    rules: RuleSet,
    view: ViewState,
    policies: Lineup,
    bits: Int64s,
    wiped: Records,
) -> int:
    """The actor's policy decides on a wiped copy; -1 if its answer is not legal."""
    seat = game.actor
    wiped[0] = game
    wipe(wiped[0])
    view.seat = seat
    write_mask(bits, view.mask)
    action = policies[seat](wiped[0], rules, view)
    if action < 0 or action >= N_ACTIONS or view.mask[action] == 0:
        return -1
    return int(action)


@jit
def play_on(
    game: GameState,
    rules: RuleSet,
    log: Log,
    views: Records,
    policies: Lineup,
    outside: int,
    decides: int,
    skip_forced: bool,
    wiped: Records,
    bits: Int64s,
    illegal: Int64s,
) -> int:
    """Play until an outside seat must decide or the game is over; return the decisions taken.

    Leaves the waiting decision's legal actions in ``bits``. An illegal answer is replaced by a
    random legal action and counted in ``illegal[seat]``.
    """
    taken = 0
    while game.phase != Phase.OVER:
        legal_bits(game, rules, bits)
        action = only_action(bits) if skip_forced else -1
        if action < 0:
            seat = int(game.actor)
            if outside >> seat & 1 != 0 and decides >> game.phase & 1 != 0:
                return taken
            action = ask_policy(game, rules, views[seat], policies, bits, wiped)
            if action < 0:
                illegal[seat] += 1
                views[seat].rng = np.uint64(views[seat].rng) + GAMMA + GAMMA
                action = pick(bits, np.uint64(views[seat].rng))
        step(game, rules, log, action)
        taken += 1
    return taken


@jit
def seat_players(views: Records, seed: int) -> None:
    """Blank the policies' memories and give each its own random numbers."""
    for seat in range(len(views)):
        views[seat].memory[:] = 0
        views[seat].seat = seat
        views[seat].rng = (np.uint64(seed) * GAMMA) ^ (np.uint64(seat + 1) * MEMORY_SALT)


@jit
def play_games(
    games: Records,
    rules_: Records,
    journals: Records,
    views: Records,
    policies: Lineup,
    players: int,
    seeds: Int64s,
    skip_forced: bool,
    rank: Int8s,
    facts: Int64s,
    illegal: Int64s,
) -> None:
    """Play one whole game a seed, all seats by compiled policies.

    ``rank`` int8[n, 8] receives the places, ``facts`` int64[n, 4] decisions, turns, rounds and
    whether a limit ended the game; ``games`` and ``views`` need one row, ``illegal`` is int64[8].
    """
    game, rules, log = games[0], rules_[0], journals[0]
    wiped = np.zeros(1, GAME)
    bits = np.zeros(N_KINDS, np.int64)
    for index in range(len(seeds)):
        seat_players(views[0], seeds[index])
        new_game.new_game(game, rules, log, players, seeds[index])
        proceed(game, rules, log)
        play_on(game, rules, log, views[0], policies, 0, 0, skip_forced, wiped, bits, illegal)
        ranks(game, rules, rank[index])
        facts[index, 0] = game.decisions
        facts[index, 1] = game.turns
        facts[index, 2] = game.rounds
        facts[index, 3] = game.truncated
