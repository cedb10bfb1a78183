"""A worker that plays a share of a run's games, in its own process, with the policy it is sent.

A rollout is determined by its order and by the state of the games before it. It returns the state
after it, so that a worker that dies can be replaced without changing the course of the run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from stable_baselines3.common.logger import Logger

from monopoly_env.encoding.packed import PACKED_SIZE, DecodePlan, as_packed, check_packable
from monopoly_env.encoding.unpacking import unpack
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.state import Int64s
from monopoly_env.envs.game_batch import GameBatch
from monopoly_env.errors import InputError
from monopoly_training.ppo.rollout_buffer import ClockBuffer
from monopoly_training.runs.bot_names import bots_in, with_names
from monopoly_training.runs.config_schema import TrainConfig
from monopoly_training.runs.factory import make_env, make_learner, make_pool
from monopoly_training.runs.games_state import games_state, set_games_state
from monopoly_training.runs.imitation import collect_demonstrations
from monopoly_training.runs.random_state import random_state, set_random_state
from monopoly_training.runs.rollout_callback import GamesPlayed, RolloutCallback
from monopoly_training.runs.teacher import Teacher

Arrays = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class RolloutOrder:
    """The instructions for a rollout, without the weights, which are sent separately."""

    imitate: bool  # whether the teacher plays instead of the policy
    opponents: npt.NDArray[np.float64]  # draw probability of each bot of the pool


@dataclass(frozen=True)
class Rollout:
    """A rollout that a worker has played. Arrays are (n_steps, games of the worker, …)."""

    arrays: Arrays  # observations, action_masks as bits, actions, values, log_probs, advantages
    played: GamesPlayed
    illegal: int  # illegal answers of opponents so far
    seconds: float  # CPU time
    state: Any  # the games after the rollout, in arrays and plain numbers

    @property
    def nbytes(self) -> int:
        """Total bytes of all arrays."""
        return sum(array.nbytes for array in self.arrays.values())


def share_of(config: TrainConfig, number: int) -> TrainConfig:
    """Return the config of one worker: its share of the games, with its own seed."""
    ppo = config.ppo
    games = ppo.envs // ppo.workers
    (seed,) = np.random.SeedSequence([config.seed, number]).generate_state(1).tolist()
    size = min(ppo.batch_size, games * ppo.n_steps)
    return replace(config, seed=seed, ppo=replace(ppo, envs=games, batch_size=size))


class PackedRows:
    """Stores the learners' observations as packed records of 832 bytes each."""

    def __init__(self, batch: GameBatch, n_steps: int) -> None:
        self._batch = batch
        self._rows = np.arange(batch.n)
        self._now = np.zeros(2 * batch.n * PACKED_SIZE, np.uint8)
        self._records = as_packed(self._now)
        self._nothing = np.zeros(0, np.float32)
        self._masks = np.zeros((batch.n, N_ACTIONS), np.int8)
        self.rows = np.zeros((n_steps, batch.n, PACKED_SIZE), np.uint8)
        self._step = 0

    def begin(self) -> None:
        """Start a rollout and store the observations of its first step."""
        self._step = 0
        self.note()

    def note(self) -> None:
        """Store the current observations for the next step; do nothing after the last step."""
        if self._step < len(self.rows):
            batch = self._batch
            batch.observe_learners(self._rows, self._nothing, self._masks, self._records)
            self.rows[self._step] = self._now.reshape(2, batch.n, -1)[0]
            self._step += 1


class RolloutWorker:
    """The games of one worker and the policy that plays them."""

    def __init__(self, config: TrainConfig, number: int) -> None:
        torch.set_num_threads(1)
        self._config = config = share_of(config, number)
        self._env = make_env(config)
        self._learner = make_learner(config, self._env)
        self._pool = make_pool(config, self._env, self._learner)
        teacher = config.imitation
        self._teacher = Teacher(teacher.teacher, self._env) if teacher.steps else None
        self._packed = packed_rows(config, self._env.games.batch)
        self._callback = RolloutCallback(self._on_step, self._env, self._pool)
        self._learner.set_logger(Logger(None, []))
        self._learner.start()
        self._callback.init_callback(self._learner)

    def _on_step(self, _: int) -> bool:
        if self._packed is not None:
            self._packed.note()
        return True

    def collect(
        self, order: RolloutOrder, policy: Arrays, past: Arrays | None, state: Any = None
    ) -> Rollout:
        """Play a rollout with ``policy``; ``past`` are the weights of the current past self.

        If ``state`` is given, start from it instead of from the end of the last rollout.
        """
        began = time.process_time()
        if state is not None:
            self.set_state(state)
        learner, env = self._learner, self._env
        learner.policy.load_state_dict(as_tensors(policy))
        if past is not None:
            self._pool.past.play_as(as_tensors(past))
        env.games.batch.set_pool_weights(order.opponents[: env.games.batch.pool_size])
        if self._packed is not None:
            self._packed.begin()
        if order.imitate:
            assert self._teacher is not None
            collect_demonstrations(learner, env, self._teacher, self._on_step)
        else:
            learner.collect_rollouts(
                env, self._callback, learner.rollout_buffer, n_rollout_steps=learner.n_steps
            )
        return Rollout(
            arrays=sent(learner.rollout_buffer, self._packed),
            played=self._callback.take_games(),
            illegal=int(env.games.batch.episodes["faults"].sum()),
            seconds=time.process_time() - began,
            state=self.state(),
        )

    def state(self) -> Any:
        """Return the state from which the next rollout begins."""
        return as_arrays(
            {
                "games": games_state(self._learner, self._env),
                "random": random_state(),
                "memory": self._teacher.state() if self._teacher is not None else None,
            }
        )

    def set_state(self, state: Any) -> None:
        """Restore the state returned by :meth:`state`."""
        found = as_tensors(state)
        set_games_state(self._learner, self._env, found["games"])
        if self._teacher is not None:
            self._teacher.set_state(found["memory"])
        set_random_state(found["random"])


def packed_rows(config: TrainConfig, batch: GameBatch) -> PackedRows | None:
    """Allocate packed observations.

    Return None if the editions or amounts do not fit the format.
    """
    editions = config.table.options().editions()
    if len(editions) > 1:
        return None
    try:
        check_packable(editions.first)
    except InputError:
        return None
    return PackedRows(batch, config.ppo.n_steps)


def sent(buffer: ClockBuffer, packed: PackedRows | None) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays that the learner needs, in compact form."""
    return {
        "observations": buffer.observations.copy() if packed is None else packed.rows.copy(),
        "action_masks": np.packbits(buffer.action_masks.astype(np.bool_), axis=-1),
        "actions": buffer.actions.astype(np.int16),
        **{name: getattr(buffer, name).copy() for name in ("values", "log_probs", "advantages")},
    }


@dataclass
class Receiver:
    """Assembles the rollouts of all workers in a learner's buffer."""

    columns: Int64s
    actions: int
    plan: DecodePlan = field(init=False)

    def __post_init__(self) -> None:
        self.plan = DecodePlan(self.columns)

    def fill(self, buffer: ClockBuffer, rollouts: list[Rollout]) -> None:
        """Fill the buffer, which then yields minibatches of all decisions."""
        buffer.reset()
        first = 0
        for rollout in rollouts:
            last = first + rollout.arrays["values"].shape[1]
            self._put(buffer, slice(first, last), rollout.arrays)
            first = last
        buffer.returns = buffer.advantages + buffer.values
        buffer.pos, buffer.full = buffer.buffer_size, True

    def _put(self, buffer: ClockBuffer, games: slice, arrays: Arrays) -> None:
        """Write one worker's arrays to its games' columns."""
        seen = arrays["observations"]
        if seen.dtype == np.uint8:
            seen = unpack(seen, self.plan)
        buffer.observations[:, games] = seen
        masks = np.unpackbits(arrays["action_masks"], axis=-1, count=self.actions)
        buffer.action_masks[:, games] = masks.reshape(buffer.action_masks[:, games].shape)
        for name in ("actions", "values", "log_probs", "advantages"):
            getattr(buffer, name)[:, games] = arrays[name]


# --- conversion between tensors and arrays (Ray transfers arrays without copying) ---


def converted(value: Any, kind: type, convert: Callable[[Any], Any]) -> Any:
    """Convert all values of a type in nested mappings and lists."""
    if isinstance(value, kind):
        return convert(value)
    if isinstance(value, Mapping):
        return {key: converted(one, kind, convert) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [converted(one, kind, convert) for one in value]
    return value


def as_arrays(value: Any) -> Any:
    """Convert tensors to arrays (copies)."""
    return converted(value, torch.Tensor, lambda tensor: tensor.detach().numpy().copy())


def as_tensors(value: Any) -> Any:
    """Convert arrays to tensors. Copies, because arrays received from Ray are read-only."""
    return converted(value, np.ndarray, lambda array: torch.from_numpy(np.array(array)))


# --- on the nodes of a cluster ---


@dataclass(frozen=True)
class PlayRollouts:
    """The Ray work of a run: its rollout workers."""

    config: TrainConfig

    @property
    def agents(self) -> tuple[str, ...]:
        """The bots of the config."""
        return bots_in(self.config)

    def begin(self, names: tuple[str, ...]) -> Callable[[int], RolloutWorker]:
        """Return a function that creates a worker by number, with the node's bot names."""
        there = with_names(self.config, dict(zip(self.agents, names, strict=True)))
        return lambda number: RolloutWorker(there, number)
