"""A Stable-Baselines3 VecEnv on top of the compiled vector environment."""

from __future__ import annotations

import copy
import secrets
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Self

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvObs, VecEnvStepReturn

from monopoly_env.engine.state import Int64s
from monopoly_env.envs.autoreset import AutoresetMode, check_autoreset_mode
from monopoly_env.envs.checks import (
    check_flag,
    check_options,
    check_whole,
    check_word,
    fail,
    items_of,
)
from monopoly_env.envs.game_batch import spread_seed
from monopoly_env.envs.presets import bootstrapped
from monopoly_env.envs.vector import MOST_ENVS, VectorEnv
from monopoly_env.errors import show
from monopoly_env.game import Game
from monopoly_env.integers import as_array, as_int
from monopoly_env.seeds import check_seed
from monopoly_training.sb3.external_opponents import ExternalOpponents, ExternalSeats
from monopoly_training.sb3.step_result import StepResult

MASKS = "action_masks"
CLOCKS = ("decisions", "rounds")
# Attributes and methods of VectorEnv with one value per game,
BY_GAME = ("actors", "game_seeds", "get_games", "render", "sample_actions")
# and methods that act on all games at once.
OF_ALL_GAMES = ("reset", "step", "advance", "advance_rows", "load_state_arrays", "set_games")
OF_A_GAME = ("game", "clone_state")  # methods whose first argument is a game's number
# spaces of a single game; VectorEnv's own are batched
SPACES = ("observation_space", "action_space")


class MonopolyVecEnv(VecEnv):
    """A VecEnv with ``num_envs`` games and one learner each, for MaskablePPO and the rest of SB3.

    The parameters are those of :class:`monopoly_env.envs.vector.VectorEnv`, with two differences:
    finished games always restart in the same step, as SB3 expects, and a truncated game pays
    nothing unless the reward says otherwise, because SB3 bootstraps from its value estimate.

    ``copy=False``: observations and masks are read-only views that later steps overwrite. SB3's
    buffers copy what they keep, but torch warns about read-only arrays.

    ``clock`` is the time unit for discounting: ``decisions`` of the learner, or ``rounds`` of the
    game; :meth:`elapsed` returns it for a rollout buffer. Shaping uses the same clock.

    ``external``: opponents may also be drawn who decide outside the compiled loop; set them with
    :meth:`set_external_opponents`.

    ``infos`` are empty until a game ends; then they contain ``terminal_observation``,
    ``TimeLimit.truncated``, ``episode`` (``r``, ``l``, ``t``) and the results: ``rank``,
    ``win``, ``is_success`` (first place, shared or not), ``seat``, ``turns``, ``decisions``,
    ``truncated``, ``seed``, and by seat ``ranks`` and ``line_up``, numbers of :attr:`bots`.

    >>> games = MonopolyVecEnv(8, preset="basic")
    >>> _ = games.seed(7)
    >>> observations = games.reset()
    >>> observations.shape, games.action_masks().shape
    ((8, 1365), (8, 342))
    >>> observations, rewards, dones, infos = games.step(games.action_masks().argmax(axis=1))
    >>> rewards.shape, str(rewards.dtype), bool(dones.any()), infos[0]
    ((8,), 'float32', False, {})
    """

    def __init__(
        self,
        num_envs: int,
        *,
        reward: Any = None,
        clock: str = "decisions",
        external: bool = False,
        copy: bool = True,
        **parameters: Any,
    ) -> None:
        mode = check_autoreset_mode(parameters.pop("autoreset_mode", AutoresetMode.SAME_STEP))
        if mode != AutoresetMode.SAME_STEP:
            fail("autoreset_mode", "must be SameStep for Stable-Baselines3; leave it out")
        num_envs = check_whole("num_envs", num_envs, 1, MOST_ENVS)
        self._copy = check_flag("copy", copy)
        check_word("clock", clock, CLOCKS)
        external = check_flag("external", external)
        shaped = bootstrapped(reward, parameters.get("preset", "full"))
        self._bootstraps = shaped.truncation == "bootstrap"
        self._by_rounds = clock == "rounds"
        self._gamma = shaped.gamma  # per round
        if self._by_rounds:
            # the discount is applied later, when the elapsed time is known
            shaped = replace(shaped, gamma=1.0)
        self.games = VectorEnv(num_envs, reward=shaped, copy=False, **parameters)
        if external:
            self.games.batch.add_external_opponent()
        self._external_seats: ExternalSeats | None = None
        self._next_seeds: npt.NDArray[np.int64] | None = None  # seeds for the next reset
        self._next_options: dict[str, Any] = {}
        self._elapsed = np.ones(num_envs, np.int64)
        self.seconds = 0.0  # spent stepping; reset by callers that measure it
        self._actions: npt.NDArray[Any] = np.zeros(num_envs, np.int64)
        self._made_at = time.perf_counter()
        super().__init__(
            num_envs, self.games.single_observation_space, self.games.single_action_space
        )

    def set_external_opponents(self, opponents: ExternalOpponents) -> None:
        """Set the external opponents. Raises: InputError."""
        if not callable(getattr(opponents, "decide", None)):
            fail("opponents", f"must have decide(observations, masks), not {show(opponents)}")
        self._external_seats = ExternalSeats(self.games.batch, opponents)

    # Stepping

    def reset(self) -> VecEnvObs:
        """Start new games, with the settings of :meth:`seed` and :meth:`set_options`."""
        seeds, options = self._next_seeds, self._next_options
        self._next_seeds, self._next_options = None, {}
        self.games.reset(seed=seeds, options=options)
        StepResult(self.games).play_external_seats(self._external_seats)
        return self._observations()

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seeds of the next reset, derived from one seed, and return them."""
        first = secrets.randbits(32) if seed is None else check_seed(seed)
        self._next_seeds = spread_seed(first, self.num_envs)
        return list[int | None](self._next_seeds.tolist())

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Set the options of the next reset: one set for all games, or a list of equal ones."""
        if isinstance(options, list):
            if len(options) != self.num_envs or any(one != options[0] for one in options[1:]):
                fail("options", f"must be one mapping, or {self.num_envs} equal ones")
            options = options[0]
        self._next_options = check_options(options)

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Store the actions; :meth:`step_wait` plays them."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play the actions in all games, up to the learners' next decisions."""
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
            self._elapsed = np.where(dones, 1, passed)  # after truncation: the next turn
            self._discount_shaping(step, potentials)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for index in np.flatnonzero(dones).tolist():
            infos[index] = self._final_info(step, index)
        self.seconds += time.perf_counter() - began
        return self._observations(), step.rewards, dones, infos

    def _observations(self) -> VecEnvObs:
        """Return the learners' observations, as copies if ``copy``."""
        seen = self.games.observations
        if isinstance(seen, dict):
            return {name: self._hand_out(array) for name, array in seen.items()}
        return self._hand_out(seen)

    def _hand_out(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self._copy else array

    def elapsed(self) -> npt.NDArray[np.int64]:
        """Return the time that the last step of each game took, int64[num_envs]."""
        return self._elapsed

    def _discount_shaping(self, step: StepResult, before: npt.NDArray[np.float64]) -> None:
        """Change the shaping from ``now - before`` to ``gamma ** elapsed * now - before``."""
        now = np.where(step.terminated, 0.0, self.games.batch.potentials())
        if self._bootstraps:  # then the reward of a truncated game is shaping only
            now = np.where(step.truncated, step.rewards + before, now)
        else:
            now = np.where(step.truncated, 0.0, now)
        step.rewards += ((self._gamma**self._elapsed - 1.0) * now).astype(np.float32)

    def _final_info(self, step: StepResult, index: int) -> dict[str, Any]:
        """Return the info of a finished game."""
        result = step.results[index]
        return {
            "terminal_observation": self._final_observation(step, index),
            "TimeLimit.truncated": bool(step.truncated[index]) and self._bootstraps,
            "episode": {
                "r": float(result["gain"]),
                "l": int(result["steps"]),
                "t": round(time.perf_counter() - self._made_at, 6),
            },
            "rank": int(result["rank"]),
            "win": float(result["win"]),
            "is_success": bool(result["rank"] == 1),
            "seat": int(result["seat"]),
            "turns": int(result["turns"]),
            "decisions": int(result["decisions"]),
            "truncated": bool(result["truncated"]),
            "seed": int(result["seed"]),
            "ranks": result["ranks"],
            "line_up": result["line_up"],
        }

    def _final_observation(self, step: StepResult, index: int) -> Any:
        """Return a game's last observation in the form of the observation space."""
        seen = step.final_observations[index]
        if isinstance(self.observation_space, spaces.Dict):
            mask = self.observation_space["action_mask"]
            return {"observation": seen, "action_mask": np.zeros(mask.shape, mask.dtype)}
        return seen

    @property
    def columns(self) -> Int64s | None:
        """Columns of the full observation that are kept with ``narrow``; otherwise None."""
        return self.games.columns

    @property
    def action_ids(self) -> Int64s | None:
        """Action ids by action number with ``narrow``; otherwise None."""
        return self.games.action_ids

    @property
    def bots(self) -> list[str]:
        """The compiled bots of the games, by number."""
        return self.games.batch.bots

    def close(self) -> None:
        """Stop the threads."""
        self.games.close()

    # Copies and saved states

    def __copy__(self) -> Self:
        """Return a deep copy, with its own games."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        age = time.perf_counter() - self._made_at  # clocks differ between processes
        return self.__dict__ | {"_made_at": age}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._made_at = time.perf_counter() - state["_made_at"]

    def clone_state(self, indices: VecEnvIndices = None) -> bytes:
        """Return the state of the games as bytes; see :meth:`VectorEnv.clone_state`."""
        return self.games.clone_state(indices)

    def restore_state(self, state: object, indices: VecEnvIndices = None) -> VecEnvObs:
        """Restore a state; see :meth:`VectorEnv.restore_state`.

        Returns the observations, as :meth:`reset` does.
        """
        self.games.restore_state(state, indices)
        return self._observations()

    def get_games(self, indices: VecEnvIndices = None) -> list[Game]:
        """Return copies of all or some games."""
        return self.games.get_games(indices)

    def set_games(
        self, games: Sequence[Game], indices: VecEnvIndices = None, *, seed: int | None = None
    ) -> VecEnvObs:
        """Start new episodes from these positions; see :meth:`VectorEnv.set_games`."""
        self.games.set_games(games, indices, seed=seed)
        StepResult(self.games).play_external_seats(self._external_seats)
        return self._observations()

    # Masks and attributes

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the action masks, bool[num_envs, n]."""
        masks: npt.NDArray[np.bool_] = self._hand_out(self.games.action_masks())
        return masks

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: VecEnvIndices = None,
        **method_kwargs: Any,
    ) -> list[Any]:
        """Call a method for some or all games; return one value per game.

        ``action_masks`` of a game is bool[n]; ``game`` is a copy of it. Other methods are called
        once on the vector environment, and batched results are split by game.
        """
        chosen = self._indices(indices)
        if method_name == MASKS:
            masks = self.action_masks()
            return list(masks) if indices is None else [masks[k] for k in chosen]
        if method_name in OF_ALL_GAMES:
            fail("method_name", f"{method_name} is of all games at once; call it on the VecEnv")
        if method_name == "restore_state":  # restore it in each of these games
            state = method_args[0] if method_args else method_kwargs["state"]
            return [self.restore_state(state, [k]) for k in chosen]
        method = getattr(self.games, method_name)
        if method_name in OF_A_GAME:
            return [method(k, *method_args, **method_kwargs) for k in chosen]
        value = method(*method_args, **method_kwargs)
        return _parts(method_name, value, chosen)

    def _indices(self, indices: VecEnvIndices) -> list[int]:
        """Normalize SB3's indices to game numbers: all, one or several.

        Negative ones count from the end.
        """
        if indices is None:
            return list(range(self.num_envs))
        one = as_int(indices)
        array = None if isinstance(indices, str | bytes) else as_array(indices)
        given = [one] if one is not None else items_of(indices if array is None else list(array))
        if given is None or isinstance(indices, str | bytes):
            fail("indices", f"must be None, a number or numbers, not {show(indices)}")
        chosen = [as_int(index) for index in given]
        for index in chosen:
            if index is None or not -self.num_envs <= index < self.num_envs:
                fail("indices", f"must be numbers below {self.num_envs}, not {show(indices)}")
        return [index % self.num_envs for index in chosen if index is not None]

    def has_attr(self, attr_name: str) -> bool:
        """Return whether the games have an attribute, including ``action_masks``."""
        return attr_name == MASKS or hasattr(self.games, attr_name)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute, one value per selected game; most attributes are shared."""
        if attr_name == MASKS:
            return [partial(self._masks_of, k) for k in self._indices(indices)]
        if attr_name == "observations":
            return [self._observations() for _ in self._indices(indices)]
        value = getattr(self if attr_name in SPACES else self.games, attr_name)
        if attr_name == "final_observations":
            value = self._hand_out(value)
        return _parts(attr_name, value, self._indices(indices))

    def _masks_of(self, index: int) -> npt.NDArray[np.bool_]:
        """Return the mask of one game, bool[n]."""
        masks: npt.NDArray[np.bool_] = self.games.action_masks()[index].copy()
        return masks

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Refuse, because the games share one set of parameters."""
        self._indices(indices)
        raise AttributeError(
            f"{attr_name}: the games' parameters are fixed when they are made; "
            f"make an environment with {attr_name}={show(value)}"
        )

    def env_is_wrapped(
        self,
        wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]],
        indices: VecEnvIndices = None,
    ) -> list[bool]:
        """Return whether each game has a wrapper; True for Monitor, whose infos are provided."""
        from stable_baselines3.common.monitor import Monitor

        return [wrapper_class is Monitor for _ in self._indices(indices)]

    def get_images(self) -> Sequence[npt.NDArray[Any] | None]:
        """Return no images; rendering is not supported."""
        return [None] * self.num_envs


def _parts(name: str, value: Any, indices: list[int]) -> list[Any]:
    """Split a value by game, if it has one entry per game."""
    if name in BY_GAME and value is not None:
        return [value[index] for index in indices]
    return [value for _ in indices]
