"""Evaluation games can have other windows and deals than training."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.saved_games import games_path
from monopoly_training.runs.train import train


def test_evaluation_games_are_as_the_table_unless_told_otherwise():
    config = load_train_config("small")
    assert config.evaluation.options(config.table) == config.table.options()
    told = load_train_config("small", ["evaluation.deals=steps", "evaluation.windows=all"])
    options = told.evaluation.options(told.table)
    assert (options.deals, options.windows) == ("steps", "all")
    assert (told.table.deals, told.table.windows) == ("off", "own")


def test_a_learner_of_the_menu_composes_its_offers_in_evaluation_games(tmp_path):
    changes = ["table.deals=menu", "evaluation.deals=steps", "evaluation.windows=all"]
    train(load_train_config("small", changes), tmp_path / "run")
    games = [
        json.loads(line) for line in games_path(tmp_path / "run", 512).read_text().splitlines()
    ]
    assert games
    for game in games:
        assert game["rules"]["deals"] == 1  # in steps
    assert any("offer" in str(game["actions"]) for game in games)
