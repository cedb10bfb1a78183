"""Progress of a run or tournament, read from the files in its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.errors import FileError, InputError
from monopoly_env.files import whole_lines
from monopoly_training.evaluation import learning_curve
from monopoly_training.evaluation.learning_curve import read_curve
from monopoly_training.evaluation.score_table import interval_to_show
from monopoly_training.matches.outcome import Outcome
from monopoly_training.models.storage import WEIGHTS
from monopoly_training.runs.run_folder import CONFIG
from monopoly_training.stats.bootstrap import means_by_seed
from monopoly_training.stats.win_rates import score
from monopoly_training.tournament.config import load_tournament_config
from monopoly_training.tournament.ledger import END, FILE, NO_LEDGER, decode
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
    lines = whole_lines(path, FileError.at(path))
    if not lines:
        nothing: dict[str, Any] = {"standings": [], "games": [], "saved": []}
        return nothing | {"played": 0, "ended": False, "planned": None}
    first, *others = [decode(path, k, line) for k, line in enumerate(lines, 1)]
    try:
        games, config = _games(others), first["config"]
        agents, planned, kept = list(config["agents"]), _planned(config), config["records"]
    except (ValueError, LookupError, TypeError, AttributeError):
        FileError.at(path).fail(NO_LEDGER)
    kept = len(games) if kept is None else kept
    newest, older = games[-RECENT:][::-1], games[:-RECENT][:kept][-RECENT:][::-1]
    if len(games) <= kept:  # the newest games can be opened: a second list says no more
        older = []
    return {
        "standings": standings(agents, games),
        "games": [_game_row(agents, game, kept) for game in newest],
        "saved": [_game_row(agents, game, kept) for game in older],
        "played": len(games),
        "planned": planned,
        "ended": any(line == END for line in others),
        "seconds": sum(game["wall"] for game in games),
        "turns": sum(game["turns"] for game in games) / max(len(games), 1),
    }


def _planned(config: dict[str, Any]) -> int:
    """Return the number of planned games: those asked for, rounded up to full rotations."""
    try:
        return load_tournament_config(None, config).all_games
    except InputError:  # settings of another version: what was asked for is close
        return int(config["games"])


def _games(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return all games in the order of the ledger."""
    games: list[dict[str, Any]] = []
    for line in lines:
        if line == END:
            continue
        rows = zip(line["games"], line["seating"], line["seeds"], strict=True)
        for row, seating, seed in rows:
            outcome = Outcome.from_row(row)
            games.append(
                {
                    "number": len(games) + 1,
                    "seed": int(seed),
                    "seating": [int(agent) for agent in seating],
                    "ranks": list(outcome.ranks),
                    "turns": int(outcome.turns),
                    "truncated": bool(outcome.truncated),
                    "wall": float(outcome.wall),
                }
            )
    return games


def _game_row(agents: list[str], game: dict[str, Any], kept: int) -> dict[str, Any]:
    """Return a game as a row of the list; the first ``kept`` games were recorded."""
    seats = [agents[number] for number in game["seating"]]
    winners = [seat for seat, rank in enumerate(game["ranks"]) if rank == 1]
    more = {key: game[key] for key in ("number", "turns", "truncated")}
    return {**more, "seats": seats, "winners": winners, "recorded": game["number"] <= kept}


def standings(agents: list[str], games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return each bot's win rate with the interval of the report; best first.

    Shared wins count in part.
    """
    rows = []
    for number, agent in enumerate(agents):
        played = [game for game in games if number in game["seating"]]
        wins = np.array([_share(game, number) for game in played], np.float64)
        seeds = np.array([game["seed"] for game in played], np.int64)
        blank = np.zeros(len(played), np.float64)  # ranks and ends do not shape the interval
        points = score(wins, blank, blank > 0)
        by_seed = means_by_seed(seeds, wins)[0] if played else None
        low, high = interval_to_show(points, by_seed)
        rate = points.win_rate if played else None
        rows.append({"agent": agent, "games": len(played), "rate": rate, "low": low, "high": high})
    return sorted(rows, key=lambda row: -(row["rate"] or 0.0))


def _share(game: dict[str, Any], number: int) -> float:
    """Return a bot's share of the win."""
    first = [seat for seat, rank in enumerate(game["ranks"]) if rank == 1]
    own = [seat for seat in first if game["seating"][seat] == number]
    return len(own) / len(first)
