"""The learning curve of a run: one row an evaluation, kept as CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from monopoly_env.errors import FileError
from monopoly_training.common.files import write_atomic
from monopoly_training.evaluation.evaluate import Evaluation

FILE = "curve.csv"


@dataclass(frozen=True)
class Point:
    """One evaluation during training."""

    steps: int  # the learner's decisions so far
    seconds: float  # of training so far
    against: str  # who sat in all other seats
    games: int
    win_rate: float
    low: float  # Wilson interval of the win rate
    high: float
    mean_rank: float
    truncated: float  # share of games that a limit ended
    turns: float  # player turns a game, on average


def point_of(evaluation: Evaluation, against: str, steps: int, seconds: float) -> Point:
    """An evaluation as a point of the curve."""
    score = evaluation.score
    low, high = score.ci95
    return Point(
        steps=steps,
        seconds=round(seconds, 3),
        against=against,
        games=score.games,
        win_rate=score.win_rate,
        low=low,
        high=high,
        mean_rank=score.mean_rank,
        truncated=score.truncated / score.games,
        turns=evaluation.mean_turns,
    )


def write_curve(folder: Path, points: list[Point]) -> None:
    """Write all points, in one go."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [field.name for field in fields(Point)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(point) for point in points)
    write_atomic(folder / FILE, text.getvalue())


def read_curve(folder: Path) -> list[Point]:
    """The points of a run. Raises: FileError, one line."""
    path = folder / FILE
    location = FileError.at(path)
    if not path.is_file():
        location.fail("there is no learning curve; give the folder of a training run")
    kinds = {"steps": int, "games": int, "against": str}
    points = []
    try:
        rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    except (UnicodeDecodeError, csv.Error):
        location.fail("is no table of text; delete it, or put the learning curve back")
    for number, row in enumerate(rows, 1):
        try:
            values = {f.name: kinds.get(f.name, float)(row[f.name]) for f in fields(Point)}
            points.append(Point(**values))
        except (KeyError, TypeError, ValueError):
            (location / f"row {number}").fail("is no row of a learning curve")
    return points


def runs_by_config(folders: Sequence[Path]) -> dict[str, list[list[Point]]]:
    """The curves of runs by label; those whose configs differ in the seed alone share one.

    The label of each is the name of its first folder.
    """
    labels: dict[str, str] = {}
    curves: dict[str, list[list[Point]]] = {}
    for folder in folders:
        points = read_curve(folder)
        config = folder / "config.yaml"
        text = config.read_text(encoding="utf-8") if config.is_file() else str(folder)
        key = re.sub(r"^seed: .*$", "", text, count=1, flags=re.MULTILINE)
        label = labels.setdefault(key, folder.name)
        curves.setdefault(label, []).append(points)
    return curves
