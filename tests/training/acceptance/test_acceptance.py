"""monopoly-env acceptance: answers are collected, a model is fitted to them and tested."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from monopoly_agents.trader.acceptance import FEATURES, N_FEATURES
from monopoly_agents.trader.acceptance_file import SHIPPED, shipped_acceptance
from monopoly_training.acceptance import tasks
from monopoly_training.acceptance.play import KEPT, play_answers, play_chunk
from monopoly_training.acceptance.tasks import chances, joined, report, scores
from monopoly_training.cli import main


def test_the_same_seed_gives_the_same_answers_in_lots_of_any_size() -> None:
    whole, parts = play_chunk(5, 0, 6), [play_chunk(5, 0, 2), play_chunk(5, 2, 4)]
    for name in ("rows", "yes", "made", "games"):
        assert np.array_equal(getattr(whole, name), getattr(joined(parts), name))
    assert not np.array_equal(whole.rows, play_chunk(6, 0, 6).rows)


def test_both_kinds_of_offers_are_answered_both_ways() -> None:
    answers = play_chunk(1, 0, 20)
    assert answers.rows.shape[1] == N_FEATURES
    assert np.isfinite(answers.rows).all()
    assert np.bincount(answers.games).max() <= KEPT
    for made in (0, 1):
        said = answers.yes[answers.made == made]
        assert 0.01 < said.mean() < 0.9
        assert len(said) > 50


def test_cash_is_what_it_was_in_the_offer() -> None:
    rows = play_chunk(2, 0, 10).rows
    cash, asked = (rows[:, FEATURES.index(name)] for name in ("cash", "cash_asked"))
    assert ((cash < 0) == (asked > 0)).all()  # either is given or asked for
    assert (asked <= 1).all()  # nobody is asked for more than there is


def test_the_shipped_model_says_what_is_accepted() -> None:
    tested = report(joined(play_answers(60, 77)), shipped_acceptance())
    for row in tested.values():
        assert row["log_loss"] < 0.75 * row["by_rate"]
        assert row["off"] < 0.06


def test_a_gain_in_win_probability_makes_acceptance_more_likely() -> None:
    rows = play_chunk(3, 0, 30).rows
    means = []
    for gain in (-0.5, 0.0, 0.5):
        rows[:, FEATURES.index("theirs_learned")] = gain
        means.append(chances(shipped_acceptance(), rows).mean())
    assert means[0] < means[1] < means[2]


def test_scores_are_those_of_hand() -> None:
    said, yes = np.array([0.9, 0.2, 0.6, 0.3]), np.array([1, 0, 0, 1])
    found = scores(said, yes)
    assert found["accepted"] == 0.5
    assert found["by_rate"] == pytest.approx(np.log(2), abs=1e-4)
    assert found["log_loss"] == pytest.approx(-np.log([0.9, 0.8, 0.4, 0.3]).mean(), abs=1e-4)
    assert found["off"] == pytest.approx((0.1 + 0.2 + 0.6 + 0.7) / 4, abs=1e-4)


def test_show_tells_how_the_model_was_made(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["acceptance"]) == 0
    shown = capsys.readouterr().out
    assert "monopoly-env acceptance fit --games" in shown
    assert "| offers made |" in shown
    assert main(["acceptance", "show", "--json"]) == 0
    made = json.loads(SHIPPED.read_text())["made"]
    assert json.loads(capsys.readouterr().out)["scores"] == made["scores"]


def test_a_fit_learns_more_than_the_rate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr(tasks, "TEST_GAMES", 30)
    out = tmp_path / "own.json"
    words = ["--games", "200", "--seed", "3", "--epochs", "12", "--out", str(out)]
    assert main(["acceptance", "fit", *words]) == 0
    assert f"trader:{out}" in capsys.readouterr().out
    tested = json.loads(out.read_text())["made"]["scores"]["offers at random"]
    assert tested["log_loss"] < 0.85 * tested["by_rate"]
    assert main(["acceptance", "test", "--model", str(out), "--games", "20"]) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["fit"], "--out: fit writes a file; name it"),
        (["fit", "--out", "own.txt"], "must end in .json"),
        (["show", "--model", "none.json"], "none.json"),
    ],
)
def test_what_does_not_fit_is_said_in_one_line(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["acceptance", *words]) != 0
    error = capsys.readouterr().err
    assert said in error
    assert len(error.strip().splitlines()) == 1


def test_chances_are_chances() -> None:
    rows = np.zeros((3, N_FEATURES), np.float32)
    rows[1:] = 50
    found = chances(shipped_acceptance(), rows)
    assert ((found >= 0) & (found <= 1)).all()
