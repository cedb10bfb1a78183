"""RLlib's single-agent interface: one learner against bots, in one game or a vector of games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
from gymnasium import vector
from gymnasium.vector.utils import batch_space

from monopoly_env import SingleSeatEnv, VectorEnv
from monopoly_env.envs.autoreset import AutoresetMode
from monopoly_training.rllib.options import settled
from monopoly_training.rllib.spaces import LegalActions, rename, renamed


class OneSeat(gymnasium.Env[Any, Any]):
    """The environment for ``config.environment(OneSeat, env_config={…})``.

    ``env_config`` takes the parameters of :class:`monopoly_env.SingleSeatEnv`. With
    ``gym_env_vectorize_mode="vector_entry_point"``, RLlib creates a runner's games as one vector
    environment, which is faster: a :class:`monopoly_env.VectorEnv` in the autoreset mode
    ``NextStep`` that RLlib expects, which also accepts its parameters, such as ``threads``.

    Observations are ``{"observations": float32[n], "action_mask": float32[actions]}``. A truncated
    game gives no reward for the standings unless the reward is configured so, because RLlib
    bootstraps from its value estimate.

    Raises: InputError for a bad parameter, one line that names it.
    """

    def __new__(cls, config: Mapping[str, Any] | None = None) -> Any:
        """Create one game, or a vector of games if ``config`` has ``num_envs``."""
        options = settled(config or {}, ("autoreset_mode",))
        if "num_envs" in options:
            return ManyTables(VectorEnv(**options, autoreset_mode=AutoresetMode.NEXT_STEP))
        return OneTable(SingleSeatEnv(**options))


class OneTable(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A single game with RLlib's observation names."""

    def __init__(self, env: SingleSeatEnv) -> None:
        super().__init__(env)
        self.observation_space = renamed(env.observation_space)
        self.action_space = LegalActions.of(env.action_space, self)

    def action_mask(self) -> Any:
        """Return the current action mask, int8[actions]."""
        return self.env.action_masks().astype("int8")  # type: ignore[attr-defined]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start a new game."""
        seen, info = self.env.reset(seed=seed, options=options)
        return rename(seen), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Apply an action."""
        seen, reward, terminated, truncated, info = self.env.step(action)
        return rename(seen), reward, terminated, truncated, info


class ManyTables(vector.VectorWrapper):
    """A vector of games with RLlib's observation names."""

    def __init__(self, env: VectorEnv) -> None:
        super().__init__(env)
        self.single_observation_space = renamed(env.single_observation_space)
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)
        self.single_action_space = LegalActions.of(env.single_action_space)

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Start new games."""
        seen, infos = self.env.reset(seed=seed, options=options)
        return rename(seen), infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Apply an action in each game."""
        seen, rewards, terminated, truncated, infos = self.env.step(actions)
        return rename(seen), rewards, terminated, truncated, infos
