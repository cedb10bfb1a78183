"""Experiment trackers, enabled by ``track: wandb``, ``mlflow`` or ``trackio`` in a config.

Each receives the config and the same figures under the same names as TensorBoard. A resumed run
continues the same run in the tracker.
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
    """Base class of the trackers; ``module`` is the tracker's package."""

    module = ""

    def on_start(self, run: Run) -> None:
        """Start a run in the tracker, or continue the one recorded in the folder."""
        self.package: Any = import_module(self.module)
        path = run.folder / TRACKER
        noted = self.noted(path) if path.exists() else {}
        identity = noted.get("id") if noted.get("tracker") == self.module else None
        identity = self.begin(run, identity)
        write_atomic(path, as_json(with_digest({"tracker": self.module, "id": identity})))

    @staticmethod
    def noted(path: Path) -> dict[str, Any]:
        """Read the tracker's run id from the folder. Raises: FileError if the file is damaged."""
        location, remedy = FileError.at(path), "delete it, and the tracker gets a new run"
        noted = read_json(path, location, remedy)
        if not isinstance(noted, dict):
            location.fail(f"must be a mapping; {remedy}")
        return without_digest(noted, location, hint=remedy)

    def begin(self, run: Run, identity: str | None) -> str:
        """Start a run in the tracker, or continue the one with this id; return its id."""
        raise NotImplementedError


class WandbTracker(Tracker):
    """Weights & Biases. ``WANDB_MODE=offline`` keeps everything on this machine."""

    module = "wandb"

    def begin(self, run: Run, identity: str | None) -> str:
        """Start a run in the project ``monopoly-env``, or in that of ``WANDB_PROJECT``."""
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
    """MLflow, with the server of ``MLFLOW_TRACKING_URI``."""

    module = "mlflow"

    def begin(self, run: Run, identity: str | None) -> str:
        """Start a run in the experiment of ``MLFLOW_EXPERIMENT_NAME`` or ``monopoly-env``."""
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
    """Trackio, local unless its own variables say otherwise."""

    module = "trackio"

    def begin(self, run: Run, identity: str | None) -> str:
        """Start a run in the project ``monopoly-env``; its id is its name."""
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
    """Check that the tracker is installed; raise an error if not."""
    if name is not None and not is_installed(name):
        location.fail(f"{name} is not installed; {hint(name)}")


def make_tracker(name: str) -> Tracker:
    """Create a tracker by name."""
    return TRACKERS[name]()


def experiment_name() -> str:
    """Return MLflow's experiment name from its environment variable, or the default."""
    return os.environ.get("MLFLOW_EXPERIMENT_NAME", PROJECT)
