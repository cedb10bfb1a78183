"""A training run that a tracker follows: ``python tracked.py wandb runs/tracked``."""

import sys
from pathlib import Path

from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.train import resume, train


def run(tracker, folder, config="quick", changes=()):
    """Train, and send the settings and all figures to a tracker."""
    return train(load_train_config(config, [f"track={tracker}", *changes]), Path(folder))


def go_on(folder, changes=()):
    """Continue a run; the tracker continues its own."""
    return resume(Path(folder), changes=list(changes))


if __name__ == "__main__":
    run(sys.argv[1], sys.argv[2])
