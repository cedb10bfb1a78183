"""Policies under SB3's interface: the numbers of sb3-contrib, and of the networks in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from gymnasium import spaces
from monopoly_training.models.card import ModelError
from monopoly_training.models.deed_layout import layout_of
from monopoly_training.models.deed_network import shapes_of
from monopoly_training.ppo.policy import DeedPolicy
from monopoly_training.sb3.masked_policy import MaskedPolicy, sample_actions
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.engine.actions import N_ACTIONS

COLUMNS, ACTIONS = np.arange(OBSERVATION_SIZE), np.arange(N_ACTIONS)
WIDTH, TRUNK = 6, 10


def test_the_masked_policy_has_the_numbers_of_sb3_contrib():
    observation_space, action_space = spaces.Box(-1, 1, (5,)), spaces.Discrete(7)
    torch.manual_seed(0)
    ours = MaskedPolicy(observation_space, action_space, lambda _: 1e-3, action_ids=range(7))
    theirs = MaskableActorCriticPolicy(observation_space, action_space, lambda _: 1e-3)
    theirs.load_state_dict(ours.state_dict())
    obs = torch.rand(64, 5)
    masks = torch.rand(64, 7) < 0.5
    masks[:, 3] = True
    actions, values, log_probs = ours(obs, action_masks=masks)
    assert masks.gather(1, actions[:, None]).all()
    result = ours.evaluate_actions(obs, actions, masks)
    expected = theirs.evaluate_actions(obs, actions, action_masks=masks.numpy())
    for one, other in zip(result, expected, strict=True):
        torch.testing.assert_close(one, other)
    torch.testing.assert_close(result[0], values)
    torch.testing.assert_close(result[1], log_probs)


def deed_policy():
    """A deed policy with random weights, none of them 0."""
    policy = DeedPolicy(
        spaces.Box(-1, 1, (OBSERVATION_SIZE,)),
        spaces.Discrete(N_ACTIONS),
        lambda _: 1e-3,
        columns=COLUMNS,
        actions=ACTIONS,
        sizes=(WIDTH, TRUNK),
    )
    rng = np.random.default_rng(0)
    shapes = shapes_of(layout_of(COLUMNS, ACTIONS), WIDTH, TRUNK)
    with torch.no_grad():
        for name, shape in shapes.items():
            weight = rng.normal(size=shape, scale=0.3).astype(np.float32)
            policy.weights[name.replace(".", "_")].copy_(torch.from_numpy(weight))
    return policy


def test_the_deed_policy_has_the_numbers_of_its_network_in_numpy():
    policy = deed_policy()
    obs = np.random.default_rng(1).random((5, OBSERVATION_SIZE)).astype(np.float32)
    logits, values = policy.logits_and_values(torch.from_numpy(obs))
    np.testing.assert_allclose(
        policy.network().logits(obs), logits.detach().numpy(), rtol=1e-4, atol=1e-4
    )
    torch.testing.assert_close(policy.predict_values(torch.from_numpy(obs)), values)
    masks = torch.zeros(5, N_ACTIONS, dtype=torch.bool)
    masks[:, 7] = True
    actions, _ = policy.predict(obs, deterministic=True, action_masks=masks.numpy())
    assert actions.tolist() == [7] * 5


def test_samples_follow_the_probabilities():
    torch.manual_seed(0)
    actions = sample_actions(torch.tensor([0.0, 0.25, 0.75, 0.0]).repeat(20_000, 1))
    share = torch.bincount(actions, minlength=4) / len(actions)
    assert share[0] == share[3] == 0
    assert share[2] == pytest.approx(0.75, abs=0.015)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("spoil", [float("nan"), float("inf"), -1e30])
def test_a_policy_that_overflows_is_one_line(spoil):
    space, actions = spaces.Box(-1, 1, (5,)), spaces.Discrete(7)
    policy = MaskedPolicy(space, actions, lambda _: 1e-3, action_ids=range(7))
    policy.set_logit_bias(torch.tensor([0.0] * 6 + [spoil]))
    masks = torch.ones(64, 7, dtype=torch.bool)
    for choose in (policy, policy.get_distribution):
        with pytest.raises(ModelError, match="the policy in training cannot choose"):
            choose(torch.rand(64, 5), action_masks=masks)
