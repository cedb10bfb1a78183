"""Collect a run's rollouts with workers, up to one policy update behind the learner.

With ``ppo.staleness`` 0, workers use the current policy and wait during updates. With 1, they play
the next rollout during the update, with the policy from before it. The lag is always exactly that,
so a run does not depend on the speed of the machines. PPO's ratio is relative to the policy that
played.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from stable_baselines3.common.logger import Logger

from monopoly_training.ppo.kl_ppo import KLPPO
from monopoly_training.runs.config_schema import TrainConfig
from monopoly_training.runs.factory import read_by
from monopoly_training.runs.opponent_pool import OpponentPool
from monopoly_training.runs.rollout_callback import RolloutCallback
from monopoly_training.runs.rollout_worker import (
    Arrays,
    Receiver,
    RolloutOrder,
    as_arrays,
    as_tensors,
)
from monopoly_training.runs.worker_pool import WorkerPool
from monopoly_training.sb3.vec_env import MonopolyVecEnv


@dataclass(frozen=True)
class Underway:
    """A rollout in progress."""

    order: RolloutOrder
    policy: Arrays
    past: Arrays | None


class WorkerRollouts:
    """Fills a learner's rollout buffer with rollouts from workers."""

    def __init__(
        self,
        config: TrainConfig,
        learner: KLPPO,
        env: MonopolyVecEnv,
        pool: OpponentPool,
        callback: RolloutCallback,
    ) -> None:
        self._config, self._learner, self._pool = config, learner, pool
        self._callback = callback
        columns, actions = read_by(env)
        self._receiver = Receiver(columns, len(actions))
        self._workers: WorkerPool | None = None
        self._states: list[Any] = [None] * config.ppo.workers  # of each worker's games
        self._underway: Underway | None = None
        self.illegal = 0  # illegal answers of opponents so far
        self.bytes_received = 0  # size of the last rollout
        self.seconds = 0.0  # CPU time of all workers for it

    def use(self, workers: WorkerPool) -> None:
        """Set the workers; a rollout that was in progress when the run was killed is repeated."""
        self._workers = workers
        if self._underway is not None:
            self._begin(self._underway)

    @property
    def is_underway(self) -> bool:
        """Whether a rollout is in progress."""
        return self._underway is not None

    def order(self, imitate: bool) -> None:
        """Start a rollout with the current policy and the current opponents."""
        past = self._pool.past
        self._begin(
            Underway(
                RolloutOrder(imitate, np.array(self._pool.probabilities)),
                as_arrays(dict(self._learner.policy.state_dict())),
                as_arrays(past.weights[past.playing]) if past.weights else None,
            )
        )

    def _begin(self, underway: Underway) -> None:
        assert self._workers is not None
        self._underway = underway
        self._workers.begin(underway.order, underway.policy, underway.past, self._states)

    def receive(self) -> bool:
        """Fill the learner's buffer with the rollout in progress.

        Return whether the teacher played.
        """
        assert self._workers is not None
        assert self._underway is not None
        began = time.perf_counter()
        rollouts = self._workers.rollouts()
        waited = time.perf_counter() - began
        learner = self._learner
        self._receiver.fill(learner.rollout_buffer, rollouts)
        for rollout in rollouts:
            self._callback.add_games(rollout.played)
        self._states = [rollout.state for rollout in rollouts]
        self.illegal = sum(rollout.illegal for rollout in rollouts)
        self.bytes_received = sum(rollout.nbytes + size_of(rollout.state) for rollout in rollouts)
        self.seconds = sum(rollout.seconds for rollout in rollouts)
        self._callback.set_waited(waited)
        learner.num_timesteps += learner.n_steps * learner.n_envs
        imitate, self._underway = self._underway.order.imitate, None
        return imitate

    def report(self, logger: Logger) -> None:
        """Log the cost of the last rollout."""
        decisions = self._learner.n_steps * self._learner.n_envs
        logger.record("workers/bytes_a_decision", self.bytes_received / decisions)
        logger.record("workers/milliseconds_a_decision", 1000 * self.seconds / decisions)

    # --- checkpoints ---

    def state(self) -> dict[str, Any]:
        """Return the workers' games and the rollout in progress, as tensors and numbers."""
        underway = self._underway
        return {
            "games": as_tensors(self._states),
            "underway": None
            if underway is None
            else {
                "imitate": underway.order.imitate,
                "opponents": as_tensors(underway.order.opponents),
                "policy": as_tensors(underway.policy),
                "past": as_tensors(underway.past),
            },
        }

    def set_state(self, state: Mapping[str, Any] | None) -> None:
        """Restore the state returned by :meth:`state`.

        Raises: ValueError for another number of workers.
        """
        if state is None or len(state["games"]) != len(self._states):
            made = 0 if state is None else len(state["games"])
            raise ValueError(f"the run was made with ppo.workers={made}")
        self._states = as_arrays(state["games"])
        under = state["underway"]
        if under is not None:
            self._underway = Underway(
                RolloutOrder(under["imitate"], under["opponents"].numpy()),
                as_arrays(under["policy"]),
                as_arrays(under["past"]),
            )


def size_of(value: Any) -> int:
    """Return the bytes of all arrays in a state."""
    if isinstance(value, Mapping):
        return sum(map(size_of, value.values()))
    if isinstance(value, list):
        return sum(map(size_of, value))
    return getattr(value, "nbytes", 0)
