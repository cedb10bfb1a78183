"""Many games as a Stable-Baselines3 VecEnv, straight on the compiled vector environment."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvObs, VecEnvStepReturn

from monopoly_env.encoding.reward import Reward, make_reward
from monopoly_env.envs._kernel import spread_seeds
from monopoly_env.envs.options import check_seed
from monopoly_env.envs.vector import VectorEnv

MASKS = "action_masks"


class MonopolyVecEnv(VecEnv):
    """``num_envs`` games with one learner each, for MaskablePPO and everything else of SB3.

    Parameters are those of :class:`monopoly_env.envs.vector.VectorEnv`, except that a truncated
    game pays nothing unless the reward says otherwise: SB3 estimates what would have come, and to
    be paid for the standings as well would count them twice.

    ``infos`` are empty until a game ends; then they have ``terminal_observation``,
    ``TimeLimit.truncated``, ``episode`` (``r``, ``l``, ``t``) and how the game went: ``rank``,
    ``win``, ``seat``, ``turns``, ``decisions``, ``seed``.
    """

    def __init__(self, num_envs: int, *, reward: Any = "win", **parameters: Any) -> None:
        given = make_reward(reward)
        said = isinstance(reward, Reward) or (
            isinstance(reward, Mapping) and "truncation" in reward
        )
        if not said:
            given = replace(given, truncation="bootstrap")
        self._bootstraps = given.truncation == "bootstrap"
        self.games = VectorEnv(num_envs, reward=given, **parameters)
        self._actions: npt.NDArray[Any] = np.zeros(num_envs, np.int64)
        self._no_infos: list[dict[str, Any]] = [{} for _ in range(num_envs)]
        self._began = time.perf_counter()
        super().__init__(
            num_envs, self.games.single_observation_space, self.games.single_action_space
        )

    # Stepping

    def reset(self) -> VecEnvObs:
        """Begin new games, from the seed of :meth:`seed` if there is one."""
        seeds = None if self._seeds[0] is None else np.array(self._seeds, np.int64)
        observations, _ = self.games.reset(seed=seeds, options=self._options[0])
        self._reset_seeds()
        self._reset_options()
        return observations

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seeds for the next reset, one a game, all from one."""
        seeds = np.zeros(self.num_envs, np.int64)
        spread_seeds(secrets.randbits(32) if seed is None else check_seed(seed), seeds)
        self._seeds = list[int | None](seeds.tolist())
        return self._seeds

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Take the actions; :meth:`step_wait` plays them."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play the actions, all games in one call."""
        seen, rewards, over, cut, infos = self.games.step(self._actions)
        dones = over | cut
        told = list(self._no_infos)
        if "final_info" in infos:
            self._tell(told, np.flatnonzero(dones), cut, infos)
        return seen, rewards, dones, told

    def _tell(
        self,
        told: list[dict[str, Any]],
        ended: npt.NDArray[np.int64],
        cut: npt.NDArray[np.bool_],
        infos: dict[str, Any],
    ) -> None:
        """What the infos of ended games say."""
        final = infos["final_info"]
        now = round(time.perf_counter() - self._began, 6)
        for index in ended.tolist():
            told[index] = {
                "terminal_observation": infos["final_obs"][index],
                "TimeLimit.truncated": bool(cut[index]) and self._bootstraps,
                "episode": {
                    "r": float(final["gain"][index]),
                    "l": int(final["steps"][index]),
                    "t": now,
                },
                "rank": int(final["rank"][index]),
                "win": float(final["win"][index]),
                "seat": int(final["seat"][index]),
                "turns": int(final["turns"][index]),
                "decisions": int(final["decisions"][index]),
                "truncated": bool(final["truncated"][index]),
                "seed": int(final["seed"][index]),
            }

    def close(self) -> None:
        """Let the threads go."""
        self.games.close()

    # Masks and attributes

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, bool[num_envs, n]."""
        return self.games.action_masks()

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: VecEnvIndices = None,
        **method_kwargs: Any,
    ) -> list[Any]:
        """Call a method for some games; ``action_masks`` of all of them comes as one array.

        That is a list of one array, which the stacking and reshaping of sb3-contrib takes as it
        takes a list of rows, without copying a thousand of them one by one.
        """
        if method_name == MASKS:
            masks = self.action_masks()
            return [masks] if indices is None else [masks[i] for i in self._get_indices(indices)]
        method = getattr(self.games, method_name)
        chosen: Iterable[int] = self._get_indices(indices)
        return [method(index, *method_args, **method_kwargs) for index in chosen]

    def has_attr(self, attr_name: str) -> bool:
        """Whether the games have an attribute; they have masks."""
        return attr_name == MASKS or hasattr(self.games, attr_name)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute, the same for every game."""
        value = getattr(self, attr_name) if attr_name == MASKS else getattr(self.games, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(
        self,
        attr_name: str,
        value: Any,  # noqa: ARG002 - SB3's signature
        indices: VecEnvIndices = None,  # noqa: ARG002 - SB3's signature
    ) -> None:
        """Refuse: the games share one set of parameters."""
        raise AttributeError(f"{attr_name}: the games' parameters are fixed when they are made")

    def env_is_wrapped(
        self,
        wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]],
        indices: VecEnvIndices = None,
    ) -> list[bool]:
        """Whether each game is wrapped: as good as in a Monitor, whose infos it gives."""
        from stable_baselines3.common.monitor import Monitor

        return [wrapper_class is Monitor for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[npt.NDArray[Any] | None]:
        """There are no pictures."""
        return [None] * self.num_envs
