"""Statistics of a learner's training games, and where the time goes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from monopoly_training.runs.factory import read_by
from monopoly_training.runs.opponent_pool import OpponentPool
from monopoly_training.runs.trade_stats import TradeCounts, TradeStats
from monopoly_training.sb3.steppable_ppo import SteppablePPO
from monopoly_training.sb3.vec_env import MonopolyVecEnv

LOGGED = ("rank", "win", "turns", "truncated")


@dataclass(frozen=True)
class GamesPlayed:
    """The games that ended in a rollout, as sent between processes."""

    infos: list[dict[str, Any]]
    trades: TradeCounts | None
    seconds: float  # spent stepping games


class RolloutCallback(BaseCallback):
    """Collects the games that ended since the last report.

    ``on_step`` is called after each step with the steps so far; it returns whether to continue.
    ``pool`` receives the results of games.
    """

    def __init__(
        self, on_step: Callable[[int], bool], env: MonopolyVecEnv, pool: OpponentPool | None = None
    ) -> None:
        super().__init__()
        self._step_taken = on_step
        self._env = env
        self._ids = read_by(env)[1]
        self._pool = pool
        self._trades: TradeStats | None = None
        self._final_infos: list[dict[str, Any]] = []
        self._began = time.perf_counter()
        self._rollout_seconds = 0.0
        self._waits = False  # whether rollouts come from other processes

    def _on_rollout_start(self) -> None:
        if self._trades is None:  # the first games have begun by now
            self._trades = TradeStats(self._env.games.batch, self._env.columns)
        self._began = time.perf_counter()
        self._env.seconds = 0.0

    def _on_step(self) -> bool:
        dones = np.asarray(self.locals["dones"])
        if self._trades is not None:
            assert isinstance(self.model, SteppablePPO)
            # still the observations on which the actions were chosen
            observations = self.model.next_obs
            self._trades.record_step(self._ids[self.locals["actions"]], observations, dones)
        for index in np.flatnonzero(dones).tolist():
            info = self.locals["infos"][index]
            self._record(info)
        return self._step_taken(self.num_timesteps)

    def _record(self, info: dict[str, Any]) -> None:
        """Record the result of a game."""
        self._final_infos.append(info)
        if self._pool is not None:
            self._pool.record(info)

    def _on_rollout_end(self) -> None:
        self._rollout_seconds = time.perf_counter() - self._began

    # --- rollouts from other processes ---

    def take_games(self) -> GamesPlayed:
        """Return what was collected in this process, and clear it."""
        infos = [
            {key: value for key, value in info.items() if key != "terminal_observation"}
            for info in self._final_infos
        ]
        self._final_infos.clear()
        trades = self._trades.take() if self._trades is not None else None
        return GamesPlayed(infos, trades, self._env.seconds)

    def add_games(self, played: GamesPlayed) -> None:
        """Add games that another process has collected."""
        if self._trades is None:
            self._trades = TradeStats(self._env.games.batch, self._env.columns)
        for info in played.infos:
            self._record(info)
        if played.trades is not None:
            self._trades.add(played.trades)

    def set_waited(self, seconds: float) -> None:
        """Set how long this process waited for the last rollout."""
        self._rollout_seconds = seconds
        self._waits = True

    def report(self, logger: Logger, update_seconds: float) -> int:
        """Log the results and times since the last report; return the number of games."""
        infos = self._final_infos
        games = len(infos)
        if games:
            for name in LOGGED:
                logger.record(f"games/{name}", float(np.mean([info[name] for info in infos])))
            episodes = [info["episode"] for info in infos]
            logger.record("games/reward", float(np.mean([episode["r"] for episode in episodes])))
            logger.record("games/decisions", float(np.mean([e["l"] for e in episodes])))
            # The same under SB3's names, for existing dashboards
            logger.record("rollout/ep_rew_mean", float(np.mean([e["r"] for e in episodes])))
            logger.record("rollout/ep_len_mean", float(np.mean([e["l"] for e in episodes])))
            successes = [info["is_success"] for info in infos]
            logger.record("rollout/success_rate", float(np.mean(successes)))
        if self._trades is not None:
            self._trades.report(logger, games)
        self._report_times(logger, update_seconds)
        infos.clear()
        return games

    def _report_times(self, logger: Logger, update_seconds: float) -> None:
        """Log the shares of time of the games, the policy and the updates."""
        total = self._rollout_seconds + update_seconds
        games = self._env.seconds
        logger.record("time/update_share", update_seconds / total)
        if self._waits:
            logger.record("time/waiting_share", self._rollout_seconds / total)
            return
        logger.record("time/games_share", games / total)
        logger.record("time/policy_share", (self._rollout_seconds - games) / total)
