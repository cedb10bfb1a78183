"""Evaluation during training: one point of the curve for each line-up."""

from __future__ import annotations

import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.common.progress import NoProgress
from monopoly_training.evaluation.learning_curve import read_curve
from monopoly_training.models.model_agent import ModelAgent
from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.evaluator import Evaluator
from stable_baselines3.common.logger import Logger

from tests.training.random_models import random_model


def test_points_are_written_logged_and_dropped_where_a_run_goes_back(tmp_path):
    config = load_train_config("small", ["evaluation.against=[random, fixed_a]"])
    evaluator = Evaluator(config, tmp_path, NoProgress())
    agent, logger = ModelAgent(random_model(), "learner"), Logger(None, [])
    for steps in (0, 128):
        evaluator.evaluate(agent, steps, 1.0, logger)
    points = read_curve(tmp_path)
    assert [(p.steps, p.against) for p in points] == [
        (0, "random"),
        (0, "fixed_a"),
        (128, "random"),
        (128, "fixed_a"),
    ]
    assert evaluator.latest() == [vars(point) for point in points[2:]]
    again = Evaluator(config, tmp_path, NoProgress())
    again.resume(0)
    assert again.points == points[:2]
