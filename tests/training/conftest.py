"""A run that several tests look at."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def small_run(tmp_path_factory):
    """The folder of a finished run of configs/train/small.yaml."""
    pytest.importorskip("sb3_contrib")
    from monopoly_training.runs.config import load_train_config
    from monopoly_training.runs.train import train

    folder = tmp_path_factory.mktemp("runs") / "small"
    train(load_train_config("small"), folder)
    return folder
