"""The suites of PettingZoo and Gymnasium, their wrappers and SuperSuit's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

pytest.importorskip("supersuit")

import supersuit as ss
from gymnasium import wrappers as single
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import vector
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    performance_benchmark,
    seed_test,
)
from pettingzoo.test.state_test import test_state as state_test
from pettingzoo.test.state_test import test_state_space as state_space_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from monopoly_env import VectorEnv, monopoly_v0
from tests.clients.farama import wrappers

pytestmark = pytest.mark.filterwarnings("ignore")  # these suites wonder about dictionaries
SHORT = {"max_turns": 30}
NAME = "monopoly_env/Monopoly-v0"


def agents(**options: Any) -> Any:
    return monopoly_v0.raw_env(preset="basic", narrow=True, rules=SHORT, **options)


def parallel(**options: Any) -> Any:
    return turn_based_aec_to_parallel(
        monopoly_v0.env(preset="basic", rules=SHORT, elimination="end", **options)
    )


def test_pettingzoos_suites_pass() -> None:
    api_test(monopoly_v0.env(), num_cycles=500)
    api_test(agents(observation="flat"), num_cycles=500)
    seed_test(monopoly_v0.env, num_cycles=100)
    state_space_test(monopoly_v0.env())
    state_test(monopoly_v0.env(), num_cycles=50)


def test_pettingzoos_suites_for_parallel_environments_pass_after_its_conversion() -> None:
    parallel_api_test(parallel(), num_cycles=200)
    parallel_seed_test(parallel)


def test_pettingzoos_benchmark_runs(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(monopoly_v0.env(illegal_action="random"))
    assert "turns per second" in capsys.readouterr().out.lower()


WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "dtype": lambda env: ss.dtype_v0(env, np.float64),
    "flatten": ss.flatten_v0,
    "reshape": lambda env: ss.reshape_v0(env, (1, 622)),
    "frame_stack": lambda env: ss.frame_stack_v2(env, 3),
    "normalize_obs": ss.normalize_obs_v0,
    "clip_reward": ss.clip_reward_v0,
    "reward_lambda": lambda env: ss.reward_lambda_v0(env, lambda reward: 2 * reward),
    "delay_observations": lambda env: ss.delay_observations_v0(env, 2),
    "pad_observations": ss.pad_observations_v0,
    "pad_action_space": ss.pad_action_space_v0,
    "max_observation": lambda env: ss.max_observation_v0(env, 2),
    "observation_lambda": lambda env: ss.observation_lambda_v0(env, lambda seen, _: seen / 2),
    "nan_noop": lambda env: ss.nan_noop_v0(env, 0),
    "nan_zeros": ss.nan_zeros_v0,
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_a_wrapper_of_supersuit_plays_a_game(name: str) -> None:
    env = WRAPPERS[name](agents(observation="flat"))
    assert set(wrappers.play(env)) == {f"player_{seat}" for seat in range(4)}


def test_the_example_plays() -> None:
    paid = wrappers.play(wrappers.make_env(rules=SHORT))
    assert max(paid.values()) <= 100
    assert any(paid.values())


def test_gymnasiums_checker_passes() -> None:
    for observation in ("flat", "dict"):
        env = gymnasium.make(NAME, illegal_action="random", observation=observation)
        check_env(env.unwrapped, skip_render_check=True)


ONE_SEAT: dict[str, Callable[[Any], Any]] = {
    "RecordEpisodeStatistics": single.RecordEpisodeStatistics,
    "TimeLimit": lambda env: single.TimeLimit(env, 20),
    "NormalizeObservation": single.NormalizeObservation,
    "NormalizeReward": single.NormalizeReward,
    "FrameStackObservation": lambda env: single.FrameStackObservation(env, 2),
    "ClipReward": lambda env: single.ClipReward(env, -1, 1),
    "DtypeObservation": lambda env: single.DtypeObservation(env, np.float16),
}


@pytest.mark.parametrize("name", ONE_SEAT)
def test_a_wrapper_of_gymnasium_plays_games_with_masks(name: str) -> None:
    env = ONE_SEAT[name](gymnasium.make(NAME, preset="basic", narrow=True, rules=SHORT))
    for seed in range(2):
        _, info = env.reset(seed=seed)
        steps, over = 0, False
        while not over:
            masks = env.get_wrapper_attr("action_masks")()
            np.testing.assert_array_equal(masks, info["action_mask"] != 0)
            seen, _, terminated, truncated, info = env.step(np.flatnonzero(masks)[0])
            assert seen.shape == env.observation_space.shape
            steps, over = steps + 1, terminated or truncated
        assert name != "TimeLimit" or steps <= 20
        assert name != "RecordEpisodeStatistics" or info["episode"]["l"] == steps


@pytest.mark.parametrize("mode", ["NextStep", "Disabled"])
def test_episode_statistics_are_those_of_the_games(mode: str) -> None:
    envs = VectorEnv(4, preset="basic", narrow=True, rules=SHORT, autoreset_mode=mode)
    wrapped = vector.RecordEpisodeStatistics(envs)
    wrapped.reset(seed=1)
    ended = 0
    for key in range(300):
        _, _, terminated, truncated, infos = wrapped.step(envs.sample_actions(key).clip(0))
        done = terminated | truncated
        if done.any():
            ended += int(done.sum())
            gains = infos.get("final_info", infos)["gain"]
            np.testing.assert_allclose(infos["episode"]["r"][done], gains[done], atol=1e-4)
        if mode == "Disabled" and done.any():
            wrapped.reset(options={"reset_mask": done})
    assert ended > 4
