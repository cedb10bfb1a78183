"""Progress of a run or tournament, read from the files in its folder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.errors import FileError, InputError
from monopoly_env.files import whole_lines
from monopoly_training.common.bot_lists import distinct_names
from monopoly_training.evaluation import learning_curve
from monopoly_training.evaluation.learning_curve import read_curve
from monopoly_training.evaluation.score_table import interval_to_show
from monopoly_training.matches.outcome import Outcome
from monopoly_training.matches.schedule import Batch, Match
from monopoly_training.models.storage import WEIGHTS
from monopoly_training.runs.run_folder import CONFIG
from monopoly_training.tournament.config import load_tournament_config
from monopoly_training.tournament.game_table import GameTable
from monopoly_training.tournament.ledger import END, FILE, NO_LEDGER, decode
from monopoly_training.tournament.summary import ends_by_seed, score_of
from monopoly_training.watching.games import evaluated_games

RECENT = 30  # newest games that are listed
RUN, TOURNAMENT = "run", "tournament"


def kind_of_folder(folder: Path) -> str:
    """Return ``run`` or ``tournament``. Raises: FileError, one line, for any other folder."""
    if (folder / FILE).exists():
        return TOURNAMENT
    if not (folder / CONFIG).exists() and not (folder / learning_curve.FILE).exists():
        FileError.at(folder).fail(
            "holds neither a training run nor a tournament; give the folder that `train` or "
            "`tournament` writes"
        )
    return RUN


def progress_of(folder: Path) -> dict[str, Any]:
    """Return what the page shows, as plain data; ``note`` says what cannot be read now.

    Raises: FileError for a folder that is neither a run nor a tournament.
    """
    kind = kind_of_folder(folder)
    state: dict[str, Any] = {"kind": kind, "name": folder.resolve().name, "note": ""}
    try:
        state |= run_progress(folder) if kind == RUN else tournament_progress(folder)
    except FileError as problem:
        state["note"] = str(problem)
    return state


def run_progress(folder: Path) -> dict[str, Any]:
    """Return a run's learning curve, its newest recorded games, and whether its policy can play."""
    found: dict[str, Any] = {
        "points": [],
        "model": (folder / WEIGHTS).exists(),
        "games": evaluated_games(folder, RECENT),
    }
    if not (folder / learning_curve.FILE).exists():
        return found | {"note": "nothing has been evaluated yet"}
    points = [point.plain() for point in read_curve(folder)]
    rates = [p["steps"] / p["seconds"] for p in points if p["seconds"] > 1]
    return found | {"points": points, "per_second": rates[-1] if rates else None}


def tournament_progress(folder: Path) -> dict[str, Any]:
    """Return the standings so far, the newest games, and older recorded ones if those are not."""
    path = folder / FILE
    status = path.stat()
    return _progress_of_ledger(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=1)
def _progress_of_ledger(path: Path, changed: int, size: int) -> dict[str, Any]:  # noqa: ARG001 - part of the cache key
    """Return a ledger's progress, computed once as long as the file does not change."""
    lines = whole_lines(path, FileError.at(path))
    if not lines:
        nothing: dict[str, Any] = {"standings": [], "games": [], "saved": []}
        return nothing | {"played": 0, "ended": False, "planned": None}
    first, *others = [decode(path, k, line) for k, line in enumerate(lines, 1)]
    try:
        config = first["config"]
        games = _games(config["agents"], others)
        planned, kept = _planned(config), config["records"]
    except (ValueError, LookupError, TypeError, AttributeError):
        FileError.at(path).fail(NO_LEDGER)
    played = len(games)
    kept = played if kept is None else kept
    begin = max(0, played - RECENT)
    # if the newest games are recorded too, a second list says no more
    older = range(min(begin, kept) if kept < played else 0)
    return {
        "standings": standings(games),
        "games": [_game_row(games, row, kept) for row in reversed(range(begin, played))],
        "saved": [_game_row(games, row, kept) for row in reversed(older[-RECENT:])],
        "played": played,
        "planned": planned,
        "ended": any(line == END for line in others),
        "seconds": float(games.wall.sum()),
        "turns": float(games.turns.mean()) if played else 0.0,
    }


def _planned(config: dict[str, Any]) -> int:
    """Return the number of planned games: those asked for, rounded up to full rotations."""
    try:
        return load_tournament_config(None, config).all_games
    except InputError:  # settings of another version: what was asked for is close
        return int(config["games"])


def _games(agents: Sequence[str], lines: list[dict[str, Any]]) -> GameTable:
    """Return all games in the order of the ledger."""
    lines = [line for line in lines if line != END]
    outcomes = [[Outcome.from_row(row) for row in line["games"]] for line in lines]
    matches = tuple(
        Match(tuple(seating), seed)
        for line in lines
        for seating, seed in zip(line["seating"], line["seeds"], strict=True)
    )
    return GameTable.of(distinct_names(agents), [Batch(0, 0, 1, matches)], outcomes)


def _game_row(games: GameTable, row: int, kept: int) -> dict[str, Any]:
    """Return a game as a row of the list; the first ``kept`` games were recorded."""
    return {
        "number": row + 1,
        "turns": int(games.turns[row]),
        "truncated": bool(games.truncated[row]),
        "seats": [games.agents[number] for number in games.seating[row]],
        "winners": np.flatnonzero(games.ranks[row] == 1).tolist(),
        "recorded": row < kept,
    }


def standings(games: GameTable) -> list[dict[str, Any]]:
    """Return each bot's win rate with the interval of the report; best first.

    Shared wins count in part. A bot without games has the rate None.
    """
    if not len(games):
        nothing = {"games": 0, "rate": None, "low": 0.0, "high": 1.0}
        return [{"agent": agent, **nothing} for agent in games.agents]
    ends = ends_by_seed(games, games.wins, games.seating.ravel(), len(games.agents))
    rows = []
    for number, agent in enumerate(games.agents):
        score = score_of(games, number)
        low, high = interval_to_show(score, ends[number])
        rate = score.win_rate if score.games else None
        rows.append({"agent": agent, "games": score.games, "rate": rate, "low": low, "high": high})
    return sorted(rows, key=lambda row: -(row["rate"] or 0.0))
