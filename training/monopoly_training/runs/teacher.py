"""A scripted bot that plays the learner's seats, for imitation learning."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from monopoly_env.agent import find_agent
from monopoly_env.bot_seeds import seat_bots
from monopoly_env.engine.policy import new_views, policy_address, weights_address
from monopoly_env.engine.state import Int64s
from monopoly_env.envs.game_batch import as_bytes, from_bytes
from monopoly_training.runs.factory import read_by
from monopoly_training.sb3.vec_env import MonopolyVecEnv


class Teacher:
    """A compiled bot that decides for the learner's seats.

    If the same bot is also the fallback bot of the phases that the learner does not decide, both
    share one state, so that the bot knows its earlier decisions.
    """

    def __init__(self, bot: str, env: MonopolyVecEnv) -> None:
        spec = find_agent(bot)[0]
        policy, self._weights = spec.policy, spec.weights
        assert policy is not None  # guaranteed by the check of the config
        # keep policy and weights alive: compiled code only has their addresses
        self._policy = policy
        self._address = policy_address(policy)
        self._batch = env.games.batch
        self._has_own_views = self._batch.fallback_bot != bot
        self._views = new_views(env.num_envs) if self._has_own_views else self._batch.views
        if self._has_own_views:
            self._views["weights"] = weights_address(self._weights)
        ids = read_by(env)[1]
        self._number_of = np.full(int(ids.max()) + 1, -1)  # action number by id
        self._number_of[ids] = np.arange(len(ids))
        self._ids = np.zeros(env.num_envs, np.int64)
        self.begin_games(np.ones(env.num_envs, bool))

    def begin_games(self, begun: Any) -> None:
        """Reset the bot's state where new games have begun, bool[num_envs]."""
        if not self._has_own_views:
            return  # shared views are reset by the games
        for row in np.flatnonzero(begun).tolist():
            seat_bots(self._views[row], int(self._batch.game_seeds[row]))

    def decide(self) -> Int64s:
        """Return the bot's action in each game, as the environment's action number."""
        self._batch.ask(self._address, self._views, self._ids)
        actions: Int64s = self._number_of[self._ids]
        return actions

    def state(self) -> torch.Tensor:
        """Return the bot's state in the games in progress, as bytes."""
        views = self._views.copy()
        views["weights"] = 0  # addresses, which mean nothing to another process
        return torch.from_numpy(as_bytes(views))

    def set_state(self, state: torch.Tensor) -> None:
        """Restore the state returned by :meth:`state`."""
        addresses = self._views["weights"].copy()
        from_bytes(state.numpy(), self._views)
        self._views["weights"] = addresses
