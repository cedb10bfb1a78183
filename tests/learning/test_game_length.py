"""A game has as many decisions as docs/your_own_learner.md says."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from monopoly_env import VectorEnv
from monopoly_env.learners import kind_bias

PAGE = Path(__file__).parents[2] / "docs" / "your_own_learner.md"
ROWS = re.findall(
    r"^\| `(basic|paper|full)` \|.*\| ([\d,]+) \|$", PAGE.read_text("utf-8"), re.MULTILINE
)
GAMES = 100

pytestmark = [pytest.mark.learning, pytest.mark.slow]


def mean_decisions(preset: str) -> float:
    """Return the learner's decisions in its first game, by an untrained policy at kind_bias()."""
    envs = VectorEnv(GAMES, preset=preset)
    _, infos = envs.reset(seed=1)
    random, bias = np.random.default_rng(0), kind_bias()
    decisions = np.full(GAMES, np.nan)
    while np.isnan(decisions).any():
        logits = random.gumbel(size=(GAMES, len(bias))) + bias
        logits[infos["action_mask"] == 0] = -np.inf
        *_, infos = envs.step(logits.argmax(axis=1))
        if "final_info" in infos:
            ended = infos["_final_info"] & np.isnan(decisions)
            decisions[ended] = infos["final_info"]["steps"][ended]
    return float(decisions.mean())


def test_all_presets_are_on_the_page() -> None:
    assert [preset for preset, _ in ROWS] == ["basic", "paper", "full"]


@pytest.mark.parametrize(("preset", "said"), ROWS)
def test_the_decisions_of_a_game(preset: str, said: str) -> None:
    assert mean_decisions(preset) == pytest.approx(float(said.replace(",", "")), rel=0.01)
