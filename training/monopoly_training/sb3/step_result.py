"""What one step of all games comes to, from each learner's decision to its next one."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.envs.step_codes import RUNNING, TERMINATED, TRUNCATED
from monopoly_env.envs.vector import VectorEnv
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
        batch = games.batch
        self.rewards: Floats = batch.learner_rewards.astype(np.float32)
        self.over: Flags = batch.ended == TERMINATED
        self.cut: Flags = batch.ended == TRUNCATED
        self.facts: dict[int, dict[str, Any]] = {}  # of ended games, by table
        self.last_seen: dict[int, Floats] = {}
        self._note(np.flatnonzero(batch.ended != RUNNING))

    def let_rivals_play(self, seats: RivalSeats | None) -> None:
        """Play on until every learner decides."""
        if seats is None:
            return
        while len(rows := seats.waiting()):
            self.games.advance_rows(rows, seats.decide(rows))
            self._add(rows)

    def _add(self, rows: Rows) -> None:
        """What the rivals' decisions at these tables brought their learners."""
        batch = self.games.batch
        going = rows[~(self.over | self.cut)[rows]]
        self.rewards[going] += batch.learner_rewards[going]
        self.over[going] = batch.ended[going] == TERMINATED
        self.cut[going] = batch.ended[going] == TRUNCATED
        self._note(going[batch.ended[going] != RUNNING])

    def _note(self, ended: Rows) -> None:
        """Keep how games ended before the next ones at their tables end."""
        if len(ended) == 0:
            return
        batch = self.games.batch
        found = batch.results(ended)
        found["ranks"] = batch.last_ranks(ended)
        found["line_up"] = batch.last_line_ups(ended)
        for k, index in enumerate(ended.tolist()):
            self.last_seen[index] = self.games.final_observations[index].copy()
            self.facts[index] = {name: values[k] for name, values in found.items()}
