"""TensorBoard's files: numbers only, each step once."""

from __future__ import annotations

import pytest

pytest.importorskip("stable_baselines3")
pytest.importorskip("tensorboard")

from monopoly_training.runs.tensorboard import TensorBoardWriter
from stable_baselines3.common.logger import Logger
from tensorboard.backend.event_processing import event_accumulator


def test_what_an_earlier_process_wrote_at_later_steps_is_removed(tmp_path):
    for first, value in ((0, 1.0), (20, 2.0)):
        logger = Logger(None, [TensorBoardWriter(tmp_path, first)])
        for step in (10, 20, 30) if first == 0 else (30,):
            logger.record("games/win", value)
            logger.record("games/name", "text")
            logger.dump(step)
        logger.close()
    events = event_accumulator.EventAccumulator(str(tmp_path)).Reload()
    assert events.Tags()["scalars"] == ["games/win"]
    points = [(event.step, event.value) for event in events.Scalars("games/win")]
    assert points == [(10, 1.0), (20, 1.0), (30, 2.0)]
