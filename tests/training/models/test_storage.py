"""Trained policies on disk: safe files that come back as they were, faults in one line."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from monopoly_training.models.card import ModelError
from monopoly_training.models.mlp import MLP
from monopoly_training.models.model import Model
from monopoly_training.models.storage import load_model, save_model

from tests.training.random_models import random_model, random_observations


@pytest.mark.promise("no_code")
def test_a_model_comes_back_as_it_was_and_no_file_is_a_pickle(tmp_path):
    model = random_model({"name": "x"})
    save_model(tmp_path, model)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.json", "model.safetensors"]
    for source in (tmp_path, tmp_path / "model.safetensors"):
        loaded = load_model(source)
        assert loaded.card["name"] == "x"
        observations = random_observations(5)
        np.testing.assert_array_equal(loaded.logits(observations), model.logits(observations))


@pytest.mark.promise("bad_input")
def test_faults_of_a_model_are_one_line(tmp_path):
    with pytest.raises(ModelError, match="there is no such file or folder"):
        load_model(tmp_path / "nowhere")
    with pytest.raises(ModelError, match=r"holds no model.safetensors"):
        load_model(tmp_path)
    save_model(tmp_path, random_model())
    other = tmp_path / "other"
    save_model(other, random_model())
    shutil.copy(other / "model.json", tmp_path / "model.json")
    with pytest.raises(ModelError, match="is not the file that its card describes"):
        load_model(tmp_path)
    (tmp_path / "model.json").write_text("{")
    with pytest.raises(ModelError, match=r"model.json: is no JSON"):
        load_model(tmp_path)
    (tmp_path / "model.json").unlink()
    with pytest.raises(ModelError, match=r"model.json: is missing"):
        load_model(tmp_path)


@pytest.mark.promise("bad_input")
def test_a_network_of_another_shape_is_refused(tmp_path):
    model = random_model()
    save_model(tmp_path, Model(model.columns, model.actions, MLP(model.network.layers[:1])))
    with pytest.raises(ModelError, match="does not hold a network from observations"):
        load_model(tmp_path)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    "spoil", [lambda w: w.astype(np.float64), lambda w: np.where(w == w.max(), np.nan, w)]
)
def test_weights_that_are_no_finite_float32_are_refused(spoil, tmp_path):
    model = random_model()
    (weights, biases), *others = model.network.layers
    layers = ((spoil(weights), biases), *others)
    save_model(tmp_path, Model(model.columns, model.actions, MLP(layers)))
    with pytest.raises(ModelError, match=r"layer0.weight must be float32 and finite"):
        load_model(tmp_path)
