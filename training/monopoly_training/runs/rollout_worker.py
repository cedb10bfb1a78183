"""Plays a share of a run's games, in a process of its own: a rollout at a time, by a policy it is sent.

What a rollout becomes follows from what was ordered and from the state of the games before it. The
state after it comes back with it, so that a worker that has died is replaced by one that goes on from
there, and the run takes the course that it would have taken.
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
from monopoly_training.runs.config_schema import TrainConfig
from monopoly_training.runs.factory import make_env, make_learner, make_pool
from monopoly_training.runs.games_state import games_state, set_games_state
from monopoly_training.runs.imitation import collect_demonstrations
from monopoly_training.runs.random_state import random_state, set_random_state
from monopoly_training.runs.renamed import bots_in, with_names
from monopoly_training.runs.rollout_callback import GamesPlayed, RolloutCallback
from monopoly_training.runs.teacher import Teacher

Arrays = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class RolloutOrder:
    """What is to be played: small; weights travel beside it, by reference where that can be."""

    imitate: bool  # the teacher plays, and not the policy
    opponents: npt.NDArray[np.float64]  # how likely each bot of the pool is drawn


@dataclass(frozen=True)
class Rollout:
    """What a worker has played. Arrays are (n_steps, games of the worker, …)."""

    arrays: Arrays  # observations, action_masks as bits, actions, values, log_probs, advantages
    played: GamesPlayed
    illegal: int  # answers of opponents that were not legal, so far
    seconds: float  # of processor time
    state: Any  # of the games after it, in arrays and plain numbers

    @property
    def nbytes(self) -> int:
        """The bytes of all arrays."""
        return sum(array.nbytes for array in self.arrays.values())


def share_of(config: TrainConfig, number: int) -> TrainConfig:
    """The config of one worker's games: its share of them, with a seed of their own."""
    ppo = config.ppo
    games = ppo.envs // ppo.workers
    (seed,) = np.random.SeedSequence([config.seed, number]).generate_state(1).tolist()
    size = min(ppo.batch_size, games * ppo.n_steps)
    return replace(config, seed=seed, ppo=replace(ppo, envs=games, batch_size=size))


class PackedRows:
    """Gathers what the learners observe in 768 bytes a decision, beside the buffer of floats."""

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
        """A rollout begins: note what is observed at its first step."""
        self._step = 0
        self.note()

    def note(self) -> None:
        """Note what is observed now, for the step that comes; nothing after the last."""
        if self._step < len(self.rows):
            batch = self._batch
            batch.observe_learners(self._rows, self._nothing, self._masks, self._records)
            self.rows[self._step] = self._now.reshape(2, batch.n, -1)[0]
            self._step += 1


class RolloutWorker:
    """The games of one worker, and the policy that plays them."""

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
        """Play a rollout by a policy; ``past`` are the weights of the past self that plays.

        ``state``: begin there, and not where the last rollout ended.
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
        """Where the next rollout begins."""
        return as_arrays(
            {
                "games": games_state(self._learner, self._env),
                "random": random_state(),
                "memory": self._teacher.state() if self._teacher is not None else None,
            }
        )

    def set_state(self, state: Any) -> None:
        """Let the games go on where :meth:`state` was taken."""
        found = as_tensors(state)
        set_games_state(self._learner, self._env, found["games"])
        if self._teacher is not None:
            self._teacher.set_state(found["memory"])
        set_random_state(found["random"])


def packed_rows(config: TrainConfig, batch: GameBatch) -> PackedRows | None:
    """Room for packed observations; None for sets of editions, and amounts too large for them."""
    editions = config.table.options().editions()
    if len(editions) > 1:
        return None
    try:
        check_packable(editions.first)
    except InputError:
        return None
    return PackedRows(batch, config.ppo.n_steps)


def sent(buffer: ClockBuffer, packed: PackedRows | None) -> dict[str, npt.NDArray[Any]]:
    """What the learner needs of a rollout, in as few bytes as say the same."""
    return {
        "observations": buffer.observations.copy() if packed is None else packed.rows.copy(),
        "action_masks": np.packbits(buffer.action_masks.astype(np.bool_), axis=-1),
        "actions": buffer.actions.astype(np.int16),
        **{name: getattr(buffer, name).copy() for name in ("values", "log_probs", "advantages")},
    }


@dataclass
class Receiver:
    """Puts rollouts into a learner's buffer, each worker's games beside those of the others."""

    columns: Int64s
    actions: int
    plan: DecodePlan = field(init=False)

    def __post_init__(self) -> None:
        self.plan = DecodePlan(self.columns)

    def fill(self, buffer: ClockBuffer, rollouts: list[Rollout]) -> None:
        """Fill a buffer; its generator then gives minibatches of all decisions."""
        buffer.reset()
        first = 0
        for rollout in rollouts:
            last = first + rollout.arrays["values"].shape[1]
            self._put(buffer, slice(first, last), rollout.arrays)
            first = last
        buffer.returns = buffer.advantages + buffer.values
        buffer.pos, buffer.full = buffer.buffer_size, True

    def _put(self, buffer: ClockBuffer, games: slice, arrays: Arrays) -> None:
        """Put one worker's arrays where they belong."""
        seen = arrays["observations"]
        if seen.dtype == np.uint8:
            seen = unpack(seen, self.plan)
        buffer.observations[:, games] = seen
        masks = np.unpackbits(arrays["action_masks"], axis=-1, count=self.actions)
        buffer.action_masks[:, games] = masks.reshape(buffer.action_masks[:, games].shape)
        for name in ("actions", "values", "log_probs", "advantages"):
            getattr(buffer, name)[:, games] = arrays[name]


# --- between PyTorch's tensors and arrays, which travel without being copied ---


def converted(value: Any, kind: type, convert: Callable[[Any], Any]) -> Any:
    """The same mappings and lists, with every value of a kind converted."""
    if isinstance(value, kind):
        return convert(value)
    if isinstance(value, Mapping):
        return {key: converted(one, kind, convert) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [converted(one, kind, convert) for one in value]
    return value


def as_arrays(value: Any) -> Any:
    """Tensors as arrays of their own."""
    return converted(value, torch.Tensor, lambda tensor: tensor.detach().numpy().copy())


def as_tensors(value: Any) -> Any:
    """Arrays as tensors of their own: what came by Ray must not be written to."""
    return converted(value, np.ndarray, lambda array: torch.from_numpy(np.array(array)))


# --- what nodes of a cluster do ---


@dataclass(frozen=True)
class PlayRollouts:
    """The work of a run's workers: they play its games."""

    config: TrainConfig

    @property
    def agents(self) -> tuple[str, ...]:
        """The bots of the config."""
        return bots_in(self.config)

    def begin(self, names: tuple[str, ...]) -> Callable[[int], RolloutWorker]:
        """What makes the worker of a number, with bots by the names that they have on the node."""
        there = with_names(self.config, dict(zip(self.agents, names, strict=True)))
        return lambda number: RolloutWorker(there, number)
