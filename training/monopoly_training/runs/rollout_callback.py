"""Keeps an eye on the games that a learner plays: how they end, and where the time goes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from monopoly_training.runs.opponent_pool import Pool
from monopoly_training.runs.trade_stats import Trades
from monopoly_training.sb3.feature_selection import FeatureSelection

FACTS = ("rank", "win", "turns", "truncated")


class RolloutCallback(BaseCallback):
    """Gathers the games that ended since the last report; ``tick`` is told after each step.

    ``tick`` takes the steps taken so far and says whether to go on.
    """

    def __init__(self, tick: Callable[[int], bool], env: FeatureSelection, pool: Pool) -> None:
        super().__init__()
        self.tick = tick
        self._env = env
        self._pool = pool
        self._trades: Trades | None = None
        self._ended: list[dict[str, Any]] = []
        self._began = time.perf_counter()
        self._rollout_seconds = 0.0

    def _on_step(self) -> bool:
        over = np.asarray(self.locals["dones"])
        if self._trades is not None:
            actions = self._env.actions[self.locals["actions"]]
            self._trades.note(actions, self._env.seen_before, over)
        for index in np.flatnonzero(over).tolist():
            self._ended.append(self.locals["infos"][index])
            self._pool.note(self.locals["infos"][index])
        return self.tick(self.num_timesteps)

    def _on_rollout_start(self) -> None:
        self._trades = self._trades or Trades(self._env.venv.games.batch)
        self._began = time.perf_counter()
        self._env.venv.seconds = 0.0

    def _on_rollout_end(self) -> None:
        self._rollout_seconds = time.perf_counter() - self._began

    def report(self, logger: Logger, update_seconds: float) -> int:
        """Log how the games since the last report went, and the times; how many games it were."""
        games = len(self._ended)
        if games:
            for fact in FACTS:
                logger.record(f"games/{fact}", float(np.mean([i[fact] for i in self._ended])))
            episodes = [info["episode"] for info in self._ended]
            logger.record("games/reward", float(np.mean([episode["r"] for episode in episodes])))
            logger.record("games/decisions", float(np.mean([e["l"] for e in episodes])))
        if self._trades is not None:
            self._trades.report(logger, games)
        self._report_times(logger, update_seconds)
        self._ended.clear()
        return games

    def _report_times(self, logger: Logger, update_seconds: float) -> None:
        """Log which share of the time the games, the policy and its updates take."""
        total = self._rollout_seconds + update_seconds
        games = self._env.venv.seconds
        logger.record("time/games_share", games / total)
        logger.record("time/policy_share", (self._rollout_seconds - games) / total)
        logger.record("time/update_share", update_seconds / total)
