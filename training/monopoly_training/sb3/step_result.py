"""What one step of all games comes to, from each learner's decision to its next one."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.envs._records import RUNNING, TERMINATED, TRUNCATED
from monopoly_env.envs.vector import VectorEnv, results
from monopoly_training.models.mlp import Floats
from monopoly_training.sb3.external_opponents import RivalSeats, Rows

Flags = npt.NDArray[np.bool_]


class StepResult:
    """Rewards, and which games ended and how; filled while rivals play on.

    A game that ends is followed by a new one at the same table. If that one ends too before its
    learner has decided anything, it was none of the learner's.
    """

    def __init__(self, games: VectorEnv) -> None:
        self.games = games
        tables = games._tables
        self.rewards: Floats = tables.slips["learner_reward"].astype(np.float32)
        self.over: Flags = tables.ended == TERMINATED
        self.cut: Flags = tables.ended == TRUNCATED
        self.facts: dict[int, dict[str, Any]] = {}  # of ended games, by table
        self.last_seen: dict[int, Floats] = {}
        self._note(np.flatnonzero(tables.ended != RUNNING))

    def let_rivals_play(self, seats: RivalSeats | None) -> None:
        """Play on until every learner decides."""
        if seats is None:
            return
        while len(rows := seats.waiting()):
            seats.decide(rows)
            self.games._play()
            self._add(rows)

    def _add(self, rows: Rows) -> None:
        """What the rivals' decisions at these tables brought their learners."""
        tables = self.games._tables
        tables.check_stuck()
        going = rows[~(self.over | self.cut)[rows]]
        self.rewards[going] += tables.slips["learner_reward"][going]
        self.over[going] = tables.ended[going] == TERMINATED
        self.cut[going] = tables.ended[going] == TRUNCATED
        self._note(going[tables.ended[going] != RUNNING])

    def _note(self, ended: Rows) -> None:
        """Keep how games ended before the next ones at their tables end."""
        if len(ended) == 0:
            return
        tables, buffer = self.games._tables, self.games._buffers[self.games._turn]
        last = tables.tables[ended]
        found = results(tables, ended, tables.ended, False)
        players = tables.setting.players
        found["ranks"] = last["last_rank"][:, :players]
        found["line_up"] = last["last_line_up"][:, :players]
        for k, index in enumerate(ended.tolist()):
            self.last_seen[index] = buffer.final[index].copy()
            self.facts[index] = {name: values[k] for name, values in found.items()}
