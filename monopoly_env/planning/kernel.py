"""The compiled loop of rollouts: takes positions, returns each seat's share of the win."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from monopoly_env.bot_seeds import seat_bots
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.engine.actions import N_KINDS
from monopoly_env.engine.dice import GAMMA, mix
from monopoly_env.engine.flow import step
from monopoly_env.engine.journal import Log
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy_loop import LoopState, next_action
from monopoly_env.engine.redraw import redraw
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import Float32s, Float64s, GameState, Int8s, Int32s, Int64s
from monopoly_env.value.network import write_chances

NO_ACTION = -1  # the policies make the first decision, too
HORIZON, FINISHED, TRUNCATED = 0, 1, 2  # how a rollout ended


class Workspace(NamedTuple):
    """The memory of one thread."""

    game: Records  # GAME[1]: the game being played
    rules: Records  # RULES[1]
    journals: Records  # JOURNAL[1], off
    views: Records  # VIEW[8], with the addresses of the policies' weights
    loops: Records  # LOOP[1]: the policies
    networks: Records  # NETWORK[1]: the value model for the horizon
    works: Records  # WORK[1]
    bits: Int64s  # [N_KINDS]
    chances: Float64s  # [8]


@jit
def play_until(
    game: GameState,
    rules: RuleSet,
    log: Log,
    views: Records,
    loop: LoopState,
    bits: Int64s,
    turns: int,
) -> None:
    """Let the policies play to the end, or to the first decision after turn ``turns``."""
    while game.phase != Phase.OVER and game.turns <= turns:
        step(game, rules, log, next_action(game, rules, views, loop, bits))


@jit
def roll_out_rows(
    work: Workspace,
    positions: Records,
    actions: Int64s,
    samples: int,
    first_sample: int,
    horizon: int,
    seed: int,
    first: int,
    last: int,
    shares: Float32s,
    ended: Int8s,
    turns: Int32s,
) -> None:
    """Play the rollouts ``first`` to ``last - 1``: number r is sample r % samples of r // samples.

    ``shares`` float32[rollouts, 8], ``ended`` int8[rollouts], ``turns`` int32[rollouts]. A
    ``horizon`` of 0 plays to the end.
    """
    game, rules, log = work.game[0], work.rules[0], work.journals[0]
    for row in range(first, last):
        index, sample = row // samples, first_sample + row % samples
        work.game[0] = positions[index]
        begun = int(game.turns)
        key = mix(np.uint64(seed) * GAMMA + np.uint64(sample))
        redraw(game, key)
        seat_bots(work.views, int(np.int64(key)))
        if actions[index] != NO_ACTION:
            step(game, rules, log, actions[index])
        until = begun + horizon - 1 if horizon > 0 else int(rules.max_turns)
        play_until(game, rules, log, work.views, work.loops[0], work.bits, until)
        write_chances(game, rules, work.networks[0], work.works[0], work.chances)
        for seat in range(len(work.chances)):
            shares[row, seat] = work.chances[seat]
        turns[row] = int(game.turns) - begun
        if game.phase != Phase.OVER:
            ended[row] = HORIZON
        else:
            ended[row] = TRUNCATED if game.truncated != 0 else FINISHED


def new_bits() -> Int64s:
    """Return an array for the legal actions of one decision."""
    return np.zeros(N_KINDS, np.int64)
