"""Evaluation during training: one point of the curve for each line-up."""

from __future__ import annotations

import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.common.files import RepairWarning
from monopoly_training.common.progress import NoProgress
from monopoly_training.evaluation.learning_curve import read_curve
from monopoly_training.models.model_agent import ModelAgent
from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.evaluator import Evaluator
from monopoly_training.runs.saved_games import KEPT, drop_games, games_path, kept_steps
from stable_baselines3.common.logger import Logger

from monopoly_env.records import read_records
from monopoly_env.replay import replay
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
    assert kept_steps(tmp_path) == [0, 128]
    again = Evaluator(config, tmp_path, NoProgress())
    again.resume([vars(point) for point in points[:2]])
    assert kept_steps(tmp_path) == [0]
    assert again.points == points[:2]
    assert read_curve(tmp_path) == points  # as far as it goes it is right


def test_a_curve_that_is_gone_or_damaged_is_written_anew(tmp_path):
    evaluator = Evaluator(load_train_config("small"), tmp_path, NoProgress())
    evaluator.evaluate(ModelAgent(random_model(), "learner"), 0, 1.0, Logger(None, []))
    path = tmp_path / "curve.csv"
    points, whole = read_curve(tmp_path), path.read_bytes()
    kept = [vars(point) for point in points]
    for damaged in (None, b"", whole[:-3], whole.replace(b"random", b"fixed_a")):
        path.unlink()
        if damaged is not None:
            path.write_bytes(damaged)
        with pytest.warns(RepairWarning, match=r"curve.csv: .*; it is rewritten from"):
            Evaluator(load_train_config("small"), tmp_path, NoProgress()).resume(kept)
        assert path.read_bytes() == whole


def test_games_of_each_line_up_are_kept_and_are_those_that_were_counted(tmp_path):
    config = load_train_config("small", ["evaluation.against=[random, fixed_a]"])
    evaluator = Evaluator(config, tmp_path, NoProgress())
    evaluator.evaluate(ModelAgent(random_model(), "learner"), 128, 1.0, Logger(None, []))
    records = list(read_records(games_path(tmp_path, 128)))
    assert len(records) == 2 * KEPT
    first, seats = config.evaluation.seed, config.table.players
    assert [record["seed"] for record in records] == [first + k // seats for k in range(KEPT)] * 2
    assert [record["bots"].index("learner") for record in records] == [0, 1] * 2
    for record in records:
        assert replay(record).over  # which compares the end with what the record says
    drop_games(tmp_path)
    assert not (tmp_path / "games").exists()
