"""Zip files of Stable-Baselines3: loaded only on request."""

from __future__ import annotations

import numpy as np
import pytest
from monopoly_training.models.card import ModelError
from monopoly_training.models.sb3_zip import policy_layers
from monopoly_training.models.storage import load_model


@pytest.mark.promise("no_code")
def test_a_pickle_needs_trust(tmp_path):
    (tmp_path / "x.zip").write_bytes(b"PK")
    with pytest.raises(
        ModelError, match="is a pickle, which can run any code; if you know who made it, set trust"
    ):
        load_model(tmp_path / "x.zip")


def test_an_sb3_zip_that_is_trusted_gives_the_same_logits(tmp_path):
    contrib = pytest.importorskip("sb3_contrib")
    from monopoly_training.sb3.vec_env import MonopolyVecEnv

    env = MonopolyVecEnv(2, opponents=["random"])
    learner = contrib.MaskablePPO("MlpPolicy", env, n_steps=4, batch_size=8, device="cpu")
    learner.save(tmp_path / "x.zip")
    loaded = load_model(tmp_path / "x.zip", trust=True)
    for (one, _), (other, _) in zip(
        loaded.network.layers, policy_layers(learner.policy), strict=True
    ):
        np.testing.assert_array_equal(one, other)
