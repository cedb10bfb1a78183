"""Throws and shuffles, from a splitmix64 generator whose state is in the game record."""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.journal import Event, Log, note
from monopoly_env.engine.state import GameState, Int8s

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
S30, S27, S31, S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


@jit
def mix(state: np.uint64) -> np.uint64:
    """Return the splitmix64 output for a state."""
    z = (state ^ (state >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@jit
def below(game: GameState, n: int) -> int:
    """Return a random integer from 0 to n - 1, advancing the game's generator by one step.

    The high 32 bits are scaled to the range; for n up to 40 the bias is under 1e-8.
    """
    game.rng = np.uint64(game.rng) + GAMMA
    high = mix(np.uint64(game.rng)) >> S32
    return int((high * np.uint64(n)) >> S32)


@jit
def throw(game: GameState, log: Log, player: int) -> int:
    """Throw two dice and return their total; the pips are in ``game.dice``.

    Forced throws come first, then random ones. If the game allows only forced throws, a throw
    beyond them sets ``game.dice_missing``.
    """
    if game.forced_next < game.forced_count:
        game.dice[0] = game.forced[game.forced_next, 0]
        game.dice[1] = game.forced[game.forced_next, 1]
        game.forced_next += 1
    else:
        if game.forced_only != 0:
            game.dice_missing = 1
        pips = below(game, 36)
        game.dice[0] = 1 + pips // 6
        game.dice[1] = 1 + pips % 6
    note(log, Event.THROW, player, 0, game.dice[0], game.dice[1])
    return int(game.dice[0]) + int(game.dice[1])


@jit
def shuffle(game: GameState, cards: Int8s, n: int) -> None:
    """Shuffle the first ``n`` entries (Fisher-Yates, from the last down)."""
    for last in range(n - 1, 0, -1):
        other = below(game, last + 1)
        kept = cards[last]
        cards[last] = cards[other]
        cards[other] = kept
