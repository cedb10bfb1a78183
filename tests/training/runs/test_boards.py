"""Training on many boards: each game in another generated edition."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.evaluation.evaluate import EvaluationSpec, evaluate
from monopoly_training.matches.entrants import entrant, entrants
from monopoly_training.models.storage import load_model
from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.train import train

from monopoly_env.encoding.blocks import OFFSETS
from monopoly_env.envs.options import TableOptions


def test_the_config_names_a_training_set() -> None:
    editions = load_train_config("boards").table.options().editions()
    assert len(editions) == 200
    assert {one.id.split(":")[1] for one in (editions[0], editions[199])} == {"train"}


def test_a_learner_meets_many_boards_and_plays_others(tmp_path: Path) -> None:
    edition = "table.edition='random:train:0-9'"
    train(load_train_config("small", [edition]), tmp_path / "run")
    columns = load_model(tmp_path / "run").columns
    assert np.isin(OFFSETS["rules"], columns)  # the numbers of the rules vary, so it reads them
    options = TableOptions(
        edition="random:test:0-9", num_players=2, rules={"max_turns": 20}, skip_forced=True
    )
    result = evaluate(
        entrant(f"model:{tmp_path / 'run'}"), entrants(("random",)), EvaluationSpec(4), options
    )
    assert result.score.games == 4
