"""Trackers get the config and the figures; a run that goes on goes on there, too."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.common.schema import ConfigError
from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.trackers import TRACKERS, flat
from monopoly_training.runs.train import resume, train


class FakeTracker(ModuleType):
    """A package that notes how it is called, in the manner of all three."""

    def __init__(self, name):
        super().__init__(name)
        self.__spec__ = SimpleNamespace(name=name)
        self.begun, self.logged, self.ended, self.settings = [], [], 0, {}

    def init(self, **given):  # wandb, trackio
        self.begun.append(given.get("id") or given["name"])
        self.settings = given["config"]
        return self

    def log(self, values, step):
        self.logged.append((step, values))

    def finish(self):
        self.ended += 1

    def set_experiment(self, name):
        assert name == "monopoly-env"

    def start_run(self, run_name=None, run_id=None):  # noqa: ARG002 - MLflow's signature
        self.begun.append(run_id or "run-7")
        return SimpleNamespace(info=SimpleNamespace(run_id=run_id or "run-7"))

    def log_params(self, settings):
        self.settings = settings

    def log_metrics(self, values, step):
        self.logged.append((step, values))

    def end_run(self):
        self.ended += 1


@pytest.mark.parametrize("name", TRACKERS)
def test_a_tracker_follows_a_run_and_goes_on_with_it(name, tmp_path, monkeypatch):
    fake = FakeTracker(name)
    monkeypatch.setitem(sys.modules, name, fake)
    for variable in ("WANDB_PROJECT", "MLFLOW_EXPERIMENT_NAME"):
        monkeypatch.delenv(variable, raising=False)
    train(load_train_config("small", [f"track={name}"]), tmp_path)
    assert str(fake.settings["ppo.envs"]) == "8"
    assert fake.ended == 1
    assert {"against_random/win_rate", "train/loss"} <= {
        key for _, values in fake.logged for key in values
    }
    steps = [step for step, _ in fake.logged]
    assert steps == sorted(steps)
    resume(tmp_path, changes=["steps=640"])
    assert fake.begun[0] == fake.begun[1]
    assert fake.logged[-1][0] == 640


def test_a_tracker_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "trackio", None)
    with pytest.raises(ConfigError, match=r"track: trackio is not installed; pip install 'mono"):
        load_train_config("small", ["track=trackio"])


def test_settings_are_flat():
    assert flat({"ppo": {"gamma": 0.99}, "seed": 1}) == {"ppo.gamma": 0.99, "seed": 1}
