"""What Stable-Baselines3 asks of a VecEnv beside steps: items for each game, infos, plain policies."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")
import torch
from monopoly_training.sb3.vec_env import MonopolyVecEnv
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.callbacks import EvalCallback
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecCheckNan, VecFrameStack, VecNormalize

from monopoly_env import SingleSeatEnv
from monopoly_env.errors import InputError

torch.set_num_threads(1)
SHORT = {"max_turns": 12}
N = 4
INDICES: list[Any] = [
    None,
    0,
    3,
    -1,
    [0],
    [2, 0],
    (1,),
    [],
    range(1, 3),
    np.array([0, 3]),
    np.int64(2),
]


def vec_env(**parameters: Any) -> MonopolyVecEnv:
    env = MonopolyVecEnv(N, **{"rules": SHORT, "windows": "own", "deals": "off"} | parameters)
    env.seed(1)
    env.reset()
    return env


def numbers(indices: Any) -> list[int]:
    if indices is None:
        return list(range(N))
    return [int(one) % N for one in np.atleast_1d(np.array(indices, np.int64))]


@pytest.mark.parametrize("indices", INDICES, ids=repr)
def test_one_item_for_each_game_that_is_named(indices: Any) -> None:
    env = vec_env()
    chosen = numbers(indices)
    masks = env.env_method("action_masks", indices=indices)
    assert isinstance(masks, list)
    assert [mask.tolist() for mask in masks] == env.action_masks()[chosen].tolist()
    assert env.env_method("game", indices=indices) == [env.games.game(k) for k in chosen]
    assert env.env_method("sample_actions", 3, indices=indices) == [
        env.games.sample_actions(3)[k] for k in chosen
    ]
    for name in ("num_envs", "render_mode", "metadata", "batch", "spec"):
        assert env.get_attr(name, indices) == [getattr(env.games, name)] * len(chosen)
    assert env.get_attr("game_seeds", indices) == env.games.game_seeds[chosen].tolist()
    assert env.get_attr("actors", indices) == env.games.actors[chosen].tolist()
    assert env.get_attr("action_space", indices) == [env.action_space] * len(chosen)
    assert env.get_attr("observation_space", indices) == [env.observation_space] * len(chosen)
    asked = [mask() for mask in env.get_attr("action_masks", indices)]
    assert [mask.tolist() for mask in asked] == env.action_masks()[chosen].tolist()
    assert env.env_is_wrapped(Monitor, indices) == [True] * len(chosen)
    assert env.env_is_wrapped(DummyVecEnv, indices) == [False] * len(chosen)
    with pytest.raises(AttributeError, match="fixed when they are made"):
        env.set_attr("seat", 1, indices)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("indices", [N, -N - 1, [0, N], [1.5], [True], "a", [None]], ids=repr)
def test_games_that_there_are_not_are_one_line(indices: Any) -> None:
    env = vec_env()
    for call in (
        lambda: env.env_method("action_masks", indices=indices),
        lambda: env.get_attr("actors", indices),
        lambda: env.set_attr("seat", 1, indices),
        lambda: env.env_is_wrapped(Monitor, indices),
    ):
        with pytest.raises(InputError, match=r"^indices: must be"):
            call()


def test_what_is_of_all_games_cannot_be_called_for_some() -> None:
    env = vec_env()
    for name in ("reset", "step"):
        with pytest.raises(InputError, match=f"method_name: {name} is of all games"):
            env.env_method(name, indices=[0])
    with pytest.raises(AttributeError):
        env.env_method("unheard_of")
    with pytest.raises(AttributeError):
        env.get_attr("unheard_of")
    assert not env.has_attr("unheard_of")


def test_masks_stack() -> None:
    env = vec_env()
    masks = get_action_masks(env)
    assert masks.shape == (N, env.action_space.n)
    masks[:] = False
    assert env.action_masks().any(axis=1).all()


def finals(env: MonopolyVecEnv, count: int) -> list[dict[str, Any]]:
    found = []
    for key in range(count):
        *_, infos = env.step(env.games.sample_actions(key))
        assert not any("mine" in info for info in infos)
        found += [dict(info) for info in infos if info]
        for info in infos:
            info["mine"] = key  # of the caller, and gone in the next step
        assert len({id(info) for info in infos}) == N
    return found


def test_success_is_to_win() -> None:
    env = vec_env(num_players=2)
    infos = finals(env, 150)
    assert all(isinstance(info["is_success"], bool) for info in infos)
    assert {info["is_success"] for info in infos} == {True, False}
    assert all(info["is_success"] == (info["rank"] == 1) == (info["win"] > 0) for info in infos)
    model = MaskablePPO("MlpPolicy", env, n_steps=64, policy_kwargs={"net_arch": [8]})
    model.learn(600)
    assert len(model.ep_success_buffer) > 0


def test_success_of_the_single_environment_is_seen_by_an_evaluation(tmp_path: Any) -> None:
    single = Monitor(
        SingleSeatEnv(["random"], rules=SHORT, illegal_action="random"),
        info_keywords=("is_success",),
    )
    model = PPO(
        "MlpPolicy", single, n_steps=32, batch_size=32, n_epochs=1, policy_kwargs={"net_arch": [8]}
    )
    callback = EvalCallback(
        single, eval_freq=32, n_eval_episodes=2, log_path=str(tmp_path), verbose=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.learn(32, callback=callback)
    data = np.load(tmp_path / "evaluations.npz")
    assert data["successes"].shape == (1, 2)


@pytest.mark.parametrize("way", ["random", "forfeit"])
def test_plain_policies_run_without_masks(way: str) -> None:
    env = vec_env(illegal_action=way)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for algorithm, parameters in (
            (PPO, {"n_steps": 8, "batch_size": 16, "n_epochs": 1}),
            (DQN, {"learning_starts": 4, "buffer_size": 100}),
        ):
            model = algorithm(
                "MlpPolicy", env, policy_kwargs={"net_arch": [8]}, seed=1, **parameters
            )
            model.learn(40)
            mean, _ = evaluate_policy(model, env, n_eval_episodes=N)
            assert -1 <= mean <= 1


def test_nothing_warns_of_arrays_and_sb3s_wrappers_go() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = MaskablePPO("MlpPolicy", vec_env(), n_steps=16, policy_kwargs={"net_arch": [8]})
        model.learn(64)
        for wrapper in (VecNormalize, VecCheckNan, lambda env: VecFrameStack(env, 2)):
            env = wrapper(vec_env())
            env.reset()
            for key in range(20):
                seen, *_ = env.step(env.unwrapped.games.sample_actions(key))
                seen *= 0.5


@pytest.mark.promise("isolation")
@pytest.mark.parametrize("observation", ["flat", "dict"])
@pytest.mark.parametrize("copied", [True, False])
def test_a_caller_cannot_spoil_the_games(observation: str, copied: bool) -> None:
    env = vec_env(observation=observation, copy=copied)
    twin = vec_env(observation=observation)
    for key in range(60):
        seen, rewards, dones, infos = env.step(twin.games.sample_actions(key))
        expected, *_ = twin.step(twin.games.sample_actions(key))
        for name in expected if observation == "dict" else ("flat",):
            one, other = (seen[name], expected[name]) if name != "flat" else (seen, expected)
            np.testing.assert_array_equal(one, other)
            assert one.flags.writeable == copied
            if copied:
                one[:] = 7
        for index in np.flatnonzero(dones).tolist():
            last = infos[index]["terminal_observation"]
            assert env.observation_space.contains(last)
        rewards[:] = 7
    assert env.games.game(0) == twin.games.game(0)


def test_it_is_always_the_same_step() -> None:
    with pytest.raises(InputError, match="autoreset_mode: must be SameStep"):
        MonopolyVecEnv(2, autoreset_mode="NextStep")
    MonopolyVecEnv(2, autoreset_mode="same_step")


def test_options_are_one_mapping_or_equal_ones() -> None:
    env = vec_env()
    position = {"players": 4, "A": {"cash": 77_777}}
    env.set_options([{"position": position}] * N)
    env.reset()
    assert all(env.games.game(k).state["cash"].max() > 70_000 for k in range(N))
    for bad in ([{}], [{}] * 3 + [{"position": position}], 5, "position", [5] * N):
        with pytest.raises(InputError, match=r"^options: must be"):
            env.set_options(bad)  # type: ignore[arg-type]  # that is what is tried
