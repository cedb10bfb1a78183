"""Evaluate a learner during training, on fixed seeds, and record its learning curve.

Some of the games are saved for viewing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stable_baselines3.common.logger import Logger

from monopoly_env.errors import FileError
from monopoly_training.common.files import check_written
from monopoly_training.common.progress import Games, Progress, percent
from monopoly_training.evaluation import learning_curve
from monopoly_training.evaluation.evaluate import EvaluationSpec, evaluate
from monopoly_training.evaluation.learning_curve import Point, point_of, read_curve, write_curve
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.matches.entrants import Entrant, entrants, of_model
from monopoly_training.models.model_agent import ModelAgent
from monopoly_training.runs.config_schema import TrainConfig
from monopoly_training.runs.saved_games import KEPT, drop_games, write_games

LOGGED = ("win_rate", "low", "high", "mean_rank", "truncated", "turns")


class Evaluator:
    """Plays the learner against each line-up of its config and records the learning curve."""

    def __init__(self, config: TrainConfig, folder: Path, progress: Progress) -> None:
        self.folder = folder
        self.progress = progress
        self.points: list[Point] = []
        self._config = config.evaluation
        self._options = config.evaluation.options(config.table)
        line_ups = config.evaluation.line_ups(config.table.players - 1)
        self._against = {name: entrants(bots) for name, bots in line_ups.items()}
        self._errors = ErrorLog(folder)
        self._errors.begin(resumed=False)

    def resume(self, kept: Sequence[Mapping[str, Any]]) -> None:
        """Continue from the points in a checkpoint; later points and games are dropped.

        If curve.csv does not begin with these points, it is rewritten, with a warning.
        """
        self.points = [Point(**point) for point in kept]
        drop_games(self.folder, self.points[-1].steps if self.points else -1)
        path = self.folder / learning_curve.FILE

        def read(path: Path) -> None:
            if read_curve(self.folder)[: len(self.points)] != self.points:
                FileError.at(path).fail("belongs to another run")

        if not check_written(path, read, "it is rewritten from the checkpoint") and self.points:
            write_curve(self.folder, self.points)

    def evaluate(self, agent: ModelAgent, steps: int, seconds: float, logger: Logger) -> None:
        """Play the fixed seeds, add a point to the curve for each line-up, and save some games."""
        games: list[str] = []
        for name, opponents in self._against.items():
            point, records = self._play(agent, name, opponents, steps, seconds)
            self.points.append(point)
            games += records
            for fact in LOGGED:
                tag = name.replace(" ", "").replace(",", "+")
                logger.record(f"against_{tag}/{fact}", getattr(point, fact))
        logger.dump(steps)
        write_games(self.folder, steps, games)
        write_curve(self.folder, self.points)

    def _play(
        self, agent: ModelAgent, name: str, opponents: list[Entrant], steps: int, seconds: float
    ) -> tuple[Point, tuple[str, ...]]:
        """Play one line-up; return the point of the curve and the records of the games to save."""
        config = self._config
        spec = EvaluationSpec(config.games, seed=config.seed)
        evaluation = evaluate(
            of_model(agent),
            opponents,
            spec,
            self._options,
            Games(self.progress, config.games, "evaluating"),
            errors=self._errors,
            keep=KEPT,
        )
        point = point_of(evaluation, name, steps, seconds)
        low, high = percent(point.low), percent(point.high)
        all_alike = len({entrant.name for entrant in opponents}) == 1
        against = f"{len(opponents)} × {name}" if all_alike else name
        self.progress.log(
            f"{steps:>12,} decisions: wins {percent(point.win_rate)} against {against} "
            f"({low} to {high})"
        )
        return point, evaluation.records

    def latest(self) -> list[dict[str, Any]]:
        """Return the latest point of each line-up as a mapping."""
        return [vars(point) for point in self.last_points()]

    def last_points(self) -> list[Point]:
        """Return the latest point of each line-up."""
        return self.points[-len(self._against) :]
