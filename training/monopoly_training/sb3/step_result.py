"""The result of one step of all games, from each learner's decision to its next one."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.envs.step_codes import RUNNING, TERMINATED, TRUNCATED
from monopoly_env.envs.vector import VectorEnv
from monopoly_training.models.mlp import Floats
from monopoly_training.sb3.external_opponents import ExternalSeats, Rows

Flags = npt.NDArray[np.bool_]


class StepResult:
    """Rewards and game endings of a step, updated while external seats play on.

    A finished game is followed by a new one in the same row. If the new one also ends before its
    learner has decided, it is not reported to the learner.
    """

    def __init__(self, games: VectorEnv) -> None:
        self.games = games
        batch = games.batch
        self.rewards: Floats = batch.learner_rewards.astype(np.float32)
        self.terminated: Flags = batch.ended == TERMINATED
        self.truncated: Flags = batch.ended == TRUNCATED
        self.results: dict[int, dict[str, Any]] = {}  # results of finished games, by row
        self.final_observations: dict[int, Floats] = {}
        self._keep_results(np.flatnonzero(batch.ended != RUNNING))

    def play_external_seats(self, seats: ExternalSeats | None) -> None:
        """Play external seats until every learner is next."""
        if seats is None:
            return
        while len(rows := seats.rows_due()):
            self.games.advance_rows(rows, seats.decide(rows))
            self._add(rows)

    @property
    def dones(self) -> Flags:
        """Whether each learner's game is over, bool[n]."""
        return self.terminated | self.truncated

    def _add(self, rows: Rows) -> None:
        """Add the effects of external decisions in these games."""
        batch = self.games.batch
        running = rows[~self.dones[rows]]
        self.rewards[running] += batch.learner_rewards[running]
        self.terminated[running] = batch.ended[running] == TERMINATED
        self.truncated[running] = batch.ended[running] == TRUNCATED
        self._keep_results(running[batch.ended[running] != RUNNING])

    def _keep_results(self, rows: Rows) -> None:
        """Save the results of these games before the next games in their rows end."""
        if len(rows) == 0:
            return
        batch = self.games.batch
        results = batch.results(rows)
        results["ranks"] = batch.last_ranks(rows)
        results["line_up"] = batch.last_line_ups(rows)
        last = self.games.final_observations_of(rows)
        for k, row in enumerate(rows.tolist()):
            self.final_observations[row] = last[k]
            self.results[row] = {name: values[k] for name, values in results.items()}
