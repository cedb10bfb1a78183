"""Compiled random legal play, for the benchmarks of the rules engine."""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.engine.actions import N_ACTIONS, N_KINDS
from monopoly_env.engine.dice import GAMMA
from monopoly_env.engine.dispatch import legal_bits
from monopoly_env.engine.flow import proceed, step
from monopoly_env.engine.masks import pick, write_mask
from monopoly_env.engine.new_game import new_game
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.state import Int64s


@jit
def start_games(
    games: Records, rules_: Records, journals: Records, players: int, seeds: Int64s
) -> None:
    """Set up every game and advance it to its first decision."""
    for index in range(len(games)):
        new_game(games[index], rules_[0], journals[0], players, seeds[index])
        proceed(games[index], rules_[0], journals[0])


@jit
def play_random(
    games: Records,
    first: int,
    last: int,
    rules_: Records,
    journals: Records,
    players: int,
    seed: int,
    decisions: int,
    phases: Int64s,
) -> int:
    """Play random legal actions in games ``first`` to ``last``; return the number of games ended.

    Each game takes ``decisions`` decisions, with a mask at each, and restarts when it is over.
    ``phases`` int64[PHASES] counts the decisions of each phase.
    """
    rules, log = rules_[0], journals[0]
    bits = np.zeros(N_KINDS, np.int64)
    mask = np.zeros(N_ACTIONS, np.int8)
    state = np.uint64(seed)
    ended = 0
    for index in range(first, last):
        game = games[index]
        for _ in range(decisions):
            if game.phase == Phase.OVER:
                ended += 1
                new_game(game, rules, log, players, seed + ended * len(games) + index)
                proceed(game, rules, log)
            legal_bits(game, rules, bits)
            write_mask(bits, mask)
            phases[game.phase] += 1
            state += GAMMA + GAMMA
            step(game, rules, log, pick(bits, state))
    return ended


@jit
def step_random(
    games: Records, i: int, rules_: Records, journals: Records, action: int, seed: int
) -> int:
    """Apply a legal action (-1: none) and return a random one for the next decision.

    A finished game is set up again with ``seed``. The kind of action is sampled first.
    """
    game, rules, log = games[i], rules_[0], journals[min(i, len(journals) - 1)]
    if action >= 0:
        step(game, rules, log, action)
    if game.phase == Phase.OVER:
        new_game(game, rules, log, game.players, seed)
        proceed(game, rules, log)
    bits = np.zeros(N_KINDS, np.int64)
    legal_bits(game, rules, bits)
    return pick(bits, np.uint64(seed) * GAMMA)
