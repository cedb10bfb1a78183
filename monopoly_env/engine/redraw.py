"""Drawing anew what no player can see: what a search does before it plays a position on."""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.engine.dice import mix, shuffle
from monopoly_env.engine.policy import wipe
from monopoly_env.engine.state import GameState


@jit
def redraw(game: GameState, seed: np.uint64) -> None:
    """Draw the generator and the order of the cards nobody has seen; forced throws are dropped.

    The result depends on ``seed`` and on what players can see, on nothing that was hidden.
    """
    wipe(game)
    game.rng = mix(seed)
    for pile in range(2):
        shuffle(game, game.deck[pile], game.unseen[pile])


@jit
def redraw_at(games: Records, i: int, seed: np.uint64) -> None:
    """Draw what is hidden of game ``i`` anew."""
    redraw(games[i], seed)


@jit
def copy_at(games: Records, i: int, others: Records, j: int) -> None:
    """Make game ``i`` a copy of game ``j`` of ``others``, in the memory it has."""
    games[i] = others[j]
