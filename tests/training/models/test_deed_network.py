"""The network that knows what a deed is: the same in NumPy and in PyTorch, alike for all lots."""

from __future__ import annotations

import json

import numpy as np
import pytest
from monopoly_training.models.deed_layout import (
    DEED_GROUPS,
    N_DEEDS,
    deed_columns,
    heads_of,
    layout_of,
)
from monopoly_training.models.deed_network import DeedNetwork, arrays_of, encode, rectify, shapes_of
from monopoly_training.models.storage import Model, ModelError, load_model, save_model

from monopoly_env.encoding.blocks import OBSERVATION_SIZE, labels
from monopoly_env.engine.actions import N_ACTIONS, TEXTS

COLUMNS, ACTIONS = np.arange(OBSERVATION_SIZE), np.arange(N_ACTIONS)
LAYOUT = layout_of(COLUMNS, ACTIONS)
WIDTH, TRUNK = 6, 10


def weights(layout=LAYOUT, seed=0):
    rng = np.random.default_rng(seed)
    shapes = shapes_of(layout, WIDTH, TRUNK)
    return {
        name: rng.normal(size=shape, scale=0.3).astype(np.float32) for name, shape in shapes.items()
    }


def sights(n=5, seed=1):
    return np.random.default_rng(seed).random((n, OBSERVATION_SIZE)).astype(np.float32)


def test_every_fact_of_a_deed_is_that_deeds_own():
    names = labels()
    rows = np.array(deed_columns())
    for row in rows:
        blocks = {names[column].split(".")[0] for column in row}
        assert len(blocks) == 1
        lots = [names[column].rsplit(".", 1)[-1] for column in row]
        if blocks & {"group_share", "group_complete", "group_lacking"} or "deal_my" in str(blocks):
            assert len(set(lots)) == DEED_GROUPS.max() + 1
        elif not blocks & {"deal_their_share", "deal_my_share"}:
            assert len(set(lots)) == N_DEEDS


def test_every_column_is_read_and_every_action_has_its_own_number():
    read = np.concatenate([LAYOUT.deeds, LAYOUT.rest, LAYOUT.offers])
    assert set(read.tolist()) == set(range(OBSERVATION_SIZE))
    assert len(set(LAYOUT.order.tolist())) == N_ACTIONS
    assert {"build", "sell", "mortgage", "lift", "keep"} <= set(LAYOUT.kinds)


def test_the_heads_of_a_deed_follow_the_deed_and_the_kind():
    found = [TEXTS.index(text) for text in ("roll", "build:baltic", "sell:baltic", "propose:2")]
    kinds, order, others = heads_of(np.array(found))
    assert kinds == ("build", "sell")
    assert others == 1
    assert order.tolist() == [0, 1 + 2, 1 + 3, 1 + 2 * N_DEEDS + 1]


def test_deeds_are_encoded_alike():
    """Two deeds that look the same and have no weights of their own are encoded the same."""
    values = weights()
    values["deed.each"][:] = 0
    values["deed.ways"][:] = 0
    seen = np.zeros((1, OBSERVATION_SIZE), np.float32)
    facts = LAYOUT.deeds.reshape(N_DEEDS, -1)
    seen[0, facts[3]] = seen[0, facts[20]] = 0.7  # of different groups
    deeds = encode(values, arrays_of(LAYOUT, np.asarray, rectify, np.concatenate), seen)
    np.testing.assert_allclose(deeds[3], deeds[20])
    assert not np.allclose(deeds[3], deeds[10])


def test_numpy_and_pytorch_compute_the_same():
    torch = pytest.importorskip("torch")
    pytest.importorskip("sb3_contrib")
    from gymnasium import spaces
    from monopoly_training.ppo.policy import DeedPolicy

    policy = DeedPolicy(
        spaces.Box(-1, 1, (OBSERVATION_SIZE,)), spaces.Discrete(N_ACTIONS), lambda _: 1e-3,
        columns=COLUMNS, actions=ACTIONS, sizes=(WIDTH, TRUNK),
    )  # fmt: skip
    with torch.no_grad():
        for name, value in weights().items():
            policy.weights[name.replace(".", "_")].copy_(torch.from_numpy(value))
    seen = sights()
    logits, values = policy.look(torch.from_numpy(seen))
    np.testing.assert_allclose(
        policy.network().logits(seen), logits.detach().numpy(), rtol=1e-4, atol=1e-4
    )
    torch.testing.assert_close(policy.predict_values(torch.from_numpy(seen)), values)
    masks = torch.zeros(5, N_ACTIONS, dtype=torch.bool)
    masks[:, 7] = True
    actions, _ = policy.predict(seen, deterministic=True, action_masks=masks.numpy())
    assert actions.tolist() == [7] * 5


def test_all_weights_matter():
    torch = pytest.importorskip("torch")
    arrays = arrays_of(LAYOUT, torch.as_tensor, torch.relu, torch.cat)
    from monopoly_training.models import deed_network

    values = {name: torch.from_numpy(v).requires_grad_() for name, v in weights().items()}
    seen = torch.from_numpy(sights(64))
    deeds = deed_network.encode(values, arrays, seen)
    trunk = deed_network.take_in(values, arrays, seen, deeds)
    liked = deed_network.like(values, arrays, seen, deeds, trunk)
    worth = deed_network.judge(values, arrays, trunk)
    ((liked**2).sum() + (worth**2).sum()).backward()
    for name, value in values.items():
        assert value.grad.abs().sum() > 0, name


def test_it_comes_back_from_its_files_as_it_was(tmp_path):
    save_model(tmp_path, Model(COLUMNS, ACTIONS, DeedNetwork(LAYOUT, weights())))
    found = load_model(tmp_path)
    assert found.card["network"] == "deeds"
    seen = sights()
    wanted = DeedNetwork(LAYOUT, weights()).logits(seen)
    np.testing.assert_array_equal(found.logits(seen), wanted)


def test_where_there_is_no_menu_there_are_no_weights_for_one():
    actions = np.array([i for i, text in enumerate(TEXTS) if not text.startswith("propose")])
    columns = np.array([i for i, name in enumerate(labels()) if not name.startswith("menu")])
    layout = layout_of(columns, actions)
    assert "offer.out" not in shapes_of(layout, WIDTH, TRUNK)
    network = DeedNetwork(layout, weights(layout))
    assert network.logits(sights()[:, columns]).shape == (5, len(actions))


def test_weights_that_do_not_fit_are_refused(tmp_path):
    lacking = weights()
    del lacking["lot.out"]
    save_model(tmp_path, Model(COLUMNS, ACTIONS, DeedNetwork(LAYOUT, lacking)))
    with pytest.raises(ModelError, match=r"does not hold a network .* lot.out must be there"):
        load_model(tmp_path)
    save_model(tmp_path, Model(COLUMNS, ACTIONS, DeedNetwork(LAYOUT, weights())))
    card = json.loads((tmp_path / "model.json").read_text())
    card["network"] = "other"
    (tmp_path / "model.json").write_text(json.dumps(card))
    with pytest.raises(ModelError, match="of kind layers or deeds, not other"):
        load_model(tmp_path)
