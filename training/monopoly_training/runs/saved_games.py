"""Evaluation games that a run saves for viewing.

``games/512.jsonl`` holds games of the evaluation after 512 decisions: the first ones against each
line-up. Each file is written once, atomically, so that it can be read while the run goes on.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from monopoly_training.common.files import write_atomic

GAMES = "games"  # a subfolder of the run
SUFFIX = ".jsonl"
KEPT = 2  # games per line-up and evaluation: the same seed from two seats


def games_path(folder: Path, steps: int) -> Path:
    """Return the file for the games of the evaluation after ``steps`` decisions."""
    return folder / GAMES / f"{steps}{SUFFIX}"


def kept_steps(folder: Path) -> list[int]:
    """Return the steps of all evaluations with saved games, ascending."""
    found = (path.stem for path in (folder / GAMES).glob(f"*{SUFFIX}"))
    return sorted(int(name) for name in found if name.isascii() and name.isdecimal())


def write_games(folder: Path, steps: int, lines: Iterable[str]) -> None:
    """Write the games of an evaluation; ``lines`` are records. Raises: FileError."""
    path = games_path(folder, steps)
    path.parent.mkdir(exist_ok=True)
    write_atomic(path, "".join(lines))


def drop_games(folder: Path, after: int = -1) -> None:
    """Remove the games of evaluations after step ``after``; -1 removes all, and their folder."""
    for steps in kept_steps(folder):
        if steps > after:
            games_path(folder, steps).unlink(missing_ok=True)
    if after < 0:
        with suppress(OSError):  # the folder is missing, or holds other files
            (folder / GAMES).rmdir()
