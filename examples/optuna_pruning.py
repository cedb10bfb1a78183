"""Hyperparameter search with Optuna, with pruning of runs that fall behind.

    pip install 'monopoly-env[train]' optuna
    python examples/optuna_pruning.py --trials 20

Each trial is one training run. Its win rate against three `fixed_a` is reported at every
evaluation; Optuna prunes a trial that is below the median of the earlier ones at that point.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import optuna
from monopoly_training.evaluation.learning_curve import Point
from monopoly_training.runs.callbacks import TrainingCallback
from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.train import train


class Pruning(TrainingCallback):
    """Reports the win rate to a trial, and stops the run if the trial is pruned."""

    def __init__(self, trial: optuna.Trial) -> None:
        self.trial = trial
        self.win_rate = 0.0

    def on_evaluation(self, steps: int, points: Sequence[Point]) -> None:
        """Report the mean win rate over all opponents, and prune."""
        self.win_rate = sum(point.win_rate for point in points) / len(points)
        self.trial.report(self.win_rate, steps)
        if self.trial.should_prune():
            raise optuna.TrialPruned


def objective(trial: optuna.Trial, base: str, changes: list[str], folder: Path) -> float:
    """Run one training with the trial's suggestions; return its last win rate."""
    suggested = {
        "ppo.learning_rate": trial.suggest_float("learning_rate", 1e-4, 3e-3, log=True),
        "ppo.entropy": trial.suggest_float("entropy", 1e-4, 1e-2, log=True),
        "ppo.gamma": trial.suggest_float("gamma", 0.97, 0.999),
        "reward.potential_scale": trial.suggest_float("potential_scale", 0.5, 4.0),
    }
    settings = [*changes, *(f"{key}={value}" for key, value in suggested.items())]
    pruning = Pruning(trial)
    train(load_train_config(base, settings), folder / f"trial-{trial.number}", callbacks=[pruning])
    return pruning.win_rate


def main(argv: Sequence[str] | None = None) -> optuna.Study:
    """Run the study and print the best settings."""
    parser = argparse.ArgumentParser(description="Search for settings of monopoly-env train.")
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--config", default="quick", help="the config that trials change")
    parser.add_argument("--set", action="append", default=[], help="key=value, for all trials")
    parser.add_argument("--out", type=Path, default=Path("runs/optuna"))
    given = parser.parse_args(argv)
    study = optuna.create_study(
        direction="maximize",
        sampler=optuna.samplers.TPESampler(seed=0),
        pruner=optuna.pruners.MedianPruner(n_startup_trials=4),
    )
    study.optimize(lambda trial: objective(trial, given.config, given.set, given.out), given.trials)
    sys.stdout.write(f"best: {study.best_value:.3f} with {study.best_params}\n")
    return study


if __name__ == "__main__":
    main()
