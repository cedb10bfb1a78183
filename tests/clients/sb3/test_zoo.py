"""rl_zoo3 trains MaskablePPO, evaluates it with masks, and what it saves plays here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("rl_zoo3")

from tests.cpu_time import three_minutes_of_two_cores

HERE = Path(__file__).parent
ENV = "monopoly_env/Monopoly-v0"
WON = 0.8


def run(*command: object) -> str:
    """What a program prints, which must not fail."""
    done = subprocess.run(
        [sys.executable, *map(str, command)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def train(folder: Path, *options: object) -> Path:
    """Train in the zoo; the folder of the run."""
    hyperparameters = ("--conf-file", HERE / "ppo_mask.yml")
    run(HERE / "zoo.py", "--algo", "ppo_mask", "--env", ENV, *hyperparameters, "-f", folder, *options)  # fmt: skip
    (found,) = (folder / "ppo_mask").iterdir()
    return found


def won(model: Path, games: int) -> float:
    """The share of games that a model wins against three random bots, by the rules it learned."""
    rules = ("--rule", "windows=own", "--rule", "deals=off")
    against = ("--against", "random,random,random", "--games", games)
    printed = run("-m", "monopoly_training", "evaluate", f"model:{model}", "--trust", "--json", *against, *rules)  # fmt: skip
    return float(json.loads(printed)["win_rate"])


def test_the_zoo_trains_and_evaluates_with_masks_and_its_zip_plays_here(tmp_path: Path) -> None:
    small = ["n_steps:128", "batch_size:256"]
    folder = train(
        tmp_path, "-n", 4000, "--eval-freq", 2000, "--eval-episodes", 2, "-params", *small
    )
    assert (folder / "evaluations.npz").exists()
    assert 0 <= won(folder / "best_model.zip", 20) <= 1
    assert 0 <= won(folder / "monopoly_env-Monopoly-v0.zip", 20) <= 1


@pytest.mark.learning
@pytest.mark.slow
def test_what_the_zoo_trains_wins_most_games_after_a_minute(tmp_path: Path) -> None:
    with three_minutes_of_two_cores():
        folder = train(tmp_path, "--eval-freq", -1)
    assert won(folder / "monopoly_env-Monopoly-v0.zip", 400) >= WON
