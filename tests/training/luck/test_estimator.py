"""Luck of whole games: from a seed, from a record, in evaluations and tournaments."""

from __future__ import annotations

import json

import numpy as np
import pytest
from monopoly_training.cli import main
from monopoly_training.luck.estimator import JUDGES, LuckEstimator, adjusted_rate, mean_by_seed
from monopoly_training.luck.simulation import LINE_UPS, LineUp, compare
from monopoly_training.matches.outcome import Outcome

from monopoly_env import Game
from monopoly_env.errors import InputError
from monopoly_env.records import write_record


def game_of(seed, actions=300):
    rng = np.random.default_rng(seed)
    game = Game(players=3, seed=seed, journal=False)
    for _ in range(actions):
        if not game.over:
            game.play(int(rng.choice(game.legal_ids())))
    return game


@pytest.mark.parametrize("judge", ["formula", "value", "both"])
def test_a_record_and_its_seed_and_actions_have_the_same_luck(judge):
    taker, game = LuckEstimator(judge), game_of(4)
    by_record = taker.of_record(game.record())
    actions = np.array([action for _, action in game.history], np.uint16)
    by_seed = taker.of_seed(game.edition, 3, 4, actions)
    assert np.array_equal(by_record.by_action, by_seed.by_action)
    assert np.array_equal(by_record.start, by_seed.start)
    assert by_record.by_action.shape == (len(actions), 3)
    assert abs(by_record.total.sum()) < 1e-9
    thrown = np.array([action == 0 for _, action in game.history])  # roll is action 0
    assert not by_record.by_action[~thrown].any()
    assert by_record.by_action[thrown].any()


def test_a_record_that_begins_in_a_position_has_luck_too():
    game = Game.from_position({"players": 2, "A": {"deeds": ["boardwalk"]}}, seed=1)
    for _ in range(10):
        game.play(game.legal_ids()[0])
    luck = LuckEstimator("formula").of_record(game.record())
    assert not luck.start.any()
    assert luck.by_action.any()


def test_the_luck_by_both_is_the_mean_of_the_two():
    game = game_of(5)
    one, other, both = (LuckEstimator(judge).of_record(game.record()) for judge in JUDGES)
    assert np.allclose((one.total + other.total) / 2, both.total, atol=1e-9)


def test_another_judge_is_refused():
    with pytest.raises(InputError, match="luck_adjusted: there is no 'valeu'"):
        LuckEstimator("valeu")


def test_seeds_are_the_units_of_errors():
    values = np.array([1.0, 0.0, 1.0, 1.0])
    assert mean_by_seed(values, [1, 1, 1, 1]) == (0.75, None)
    mean, error = mean_by_seed(values, [1, 2, 3, 4])
    assert (mean, error) == (0.75, pytest.approx(values.std(ddof=1) / 2))
    doubled, same = mean_by_seed(np.repeat(values, 2), [1, 1, 2, 2, 3, 3, 4, 4])
    assert (doubled, same) == (mean, pytest.approx(error))  # copies tell nothing new
    rate = adjusted_rate("formula", values, values - 0.5, [1, 2, 3, 4])
    assert rate.win_rate == pytest.approx(0.5)
    assert rate.variance_ratio is None  # no variance is left
    assert rate.luck == pytest.approx(0.25)


def test_line_ups_of_the_simulation_can_be_played():
    assert len(LINE_UPS) == 12
    for line_up in LINE_UPS:
        line_up.options().load()
    found = list(compare(LineUp(("fixed_a", "background"), "off"), ["formula"], 60, 1))
    assert abs(found[0].luck_in_errors) < 4
    assert found[0].variance_ratio > 1


def test_outcomes_keep_luck_in_the_ledger_and_old_rows_are_read():
    outcome = Outcome((1, 2), (5, 6), 3, 4, False, ((0, 0, 0),) * 2, (0, 0), (0.0, 0.0), 0.5)
    assert len(outcome.as_row()) == 10
    assert Outcome.from_row(outcome.as_row()).luck is None
    lucky = Outcome(**{**outcome.__dict__, "luck": (0.25, -0.25)})
    assert Outcome.from_row(json.loads(json.dumps(lucky.as_row()))).luck == (0.25, -0.25)


def test_evaluate_tells_the_rate_without_luck_beside_the_plain_one(capsys):
    arguments = [
        "evaluate",
        "fixed_a",
        "--against",
        "fixed_b",
        "--games",
        "20",
        "--rule",
        "deals=off",
    ]
    assert main([*arguments, "--luck-adjusted", "formula", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    rate = said["luck_adjusted"]
    assert rate["judge"] == "formula"
    assert rate["digest"] == LuckEstimator("formula").digest
    assert rate["plain_win_rate"] == pytest.approx(said["win_rate"])
    assert rate["win_rate"] == pytest.approx(rate["plain_win_rate"] - rate["luck"])
    assert main([*arguments, "--json"]) == 0
    assert "luck_adjusted" not in json.loads(capsys.readouterr().out)
    assert main([*arguments, "--luck-adjusted", "stars"]) == 2
    assert "--luck-adjusted: there is no 'stars'" in capsys.readouterr().err


def test_bots_in_python_are_adjusted_too(tmp_path, capsys):
    bot = tmp_path / "first.py"
    bot.write_text(
        "class First:\n    def reset(self, seed):\n        pass\n\n    def decide(self, view):\n        return view.legal_ids()[0]\n"
    )
    arguments = ["evaluate", f"python:{bot}:First", "--against", "random", "--games", "2"]
    limits = ["--rule", "max_turns=30", "--rule", "deals=off"]
    assert main([*arguments, *limits, "--luck-adjusted", "formula", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["luck_adjusted"]["luck"] != 0


def test_a_replay_tells_the_luck_of_each_throw(tmp_path, capsys):
    game, path = game_of(6), tmp_path / "games.jsonl"
    write_record(path, game.record(["ann", "ben", "cy"]))
    assert main(["replay", str(path), "--luck", "formula"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rolled = [line for line in lines if " roll " in f"{line} "]
    assert sum("[luck of " in line for line in lines) > len(rolled) / 2
    assert all("[luck of" not in line for line in lines if "throws" not in line)
    assert lines[-1].startswith("luck in all, in points of the chance to win: A ")
    assert main(["replay", str(path), "--luck", "stars"]) == 2
    assert "--luck: there is no 'stars'" in capsys.readouterr().err


def test_a_tournament_has_a_column_of_luck(tmp_path, capsys):
    pytest.importorskip("pyarrow")
    arguments = [
        "tournament",
        "--agents",
        "fixed_a,fixed_b",
        "--games",
        "12",
        "--rule",
        "deals=off",
    ]
    out = tmp_path / "out"
    lucky = [*arguments, "--luck-adjusted", "formula", "--out", str(out)]
    assert main(lucky) == 0
    assert "without luck" in capsys.readouterr().out
    results = json.loads((out / "results.json").read_text())
    assert {"judge", "digest", "win_rate"} <= set(results["standings"][0]["luck_adjusted"])
    header = (out / "games.csv").read_text().splitlines()[0]
    assert '"luck"' in header
    assert "Without luck" in (out / "report.html").read_text()
    assert "win_rate_without_luck" in (out / "table.csv").read_text()
    plain = tmp_path / "plain"
    assert main([*arguments, "--out", str(plain)]) == 0
    assert '"luck"' not in (plain / "games.csv").read_text().splitlines()[0]
    same = json.loads((plain / "results.json").read_text())
    for one, other in zip(results["standings"], same["standings"], strict=True):
        assert one["win_rate"] == other["win_rate"]
