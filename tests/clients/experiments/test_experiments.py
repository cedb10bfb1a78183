"""The trackers themselves receive a run, all on this machine; Optuna searches, and prunes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sb3_contrib")

from tests.clients.experiments.tracked import go_on, run

WIN_RATE = "against_random/win_rate"
LOSS = "train/loss"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, without settings of trackers."""
    for variable in ("WANDB_PROJECT", "WANDB_DIR", "MLFLOW_EXPERIMENT_NAME", "TRACKIO_SPACE_ID"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def noted(folder: Path) -> dict[str, Any]:
    """What the folder of a run notes of its tracker."""
    return dict(json.loads((folder / "tracker.json").read_text()))


def test_wandb_keeps_a_run_and_goes_on_with_it(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_SILENT", "true")
    run("wandb", here / "run", "small")
    identity = noted(here / "run")["id"]
    go_on(here / "run", ["steps=640"])
    assert noted(here / "run")["id"] == identity
    kept = list((here / "run").glob(f"wandb/offline-run-*-{identity}/run-{identity}.wandb"))
    assert kept
    data = b"".join(path.read_bytes() for path in kept)
    assert WIN_RATE.encode() in data
    assert LOSS.encode() in data
    assert b"ppo.envs" in data


def test_mlflow_has_the_settings_and_the_figures(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mlflow = pytest.importorskip("mlflow")
    mlflow.set_tracking_uri(f"sqlite:///{here / 'mlflow.db'}")
    run("mlflow", here / "run", "small")
    identity = noted(here / "run")["id"]
    go_on(here / "run", ["steps=640"])
    client = mlflow.MlflowClient()
    kept = client.get_run(identity)
    assert kept.data.params["ppo.envs"] == "8"
    steps = [one.step for one in client.get_metric_history(identity, LOSS)]
    assert steps == sorted(steps)
    assert max(steps) == 640
    assert client.get_metric_history(identity, WIN_RATE)
    assert client.get_experiment(kept.info.experiment_id).name == "monopoly-env"


def test_trackio_has_the_settings_and_the_figures(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRACKIO_DIR", str(here / "store"))  # read when it is imported
    pytest.importorskip("trackio")
    from trackio.sqlite_storage import SQLiteStorage

    run("trackio", here / "run", "small")
    name = noted(here / "run")["id"]
    go_on(here / "run", ["steps=640"])
    kept = SQLiteStorage.get_logs("monopoly-env", name)
    steps = [row["step"] for row in kept]
    assert steps == sorted(steps)
    assert max(steps) == 640
    assert {WIN_RATE, LOSS} <= {key for row in kept for key in row}
    assert SQLiteStorage.get_run_config("monopoly-env", name)["ppo.envs"] == 8


def test_optuna_searches_and_prunes(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("optuna")
    from examples import optuna_pruning

    rates = iter([0.9, 0.8, 0.85, 0.95, 0.1])  # of the first evaluation of each trial
    report = optuna_pruning.Pruning.on_evaluation

    def evaluated(self: Any, steps: int, points: Any) -> None:
        rate = next(rates) if not self.trial.user_attrs else 0.5
        self.trial.set_user_attr("evaluated", steps)
        report(self, steps, [type(points[0])(**{**vars(points[0]), "win_rate": rate})])

    monkeypatch.setattr(optuna_pruning.Pruning, "on_evaluation", evaluated)
    study = optuna_pruning.main(["--trials", "5", "--config", "small", "--out", "runs"])
    states = [trial.state.name for trial in study.trials]
    assert states == ["COMPLETE"] * 4 + ["PRUNED"]
    assert not (here / "runs" / "trial-4" / "model.safetensors").exists()
    assert (here / "runs" / "trial-3" / "model.safetensors").exists()
    assert set(study.best_params) == {"learning_rate", "entropy", "gamma", "potential_scale"}
