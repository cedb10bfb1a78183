"""Discounts by the game's clock, against SB3's buffer and against the definition."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from gymnasium import spaces
from monopoly_training.ppo.rollout_buffer import ClockBuffer
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer

GAMMA, LAMBDA = 0.9, 0.8
STEPS, ENVS = 12, 3
SPACES = (spaces.Box(-1, 1, (2,)), spaces.Discrete(4))


def fill(buffer, seed=0):
    """Random rewards and values, an episode that ends in between; what follows the last step."""
    rng = np.random.default_rng(seed)
    starts = np.zeros((STEPS + 1, ENVS))
    starts[5, 1] = 1
    for step in range(STEPS):
        buffer.add(
            rng.random((ENVS, 2)),
            np.zeros((ENVS, 1)),
            rng.random(ENVS),
            starts[step],
            torch.as_tensor(rng.random((ENVS, 1))),
            torch.zeros(ENVS),
            action_masks=np.ones((ENVS, 4)),
        )
    last = torch.as_tensor(rng.random((ENVS, 1)))
    buffer.compute_returns_and_advantage(last, starts[STEPS])
    return starts, last.numpy().flatten()


def clock_buffer(clock):
    return ClockBuffer(
        STEPS, *SPACES, "cpu", gamma=GAMMA, gae_lambda=LAMBDA, n_envs=ENVS, clock=clock
    )


def test_with_one_round_a_decision_it_is_sb3s_buffer():
    ours = clock_buffer(lambda: np.ones(ENVS, np.int64))
    theirs = MaskableRolloutBuffer(
        STEPS, *SPACES, "cpu", gamma=GAMMA, gae_lambda=LAMBDA, n_envs=ENVS
    )
    ours.reset()
    fill(ours)
    fill(theirs)
    np.testing.assert_allclose(ours.advantages, theirs.advantages, rtol=1e-5)
    np.testing.assert_allclose(ours.returns, theirs.returns, rtol=1e-5)


def naive_advantage(buffer, starts, last, step, env):
    """The sum of the deltas to come, each by its own discount: the definition, not a recursion."""
    total, weight = 0.0, 1.0
    for k in range(step, STEPS):
        ends = starts[k + 1, env] == 1
        after = 0.0 if ends else (buffer.values[k + 1, env] if k + 1 < STEPS else last[env])
        rounds = int(buffer.elapsed[k, env])
        total += weight * (buffer.rewards[k, env] + GAMMA**rounds * after - buffer.values[k, env])
        weight *= (GAMMA * LAMBDA) ** rounds
        if ends:
            break
    return total


def test_time_passes_by_rounds_for_gamma_and_for_lambda():
    rng = np.random.default_rng(1)
    buffer = clock_buffer(lambda: rng.integers(0, 3, ENVS))
    buffer.reset()
    starts, last = fill(buffer)
    assert set(buffer.elapsed.flat) == {0, 1, 2}
    for step in range(STEPS):
        for env in range(ENVS):
            expected = naive_advantage(buffer, starts, last, step, env)
            assert buffer.advantages[step, env] == pytest.approx(expected, rel=1e-5)


def test_minibatches_have_the_reference_log_probs_of_their_decisions():
    buffer = clock_buffer(lambda: np.ones(ENVS, np.int64))
    buffer.reset()
    fill(buffer)
    buffer.add_reference_log_probs(lambda observations, masks: observations[:, :1] * masks)
    for minibatch in buffer.get(7):
        np.testing.assert_allclose(
            minibatch.reference_log_probs, minibatch.observations[:, :1].expand(-1, 4)
        )


def test_minibatches_are_those_of_sb3s_buffer():
    ours = clock_buffer(lambda: np.ones(ENVS, np.int64))
    theirs = MaskableRolloutBuffer(STEPS, *SPACES, "cpu", n_envs=ENVS)
    batches = []
    for buffer in (ours, theirs):
        buffer.reset()
        fill(buffer)
        np.random.seed(0)  # noqa: NPY002 - both draw from it
        batches.append(list(buffer.get(7)) + list(buffer.get()))
    assert len(batches[0]) == len(batches[1])
    for mine, other in zip(*batches, strict=True):
        for name in ("observations", "actions", "old_values", "old_log_prob"):
            torch.testing.assert_close(getattr(mine, name), getattr(other, name))
        assert mine.action_masks.bool().equal(other.action_masks.bool())
