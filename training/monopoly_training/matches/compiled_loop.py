"""Whole games in one compiled call, with every action kept; and the way back from the actions.

What was played is a list of action ids. Together with the seed it is the game: :func:`keep` plays
it again, at compiled speed and without asking anybody, and writes down what was seen at each
decision.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.compiler.bits import lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.encoding.observation import write_observation
from monopoly_env.engine import new_game
from monopoly_env.engine.actions import BASE, IDS, KIND_OF, N_KINDS
from monopoly_env.engine.dice import GAMMA
from monopoly_env.engine.dispatch import legal_bits
from monopoly_env.engine.ending import ranks
from monopoly_env.engine.flow import proceed, step
from monopoly_env.engine.masks import pick
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy import policy_at
from monopoly_env.engine.policy_loop import (
    ask_policy,
    leave_out,
    offers_some,
    only_action,
    seat_players,
)
from monopoly_env.engine.state import GAME, Int8s, Int64s
from monopoly_env.engine.worth import net_worth

Records = Any
Uint8s = npt.NDArray[np.uint8]
Uint16s = npt.NDArray[np.uint16]
Float32s = npt.NDArray[np.float32]

ROLL = IDS["roll"]


@jit
def play_game(
    games: Records,
    rules_: Records,
    journals: Records,
    views: Records,
    line_up: Int64s,
    outside: int,
    decides: int,
    leaves: int,
    given: Int64s,
    players: int,
    seed: int,
    skip_forced: bool,
    rank: Int8s,
    worth: Int64s,
    illegal: Int64s,
    log: Uint16s,
) -> int:
    """Play one game from its seed to its end; the number of actions.

    ``line_up`` int64[8] holds the addresses of compiled policies. Seats in the bit mask
    ``outside`` take their actions from ``given`` instead, in the phases of the bit mask
    ``decides``, but for what their policy does of the kinds in ``leaves``. ``rank`` int8[8], ``worth`` int64[8] (dollars) and ``illegal`` int64[8] are by
    seat; ``log`` receives as many of the actions as fit. The random numbers are those of
    :func:`monopoly_env.engine.policy_loop.play_games`: the same seed is the same game.
    """
    game, rules, log_ = games[0], rules_[0], journals[0]
    policies = (
        policy_at(line_up[0]), policy_at(line_up[1]), policy_at(line_up[2]), policy_at(line_up[3]),
        policy_at(line_up[4]), policy_at(line_up[5]), policy_at(line_up[6]), policy_at(line_up[7]),
    )  # fmt: skip
    wiped = np.zeros(1, GAME)
    bits = np.zeros(N_KINDS, np.int64)
    seat_players(views[0], seed)
    new_game.new_game(game, rules, log_, players, seed)
    proceed(game, rules, log_)
    taken, answers = 0, 0
    while game.phase != Phase.OVER:
        legal_bits(game, rules, bits)
        action = only_action(bits) if skip_forced else -1
        seat = int(game.actor)
        chooses = outside >> seat & 1 != 0 and decides >> game.phase & 1 != 0
        if action < 0 and (not chooses or offers_some(bits, leaves)):
            action = ask_policy(game, rules, views[0][seat], policies, bits, wiped)
            if action < 0:
                illegal[seat] += 1
                views[0][seat].rng = np.uint64(views[0][seat].rng) + GAMMA + GAMMA
                action = pick(bits, np.uint64(views[0][seat].rng))
            if chooses and leaves >> KIND_OF[action] & 1 == 0 and offers_some(bits, ~leaves):
                leave_out(bits, leaves)
                action = only_action(bits) if skip_forced else -1
        if action < 0:
            action = given[answers]
            answers += 1
        if taken < len(log):
            log[taken] = action
        step(game, rules, log_, action)
        taken += 1
    ranks(game, rules, rank)
    for player in range(players):
        worth[player] = net_worth(game, rules, player)
    return taken


@jit
def begin(games: Records, rules_: Records, journals: Records, players: int, seed: int) -> None:
    """Set up a game that :func:`keep` is to go through."""
    new_game.new_game(games[0], rules_[0], journals[0], players, seed)
    proceed(games[0], rules_[0], journals[0])


@jit
def keep(
    games: Records,
    rules_: Records,
    journals: Records,
    log: Uint16s,
    at: int,
    seats: int,
    forced: bool,
    throws: Int64s,
    rows: Int64s,
    masks: Uint8s,
    sights: Float32s,
) -> tuple[int, int]:
    """Play a game's actions again from number ``at`` on, and write a row for each decision.

    Kept are the decisions of the seats in the bit mask ``seats``; those with one legal action
    only if ``forced``. It stops when the rows are full. Returns the number of the next action and
    how many rows were written.

    ``rows`` int64[n, 5] receives the decision's number in the game, the seat, the phase, the
    action and how often the seat has thrown so far; ``masks`` uint8[n, bytes] the legal actions,
    action k in bit k % 8 of byte k // 8; ``sights`` float32[n, OBSERVATION_SIZE] what the seat
    sees, unless it has no rows. ``throws`` int64[8] counts on from call to call.
    """
    game, rules, log_ = games[0], rules_[0], journals[0]
    bits = np.zeros(N_KINDS, np.int64)
    row = 0
    while at < len(log) and row < len(rows):
        seat, action = int(game.actor), int(log[at])
        if seats >> seat & 1 != 0:
            legal_bits(game, rules, bits)
            if forced or only_action(bits) < 0:
                rows[row, 0], rows[row, 1], rows[row, 2] = at, seat, game.phase
                rows[row, 3], rows[row, 4] = action, throws[seat]
                pack_mask(bits, masks[row])
                if len(sights) > 0:
                    write_observation(game, rules, seat, sights[row])
                row += 1
        if action == ROLL:
            throws[seat] += 1
        step(game, rules, log_, action)
        at += 1
    return at, row


@jit
def pack_mask(bits: Int64s, mask: Uint8s) -> None:
    """Write the legal actions of each kind as one run of bits, the first action the lowest."""
    mask[:] = 0
    for kind in range(N_KINDS):
        rest = bits[kind]
        while rest != 0:
            action = int(BASE[kind]) + lowest(rest)
            mask[action >> 3] |= np.uint8(1 << (action & 7))
            rest &= rest - 1
