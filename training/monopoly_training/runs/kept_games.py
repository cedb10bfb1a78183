"""Games that a run keeps to be looked at: some of each evaluation, as files of saved games.

``games/512.jsonl`` holds those of the evaluation after 512 decisions: the first games against each
line-up. They are written once, whole, so that they can be read while the run goes on.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from monopoly_training.common.files import write_atomic

GAMES = "games"  # a folder of a run
SUFFIX = ".jsonl"
KEPT = 2  # of each line-up and evaluation: the same throws, in two seats


def games_path(folder: Path, steps: int) -> Path:
    """The file with the games of the evaluation after so many decisions."""
    return folder / GAMES / f"{steps}{SUFFIX}"


def kept_steps(folder: Path) -> list[int]:
    """After how many decisions games were kept, the first ones first."""
    found = (path.stem for path in (folder / GAMES).glob(f"*{SUFFIX}"))
    return sorted(int(name) for name in found if name.isascii() and name.isdecimal())


def write_games(folder: Path, steps: int, lines: Iterable[str]) -> None:
    """Write the games of an evaluation; ``lines`` are records. Raises: FileError."""
    path = games_path(folder, steps)
    path.parent.mkdir(exist_ok=True)
    write_atomic(path, "".join(lines))


def drop_games(folder: Path, after: int = -1) -> None:
    """Remove games of evaluations after so many decisions; all of them, and their folder, for -1."""
    for steps in kept_steps(folder):
        if steps > after:
            games_path(folder, steps).unlink(missing_ok=True)
    if after < 0:
        with suppress(OSError):  # there is none, or something else lies in it
            (folder / GAMES).rmdir()
