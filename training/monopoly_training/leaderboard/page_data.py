"""The leaderboard saved in docs/leaderboard.json, from which the docs page is generated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from monopoly_env.errors import FileError
from monopoly_env.files import with_digest
from monopoly_training.common.files import as_json, read_with_digest, write_atomic
from monopoly_training.leaderboard.playing import Leaderboard

FILE = "leaderboard.json"
REMEDY = "rewrite it with `monopoly-env leaderboard --page docs`"


def write_board(folder: Path, board: Leaderboard) -> Path:
    """Write the leaderboard's file."""
    path = folder / FILE
    write_atomic(path, as_json(with_digest(board.as_json())))
    return path


def read_board(path: Path) -> dict[str, Any]:
    """Read the leaderboard's file. Raises: FileError, one line."""
    content = read_with_digest(path, REMEDY)
    if not isinstance(content.get("bots"), list) or "tables" not in content:
        FileError.at(path).fail(f"holds no leaderboard; {REMEDY}")
    return content
