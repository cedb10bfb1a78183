"""`monopoly-env odds`: chances of positions and of moments of saved games."""

from __future__ import annotations

import json

import numpy as np
import pytest
from monopoly_training.cli import main
from monopoly_training.evaluation.rollouts import play_out

from monopoly_env import Game, win_chances
from monopoly_env.records import write_record

STRONG = {"deeds": ["park_place", "boardwalk"], "buildings": {"park_place": 5, "boardwalk": 5}}


@pytest.fixture
def position(tmp_path):
    path = tmp_path / "position.yaml"
    game = Game.from_position({"players": 3, "A": STRONG, "B": {"cash": 300}}, seed=1)
    path.write_text(game.to_yaml())
    return path


@pytest.fixture
def record(tmp_path):
    game = Game(players=2, seed=3)
    for _ in range(60):
        game.play(game.legal_ids()[0])
    path = tmp_path / "games.jsonl"
    write_record(path, game.record(["ann", "ben"]))
    return path, game


def test_a_position_has_chances_by_the_value_and_by_rollouts(position, capsys):
    assert main(["odds", str(position), "--rollouts", "40", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [row["seat"] for row in said["seats"]] == ["A", "B", "C"]
    assert [row["chance"] for row in said["seats"]] == pytest.approx(win_chances(position).tolist())
    assert sum(row["rollouts"] for row in said["seats"]) == pytest.approx(1)
    for row in said["seats"]:
        low, high = row["ci95"]
        assert 0 <= low <= row["rollouts"] <= high <= 1
    assert said["seats"][0]["rollouts"] > 0.6
    assert said["rollouts"]["games"] == 40


def test_a_moment_of_a_saved_game(record, capsys):
    path, game = record
    assert main(["odds", str(path), "--json"]) == 0
    end = json.loads(capsys.readouterr().out)
    assert [row["chance"] for row in end["seats"]] == pytest.approx(win_chances(game).tolist())
    assert [row["bot"] for row in end["seats"]] == ["ann", "ben"]
    assert main(["odds", str(path), "--moment", "0"]) == 0
    text = capsys.readouterr().out
    assert "ann" in text
    assert main(["odds", str(path), "--moment", "61"]) == 2
    assert "--moment 61 is beyond" in capsys.readouterr().err


def test_rollouts_draw_what_is_hidden_and_come_out_the_same_again():
    game = Game(players=2, seed=5)
    before = game.copy()
    one, two = play_out(game, 60, ["random"], 1), play_out(game, 60, ["random"], 1)
    assert np.array_equal(one.wins, two.wins)
    assert one.wins.sum() == pytest.approx(60)
    assert game == before
    game.redraw(9)  # of other hidden things, the same rollouts
    assert np.array_equal(play_out(game, 60, ["random"], 1).wins, one.wins)
    mixed = play_out(game, 60, ["veteran", "random"], 1)
    assert mixed.chances[0] > 0.7


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rollouts", "1", "--policy", "veteran,random"], "one bot, or 3"),
        (["--rollouts", "1", "--policy", "search"], "search is not compiled"),
        (["--rollouts", "1", "--policy", "vetran"], "veteran"),
        (["--rollouts", "10000001"], "from 1 to"),
        (["--moment", "3"], "leave it out"),
        (["--value", "no.safetensors"], "cannot be read"),
    ],
)
def test_what_does_not_fit_is_one_line(position, arguments, message, capsys):
    assert main(["odds", str(position), *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert "Traceback" not in error


def test_a_file_that_is_none_is_one_line(tmp_path, capsys):
    for name in ("none.yaml", "none.jsonl"):
        assert main(["odds", str(tmp_path / name)]) == 2
        assert capsys.readouterr().err.count("\n") == 1
