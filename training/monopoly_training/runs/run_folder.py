"""The files in the folder of a training run."""

from __future__ import annotations

import shutil
from pathlib import Path

from monopoly_env.errors import InputError
from monopoly_training.evaluation import learning_curve
from monopoly_training.models.storage import CARD, WEIGHTS
from monopoly_training.runs.saved_games import drop_games

CONFIG = "config.yaml"
PROVENANCE = "provenance.json"
CHECKPOINT = "checkpoint.pt"
TRACKER = "tracker.json"
TENSORBOARD = "tensorboard"  # a folder
FILES = (CONFIG, PROVENANCE, CHECKPOINT, TRACKER, learning_curve.FILE, WEIGHTS, CARD)


class RunError(InputError):
    """An invalid run folder, or an invalid file in it; the message is one line."""


def holds_run(folder: Path) -> bool:
    """Return whether the folder holds a run that can be resumed."""
    return (folder / CHECKPOINT).exists()


def remove_run(folder: Path) -> None:
    """Remove the files of a run, and nothing else."""
    for name in FILES:
        if not (folder / name).is_dir():  # a folder of that name does not belong to the run
            (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / TENSORBOARD, ignore_errors=True)
    drop_games(folder)
