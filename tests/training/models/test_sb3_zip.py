"""Zip files of Stable-Baselines3: loaded only on request, in whatever form they were trained."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from gymnasium.spaces import Box, Discrete
from monopoly_training.matches.entrants import entrant
from monopoly_training.models.card import ModelError
from monopoly_training.models.mlp import MLP, ReluMLP
from monopoly_training.models.model_agent import model_agent
from monopoly_training.models.storage import load_model, save_model
from monopoly_training.ppo.policy import DeedPolicy
from monopoly_training.sb3.masked_policy import MaskedPolicy
from monopoly_training.sb3.vec_env import MonopolyVecEnv
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv, VecFrameStack, VecMonitor, VecNormalize
from torch import nn

from monopoly_env import Game, SingleSeatEnv, VectorEnv
from monopoly_env.view import View

PLAIN = {"narrow": False, "mask_dtype": "int8", "observation": "flat"}


def learner_on(env: Any, policy: Any = MaskedPolicy, **policy_kwargs: Any) -> MaskablePPO:
    """A learner that has trained for a moment."""
    learner = MaskablePPO(
        policy,
        env,
        n_steps=8,
        batch_size=8,
        n_epochs=1,
        policy_kwargs=policy_kwargs,
        device="cpu",
        seed=0,
    )
    return learner.learn(16)


def compare(learner: MaskablePPO, path: Path, **options: Any) -> Any:
    """The bot of the file does what the learner does, in games by these options; its model."""
    learner.save(path)
    agent = model_agent(f"model:{path}", trust=True)
    envs = VectorEnv(16, **options)
    plain = VectorEnv(16, **{**options, **PLAIN})
    seen, _ = envs.reset(seed=5)
    rows, infos = plain.reset(seed=5)
    for step in range(40):
        chosen, _ = learner.predict(seen, action_masks=envs.action_masks(), deterministic=True)
        ids = agent.decide_rows(rows, infos["action_mask"])
        assert ids.tolist() == agent.model.actions[chosen].tolist(), step
        seen = envs.step(chosen)[0]
        rows, *_, infos = plain.step(ids)
    return agent.model


@pytest.mark.promise("no_code")
def test_a_pickle_needs_trust(tmp_path):
    (tmp_path / "x.zip").write_bytes(b"PK")
    with pytest.raises(
        ModelError, match="is a pickle, which can run any code; if you know who made it, set trust"
    ):
        load_model(tmp_path / "x.zip")


@pytest.mark.promise("no_code")
def test_a_search_for_a_pickles_policy_needs_trust_too(tmp_path):
    learner = learner_on(MonopolyVecEnv(2), "MlpPolicy")
    learner.save(tmp_path / "x.zip")
    name = f"search:4:model:{tmp_path / 'x.zip'}"
    with pytest.raises(ModelError, match="set trust"):
        entrant(name).new_agent()
    game = Game(players=2, seed=3)
    bot = entrant(name, trust=True).new_agent()
    bot.reset(3)
    bot = pickle.loads(pickle.dumps(bot))
    for _ in range(20):
        game.play(bot.decide(View.of(game)))


FORMS = [  # preset, narrow, mask_dtype, observation: each with each of the others once
    ("basic", False, "int8", "flat"),
    ("basic", True, "bool", "dict"),
    ("basic", True, "float32", "flat"),
    ("paper", True, "int8", "dict"),
    ("full", True, "bool", "flat"),
    ("full", False, "float32", "dict"),
]


@pytest.mark.parametrize(("preset", "narrow", "mask_dtype", "observation"), FORMS)
def test_whatever_form_it_was_trained_in_it_plays(
    tmp_path, preset, narrow, mask_dtype, observation
):
    options = {
        "preset": preset,
        "narrow": narrow,
        "mask_dtype": mask_dtype,
        "observation": observation,
    }
    env = MonopolyVecEnv(4, **options)
    policy = MaskedPolicy if observation == "flat" else "MultiInputPolicy"
    model = compare(learner_on(env, policy), tmp_path / "x.zip", **options)
    assert model.reads_mask == (observation == "dict")
    assert (len(model.actions) < 342) == narrow
    deals = {"basic": "off", "paper": "menu", "full": "steps"}[preset]
    assert model.card["table"] == {
        "deals": deals,
        "windows": "all" if preset == "full" else "own",
    }


@pytest.mark.parametrize("wrap", [VecMonitor, lambda env: VecNormalize(env, norm_obs=False)])
def test_wrappers_that_leave_observations_alone_do_no_harm(tmp_path, wrap):
    options = {"preset": "basic", "narrow": True}
    env = MonopolyVecEnv(4, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that it is a Monitor already
        wrapped = wrap(env)
    compare(learner_on(wrapped), tmp_path / "x.zip", **options)


def test_games_of_gymnasium_one_by_one(tmp_path):
    options = {"preset": "basic", "narrow": True}
    env = DummyVecEnv([lambda: SingleSeatEnv(**options)] * 2)
    compare(learner_on(env, "MlpPolicy"), tmp_path / "x.zip", **options)


@pytest.mark.parametrize(
    ("kwargs", "kind"),
    [
        ({"activation_fn": nn.ReLU}, ReluMLP),
        ({"activation_fn": nn.Tanh, "net_arch": [16]}, MLP),
        ({"net_arch": []}, MLP),
        ({"net_arch": {"pi": [8, 8, 8], "vf": [4]}}, MLP),
        ({"share_features_extractor": False}, MLP),
    ],
)
def test_networks_of_layers(tmp_path, kwargs, kind):
    options = {"preset": "basic", "narrow": True}
    env = MonopolyVecEnv(4, **options)
    model = compare(learner_on(env, **kwargs), tmp_path / "x.zip", **options)
    assert type(model.network) is kind
    save_model(tmp_path / "kept", model)
    again = load_model(tmp_path / "kept")
    seen = np.random.default_rng(0).random((5, 1365)).astype(np.float32)
    np.testing.assert_array_equal(again.logits(seen), model.logits(seen))


def test_a_policy_that_reads_masks_is_kept(tmp_path):
    options = {"preset": "basic", "narrow": True, "observation": "dict"}
    env = MonopolyVecEnv(4, **options)
    model = compare(learner_on(env, "MultiInputPolicy"), tmp_path / "x.zip", **options)
    save_model(tmp_path / "kept", model)
    again = load_model(tmp_path / "kept")
    seen = np.random.default_rng(0).random((5, 1365)).astype(np.float32)
    masks = np.random.default_rng(1).integers(0, 2, (5, 342), np.int8)
    assert again.reads_mask
    np.testing.assert_array_equal(again.logits(seen, masks), model.logits(seen, masks))


def test_the_network_of_deeds(tmp_path):
    options = {"preset": "basic", "narrow": True}
    env = MonopolyVecEnv(4, **options)
    kwargs = {"columns": env.columns, "actions": env.action_ids, "sizes": (8, 16)}
    compare(learner_on(env, DeedPolicy, **kwargs), tmp_path / "x.zip", **options)


def test_phases_and_kinds_that_it_left_to_a_bot_are_left_to_it(tmp_path):
    options = {"preset": "basic", "decides": ["buy"], "leaves": ["mortgage"], "rest": "fixed_a"}
    learner_on(MonopolyVecEnv(4, **options)).save(tmp_path / "x.zip")
    table = model_agent(f"model:{tmp_path / 'x.zip'}", trust=True).table
    assert (table.decides, table.leaves, table.fallback) == (("BUY",), ("mortgage",), "fixed_a")


# What cannot be known


def stacked(env):
    return VecFrameStack(env, 2)


@pytest.mark.parametrize(
    ("wrap", "kwargs", "line"),
    [
        (VecNormalize, {}, "a wrapper changed, such as VecNormalize.*norm_obs=False"),
        (stacked, {}, "reads 2730 numbers of 1365, and its spaces do not say which"),
        (None, {"activation_fn": nn.ELU}, "between its layers is ELU, not Tanh or ReLU"),
    ],
)
def test_what_cannot_be_played_is_one_line(tmp_path, wrap, kwargs, line):
    env = MonopolyVecEnv(4, preset="basic")
    learner_on(wrap(env) if wrap else env, "MlpPolicy", **kwargs).save(tmp_path / "x.zip")
    with pytest.raises(ModelError, match=line) as caught:
        load_model(tmp_path / "x.zip", trust=True)
    assert "\n" not in str(caught.value)


def test_a_file_of_an_older_version_says_how_it_is_mended(tmp_path):
    env = MonopolyVecEnv(4, preset="basic", narrow=True)
    learner = learner_on(env)
    learner.observation_space = Box(env.observation_space.low, env.observation_space.high)
    learner.save(tmp_path / "old.zip")
    with pytest.raises(ModelError, match=r"reads 622 numbers of 1365.* set its observation_space"):
        load_model(tmp_path / "old.zip", trust=True)
    again = MaskablePPO.load(tmp_path / "old.zip")
    again.observation_space, again.action_space = env.observation_space, env.action_space
    compare(again, tmp_path / "new.zip", preset="basic", narrow=True)


def test_a_file_with_whole_spaces_of_an_older_version_plays(tmp_path):
    env = MonopolyVecEnv(4, preset="basic")
    learner = learner_on(env)
    learner.observation_space = Box(env.observation_space.low, env.observation_space.high)
    learner.action_space = Discrete(342)
    compare(learner, tmp_path / "x.zip", preset="basic")
