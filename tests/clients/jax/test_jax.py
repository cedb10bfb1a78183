"""JAX on the vector environment: memory that is shared, masks, a policy that learns to win."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax")

import jax
import jax.numpy as jnp

from monopoly_env import VectorEnv
from tests.clients.jax import ppo
from tests.cpu_time import three_minutes_of_two_cores


@pytest.mark.parametrize("dtype", ["int8", "bool", "float32"])
@pytest.mark.parametrize("narrow", [False, True])
def test_arrays_are_taken_without_a_copy(narrow: bool, dtype: str) -> None:
    envs = VectorEnv(5, preset="basic", narrow=narrow, mask_dtype=dtype)
    observations, infos = envs.reset(seed=1)
    for key in range(5):
        for array in (observations, infos["action_mask"], envs.action_masks()):
            for taken in (ppo.on_device(array), jax.device_put(array)):
                assert taken.unsafe_buffer_pointer() == array.ctypes.data
                assert (taken.shape, taken.dtype) == (array.shape, array.dtype)
                np.testing.assert_array_equal(taken, array)
        observations, _, _, _, infos = envs.step(envs.sample_actions(key))


def test_read_only_views_are_refused_rather_than_changed_later() -> None:
    """What the page says of ``copy=False``."""
    envs = VectorEnv(5, preset="basic", copy=False)
    observations, _ = envs.reset(seed=1)
    with pytest.raises(BufferError, match="readonly"):
        ppo.on_device(observations)
    np.testing.assert_array_equal(jnp.array(observations), observations)  # copies


def test_what_jax_has_taken_stays_as_it_was() -> None:
    """With ``copy=True`` every step gives arrays of its own."""
    envs = ppo.make_envs(4)
    observations, _ = envs.reset(seed=1)
    taken, kept = [], []
    for key in range(50):
        taken.append(ppo.on_device(observations))
        kept.append(observations.copy())
        observations, *_ = envs.step(envs.sample_actions(key))
    for one, other in zip(taken, kept, strict=True):
        np.testing.assert_array_equal(one, other)


def test_its_masked_policy_only_takes_legal_actions() -> None:
    envs = ppo.make_envs(16, rules={"max_turns": 10})
    parameters = ppo.make_parameters(envs, jax.random.key(0))
    observations, infos = envs.reset(seed=1)
    for key in range(100):  # an illegal action would raise
        masks = ppo.on_device(infos["action_mask"])
        step = ppo.act(parameters, jax.random.key(key), ppo.on_device(observations), masks)
        observations, _, _, _, infos = envs.step(np.asarray(step.actions))


def test_it_gets_better_within_a_few_updates() -> None:
    won: list[float] = []
    ppo.train(ppo.make_envs(), 20 * 8192, report=won.append)
    assert np.nanmean(won[-5:]) > 0.4  # one game in four, before


@pytest.mark.learning
@pytest.mark.slow
def test_ppo_wins_four_games_of_five_against_random_bots() -> None:
    won: list[float] = []
    with three_minutes_of_two_cores():
        ppo.train(ppo.make_envs(), 400_000, report=won.append)
    assert np.nanmean(won[-6:]) >= 0.8
