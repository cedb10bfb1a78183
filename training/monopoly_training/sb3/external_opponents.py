"""Opponents that are asked from Python: all their waiting decisions are taken together.

A seat that the environment draws without a compiled policy decides outside. Between two decisions
of the learner, such seats are asked in rounds: one call for all games in which one of them is due.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.encoding.observation import OBSERVATION_SIZE, write_observation
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.masks import write_mask
from monopoly_env.engine.state import Int8s, Int64s
from monopoly_env.envs._records import SKIP
from monopoly_env.envs.game_batch import GameBatch
from monopoly_training.models.mlp import Floats

Rows = npt.NDArray[np.intp]


class ExternalOpponents(Protocol):
    """Whoever decides for such seats."""

    def decide(self, observations: Floats, masks: Int8s) -> Int64s:
        """One legal action a row, by id."""


@jit
def look_many(
    games: Records, tables: Records, plan_: Records, rows: Int64s, sights: Floats, masks: Int8s
) -> None:
    """What who decides at each of these tables sees and may do, one row each."""
    for k in range(len(rows)):
        game = games[rows[k]]
        row = sights[k]
        write_observation(game, plan_[0].rules, game.actor, row)
        write_mask(tables[rows[k]].bits, masks[k])


class RivalSeats:
    """The seats of some tables for which rivals decide."""

    def __init__(self, tables: GameBatch, rivals: ExternalOpponents) -> None:
        self.tables = tables
        self.rivals = rivals
        self._sights = np.zeros((tables.n, OBSERVATION_SIZE), np.float32)
        self._masks = np.zeros((tables.n, N_ACTIONS), np.int8)

    def waiting(self) -> Rows:
        """The tables at which a rival is due."""
        found: Rows = np.flatnonzero(self.tables.games["actor"] != self.tables.tables["seat"])
        return found

    def decide(self, rows: Rows) -> None:
        """Put their actions into the slips of these tables; the others are to be left alone."""
        tables = self.tables
        sights, masks = self._sights[: len(rows)], self._masks[: len(rows)]
        look_many(tables.games, tables.tables, tables.plan, rows, sights, masks)
        tables.action[:] = SKIP
        tables.action[rows] = self.rivals.decide(sights, masks)
