"""Keeps an eye on the games that a learner plays: how they end, and where the time goes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

FACTS = ("rank", "win", "turns", "truncated")


class Watch(BaseCallback):
    """Gathers the games that ended since the last report; ``tick`` is told after each step.

    ``tick`` takes the steps taken so far and says whether to go on.
    """

    def __init__(self, tick: Callable[[int], bool]) -> None:
        super().__init__()
        self.tick = tick
        self._ended: list[dict[str, Any]] = []
        self._began = time.perf_counter()
        self._rollout_seconds = 0.0

    def _on_step(self) -> bool:
        for index in np.flatnonzero(self.locals["dones"]).tolist():
            self._ended.append(self.locals["infos"][index])
        return self.tick(self.num_timesteps)

    def _on_rollout_start(self) -> None:
        self._began = time.perf_counter()

    def _on_rollout_end(self) -> None:
        self._rollout_seconds = time.perf_counter() - self._began

    def report(self, logger: Logger) -> int:
        """Log how the games since the last report went, and the times; how many games it were."""
        games = len(self._ended)
        if games:
            for fact in FACTS:
                logger.record(f"games/{fact}", float(np.mean([i[fact] for i in self._ended])))
            episodes = [info["episode"] for info in self._ended]
            logger.record("games/reward", float(np.mean([episode["r"] for episode in episodes])))
            logger.record("games/decisions", float(np.mean([e["l"] for e in episodes])))
        self._ended.clear()
        logger.record("time/rollout_seconds", self._rollout_seconds)
        return games
