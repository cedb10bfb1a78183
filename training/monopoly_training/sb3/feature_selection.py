"""A view of the environment in which only what can come up at the table is seen and known."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnvWrapper
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from monopoly_env.encoding.observation import HIGH, LOW
from monopoly_env.engine.state import Int64s
from monopoly_training.sb3.vec_env import MASKS, MonopolyVecEnv


class FeatureSelection(VecEnvWrapper):
    """An environment of which only some columns are seen and only some actions are known.

    ``seen_before``: all columns as they were before the last step, until the next one.
    """

    venv: MonopolyVecEnv

    def __init__(self, venv: MonopolyVecEnv, columns: Int64s, actions: Int64s) -> None:
        self.columns = columns
        self.actions = actions
        self._whole = self.seen_before = np.zeros((venv.num_envs, 0), np.float32)
        super().__init__(
            venv,
            spaces.Box(LOW[columns], HIGH[columns], dtype=np.float32),
            spaces.Discrete(len(actions)),
        )

    def reset(self) -> Any:
        """Begin new games."""
        return self._seen(self.venv.reset())

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Take the actions, by their numbers among those known here."""
        self.seen_before = self._whole
        self.venv.step_async(self.actions[actions])

    def step_wait(self) -> VecEnvStepReturn:
        """Play the actions."""
        observations, rewards, dones, infos = self.venv.step_wait()
        for index in np.flatnonzero(dones).tolist():
            last = infos[index]["terminal_observation"]
            infos[index]["terminal_observation"] = last[self.columns]
        return self._seen(observations), rewards, dones, infos

    def _seen(self, observations: Any) -> Any:
        self._whole = observations
        return observations.take(self.columns, axis=1)

    def see_again(self, observations: Any) -> None:
        """What was seen last, all columns, where a run goes on from a checkpoint."""
        self._whole = observations

    def env_method(
        self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any
    ) -> list[Any]:
        """Call a method for some games; masks are those of the known actions."""
        found = self.venv.env_method(method_name, *args, indices=indices, **kwargs)
        if method_name == MASKS:
            return [masks[..., self.actions] for masks in found]
        return found
