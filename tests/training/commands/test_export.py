"""monopoly-env export: a trained policy as a folder. ONNX is tested in tests/clients/onnx."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("safetensors")

from monopoly_training.cli import main
from monopoly_training.models.model_agent import model_agent
from monopoly_training.models.storage import load_model


def test_a_policy_is_written_into_a_folder_that_plays(tmp_path, capsys):
    folder = tmp_path / "new" / "mine"
    assert main(["export", "champion", "--folder", str(folder)]) == 0
    assert f"play it as model:{folder}" in capsys.readouterr().out
    one, other = load_model(folder), model_agent("champion").model
    assert one.card["name"] == "mine"
    assert one.card["table"] == other.card["table"]
    rows = np.random.default_rng(0).random((4, 1365)).astype(np.float32)
    np.testing.assert_array_equal(one.logits(rows), other.logits(rows))


def test_a_zip_is_a_pickle_no_more(tmp_path):
    contrib = pytest.importorskip("sb3_contrib")
    from monopoly_training.sb3.vec_env import MonopolyVecEnv

    env = MonopolyVecEnv(2, preset="basic", narrow=True)
    contrib.MaskablePPO("MlpPolicy", env, n_steps=4, batch_size=8).save(tmp_path / "x.zip")
    given = ["export", f"model:{tmp_path / 'x.zip'}", "--folder", str(tmp_path / "kept")]
    assert main(given) == 2  # without trust
    assert not (tmp_path / "kept").exists()
    assert main([*given, "--trust"]) == 0
    assert model_agent(f"model:{tmp_path / 'kept'}").table.deals == "off"


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (["champion"], "nothing to write; give --onnx FILE or --folder FOLDER"),
        (["fixed_a", "--folder", "x"], "fixed_a: is not a trained policy; name champion"),
        (["champion", "--folder", "x", "--module", "y"], "--module: champion has no modules"),
        (["champion", "--folder", "."], "already contains a model; name another folder"),
    ],
)
def test_what_cannot_be_done_is_one_line(tmp_path, monkeypatch, capsys, given, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.json").write_text("{}")
    assert main(["export", *given]) == 2
    error = capsys.readouterr().err
    assert line in error
    assert error.count("\n") == 1
    assert not (tmp_path / "x").exists()
