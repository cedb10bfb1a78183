"""The demo as users run it: an agent that wins, whatever the seed, and a curve that shows it learn."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.cli import main
from monopoly_training.evaluation.learning_curve import read_curve

AT_LEAST = 0.6  # of 400 games, where chance is 0.25
AGAINST = ("background background background", "fixed_a fixed_b fixed_c")


@pytest.mark.strength
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_demos_agent_wins(seed, tmp_path):
    out = tmp_path / "demo"
    assert main(["demo", "--set", f"seed={seed}", "--out", str(out)]) == 0
    evaluations = json.loads((out / "results.json").read_text())["evaluations"]
    win_rates = {" ".join(one["against"]): one["win_rate"] for one in evaluations}
    assert all(one["games"] == 400 for one in evaluations)
    assert [line_up for line_up in AGAINST if win_rates[line_up] < AT_LEAST] == []
    assert (out / "curve.png").exists()
    for line_up in ("background", "fixed_a,fixed_b,fixed_c"):
        points = [point for point in read_curve(out) if point.against == line_up]
        assert points[0].win_rate < 0.3 < AT_LEAST < points[-1].win_rate + 0.1
        assert len(points) > 4
