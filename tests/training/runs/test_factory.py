"""What a run is made from: the games, the learner, the model that comes out of it."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.factory import make_env, make_learner, model_of

from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.engine.dispatch import KIND_OF


@pytest.mark.parametrize("network", ["deeds", "shared", "layers"])
def test_at_first_all_kinds_of_action_are_equally_likely(network):
    config = load_train_config("small", [f"ppo.network={network}", "ppo.layers=[8, 8]"])
    env = make_env(config)
    learner = make_learner(config, env)
    with torch.no_grad():
        log_probs, _ = learner.policy.log_probs(torch.as_tensor(np.array(env.reset())))
    kinds = KIND_OF[env.action_ids]
    probs = log_probs.exp().numpy()
    by_kind = np.stack([probs[:, kinds == kind].sum(axis=1) for kind in np.unique(kinds)])
    np.testing.assert_allclose(by_kind, 1 / len(by_kind), rtol=0.1)


@pytest.mark.parametrize("network", ["deeds", "shared", "layers"])
def test_the_model_has_the_learners_logits(network):
    config = load_train_config("small", [f"ppo.network={network}", "ppo.layers=[8, 8]"])
    env = make_env(config)
    learner = make_learner(config, env)
    model = model_of(learner, env, config, "mine")
    seen = env.reset()
    observations = np.full((len(seen), OBSERVATION_SIZE), np.nan, np.float32)
    observations[:, env.columns] = seen
    obs = torch.as_tensor(seen)
    with torch.no_grad():
        logits, _ = learner.policy.logits_and_values(obs)
    np.testing.assert_allclose(model.logits(observations), logits.numpy(), rtol=1e-4, atol=1e-5)
    assert model.card["name"] == "mine"
    assert model.card["table"]["players"] == config.table.players
