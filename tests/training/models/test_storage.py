"""Trained policies on disk: safe files that come back as they were, faults in one line."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from monopoly_training.models.card import ModelError
from monopoly_training.models.mlp import MLP
from monopoly_training.models.model import Model
from monopoly_training.models.model_agent import CHAMPION_FOLDER, model_agent
from monopoly_training.models.storage import load_model, save_model

from monopoly_env.errors import AgentError
from monopoly_env.files import with_digest
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
    with pytest.raises(
        ModelError, match=r"is damaged, or of another card: layer\d.\w+ does not fit"
    ):
        load_model(tmp_path)
    (tmp_path / "model.json").write_text("{")
    with pytest.raises(ModelError, match=r"model.json: is not JSON"):
        load_model(tmp_path)
    (tmp_path / "model.json").unlink()
    with pytest.raises(ModelError, match=r"model.json: is missing"):
        load_model(tmp_path)


def test_a_model_that_is_saved_again_has_a_card_of_its_own(tmp_path):
    save_model(tmp_path / "one", random_model({"name": "x"}))
    first = load_model(tmp_path / "one")
    layers = tuple((2 * weights, biases) for weights, biases in first.network.layers)
    save_model(tmp_path / "two", replace(first, network=MLP(layers)))
    assert load_model(tmp_path / "two").card["name"] == "x"


# --- before anything large is read ---


def spoiled(folder, change):
    """Change what the header of a saved model says, with a card that tells the same."""
    path, card_path = folder / "model.safetensors", folder / "model.json"
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header, card = json.loads(data[8 : 8 + length]), json.loads(card_path.read_text())
    rest = change(header, card) or b""
    text = json.dumps(header).encode()
    data = len(text).to_bytes(8, "little") + text + data[8 + length :] + rest
    path.write_bytes(data)
    card["weights_sha256"] = hashlib.sha256(data).hexdigest()
    card_path.write_text(json.dumps(with_digest(card)))


def entry(kind, shape, begin, end):
    return {"dtype": kind, "shape": shape, "data_offsets": [begin, end]}


def told(kind, shape):
    return {"dtype": kind, "shape": shape, "sha256": ""}


def end_of(header):
    return max(one["data_offsets"][1] for one in header.values())


def foreign(header, _card):
    end = end_of(header)
    header["foreign"] = entry("F32", [4, 4], end, end + 64)
    return bytes(64)


def foreign_on_the_card(header, card):
    card["tensors"]["foreign"] = told("F32", [4, 4])
    return foreign(header, card)


def lacking(_header, card):
    card["tensors"]["layer9.weight"] = told("F32", [4, 4])


def wider(header, card):
    one = header["layer0.weight"]
    one["shape"] = card["tensors"]["layer0.weight"]["shape"] = one["shape"][::-1]


def other_shape(header, _card):
    header["layer0.weight"]["shape"].reverse()


def other_type(header, _card):
    header["layer0.bias"]["dtype"] = "I32"


def more_columns(header, card):
    end = end_of(header)
    header["columns"] = entry("I64", [5000], end, end + 40_000)
    card["tensors"]["columns"] = told("I64", [5000])
    return bytes(40_000)


def beyond_the_end(header, _card):
    header["layer0.weight"]["data_offsets"][1] += 1 << 40


def endless(header, _card):
    end = end_of(header)
    header["zeros"] = entry("F32", [1 << 38], end, end + (1 << 40))


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("change", "says"),
    [
        (foreign, "'foreign' is in the file only"),
        (foreign_on_the_card, "'foreign' is no part of it"),
        (lacking, "'layer9.weight' is on its card only"),
        (wider, "layer0 must lead from"),
        (other_shape, "'layer0.weight' is {'dtype': 'F32', 'shape':"),
        (other_type, "'layer0.bias' must be float32"),
        (more_columns, "must be float32, its ids int64, with its bytes in the file"),
        (beyond_the_end, "must be float32, its ids int64, with its bytes in the file"),
        (endless, "its header tells of 1,09"),
    ],
)
def test_tensors_that_do_not_fit_are_refused_by_the_header(change, says, tmp_path, monkeypatch):
    save_model(tmp_path, random_model())
    spoiled(tmp_path, change)
    monkeypatch.setattr(
        "monopoly_training.models.storage.read_network", None
    )  # it does not come to that
    with pytest.raises(ModelError, match=re.escape(says)) as refused:
        load_model(tmp_path)
    assert "\n" not in str(refused.value)


@pytest.mark.promise("bad_input")
def test_a_foreign_tensor_of_400_mb_is_refused_before_it_is_read(tmp_path):
    save_model(tmp_path, random_model())
    size = 400 << 20

    def large(header, _card):
        end = end_of(header)
        header["foreign"] = entry("F32", [size // 4], end, end + size)

    spoiled(tmp_path, large)
    with (tmp_path / "model.safetensors").open("r+b") as file:
        file.truncate(file.seek(0, 2) + size)
    tracemalloc.start()
    with pytest.raises(ModelError, match="'foreign' is in the file only"):
        load_model(tmp_path)
    assert tracemalloc.get_traced_memory()[1] < 10 << 20
    tracemalloc.stop()


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"players": 2}, "its network reads what the table of its card does not have"),
        ({"players": 9}, "its card: table.players: must be from 2 to 8, not 9"),
        ({"players": "4"}, "its card: table.players: must be a whole number"),
        ({"rules": [1]}, "its card: table.rules: must be a mapping"),
        ({"deals": "free"}, "its card: table.deals must be one of steps, menu, off, not 'free'"),
        ({"windows": 3}, "its card: table.windows must be one of all, own, not 3"),
        ({"deals": "off"}, "its network reads what the table of its card does not have"),
    ],
)
def test_a_table_that_does_not_fit_the_network_is_refused(table, says, tmp_path):
    champion = load_model(CHAMPION_FOLDER)
    card = {**champion.card, "table": {**champion.card["table"], **table}}
    save_model(tmp_path, replace(champion, card=card))
    with pytest.raises(AgentError, match=re.escape(says)):
        model_agent(f"model:{tmp_path}")


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
    with pytest.raises(ModelError, match=r"layer0.weight'? must be f"):
        load_model(tmp_path)
