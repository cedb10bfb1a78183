"""Experiment trackers by one switch: ``track: wandb``, ``mlflow`` or ``trackio`` in a config.

Each gets the config, and every figure that TensorBoard gets, by the same names. A run that goes on
from a checkpoint goes on under the same name in the tracker.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from monopoly_env.errors import FileError, Location
from monopoly_env.extras import hint, is_installed
from monopoly_env.files import read_json, with_digest, without_digest
from monopoly_training.common.files import as_json, write_atomic
from monopoly_training.common.schema import flat, plain
from monopoly_training.runs.callbacks import TrainingCallback
from monopoly_training.runs.run_folder import TRACKER

if TYPE_CHECKING:
    from monopoly_training.runs.run import Run

PROJECT = "monopoly-env"


class Tracker(TrainingCallback):
    """One of the trackers; ``module`` is the package that it is."""

    module = ""

    def on_start(self, run: Run) -> None:
        """Begin a run in the tracker, or go on with the one that this folder noted."""
        self.package: Any = import_module(self.module)
        path = run.folder / TRACKER
        noted = self.noted(path) if path.exists() else {}
        identity = noted.get("id") if noted.get("tracker") == self.module else None
        identity = self.begin(run, identity)
        write_atomic(path, as_json(with_digest({"tracker": self.module, "id": identity})))

    @staticmethod
    def noted(path: Path) -> dict[str, Any]:
        """What the folder noted of its run. Raises: FileError, one line, if it is damaged."""
        location, remedy = FileError.at(path), "delete it, and the tracker gets a new run"
        noted = read_json(path, location, remedy)
        if not isinstance(noted, dict):
            location.fail(f"must be a mapping; {remedy}")
        return without_digest(noted, location, hint=remedy)

    def begin(self, run: Run, identity: str | None) -> str:
        """Begin a run, or go on with the one of this identity; returns its identity."""
        raise NotImplementedError


class WandbTracker(Tracker):
    """Weights & Biases. ``WANDB_MODE=offline`` keeps everything on this machine."""

    module = "wandb"

    def begin(self, run: Run, identity: str | None) -> str:
        """Begin a run in the project ``monopoly-env``, or where ``WANDB_PROJECT`` says."""
        settings = flat(plain(asdict(run.config)))
        identity = identity or secrets.token_hex(4)
        self._run = self.package.init(
            project=os.environ.get("WANDB_PROJECT", PROJECT),
            name=run.folder.name,
            id=identity,
            resume="allow",
            dir=str(run.folder),
            config=settings,
        )
        return identity

    def on_log(self, steps: int, values: Mapping[str, float]) -> None:
        """Log figures at a step."""
        self._run.log(dict(values), step=steps)

    def on_end(self, run: Run) -> None:  # noqa: ARG002 - a hook's signature
        """End the run."""
        self._run.finish()


class MLflowTracker(Tracker):
    """MLflow, to where ``MLFLOW_TRACKING_URI`` says."""

    module = "mlflow"

    def begin(self, run: Run, identity: str | None) -> str:
        """Begin a run in the experiment ``monopoly-env``, or where ``MLFLOW_EXPERIMENT_NAME`` says."""
        if identity is None:
            self.package.set_experiment(experiment_name())
            begun = self.package.start_run(run_name=run.folder.name)
            settings = flat(plain(asdict(run.config)))
            self.package.log_params({key: str(value)[:500] for key, value in settings.items()})
        else:
            begun = self.package.start_run(run_id=identity)
        return str(begun.info.run_id)

    def on_log(self, steps: int, values: Mapping[str, float]) -> None:
        """Log figures at a step."""
        self.package.log_metrics(dict(values), step=steps)

    def on_end(self, run: Run) -> None:  # noqa: ARG002 - a hook's signature
        """End the run."""
        self.package.end_run()


class TrackioTracker(Tracker):
    """Trackio, on this machine unless its own variables say otherwise."""

    module = "trackio"

    def begin(self, run: Run, identity: str | None) -> str:
        """Begin a run in the project ``monopoly-env``; its name is its identity."""
        name = identity or f"{run.folder.name}-{secrets.token_hex(2)}"
        settings = flat(plain(asdict(run.config)))
        self.package.init(project=PROJECT, name=name, resume="allow", config=settings)
        return name

    def on_log(self, steps: int, values: Mapping[str, float]) -> None:
        """Log figures at a step."""
        self.package.log(dict(values), step=steps)

    def on_end(self, run: Run) -> None:  # noqa: ARG002 - a hook's signature
        """End the run."""
        self.package.finish()


TRACKERS: dict[str, type[Tracker]] = {
    "wandb": WandbTracker,
    "mlflow": MLflowTracker,
    "trackio": TrackioTracker,
}


def check_tracker(name: str | None, location: Location) -> None:
    """Raise an error for a tracker that is not installed."""
    if name is not None and not is_installed(name):
        location.fail(f"{name} is not installed; {hint(name)}")


def make_tracker(name: str) -> Tracker:
    """A tracker by its name."""
    return TRACKERS[name]()


def experiment_name() -> str:
    """The experiment that MLflow's own variable names, or ours."""
    return os.environ.get("MLFLOW_EXPERIMENT_NAME", PROJECT)
