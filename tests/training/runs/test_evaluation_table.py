"""Evaluation games can have other windows and deals than training."""

from __future__ import annotations

import json

import pytest
import yaml

pytest.importorskip("sb3_contrib")

from monopoly_training.common.schema import load_settings
from monopoly_training.runs.checkpoint import read_checkpoint
from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.config_schema import TrainConfig
from monopoly_training.runs.saved_games import games_path
from monopoly_training.runs.train import resume, train

from tests.training.runs.seals import seal


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


@pytest.mark.parametrize("kept", ["both", "checkpoint", "neither"])
def test_a_run_of_an_earlier_version_goes_on_without_the_newer_settings(tmp_path, kept):
    """config.yaml and checkpoint.pt of such a run lack them."""
    folder = tmp_path / "run"
    train(load_train_config("small"), folder)
    state = dict(read_checkpoint(folder))
    path = folder / "config.yaml"
    config = yaml.safe_load(path.read_text())
    for name in ("windows", "deals"):
        if kept == "neither":
            del state["config"]["evaluation"][name]
        if kept != "both":
            del config["evaluation"][name]
    seal(state, folder)
    path.write_text(yaml.safe_dump(config, sort_keys=False))
    resume(folder, changes=["steps=640"])
    assert load_settings(TrainConfig, [path]).evaluation.deals is None
