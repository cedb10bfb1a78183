"""The network that knows what a deed is: the same in NumPy and in PyTorch, alike for all lots."""

from __future__ import annotations

import json

import numpy as np
import pytest
from monopoly_training.models import deed_network
from monopoly_training.models.card import ModelError
from monopoly_training.models.deed_layout import (
    layout_of,
)
from monopoly_training.models.deed_network import (
    DeedNetwork,
    backend_of,
    encode_deeds,
    relu,
    shapes_of,
)
from monopoly_training.models.model import Model
from monopoly_training.models.storage import load_model, save_model

from monopoly_env.encoding.blocks import OBSERVATION_SIZE, labels
from monopoly_env.engine.actions import N_ACTIONS, TEXTS
from monopoly_env.engine.board import N_DEEDS
from monopoly_env.files import with_digest

COLUMNS, ACTIONS = np.arange(OBSERVATION_SIZE), np.arange(N_ACTIONS)
LAYOUT = layout_of(COLUMNS, ACTIONS)
WIDTH, TRUNK = 6, 10


def weights(layout=LAYOUT, seed=0):
    rng = np.random.default_rng(seed)
    shapes = shapes_of(layout, WIDTH, TRUNK)
    return {
        name: rng.normal(size=shape, scale=0.3).astype(np.float32) for name, shape in shapes.items()
    }


def observations(n=5, seed=1):
    return np.random.default_rng(seed).random((n, OBSERVATION_SIZE)).astype(np.float32)


def test_deeds_are_encoded_alike():
    """Two deeds that look the same and have no weights of their own are encoded the same."""
    values = weights()
    values["deed.each"][:] = 0
    values["deed.ways"][:] = 0
    seen = np.zeros((1, OBSERVATION_SIZE), np.float32)
    facts = LAYOUT.deeds.reshape(N_DEEDS, -1)
    seen[0, facts[3]] = seen[0, facts[20]] = 0.7  # of different groups
    deeds = encode_deeds(values, backend_of(LAYOUT, np.asarray, relu, np.concatenate), seen)
    np.testing.assert_allclose(deeds[3], deeds[20])
    assert not np.allclose(deeds[3], deeds[10])


def test_all_weights_matter():
    torch = pytest.importorskip("torch")
    backend = backend_of(LAYOUT, torch.as_tensor, torch.relu, torch.cat)
    values = {name: torch.from_numpy(v).requires_grad_() for name, v in weights().items()}
    seen = torch.from_numpy(observations(64))
    deeds = deed_network.encode_deeds(values, backend, seen)
    hidden = deed_network.trunk(values, backend, seen, deeds)
    logits = deed_network.policy_head(values, backend, seen, deeds, hidden)
    value = deed_network.value_head(values, backend, hidden)
    ((logits**2).sum() + (value**2).sum()).backward()
    for name, weight in values.items():
        assert weight.grad.abs().sum() > 0, name


def test_it_comes_back_from_its_files_as_it_was(tmp_path):
    save_model(tmp_path, Model(COLUMNS, ACTIONS, DeedNetwork(LAYOUT, weights())))
    loaded = load_model(tmp_path)
    assert loaded.card["network"] == "deeds"
    seen = observations()
    expected = DeedNetwork(LAYOUT, weights()).logits(seen)
    np.testing.assert_array_equal(loaded.logits(seen), expected)


def test_where_there_is_no_menu_there_are_no_weights_for_one():
    actions = np.array([i for i, text in enumerate(TEXTS) if not text.startswith("propose")])
    columns = np.array([i for i, name in enumerate(labels()) if not name.startswith("menu")])
    layout = layout_of(columns, actions)
    assert "offer.out" not in shapes_of(layout, WIDTH, TRUNK)
    network = DeedNetwork(layout, weights(layout))
    assert network.logits(observations()[:, columns]).shape == (5, len(actions))


@pytest.mark.promise("bad_input")
def test_weights_that_do_not_fit_are_refused(tmp_path):
    lacking = weights()
    del lacking["lot.out"]
    save_model(tmp_path, Model(COLUMNS, ACTIONS, DeedNetwork(LAYOUT, lacking)))
    with pytest.raises(ModelError, match=r"does not hold a network .* lot.out must be there"):
        load_model(tmp_path)
    save_model(tmp_path, Model(COLUMNS, ACTIONS, DeedNetwork(LAYOUT, weights())))
    card = json.loads((tmp_path / "model.json").read_text())
    card["network"] = "other"
    (tmp_path / "model.json").write_text(json.dumps(with_digest(card)))
    with pytest.raises(ModelError, match="of kind layers, relu_layers, deeds, not other"):
        load_model(tmp_path)
