"""The files of a training run, all in one folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from monopoly_env.errors import InputError
from monopoly_training.evaluation import learning_curve
from monopoly_training.models.storage import CARD, WEIGHTS
from monopoly_training.runs.kept_games import drop_games

CONFIG = "config.yaml"
PROVENANCE = "provenance.json"
CHECKPOINT = "checkpoint.pt"
TRACKER = "tracker.json"
TENSORBOARD = "tensorboard"  # a folder
FILES = (CONFIG, PROVENANCE, CHECKPOINT, TRACKER, learning_curve.FILE, WEIGHTS, CARD)


class RunError(InputError):
    """A run's folder, or a file in it, that does not fit; the message is one line."""


def holds_run(folder: Path) -> bool:
    """Whether a run in the folder can be gone on with."""
    return (folder / CHECKPOINT).exists()


def remove_run(folder: Path) -> None:
    """Remove the files of a run, and nothing else."""
    for name in FILES:
        if not (folder / name).is_dir():  # which is no file of a run, and stays
            (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / TENSORBOARD, ignore_errors=True)
    drop_games(folder)
