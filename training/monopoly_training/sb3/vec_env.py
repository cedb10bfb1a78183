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
from monopoly_env.envs.game_batch import spread_seed
from monopoly_env.envs.vector import VectorEnv
from monopoly_env.seeds import check_seed
from monopoly_training.sb3.external_opponents import ExternalOpponents, ExternalSeats
from monopoly_training.sb3.step_result import StepResult

MASKS = "action_masks"


class MonopolyVecEnv(VecEnv):
    """``num_envs`` games with one learner each, for MaskablePPO and everything else of SB3.

    Parameters are those of :class:`monopoly_env.envs.vector.VectorEnv`, except that a truncated
    game pays nothing unless the reward says otherwise: SB3 estimates what would have come, and to
    be paid for the standings as well would count them twice.

    ``clock`` is what time passes by, for the discount: ``decisions`` of the learner, or ``rounds``,
    one each time the turn has gone round the table; :meth:`elapsed` tells a rollout buffer. Shaping
    discounts by the same clock.

    ``external``: beside the bots of the pool, opponents are drawn who decide outside the compiled
    loop; :meth:`set_external_opponents` says who they are.

    ``infos`` are empty until a game ends; then they have ``terminal_observation``,
    ``TimeLimit.truncated``, ``episode`` (``r``, ``l``, ``t``) and how the game went: ``rank``,
    ``win``, ``seat``, ``turns``, ``decisions``, ``truncated``, ``seed``, and by seat ``ranks`` and
    ``line_up``, numbers of :attr:`bots`.
    """

    def __init__(
        self,
        num_envs: int,
        *,
        reward: Any = "win",
        clock: str = "decisions",
        external: bool = False,
        **parameters: Any,
    ) -> None:
        shaped = make_reward(reward)
        says_truncation = isinstance(reward, Reward) or (
            isinstance(reward, Mapping) and "truncation" in reward
        )
        if not says_truncation:
            shaped = replace(shaped, truncation="bootstrap")
        self._bootstraps = shaped.truncation == "bootstrap"
        self._by_rounds = clock == "rounds"
        self._gamma = shaped.gamma  # a round
        if self._by_rounds:
            shaped = replace(shaped, gamma=1.0)  # discounted here, when the time passed is known
        self.games = VectorEnv(num_envs, reward=shaped, **parameters)
        if external:
            self.games.batch.add_external_opponent()
        self._external_seats: ExternalSeats | None = None
        self._next_seeds: npt.NDArray[np.int64] | None = None  # of the next reset
        self._next_options: dict[str, Any] = {}
        self._elapsed = np.ones(num_envs, np.int64)
        self.seconds = 0.0  # spent stepping; whoever measures sets it to 0
        self._actions: npt.NDArray[Any] = np.zeros(num_envs, np.int64)
        self._no_infos: list[dict[str, Any]] = [{} for _ in range(num_envs)]
        self._made_at = time.perf_counter()
        super().__init__(
            num_envs, self.games.single_observation_space, self.games.single_action_space
        )

    def set_external_opponents(self, opponents: ExternalOpponents) -> None:
        """Let these decide for the external seats."""
        self._external_seats = ExternalSeats(self.games.batch, opponents)

    # Stepping

    def reset(self) -> VecEnvObs:
        """Begin new games, by what :meth:`seed` and :meth:`set_options` said since the last time."""
        seeds, options = self._next_seeds, self._next_options
        self._next_seeds, self._next_options = None, {}
        self.games.reset(seed=seeds, options=options)
        StepResult(self.games).play_external_seats(self._external_seats)
        return self.games.observations

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seeds of the next reset, one a game, all from one; they are returned."""
        first = secrets.randbits(32) if seed is None else check_seed(seed)
        self._next_seeds = spread_seed(first, self.num_envs)
        return list[int | None](self._next_seeds.tolist())

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Set the options of the next reset: one set for all games; of a list, the first."""
        self._next_options = dict((options[0] if isinstance(options, list) else options) or {})

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Take the actions; :meth:`step_wait` plays them."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play the actions, all games in one call, up to the learner's next decisions."""
        began = time.perf_counter()
        batch = self.games.batch
        rounds = batch.games["rounds"].copy()
        potentials = batch.potentials()
        self.games.advance(self._actions)
        step = StepResult(self.games)
        step.play_external_seats(self._external_seats)
        dones = step.dones
        if self._by_rounds:
            passed = batch.games["rounds"] - rounds
            self._elapsed = np.where(dones, 1, passed)  # a truncated game: its next turn
            self._discount_shaping(step, potentials)
        infos = list(self._no_infos)
        for index in np.flatnonzero(dones).tolist():
            infos[index] = self._final_info(step, index)
        self.seconds += time.perf_counter() - began
        return self.games.observations, step.rewards, dones, infos

    def elapsed(self) -> npt.NDArray[np.int64]:
        """How much time the last step of each game took, int64[num_envs]."""
        return self._elapsed

    def _discount_shaping(self, step: StepResult, before: npt.NDArray[np.float64]) -> None:
        """Make shaping of ``now - before`` into ``gamma ** elapsed * now - before``."""
        now = np.where(step.terminated, 0.0, self.games.batch.potentials())
        if self._bootstraps:  # then nothing but shaping is paid where a limit ends a game
            now = np.where(step.truncated, step.rewards + before, now)
        else:
            now = np.where(step.truncated, 0.0, now)
        step.rewards += ((self._gamma**self._elapsed - 1.0) * now).astype(np.float32)

    def _final_info(self, step: StepResult, index: int) -> dict[str, Any]:
        """The infos of a game that ended."""
        result = step.results[index]
        return {
            "terminal_observation": step.final_observations[index],
            "TimeLimit.truncated": bool(step.truncated[index]) and self._bootstraps,
            "episode": {
                "r": float(result["gain"]),
                "l": int(result["steps"]),
                "t": round(time.perf_counter() - self._made_at, 6),
            },
            "rank": int(result["rank"]),
            "win": float(result["win"]),
            "seat": int(result["seat"]),
            "turns": int(result["turns"]),
            "decisions": int(result["decisions"]),
            "truncated": bool(result["truncated"]),
            "seed": int(result["seed"]),
            "ranks": result["ranks"],
            "line_up": result["line_up"],
        }

    @property
    def bots(self) -> list[str]:
        """The compiled bots of the games, by number."""
        return self.games.batch.bots

    def close(self) -> None:
        """End the threads that step the games."""
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
            return [masks] if indices is None else [masks[i] for i in self._indices(indices)]
        method = getattr(self.games, method_name)
        chosen: Iterable[int] = self._indices(indices)
        return [method(index, *method_args, **method_kwargs) for index in chosen]

    def _indices(self, indices: VecEnvIndices) -> Iterable[int]:
        """The numbers of the games that SB3 names: all, one or some."""
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else indices

    def has_attr(self, attr_name: str) -> bool:
        """Whether the games have an attribute; they have masks."""
        return attr_name == MASKS or hasattr(self.games, attr_name)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute, the same for every game."""
        value = getattr(self, attr_name) if attr_name == MASKS else getattr(self.games, attr_name)
        return [value for _ in self._indices(indices)]

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

        return [wrapper_class is Monitor for _ in self._indices(indices)]

    def get_images(self) -> Sequence[npt.NDArray[Any] | None]:
        """There are no pictures."""
        return [None] * self.num_envs
