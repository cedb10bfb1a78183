"""Training runs: what they leave behind, and going on after a kill as if nothing had happened."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from dataclasses import asdict

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.common.files import RepairWarning
from monopoly_training.common.schema import ConfigError, plain
from monopoly_training.evaluation.learning_curve import Point, read_curve, write_curve
from monopoly_training.models.storage import load_model
from monopoly_training.runs import train
from monopoly_training.runs.checkpoint import read_checkpoint
from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.run_folder import RunError

from tests.training.runs.seals import seal


def weights(folder):
    return list(load_model(folder).network.tensors().values())


def facts(folder):
    """The curve without the times."""
    return [{**vars(point), "seconds": 0} for point in read_curve(folder)]


def test_a_run_leaves_its_config_its_origin_a_model_and_a_curve(small_run):
    config = load_train_config("small")
    assert load_train_config(small_run / "config.yaml") == config
    origin = json.loads((small_run / "provenance.json").read_text())
    assert origin["seed"] == config.seed
    assert origin["packages"]["numpy"] == np.__version__
    card = json.loads((small_run / "model.json").read_text())
    assert card["steps"] == config.steps == 512
    assert card["config"]["ppo"]["envs"] == config.ppo.envs
    assert [point.steps for point in read_curve(small_run)] == [0, 256, 512]
    assert list((small_run / "tensorboard").iterdir())


@pytest.mark.promise("determinism")
def test_the_same_seed_trains_the_same_agent(small_run, tmp_path):
    train.train(load_train_config("small"), tmp_path / "again")
    for one, other in zip(weights(small_run), weights(tmp_path / "again"), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.promise("resume")
def test_a_run_that_was_stopped_goes_on_as_if_nothing_had_happened(small_run, tmp_path):
    folder = tmp_path / "run"
    train.train(load_train_config("small", ["steps=256"]), folder)
    run = train.resume(folder, changes=("steps=512",))
    assert run.learner.num_timesteps == 512
    assert run.counters.iterations == 4
    assert facts(folder) == facts(small_run)
    for one, other in zip(weights(small_run), weights(folder), strict=True):
        np.testing.assert_array_equal(one, other)


def test_what_was_noted_after_the_checkpoint_comes_once(tmp_path):
    folder = tmp_path / "run"
    train.train(load_train_config("small", ["steps=128"]), folder)
    late = Point(256, 9.0, "random", 4, 1.0, 0.5, 1.0, 1.0, 0.0, 20.0)
    write_curve(folder, [*read_curve(folder), late])
    train.resume(folder, changes=("steps=512",))
    assert [p.steps for p in read_curve(folder)] == [0, 128, 384, 512]


PAST = ("pool.past=0.5", "pool.weights=beats", "pool.every=256", "pool.keep=2")
KILLED = """
import os, signal, sys
from pathlib import Path
from monopoly_training.runs import train
from monopoly_training.runs import checkpoint
from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.run_folder import RunError
save = checkpoint.save_checkpoint
def save_and_die(folder, parts, counters, kept):
    save(folder, parts, counters, kept)
    if parts.learner.num_timesteps >= 256:
        os.kill(os.getpid(), signal.SIGKILL)
checkpoint.save_checkpoint = save_and_die
train.train(load_train_config("small"), Path(sys.argv[1]))
"""


@pytest.mark.promise("resume")
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_killed_run_continues_the_same_curve(small_run, tmp_path):
    folder = tmp_path / "run"
    done = subprocess.run([sys.executable, "-c", KILLED, str(folder)], check=False)
    assert done.returncode == -9
    train.resume(folder)
    assert facts(folder) == facts(small_run)
    for one, other in zip(weights(small_run), weights(folder), strict=True):
        np.testing.assert_array_equal(one, other)


def test_training_stops_by_the_clock(tmp_path):
    config = load_train_config("small", ["steps=1000000000", f"minutes={4 / 60}"])
    began = time.perf_counter()
    run = train.train(config, tmp_path / "run")
    assert 0 < run.learner.num_timesteps < 10**9
    assert time.perf_counter() - began < 30


def test_a_folder_that_holds_a_run_is_not_overwritten(small_run):
    before = (small_run / "model.safetensors").read_bytes()
    with pytest.raises(RunError, match="already contains a run; resume it"):
        train.train(load_train_config("small"), small_run)
    assert (small_run / "model.safetensors").read_bytes() == before


def test_what_a_run_without_a_checkpoint_left_is_taken_away(tmp_path):
    (tmp_path / "config.yaml").write_text("steps: 1\n")
    (tmp_path / "notes.txt").write_text("mine\n")
    train.train(load_train_config("small", ["steps=128"]), tmp_path)
    assert "imitation" in (tmp_path / "config.yaml").read_text()
    assert (tmp_path / "notes.txt").read_text() == "mine\n"


@pytest.mark.promise("resume")
def test_resume_needs_a_run(tmp_path, small_run):
    with pytest.raises(RunError, match=r"holds no config.yaml"):
        train.resume(tmp_path)
    (tmp_path / "config.yaml").write_bytes((small_run / "config.yaml").read_bytes())
    with pytest.raises(RunError, match=r"checkpoint.pt: there is no checkpoint"):
        train.resume(tmp_path)
    (tmp_path / "checkpoint.pt").write_bytes(b"something else")
    with pytest.raises(RunError, match=r"checkpoint.pt: is not a checkpoint"):
        train.resume(tmp_path)


@pytest.mark.promise("resume")
def test_a_config_that_was_edited_is_not_gone_on_with(small_run, tmp_path):
    run = tmp_path / "run"
    shutil.copytree(small_run, run)
    path = run / "config.yaml"
    path.write_text(path.read_text().replace("  gamma: ", "  gamma: 0.5  # not ", 1))
    with pytest.raises(ConfigError) as refused:
        train.resume(run)
    gamma = load_train_config("small").ppo.gamma
    assert str(refused.value) == (
        f"{path}: ppo.gamma is 0.5, and the run was made with {gamma}; "
        f"to use the new value, add `changes` ppo.gamma=0.5, or write ppo.gamma: {gamma} again"
    )
    train.resume(run, changes=["ppo.gamma=0.9", "steps=640"])
    assert load_train_config(path).ppo.gamma == 0.9  # kept for the next time
    assert train.resume(run).config.ppo.gamma == 0.9


@pytest.mark.promise("checksums")
def test_files_beside_the_checkpoint_are_mended_with_a_warning(small_run, tmp_path):
    run = tmp_path / "run"
    shutil.copytree(small_run, run)
    (run / "config.yaml").unlink()
    (run / "provenance.json").write_text("{}")
    (run / "model.json").write_text("{}")
    (run / "curve.csv").unlink()
    with pytest.warns(RepairWarning) as told:
        train.resume(run)
    names = ["config.yaml", "curve.csv", "model.safetensors", "provenance.json"]
    for one, name in zip(told, names, strict=True):
        assert str(one.message).startswith(f"{run / name}: ")
        assert "it is rewritten" in str(one.message)
    assert facts(run) == facts(small_run)
    assert load_train_config(run / "config.yaml") == load_train_config("small")
    for one, other in zip(weights(run), weights(small_run), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.promise("resume")
def test_a_kill_between_the_checkpoint_and_the_config_loses_no_setting(small_run, tmp_path):
    run = tmp_path / "run"
    shutil.copytree(small_run, run)
    before = (run / "config.yaml").read_bytes()
    train.resume(run, changes=["evaluation.games=5"])
    state = dict(read_checkpoint(run))
    seal({**state, "replaced": {**state["config"], "evaluation": old_evaluation()}}, run)
    (run / "config.yaml").write_bytes(before)
    assert train.resume(run).config.evaluation.games == 5


def old_evaluation():
    return plain(asdict(load_train_config("small").evaluation))


@pytest.mark.promise("resume")
def test_a_run_with_past_selves_goes_on_as_if_nothing_had_happened(tmp_path, monkeypatch):
    changes = ("imitation.steps=128", "kl_penalty.weight=0.1", "table.players=3", *PAST)
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    run = train.train(load_train_config("small", ["steps=768", *changes]), whole)
    assert len(run.pool.past.weights) == 2
    with monkeypatch.context() as patch:
        patch.setattr(train.Run, "_is_done", lambda run: run.learner.num_timesteps >= 512)
        train.train(load_train_config("small", ["steps=768", *changes]), parts)
    train.resume(parts)
    one, other = (load_model(folder).network.tensors() for folder in (whole, parts))
    assert set(one) == set(other)
    for name, weight in one.items():
        np.testing.assert_array_equal(weight, other[name])


@pytest.mark.promise("checksums")
def test_a_damaged_checkpoint_is_not_gone_on_with(small_run, tmp_path):
    for name in ("config.yaml", "checkpoint.pt", "curve.csv"):
        shutil.copy(small_run / name, tmp_path / name)
    path = tmp_path / "checkpoint.pt"
    data = path.read_bytes()
    path.write_bytes(data[:-1000] + bytes([data[-1000] ^ 1]) + data[-999:])
    with pytest.raises(RunError, match=r"checkpoint.pt: is damaged: its content does not fit"):
        train.resume(tmp_path)
