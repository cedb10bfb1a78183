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
from monopoly_training.sb3.external_opponents import ExternalOpponents, RivalSeats
from monopoly_training.sb3.step_result import StepResult

MASKS = "action_masks"


class MonopolyVecEnv(VecEnv):
    """``num_envs`` games with one learner each, for MaskablePPO and everything else of SB3.

    Parameters are those of :class:`monopoly_env.envs.vector.VectorEnv`, except that a truncated
    game pays nothing unless the reward says otherwise: SB3 estimates what would have come, and to
    be paid for the standings as well would count them twice.

    ``clock`` is what time passes by, for the discount: ``decisions`` of the learner, or ``rounds``,
    one each time the turn has gone round the table; :meth:`elapsed` tells it to a rollout buffer.
    Shaping discounts by the same clock.

    ``outside``: beside the bots of the pool, opponents are drawn who decide outside the compiled
    loop; :meth:`invite` says who they are.

    ``infos`` are empty until a game ends; then they have ``terminal_observation``,
    ``TimeLimit.truncated``, ``episode`` (``r``, ``l``, ``t``) and how the game went: ``rank``,
    ``win``, ``seat``, ``turns``, ``decisions``, ``seed``.
    """

    def __init__(
        self,
        num_envs: int,
        *,
        reward: Any = "win",
        clock: str = "decisions",
        outside: bool = False,
        **parameters: Any,
    ) -> None:
        given = make_reward(reward)
        said = isinstance(reward, Reward) or (
            isinstance(reward, Mapping) and "truncation" in reward
        )
        if not said:
            given = replace(given, truncation="bootstrap")
        self._bootstraps = given.truncation == "bootstrap"
        self._by_rounds = clock == "rounds"
        self._gamma = given.gamma  # a round
        if self._by_rounds:
            given = replace(given, gamma=1.0)  # discounted here, when the time passed is known
        self.games = VectorEnv(num_envs, reward=given, **parameters)
        if outside:
            self.games.batch.add_external_opponent()
        self.rivals: RivalSeats | None = None
        self._elapsed = np.ones(num_envs, np.int64)
        self.seconds = 0.0  # spent stepping; whoever measures sets it to 0
        self._actions: npt.NDArray[Any] = np.zeros(num_envs, np.int64)
        self._no_infos: list[dict[str, Any]] = [{} for _ in range(num_envs)]
        self._began = time.perf_counter()
        super().__init__(
            num_envs, self.games.single_observation_space, self.games.single_action_space
        )

    def invite(self, rivals: ExternalOpponents) -> None:
        """Who decides for the seats that are outside the compiled loop."""
        self.rivals = RivalSeats(self.games.batch, rivals)

    # Stepping

    def reset(self) -> VecEnvObs:
        """Begin new games, from the seed of :meth:`seed` if there is one."""
        seeds = None if self._seeds[0] is None else np.array(self._seeds, np.int64)
        observations, _ = self.games.reset(seed=seeds, options=self._options[0])
        self._reset_seeds()
        self._reset_options()
        StepResult(self.games).let_rivals_play(self.rivals)
        return observations

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seeds for the next reset, one a game, all from one."""
        first = secrets.randbits(32) if seed is None else check_seed(seed)
        seeds = spread_seed(first, self.num_envs)
        self._seeds = list[int | None](seeds.tolist())
        return self._seeds

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Take the actions; :meth:`step_wait` plays them."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play the actions, all games in one call, up to the learner's next decisions."""
        began = time.perf_counter()
        batch = self.games.batch
        rounds = batch.games["rounds"].copy()
        before = batch.potentials()
        self.games.advance(self._actions)
        step = StepResult(self.games)
        step.let_rivals_play(self.rivals)
        dones = step.over | step.cut
        if self._by_rounds:
            passed = batch.games["rounds"] - rounds
            self._elapsed = np.where(dones, 1, passed)  # a game cut short: its next turn
            self._discount(step, before)
        told = list(self._no_infos)
        for index in np.flatnonzero(dones).tolist():
            told[index] = self._told(step, index)
        self.seconds += time.perf_counter() - began
        return self.games.observations, step.rewards, dones, told

    def elapsed(self) -> npt.NDArray[np.int64]:
        """How much time the last step of each game took, int64[num_envs]."""
        return self._elapsed

    def _discount(self, step: StepResult, before: npt.NDArray[np.float64]) -> None:
        """Make shaping of ``now - before`` into ``gamma ** elapsed * now - before``."""
        now = np.where(step.over, 0.0, self.games.batch.potentials())
        if self._bootstraps:  # then nothing but shaping is paid where a limit ends a game
            now = np.where(step.cut, step.rewards + before, now)
        else:
            now = np.where(step.cut, 0.0, now)
        step.rewards += ((self._gamma**self._elapsed - 1.0) * now).astype(np.float32)

    def _told(self, step: StepResult, index: int) -> dict[str, Any]:
        """What the infos of an ended game say."""
        final = step.facts[index]
        return {
            "terminal_observation": step.last_seen[index],
            "TimeLimit.truncated": bool(step.cut[index]) and self._bootstraps,
            "episode": {
                "r": float(final["gain"]),
                "l": int(final["steps"]),
                "t": round(time.perf_counter() - self._began, 6),
            },
            "rank": int(final["rank"]),
            "win": float(final["win"]),
            "seat": int(final["seat"]),
            "turns": int(final["turns"]),
            "decisions": int(final["decisions"]),
            "truncated": bool(final["truncated"]),
            "seed": int(final["seed"]),
            "ranks": final["ranks"],
            "line_up": final["line_up"],
        }

    @property
    def bots(self) -> list[str]:
        """The compiled bots of the games, by number."""
        return self.games.batch.bots

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
