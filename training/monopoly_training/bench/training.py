"""Training: the processor time of a decision in ``monopoly-env train``, and where it goes."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from monopoly_training.bench.timing import Result, result

ROUNDS = 3
# By figure: the included config, and what else it is told. From scratch, so that both do the same.
TRAINED = {
    "train_deeds": ("paper", "with the network of deeds, 256 games, 2 epochs", ()),
    "train_shared": (
        "paper",
        "with a shared network, 1,024 games, 1 epoch, as quick has them",
        ("ppo.network=shared", "ppo.layers=[256, 128]", "ppo.envs=1024", "ppo.n_steps=16",
         "ppo.epochs=1"),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Spent:
    """Processor time of some iterations of PPO, in seconds."""

    decisions: int
    games: float  # stepping them
    policy: float  # deciding, and keeping what was decided
    update: float

    @property
    def seconds(self) -> float:
        """All of it."""
        return self.games + self.policy + self.update


def train_loop(seconds: float) -> Iterator[Result]:
    """Decisions a second of processor time in the loop of ``train``, by network; one thread."""
    loops = {figure: Loop(config, changes) for figure, (config, _, changes) in TRAINED.items()}
    for loop in loops.values():
        loop.run(0.0)  # torch is slow at first
    rounds = [
        {figure: loop.run(seconds / ROUNDS / len(loops)) for figure, loop in loops.items()}
        for _ in range(ROUNDS)
    ]
    for figure, (config, what, _) in TRAINED.items():
        spent = [one[figure] for one in rounds]
        yield result(
            figure,
            [one.decisions / one.seconds for one in spent],
            "decisions/s",
            f"train {config} {what}, one thread",
            {f"{part}_us": microseconds(spent, part) for part in ("games", "policy", "update")},
        )


def microseconds(spent: list[Spent], part: str) -> float:
    """The median of a part's time for a decision."""
    times = [1e6 * float(getattr(one, part)) / one.decisions for one in spent]
    return round(statistics.median(times), 1)


class Loop:
    """A run's games and learner, without its folder and its evaluations."""

    def __init__(self, config: str, changes: tuple[str, ...]) -> None:
        import torch
        from stable_baselines3.common.logger import Logger

        from monopoly_training.runs.config import load_train_config
        from monopoly_training.runs.factory import make_env, make_learner
        from monopoly_training.runs.rollout_callback import RolloutCallback

        torch.set_num_threads(1)
        settings = load_train_config(config, changes)
        self.env = make_env(settings)
        self.learner = make_learner(settings, self.env)
        self.callback: Any = RolloutCallback(lambda _: True, self.env)
        self.learner.set_logger(Logger(None, []))
        self.learner.start()
        self.callback.init_callback(self.learner)

    def run(self, seconds: float) -> Spent:
        """Collect and learn for so many seconds of processor time, at least once."""
        before = self.learner.num_timesteps
        games = policy = update = 0.0
        while games + policy + update < seconds or self.learner.num_timesteps == before:
            stepping, deciding = self._collect()
            began = time.process_time()
            self.learner.train()
            update += time.process_time() - began
            games, policy = games + stepping, policy + deciding
            self.callback.take_games()
        return Spent(self.learner.num_timesteps - before, games, policy, update)

    def _collect(self) -> tuple[float, float]:
        """Fill the rollout buffer; the processor time of the games, and of all else."""
        learner, wall, began = self.learner, time.perf_counter(), time.process_time()
        learner.collect_rollouts(
            self.env, self.callback, learner.rollout_buffer, n_rollout_steps=learner.n_steps
        )
        spent = time.process_time() - began
        games = spent * self.env.seconds / (time.perf_counter() - wall)
        return games, spent - games
