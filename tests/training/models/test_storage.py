"""Trained policies: safe files, versions checked, the same decisions alone and in a batch."""

from __future__ import annotations

import json
import re
import shutil

import numpy as np
import pytest
from monopoly_training.models.mlp import Layers
from monopoly_training.models.model_agent import ModelAgent, chances, draw
from monopoly_training.models.storage import Model, ModelError, load_model, save_model

from monopoly_env.agent import make_agent
from monopoly_env.encoding.blocks import OBSERVATION_SIZE, OFFSETS
from monopoly_env.engine.actions import IDS, N_ACTIONS
from monopoly_env.engine.phases import Phase
from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import AgentError
from monopoly_env.game import Game
from monopoly_env.view import View

RANDOM = np.random.default_rng(0)


def network(card=None, actions=None):
    columns = np.arange(0, OBSERVATION_SIZE, 3)
    actions = np.arange(N_ACTIONS) if actions is None else np.array(actions)
    n = len(actions)
    layers = (
        (RANDOM.normal(size=(6, len(columns))).astype(np.float32), np.ones(6, np.float32)),
        (RANDOM.normal(size=(n, 6)).astype(np.float32), np.zeros(n, np.float32)),
    )
    return Model(columns, actions, Layers(layers), card or {})


def test_a_model_comes_back_as_it_was_and_no_file_is_a_pickle(tmp_path):
    model = network({"name": "x"})
    save_model(tmp_path, model)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.json", "model.safetensors"]
    for source in (tmp_path, tmp_path / "model.safetensors"):
        found = load_model(source)
        assert found.card["name"] == "x"
        sights = RANDOM.random((5, OBSERVATION_SIZE)).astype(np.float32)
        np.testing.assert_array_equal(found.logits(sights), model.logits(sights))


@pytest.mark.parametrize("key", ["observation_version", "actions_version", "format"])
def test_a_model_for_other_observations_or_actions_is_refused(tmp_path, key):
    save_model(tmp_path, network())
    card = json.loads((tmp_path / "model.json").read_text())
    card[key] = 999
    (tmp_path / "model.json").write_text(json.dumps(card))
    with pytest.raises(ModelError, match=rf"model.json: {key}: 999 is not this version's"):
        load_model(tmp_path)


def test_faults_of_a_model_are_one_line(tmp_path):
    with pytest.raises(ModelError, match="there is no such file or folder"):
        load_model(tmp_path / "nowhere")
    with pytest.raises(ModelError, match=r"holds no model.safetensors"):
        load_model(tmp_path)
    save_model(tmp_path, network())
    other = tmp_path / "other"
    save_model(other, network())
    shutil.copy(other / "model.json", tmp_path / "model.json")
    with pytest.raises(ModelError, match="is not the file that its card describes"):
        load_model(tmp_path)
    (tmp_path / "model.json").write_text("{")
    with pytest.raises(ModelError, match=r"model.json: is no JSON"):
        load_model(tmp_path)
    (tmp_path / "model.json").unlink()
    with pytest.raises(ModelError, match=r"model.json: is missing"):
        load_model(tmp_path)


def test_a_network_of_another_shape_is_refused(tmp_path):
    model = network()
    save_model(tmp_path, Model(model.columns, model.actions, Layers(model.network.layers[:1])))
    with pytest.raises(ModelError, match="does not hold a network from observations"):
        load_model(tmp_path)


@pytest.mark.parametrize(
    "spoil", [lambda w: w.astype(np.float64), lambda w: np.where(w == w.max(), np.nan, w)]
)
def test_weights_that_are_no_finite_float32_are_refused(spoil, tmp_path):
    model = network()
    (weights, biases), *others = model.network.layers
    layers = ((spoil(weights), biases), *others)
    save_model(tmp_path, Model(model.columns, model.actions, Layers(layers)))
    with pytest.raises(ModelError, match=r"layer0.weight must be float32 and finite"):
        load_model(tmp_path)


def test_a_pickle_needs_trust(tmp_path):
    (tmp_path / "x.zip").write_bytes(b"PK")
    with pytest.raises(ModelError, match="is a pickle, which can run any code; add --trust"):
        load_model(tmp_path / "x.zip")


def test_an_sb3_zip_that_is_trusted_gives_the_same_logits(tmp_path):
    contrib = pytest.importorskip("sb3_contrib")
    from monopoly_training.models.storage import policy_layers
    from monopoly_training.sb3.vec_env import MonopolyVecEnv

    env = MonopolyVecEnv(2, opponents=["random"])
    learner = contrib.MaskablePPO("MlpPolicy", env, n_steps=4, batch_size=8, device="cpu")
    learner.save(tmp_path / "x.zip")
    found = load_model(tmp_path / "x.zip", trust=True)
    for (one, _), (other, _) in zip(
        found.network.layers, policy_layers(learner.policy), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_a_trained_run_plays_by_name_and_legally(small_run):
    agent = make_agent(f"model:{small_run}")
    game = Game(players=3, seed=5, rules={"max_turns": 15})
    agent.reset(5)
    while not game.over:
        action = agent.decide(View(game._games, 0, game.edition, game.legal_mask()))
        assert game.legal_mask()[action]
        game.play(action)
    with pytest.raises(AgentError, match="the rest is missing"):
        make_agent("model:")


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"decides": ["nosuch"]}, "table.decides must be phases"),
        ({"decides": 5}, "table.decides must be phases, such as [BUY], not 5"),
        ({"leaves": ["nosuch"]}, "table.leaves must be kinds of action, such as [deal], not"),
        ({"leaves": 5}, "table.leaves must be kinds of action"),
        ({"rest": "human"}, "table.rest must be a compiled bot, such as background, not human"),
        ({"rest": "search:4"}, "table.rest must be a compiled bot"),
        ({"rest": "nosuch"}, "there is no bot 'nosuch'"),
    ],
)
def test_a_card_that_tells_of_no_table_is_one_line(table, says, tmp_path):
    save_model(tmp_path, network({"table": table}))
    with pytest.raises(AgentError, match=re.escape(says)):
        make_agent(f"model:{tmp_path}")


@pytest.mark.parametrize("sample", [False, True])
def test_one_decision_is_the_same_alone_and_among_many(sample):
    agent = ModelAgent(network(), "net", sample=sample)
    sights = RANDOM.random((9, OBSERVATION_SIZE)).astype(np.float32)
    masks = RANDOM.integers(0, 2, (9, N_ACTIONS)).astype(np.int8)
    many = agent.decide_many(sights, masks)
    assert [int(agent.decide_many(sights[i : i + 1], masks[i : i + 1])[0]) for i in range(9)] == (
        many.tolist()
    )
    assert masks[np.arange(9), many].all()


def test_sampling_never_takes_an_illegal_action_and_follows_the_policy():
    logits = np.full((4000, N_ACTIONS), -1e30, np.float32)
    logits[:, [3, 7]] = np.log([0.25, 0.75])
    drawn = draw(logits, chances(RANDOM.random((4000, OBSERVATION_SIZE)).astype(np.float32)))
    assert set(drawn.tolist()) == {3, 7}
    assert (drawn == 7).mean() == pytest.approx(0.75, abs=0.03)


def test_what_is_drawn_follows_from_what_is_seen():
    sights = RANDOM.random((2000, OBSERVATION_SIZE)).astype(np.float32)
    drawn = chances(sights)
    np.testing.assert_array_equal(chances(sights[::-1])[::-1], drawn)
    assert drawn.min() >= 0
    assert drawn.max() < 1
    assert drawn.mean() == pytest.approx(0.5, abs=0.03)
    other = sights.copy()
    other[:, 17] = np.nextafter(other[:, 17], 2)  # the least change of one number
    assert abs(np.corrcoef(drawn, chances(other))[0, 1]) < 0.1


def test_a_policy_plays_other_tables_by_what_it_knows():
    known = [IDS[text] for text in ("roll", "pass", "reject", "build:boardwalk")]
    agent = ModelAgent(network({"table": {"windows": "own"}}, known), "net")
    sights = np.zeros((4, OBSERVATION_SIZE), np.float32)
    sights[2, OFFSETS["phase"] + Phase.BETWEEN] = 1
    masks = np.zeros((4, N_ACTIONS), np.int8)
    masks[0, [IDS["roll"], IDS["deal:left1"]]] = 1  # makes no deals
    masks[1, [IDS["accept"], IDS["reject"]]] = 1  # refuses all
    masks[2, [IDS["pass"], IDS["build:boardwalk"]]] = 1  # passes windows between turns
    masks[3, [IDS["deal:left1"], IDS["deal:left2"]]] = 1  # knows nothing that is legal
    wanted = [IDS[text] for text in ("roll", "reject", "pass", "deal:left1")]
    assert agent.decide_many(sights, masks).tolist() == wanted


@pytest.mark.parametrize(
    ("learned", "rules", "says"),
    [
        ({}, {"deals": "menu"}, ""),
        ({"deals": "menu", "windows": "own"}, {"deals": "menu", "windows": "own"}, ""),
        ({"deals": "menu", "windows": "own"}, {},
         "m learned at another table: --rule deals=menu --rule windows=own"),
    ],
)  # fmt: skip
def test_a_table_unlike_the_one_it_learned_at_is_named(learned, rules, says):
    agent = ModelAgent(network({"table": learned}), "m")
    assert agent.unlike(TableOptions(rules=rules)) == says
