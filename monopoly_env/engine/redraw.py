"""Redraws the hidden information, as a search does before it plays on from a position."""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.engine.dice import mix, shuffle
from monopoly_env.engine.policy import wipe
from monopoly_env.engine.state import GameState


@jit
def redraw(game: GameState, seed: np.uint64) -> None:
    """Redraw the generator state and the order of unseen cards; forced throws are dropped.

    The result depends only on ``seed`` and on public information.
    """
    wipe(game)
    game.rng = mix(seed)
    for pile in range(2):
        shuffle(game, game.deck[pile], game.unseen[pile])


@jit
def redraw_at(games: Records, i: int, seed: np.uint64) -> None:
    """Redraw the hidden information of game ``i``."""
    redraw(games[i], seed)


@jit
def copy_at(games: Records, i: int, others: Records, j: int) -> None:
    """Copy game ``j`` of ``others`` into game ``i``, in place."""
    games[i] = others[j]
