"""Benchmarks of training loops: the games' share of the time, relative to an idle environment."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_training.bench.timing import Result, result

PAIRS = 3  # rounds, with games and with the idle environment in alternation
SB3_GAMES = 256
LOOP_GAMES = 1024


def sb3_share(seconds: float) -> Iterator[Result]:
    """Measure MaskablePPO on the native VecEnv, relative to an idle VecEnv."""
    from monopoly_training.sb3.vec_env import MonopolyVecEnv

    games = MonopolyVecEnv(SB3_GAMES, opponents=["random"] * 3, windows="own", deals="off")
    games.seed(1)
    idle = _idle_vec_env(games)
    frames = max(int(seconds * 1000) // SB3_GAMES, 32) * SB3_GAMES
    _ppo(idle, SB3_GAMES)  # torch is slow at first
    pairs = [(_ppo(idle, frames), _ppo(games, frames)) for _ in range(PAIRS)]
    yield result(
        "sb3_share",
        [ours / nothing for nothing, ours in pairs],
        "share",
        "MaskablePPO frames/s on the native VecEnv ÷ on an environment that does nothing",
        {
            "frames_per_s": _middle(ours for _, ours in pairs),
            "frames_per_s_idle": _middle(nothing for nothing, _ in pairs),
        },
    )


def _middle(rates: Iterator[float]) -> int:
    return round(statistics.median(rates))


def _ppo(env: Any, frames: int) -> float:
    """Return frames per second of MaskablePPO."""
    import torch
    from sb3_contrib import MaskablePPO

    torch.set_num_threads(1)
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=1024, n_epochs=4, seed=1)
    began = time.process_time()
    model.learn(frames)
    return float(model.num_timesteps) / (time.process_time() - began)


def _idle_vec_env(games: Any) -> Any:
    """Return a VecEnv with the same spaces and masks that only returns constant arrays."""
    from monopoly_training.sb3.vec_env import MonopolyVecEnv

    class Idle(MonopolyVecEnv):
        """A copy of the native VecEnv that does nothing."""

        def __init__(self) -> None:
            self.__dict__ |= games.__dict__
            self._seen = games.reset().copy()
            self._legal = games.action_masks().copy()
            self._zeros = np.zeros(games.num_envs, np.float32)

        def reset(self) -> Any:
            return self._seen

        def step_wait(self) -> Any:
            return self._seen, self._zeros, self._zeros > 0, [{} for _ in range(self.num_envs)]

        def action_masks(self) -> Any:
            return self._legal

    return Idle()


class Idle:
    """An idle batch of games, for :mod:`monopoly_training.ppo.minimal`."""

    def __init__(self, seen: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]) -> None:
        self.num_envs = len(seen)
        self._seen, self._legal = seen, legal
        self._reward, self._never = np.zeros(len(seen), np.float32), np.zeros(len(seen), np.bool_)

    def reset(self, *, seed: int | None = None) -> tuple[Any, dict[str, Any]]:  # noqa: ARG002
        """Return the constant observations."""
        return self._seen, {}

    def step(self, actions: npt.NDArray[Any]) -> tuple[Any, ...]:  # noqa: ARG002 - ignored
        """Return constant results."""
        return self._seen, self._reward, self._never, self._never, {}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the constant masks."""
        return self._legal


def idle_like(games: Any) -> Idle:
    """Create an idle environment with the shapes of ``games``."""
    seen, _ = games.reset(seed=1)
    return Idle(seen.copy(), games.action_masks().copy())


def ppo_batched(seconds: float) -> Iterator[Result]:
    """Measure a PPO loop on the batched environment (1 epoch, one thread), and on an idle one."""
    import torch

    from monopoly_env.envs.vector import VectorEnv
    from monopoly_training.ppo import minimal

    torch.set_num_threads(1)
    args = minimal.Args(num_envs=LOOP_GAMES)
    learner = minimal.make_ppo(args)
    assert isinstance(learner.envs, VectorEnv)
    idle = minimal.PPO(args, idle_like(learner.envs), learner.columns, learner.action_ids)
    seen = np.zeros((LOOP_GAMES, 300), np.float32)
    legal = np.ones((LOOP_GAMES, 300), np.bool_)
    small = minimal.PPO(args, Idle(seen, legal), np.arange(300), np.arange(300))
    learners = (learner, idle, small)
    for one in learners:
        _frames_a_second(one, 0.0)
    rounds = [[_frames_a_second(one, seconds / PAIRS) for one in learners] for _ in range(PAIRS)]
    ours, nothing, tiny = (list(row) for row in zip(*rounds, strict=True))
    yield result(
        "ppo_batched",
        ours,
        "frames/s",
        "PPO with masks over the batched environment, 1 epoch, one thread: ppo/minimal.py",
        {
            "columns": len(learner.columns),
            "actions": len(learner.action_ids),
            "idle_same_shape": round(statistics.median(nothing)),
            "idle_300_by_300": round(statistics.median(tiny)),
        },
    )
    yield result(
        "ppo_batched_share",
        [a / b for a, b in zip(ours, nothing, strict=True)],
        "share",
        "the same ÷ the same loop over an environment of that shape that does nothing",
    )


def _frames_a_second(learner: Any, seconds: float) -> float:
    """Return frames per second of CPU time, from at least one batch."""
    frames, began = learner.global_step, time.process_time()
    while (spent := time.process_time() - began) < seconds or learner.global_step == frames:
        learner.learn(1)
    return float(learner.global_step - frames) / spent
