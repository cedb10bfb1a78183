"""Behavior cloning in one file: it learns what the bot does, plays by the rules, and beats another bot."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("pyarrow")

import torch
from monopoly_training.cli import main

from examples import behavior_cloning as bc

GAMES = (
    "generate --agents veteran,background,background,background --bots veteran --seed 3 "
    "--rule deals=off --rule windows=own"
)


def make(folder, games):
    assert main([*GAMES.split(), "--games", str(games), "--out", str(folder)]) == 0
    return str(folder)


def test_it_comes_to_agree_with_the_bot_and_plays_by_the_rules(tmp_path, capsys) -> None:
    data = make(tmp_path / "data", 16)
    args = bc.parse_args(["--data", data, "--total-steps", "150", "--held-out", "4"])
    torch.manual_seed(0)
    columns, action_ids = bc.load(data, 4)[0][0].shape[1], bc.make_envs(1).action_ids
    untrained = bc.accuracy(bc.Agent(columns, action_ids, 32), bc.load(data, 4)[1])
    agent, held = bc.train(args)
    assert "decisions to learn from" in capsys.readouterr().out
    assert held > untrained + 0.01  # most decisions are to throw, or to end the turn
    assert 0 <= bc.share_won(agent, 8) <= 1  # an illegal action would be an error


def test_held_out_games_are_not_learned_from(tmp_path) -> None:
    data = make(tmp_path / "data", 8)
    learned, kept = bc.load(data, 4)
    assert len(learned[2]) > len(kept[2]) > 0
    rows = {row.tobytes() for row in learned[0].numpy()}
    shared = np.mean([row.tobytes() in rows for row in kept[0].numpy()])
    assert shared < 0.5  # openings may be alike


@pytest.mark.learning
@pytest.mark.slow
def test_it_beats_background(tmp_path) -> None:
    agent, held = bc.train(bc.parse_args(["--data", make(tmp_path / "data", 500)]))
    assert held > 0.95
    assert bc.share_won(agent, 500) > 0.27  # one game in four is even
