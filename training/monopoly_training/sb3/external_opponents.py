"""Opponents that are asked from Python: all their waiting decisions are taken together.

A seat that the environment draws without a compiled policy decides outside. Between two decisions
of the learner, such seats are asked in rounds: one call for all games in which one of them is due.
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
    """Whoever decides for such seats."""

    def decide(self, observations: Floats, masks: Int8s) -> Int64s:
        """One legal action a row, by id."""


class RivalSeats:
    """The seats of some games for which rivals decide."""

    def __init__(self, batch: GameBatch, rivals: ExternalOpponents) -> None:
        self.batch = batch
        self.rivals = rivals
        self._sights = np.zeros((batch.n, OBSERVATION_SIZE), np.float32)
        self._masks = np.zeros((batch.n, N_ACTIONS), np.int8)

    def waiting(self) -> Rows:
        """The games in which a rival is due."""
        return np.flatnonzero(self.batch.actors != self.batch.seats)

    def decide(self, rows: Rows) -> Int64s:
        """Their actions in these games."""
        sights, masks = self._sights[: len(rows)], self._masks[: len(rows)]
        self.batch.observe_actors(rows, sights, masks)
        return self.rivals.decide(sights, masks)
