"""Compiled functions that play a whole game, and that replay one from its actions.

A seed and a list of action ids determine a game. :func:`replay_rows` plays it again at compiled
speed, without asking any bot, and writes the observation of each decision.
"""

from __future__ import annotations

import numpy as np

from monopoly_env.bot_seeds import seat_bots
from monopoly_env.compiler.bits import lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.encoding.observation import write_observation
from monopoly_env.engine import new_game
from monopoly_env.engine.actions import BASE, IDS, N_KINDS
from monopoly_env.engine.dispatch import legal_bits
from monopoly_env.engine.ending import ranks
from monopoly_env.engine.flow import proceed, step
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy_loop import next_action, only_action
from monopoly_env.engine.state import Float32s, Int8s, Int64s, Uint8s, Uint16s
from monopoly_env.engine.worth import net_worth

ROLL = IDS["roll"]


@jit
def play_game(
    games: Records,
    rules_: Records,
    journals: Records,
    views: Records,
    loops: Records,
    given: Int64s,
    players: int,
    seed: int,
    rank: Int8s,
    worth: Int64s,
    actions: Uint16s,
) -> int:
    """Play one game from its seed to its end and return the number of actions.

    ``loops`` is one LOOP record; its external seats take their actions from ``given``. ``rank``
    int8[8] and ``worth`` int64[8] (dollars) are by seat. ``actions`` receives as many of the
    actions as fit. The same seed gives the same game as in every other way to play these bots: see
    :mod:`monopoly_env.bot_seeds`.
    """
    game, rules, log = games[0], rules_[0], journals[0]
    bits = np.zeros(N_KINDS, np.int64)
    seat_bots(views[0], seed)
    new_game.new_game(game, rules, log, players, seed)
    proceed(game, rules, log)
    taken, answers = 0, 0
    while game.phase != Phase.OVER:
        action = next_action(game, rules, views[0], loops[0], bits)
        if action < 0:
            action = given[answers]
            answers += 1
        if taken < len(actions):
            actions[taken] = action
        step(game, rules, log, action)
        taken += 1
    ranks(game, rules, rank)
    for player in range(players):
        worth[player] = net_worth(game, rules, player)
    return taken


@jit
def start_replay(
    games: Records, rules_: Records, journals: Records, players: int, seed: int
) -> None:
    """Set up a game for :func:`replay_rows`."""
    new_game.new_game(games[0], rules_[0], journals[0], players, seed)
    proceed(games[0], rules_[0], journals[0])


@jit
def replay_rows(
    games: Records,
    rules_: Records,
    journals: Records,
    actions: Uint16s,
    at: int,
    seats: int,
    forced: bool,
    throws: Int64s,
    rows: Int64s,
    masks: Uint8s,
    observations: Float32s,
) -> tuple[int, int]:
    """Replay a game's actions from number ``at`` on and write a row for each decision.

    Rows are written for the seats in the bit mask ``seats``, and for forced decisions (one legal
    action) only if ``forced``. Stops when the rows are full. Returns the number of the next action
    and the number of rows written.

    ``rows`` int64[n, 5] receives the decision's number in the game, the seat, the phase, the action
    and how often the seat has thrown so far; ``masks`` uint8[n, bytes] the legal actions, action k
    in bit k % 8 of byte k // 8; ``observations`` float32[n, OBSERVATION_SIZE] the seat's
    observation, unless the array has no rows. ``throws`` int64[8] carries over from call to call.
    """
    game, rules, log = games[0], rules_[0], journals[0]
    bits = np.zeros(N_KINDS, np.int64)
    row = 0
    while at < len(actions) and row < len(rows):
        seat, action = int(game.actor), int(actions[at])
        if seats >> seat & 1 != 0:
            legal_bits(game, rules, bits)
            if forced or only_action(bits) < 0:
                rows[row, 0], rows[row, 1], rows[row, 2] = at, seat, game.phase
                rows[row, 3], rows[row, 4] = action, throws[seat]
                pack_mask(bits, masks[row])
                if len(observations) > 0:
                    write_observation(game, rules, seat, observations[row])
                row += 1
        if action == ROLL:
            throws[seat] += 1
        step(game, rules, log, action)
        at += 1
    return at, row


@jit
def pack_mask(bits: Int64s, mask: Uint8s) -> None:
    """Pack the legal actions of all kinds into a bit mask, lowest action first."""
    mask[:] = 0
    for kind in range(N_KINDS):
        remaining = bits[kind]
        while remaining != 0:
            action = int(BASE[kind]) + lowest(remaining)
            mask[action >> 3] |= np.uint8(1 << (action & 7))
            remaining &= remaining - 1
