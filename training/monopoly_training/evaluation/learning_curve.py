"""The learning curve of a run: a CSV file with one row per evaluation and line-up.

The last column is a digest of the row, its number and the number of rows, which reveals damaged and
missing rows.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from monopoly_env.errors import FileError, Location
from monopoly_env.files import DIGEST, digest_of, read_text
from monopoly_training.common.files import write_atomic
from monopoly_training.common.schema import MAX_BYTES
from monopoly_training.evaluation.evaluate import Evaluation

FILE = "curve.csv"
MOST_BYTES = 256 << 20


@dataclass(frozen=True)
class Point:
    """The results of one evaluation during training, against one line-up."""

    steps: int  # decisions of the learner so far
    seconds: float  # training time so far
    against: str  # the bots in the other seats
    games: int
    win_rate: float
    low: float  # Wilson interval of the win rate
    high: float
    mean_rank: float
    truncated: float  # share of games ended by a limit
    turns: float  # mean player turns per game

    def plain(self) -> dict[str, Any]:
        """Return the fields as a mapping of plain Python values."""
        numbers = {name: value for name, value in vars(self).items() if isinstance(value, float)}
        return {**vars(self), **{name: float(value) for name, value in numbers.items()}}


COLUMNS = (*(field.name for field in fields(Point)), DIGEST)


def point_of(evaluation: Evaluation, against: str, steps: int, seconds: float) -> Point:
    """Convert an evaluation to a point of the curve."""
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
    """Write all points, atomically."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, point in enumerate(points, 1):
        values = [str(value) for value in asdict(point).values()]
        writer.writerow([*values, row_digest(values, number, len(points))])
    write_atomic(folder / FILE, text.getvalue())


def row_digest(values: Sequence[str], number: int, rows: int) -> str:
    """Return the digest of a row's values, its number from 1, and the number of rows."""
    return digest_of([*values, number, rows])


def read_curve(folder: Path) -> list[Point]:
    """Read the points of a run, at least one. Raises: FileError, one line."""
    path = folder / FILE
    location = FileError.at(path)
    if not path.exists():
        location.fail("there is no learning curve; give the folder of a training run")
    text = read_text(path, location, MOST_BYTES, "delete it, or put the learning curve back")
    try:
        head, *rows = list(csv.reader(text.removesuffix("\n").split("\n"))) or [[]]
    except csv.Error:
        location.fail("is not a text table; delete it, or put the learning curve back")
    if head != list(COLUMNS):
        location.fail(f"is not a learning curve; its first line must be {','.join(COLUMNS)}")
    if not rows:
        location.fail("has no rows: it was cut off, or nothing has been evaluated yet")
    if not text.endswith("\n"):
        location.fail("is cut off: its last line has no end")
    return [point_in(row, location / f"row {k}", k, len(rows)) for k, row in enumerate(rows, 1)]


def point_in(row: Sequence[str], location: Location, number: int, rows: int) -> Point:
    """Parse a row. Raises: FileError, one line, if it was changed since it was written."""
    *values, digest = row or [""]
    try:
        kinds = {"steps": int, "games": int, "against": str}
        pairs = zip(fields(Point), values, strict=True)
        point = Point(**{field.name: kinds.get(field.name, float)(value) for field, value in pairs})
    except (TypeError, ValueError):
        location.fail("is not a row of a learning curve")
    if digest != row_digest(values, number, rows):
        location.fail("is damaged, or others are missing: it does not fit its digest")
    return point


def runs_by_config(folders: Sequence[Path]) -> dict[str, list[list[Point]]]:
    """Group the runs' curves by label; runs whose configs differ only in the seed share a label.

    The label is the name of the first such folder.
    """
    labels: dict[str, str] = {}
    curves: dict[str, list[list[Point]]] = {}
    for folder in folders:
        points = read_curve(folder)
        config = folder / "config.yaml"
        text = str(folder)
        if config.exists():
            text = read_text(config, FileError.at(config), MAX_BYTES)
        key = re.sub(r"^seed: .*$", "", text, count=1, flags=re.MULTILINE)
        label = labels.setdefault(key, folder.name)
        curves.setdefault(label, []).append(points)
    return curves
