"""Evaluation of a learner during its training: games on fixed seeds, points of its curve.

Some of the games are kept, to be looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stable_baselines3.common.logger import Logger

from monopoly_env.errors import FileError
from monopoly_training.common.files import check_written
from monopoly_training.common.progress import Progress, percent
from monopoly_training.evaluation import learning_curve
from monopoly_training.evaluation.evaluate import EvaluationSpec, evaluate
from monopoly_training.evaluation.learning_curve import Point, point_of, read_curve, write_curve
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.matches.entrants import Entrant, entrants, of_model
from monopoly_training.models.model_agent import ModelAgent
from monopoly_training.runs.config_schema import TrainConfig
from monopoly_training.runs.kept_games import KEPT, drop_games, write_games

LOGGED = ("win_rate", "low", "high", "mean_rank", "truncated", "turns")


class Evaluator:
    """Plays the learner against each line-up of its config, and writes its curve."""

    def __init__(self, config: TrainConfig, folder: Path, progress: Progress) -> None:
        self.folder = folder
        self.progress = progress
        self.points: list[Point] = []
        self._config = config.evaluation
        self._options = config.table.options()
        line_ups = config.evaluation.line_ups(config.table.players - 1)
        self._against = {name: entrants(bots) for name, bots in line_ups.items()}
        self._errors = ErrorLog(folder)
        self._errors.begin(resumed=False)

    def resume(self, kept: Sequence[Mapping[str, Any]]) -> None:
        """Go on after the points that a checkpoint keeps, as mappings; later ones are dropped.

        A curve.csv that does not begin with them is rewritten, with a warning. Games of later
        evaluations are dropped, too.
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
        """Play on the fixed seeds; add one point to the curve for each line-up, and keep games."""
        self.progress.stage("evaluating")
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
        """Play the learner against one line-up: its point, and the games that are kept."""
        config = self._config
        spec = EvaluationSpec(config.games, seed=config.seed)
        evaluation = evaluate(
            of_model(agent), opponents, spec, self._options, errors=self._errors, keep=KEPT
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
        """The last points, one a line-up, as mappings."""
        return [vars(point) for point in self.last_points()]

    def last_points(self) -> list[Point]:
        """The last points, one a line-up."""
        return self.points[-len(self._against) :]
