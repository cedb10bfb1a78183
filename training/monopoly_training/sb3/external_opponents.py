"""Opponents that run in Python, with batched decisions across games.

External seats are those without a compiled policy. Between two decisions of the learner, they are
asked in rounds: one call for all games in which an external seat is next.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.state import Int8s, Int64s
from monopoly_env.envs.game_batch import GameBatch
from monopoly_training.models.mlp import Floats

Rows = npt.NDArray[np.intp]


class ExternalOpponents(Protocol):
    """The interface of external opponents."""

    def decide(self, observations: Floats, masks: Int8s) -> Int64s:
        """Return a legal action id for each row, int64[n].

        ``observations`` float32[n, OBSERVATION_SIZE], ``masks`` int8[n, N_ACTIONS].
        """


class ExternalSeats:
    """The external seats of a batch of games, with their opponents."""

    def __init__(self, batch: GameBatch, opponents: ExternalOpponents) -> None:
        self.batch = batch
        self.opponents = opponents
        self._observations = np.zeros((batch.n, OBSERVATION_SIZE), np.float32)
        self._masks = np.zeros((batch.n, N_ACTIONS), np.int8)

    def rows_due(self) -> Rows:
        """Return the games in which an external seat is next."""
        return np.flatnonzero(self.batch.actors != self.batch.seats)

    def decide(self, rows: Rows) -> Int64s:
        """Return the action ids of the external seats that are next in these games."""
        observations, masks = self._observations[: len(rows)], self._masks[: len(rows)]
        self.batch.observe_actors(rows, observations, masks)
        return self.opponents.decide(observations, masks)
