"""Hooks into a run: what they are told, and that one may end it."""

from __future__ import annotations

import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.runs.callbacks import TrainingCallback
from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.train import resume, train


class Listener(TrainingCallback):
    """Notes what it is told."""

    def __init__(self):
        self.told = []
        self.values = {}

    def on_start(self, run):
        self.told.append(("start", run.learner.num_timesteps))

    def on_log(self, steps, values):
        self.values[steps] = {**self.values.get(steps, {}), **values}

    def on_evaluation(self, steps, points):
        self.told.append(("evaluation", steps, [point.against for point in points]))

    def on_end(self, run):
        assert (run.folder / "model.safetensors").is_file()
        self.told.append(("end", run.learner.num_timesteps))


class StopError(Exception):
    """Ends a run, as Optuna's TrialPruned does."""


class Stopper(TrainingCallback):
    def on_evaluation(self, steps, points):  # noqa: ARG002 - a hook's signature
        if steps >= 256:
            raise StopError


def test_a_callback_hears_what_a_run_does(tmp_path):
    listener = Listener()
    train(load_train_config("small"), tmp_path, callbacks=[listener])
    assert listener.told == [
        ("start", 0),
        ("evaluation", 0, ["random"]),
        ("evaluation", 256, ["random"]),
        ("evaluation", 512, ["random"]),
        ("end", 512),
    ]
    assert {"against_random/win_rate", "time/fps"} <= set(listener.values[512])
    assert {"train/loss", "rollout/ep_rew_mean"} <= {
        name for values in listener.values.values() for name in values
    }
    assert all(type(value) is float for value in listener.values[512].values())


def test_an_exception_of_a_callback_ends_the_run_which_can_be_gone_on_with(tmp_path):
    with pytest.raises(StopError):
        train(load_train_config("small"), tmp_path, callbacks=[Stopper()])
    listener = Listener()
    resume(tmp_path, callbacks=[listener])
    assert listener.told[0] == ("start", 128)
    assert listener.told[-1] == ("end", 512)
