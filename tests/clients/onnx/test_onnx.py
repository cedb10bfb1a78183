"""Trained policies as ONNX give the logits that they give here."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnxscript")
pytest.importorskip("onnxruntime")

import onnxruntime
from monopoly_training.cli import main
from monopoly_training.models.mlp import MLP
from monopoly_training.models.model import Model
from monopoly_training.models.model_agent import model_agent
from monopoly_training.models.storage import save_model

from monopoly_env import VectorEnv
from monopoly_env.engine.actions import IDS
from monopoly_env.learners import N_ACTIONS, OBSERVATION_SIZE
from tests.clients.onnx import play

ILLEGAL, UNKNOWN = np.float32(-1e30), np.float32(-1e20)


def exported(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    file = folder / "new" / "model.onnx"
    assert main(["export", name, "--onnx", str(file)]) == 0
    captured = capsys.readouterr()
    assert captured.out == f"written: {file}\n"
    assert not captured.err
    return file


def positions(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of games in play."""
    envs = VectorEnv(n, opponents=["random"] * 3)
    observations, infos = envs.reset(seed=1)
    for key in range(100):
        observations, _, _, _, infos = envs.step(envs.sample_actions(key))
    return observations, infos["action_mask"]


def compare(file: Path, model: Model) -> None:
    """Logits of both, for batches of several sizes."""
    session = onnxruntime.InferenceSession(str(file))
    for n in (1, 2, 7):
        observations, masks = positions(n)
        inputs = {"observation": observations, "action_mask": masks}
        (logits,) = session.run(["logits"], inputs)
        expected = np.full((n, N_ACTIONS), UNKNOWN)
        expected[:, model.actions] = model.logits(observations)
        expected[masks == 0] = ILLEGAL
        np.testing.assert_allclose(logits, expected, rtol=1e-4, atol=1e-4)


def test_the_champion_has_equal_logits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = exported("champion", tmp_path, capsys)
    compare(file, model_agent("champion").model)
    session = onnxruntime.InferenceSession(str(file))
    shapes = {one.name: (one.type, one.shape[1]) for one in session.get_inputs()}
    assert shapes == {
        "observation": ("tensor(float)", OBSERVATION_SIZE),
        "action_mask": ("tensor(int8)", N_ACTIONS),
    }
    assert [(one.name, one.shape[1]) for one in session.get_outputs()] == [("logits", N_ACTIONS)]
    about = session.get_modelmeta().custom_metadata_map
    card = model_agent("champion").model.card
    for key in ("table", "sample", "actions_version", "observation_version"):
        assert json.loads(about[key]) == card[key]


def test_a_network_of_layers_that_knows_some_actions_has_equal_logits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    random = np.random.default_rng(0)
    columns, actions = np.arange(0, OBSERVATION_SIZE, 3), np.array([IDS["pass"], IDS["roll"], 7, 3])
    sizes = [len(columns), 8, 5, len(actions)]
    layers = tuple(
        (random.normal(size=(b, a)).astype(np.float32), random.normal(size=b).astype(np.float32))
        for a, b in pairwise(sizes)
    )
    model = Model(columns, actions, MLP(layers))
    save_model(tmp_path, model)
    compare(exported(f"model:{tmp_path}", tmp_path, capsys), model)


def test_the_example_plays_whole_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An illegal action would raise."""
    file = exported("champion", tmp_path, capsys)
    won = play.play(str(file), steps=100, rules={"max_decisions": 60})
    assert len(won) > 16


def test_what_is_no_trained_policy_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "fixed_a", "--onnx", "x.onnx"]) == 2
    assert "fixed_a: is not a trained policy" in capsys.readouterr().err
    assert not Path("x.onnx").exists()
