"""PPO with a KL penalty: without one it is SB3's, with one it stays near the reference policy."""

from __future__ import annotations

import copy

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.factory import make_env, make_learner
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import CallbackList
from stable_baselines3.common.logger import Logger


def started(*changes):
    """A learner whose games have begun."""
    config = load_train_config("small", ["ppo.learning_rate=0.01", "ppo.epochs=2", *changes])
    learner = make_learner(config, make_env(config))
    learner.set_logger(Logger(None, []))
    learner.start()
    return learner


def collect(learner):
    """Fill the rollout buffer."""
    callback = CallbackList([])
    callback.init_callback(learner)
    learner.collect_rollouts(learner.env, callback, learner.rollout_buffer, learner.n_steps)


def divergence(learner, before):
    """The mean KL divergence of the policy from another, over the rollout buffer."""
    buffer = learner.rollout_buffer
    obs = torch.as_tensor(buffer.observations.reshape(-1, buffer.observations.shape[-1]))
    masks = buffer.action_masks.reshape(len(obs), -1)
    with torch.no_grad():
        now, then = (p.log_probs(obs, masks)[0] for p in (learner.policy, before))
    return float((now.exp() * (now - then)).sum(dim=1).mean())


@pytest.mark.parametrize(
    "settings", [{}, {"normalize_advantage": False}, {"clip_range_vf": lambda _: 0.01}]
)
def test_without_a_penalty_the_update_is_sb3s(settings):
    learner = started("ppo.entropy=0.01")
    for name, value in settings.items():
        setattr(learner, name, value)
    collect(learner)
    before = copy.deepcopy(learner.policy.state_dict())
    np.random.seed(0)  # noqa: NPY002 - SB3 draws its batches from it
    learner.train()
    ours = copy.deepcopy(learner.policy.state_dict())
    learner.policy.load_state_dict(before)
    learner.policy.optimizer.state.clear()
    np.random.seed(0)  # noqa: NPY002
    MaskablePPO.train(learner)
    for name, weight in learner.policy.state_dict().items():
        torch.testing.assert_close(weight, ours[name], rtol=1e-3, atol=1e-5)


def test_a_minibatch_of_one_decision_is_learned_from():
    """The last one of an update may be; one advantage has no standard deviation."""
    one = torch.ones(1)
    loss, _ = started()._policy_loss(one, 2 * one)
    assert loss.item() == -2


def test_a_penalty_keeps_the_policy_near_the_reference():
    distances = []
    for weight in (0.0, 50.0):
        learner = started(f"kl_penalty.weight={weight}", "kl_penalty.until=1.0")
        learner.freeze_reference()
        before = copy.deepcopy(learner.policy)
        for _ in range(3):
            collect(learner)
            learner.train()
        distances.append(divergence(learner, before))
    assert 0 < distances[1] < distances[0] / 3


def test_the_coefficient_falls_in_a_line_to_nothing():
    learner = started("kl_penalty.weight=0.8", "kl_penalty.until=0.5")
    assert learner.kl_coefficient == 0.0  # there is no reference policy yet
    learner.freeze_reference()
    for remaining, coefficient in ((1.0, 0.8), (0.75, 0.4), (0.5, 0.0), (0.1, 0.0)):
        learner.progress_remaining = remaining
        assert learner.kl_coefficient == pytest.approx(coefficient)


def test_the_reference_policy_does_not_learn():
    learner = started("kl_penalty.weight=0.5")
    learner.freeze_reference()
    before = copy.deepcopy(learner.reference_policy.state_dict())
    collect(learner)
    learner.train()
    for name, weight in learner.reference_policy.state_dict().items():
        assert torch.equal(weight, before[name])


def test_an_update_ends_early_where_the_policy_has_moved_too_far():
    learner = started("ppo.target_kl=0.000001", "ppo.epochs=50")
    collect(learner)
    learner.train()
    assert learner.n_updates < 50


def test_the_learning_rate_falls_with_the_progress_that_remains():
    learner = started("ppo.anneal=true")
    collect(learner)
    learner.progress_remaining = 0.25
    learner.train()
    assert learner.policy.optimizer.param_groups[0]["lr"] == pytest.approx(0.0025)
