"""A view of the environment with only the columns and actions that can come up in its games."""

from __future__ import annotations

import copy
import inspect
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnvWrapper
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from monopoly_env.encoding.observation import HIGH, LOW
from monopoly_env.engine.state import Int64s
from monopoly_env.envs.checks import check_actions, fail
from monopoly_training.sb3.vec_env import MASKS, MonopolyVecEnv

CLASS_ATTRIBUTES = "class_attributes"  # of every SB3 wrapper, for its look-up of attributes


class FeatureSelection(VecEnvWrapper):
    """An environment whose observations are some columns; actions are indices into ``actions``.

    ``previous_observations``: all columns as they were before the last step, until the next one.
    """

    venv: MonopolyVecEnv

    def __init__(self, venv: MonopolyVecEnv, columns: Int64s, actions: Int64s) -> None:
        self.columns = columns
        self.actions = actions
        self._observations = self.previous_observations = np.zeros((venv.num_envs, 0), np.float32)
        super().__init__(
            venv,
            spaces.Box(LOW[columns], HIGH[columns], dtype=np.float32),
            spaces.Discrete(len(actions)),
        )

    def reset(self) -> Any:
        """Begin new games; observations float32[num_envs, columns]."""
        return self._select(self.venv.reset())

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Take the actions, by their indices."""
        self.previous_observations = self._observations
        chosen = check_actions("actions", actions, self.num_envs)
        for index in np.flatnonzero((chosen < 0) | (chosen >= len(self.actions))).tolist():
            most = len(self.actions) - 1
            fail(f"actions[{index}]", f"must be from 0 to {most}, not {chosen[index]}")
        self.venv.step_async(self.actions[chosen])

    def step_wait(self) -> VecEnvStepReturn:
        """Play the actions."""
        observations, rewards, dones, infos = self.venv.step_wait()
        for index in np.flatnonzero(dones).tolist():
            final = infos[index]["terminal_observation"]
            infos[index]["terminal_observation"] = final[self.columns]
        return self._select(observations), rewards, dones, infos

    def _select(self, observations: Any) -> Any:
        self._observations = observations
        return observations.take(self.columns, axis=1)

    def restore(self, observations: Any) -> None:
        """Take these, all columns, for the last observations: a run goes on from a checkpoint."""
        self._observations = observations

    def __getstate__(self) -> dict[str, Any]:
        """With the environment; without what SB3 gathers of the class."""
        return {name: value for name, value in self.__dict__.items() if name != CLASS_ATTRIBUTES}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.class_attributes = dict(inspect.getmembers(type(self)))

    def __copy__(self) -> Self:
        """A copy with an environment of its own, as deep copies have."""
        return copy.deepcopy(self)

    def env_method(
        self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any
    ) -> list[Any]:
        """Call a method for some games; masks are those of the selected actions."""
        if method_name == MASKS and indices is None:
            return list(self.venv.action_masks()[:, self.actions])
        values = self.venv.env_method(method_name, *args, indices=indices, **kwargs)
        return [mask[self.actions] for mask in values] if method_name == MASKS else values
