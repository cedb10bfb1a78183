"""Scores of the included bots, saved in docs/suite.json, from which the docs page is generated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from monopoly_env.errors import FileError
from monopoly_env.files import with_digest
from monopoly_training.common.files import as_json, package_version, read_with_digest, write_atomic
from monopoly_training.suite.decisions import DecisionSet
from monopoly_training.suite.scoring import ALL, SuiteScore

FILE = "suite.json"
BOTS = (
    *("random", "fixed_a", "fixed_b", "fixed_c", "background", "strategist", "veteran", "trader"),
    *("champion", "search:20"),
)
REMEDY = "rewrite it with `monopoly-env suite --page docs`"


def write_scores(
    folder: Path,
    chosen: DecisionSet,
    ask: Callable[[str], SuiteScore],
    bots: tuple[str, ...] = BOTS,
) -> Path:
    """Score the bots and write the file, best first."""
    scores = sorted((ask(bot) for bot in bots), key=lambda one: one.kinds[ALL].loss)
    content = {
        "set": chosen.name,
        "card": dict(chosen.card),
        "version": package_version("monopoly-env"),
        "scores": [one.as_json(details=False) for one in scores],
    }
    path = folder / FILE
    write_atomic(path, as_json(with_digest(content)))
    return path


def read_scores(path: Path) -> dict[str, Any]:
    """Read the file. Raises: FileError, one line."""
    content = read_with_digest(path, REMEDY)
    if not isinstance(content.get("scores"), list) or "card" not in content:
        FileError.at(path).fail(f"has no scores of the suite; {REMEDY}")
    return content
