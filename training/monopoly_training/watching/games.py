"""Games to look at: those that a run or tournament recorded, and new ones of a run's policy."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from monopoly_env.agent import make_agent
from monopoly_env.errors import FileError, InputError, Location, RecordError
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS
from monopoly_env.playing import GameLoop
from monopoly_env.records import read_records, record_at
from monopoly_training.evaluation.learning_curve import read_curve
from monopoly_training.models.storage import WEIGHTS
from monopoly_training.runs.run_folder import CONFIG
from monopoly_training.runs.saved_games import games_path, kept_steps
from monopoly_training.tournament.ledger import RECORDS
from monopoly_training.web.image_export import game_at
from monopoly_training.web.odds import played_on
from monopoly_training.web.replay_page import replay_page

MOST_FILES = 64  # bounds the cache of game lists


@dataclass(frozen=True)
class KeptGame:
    """A game in a file of records. Raises: RecordError, one line, if it cannot be read."""

    path: Path
    number: int  # in the file, from 1
    source: str  # where it comes from, for the page

    def page(self, odds_at: str) -> str:
        """Return its replay page; ``odds_at`` is the URL of the win probabilities."""
        return replay_page(self._record(), self._location, self.source, odds_at=odds_at)

    def odds(self, moment: int) -> dict[str, Any]:
        """Return win probabilities at a moment from rollouts.

        Raises: InputError for no such moment.
        """
        return played_on(game_at(self._record(), moment, self._location, "at"))

    @property
    def _location(self) -> Location:
        return RecordError.at(f"{self.path}: game {self.number}")

    def _record(self) -> dict[str, Any]:
        return record_at(self.path, self.number)


def recorded_game(folder: Path, number: int) -> KeptGame:
    """Return a game that a tournament recorded."""
    return KeptGame(folder / RECORDS, number, f"{RECORDS}, {number}")


def evaluated_game(folder: Path, steps: int, number: int) -> KeptGame:
    """Return a game that a run recorded in an evaluation."""
    source = f"{folder.resolve().name} after {steps:,} decisions, game {number}"
    return KeptGame(games_path(folder, steps), number, source)


def evaluated_games(folder: Path, most: int) -> list[dict[str, Any]]:
    """Return rows for the newest games that a run recorded; unreadable files are skipped."""
    rows: list[dict[str, Any]] = []
    for steps in reversed(kept_steps(folder)):
        with suppress(InputError, OSError):
            path = games_path(folder, steps)
            status = path.stat()
            found = _rows_of(path, status.st_mtime_ns, status.st_size)
            rows += [{"steps": steps, "number": k, **row} for k, row in enumerate(found, 1)]
        if len(rows) >= most:
            break
    return rows[:most]


@lru_cache(maxsize=2 * MOST_FILES)
def _rows_of(path: Path, changed: int, size: int) -> list[dict[str, Any]]:  # noqa: ARG001 - part of the cache key
    """Return the rows of a file's games, cached as long as the file does not change."""
    return [_row_of(record) for record in read_records(path)]


def _row_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return one row: seats, winners and length, as the record states them."""
    result, seats = record["result"], list(record.get("bots") or ())
    return {
        "seats": seats,
        "winners": [LETTERS.index(letter) for letter in result["winners"]],
        "turns": result["turns"],
        "truncated": result["truncated"],
    }


def new_game(folder: Path, seed: int) -> str:
    """Return the page of a new game of a run's policy against its latest evaluation opponents.

    Raises: FileError, one line, while there is no policy.
    """
    return replay_page(played_game(folder, seed), source=f"played by {folder.name}, seed {seed}")


def played_game(folder: Path, seed: int) -> dict[str, Any]:
    """Play such a game and return its record."""
    if not (folder / WEIGHTS).exists():
        FileError.at(folder / WEIGHTS).fail(
            "is not there yet; it is written at the first checkpoint"
        )
    # imported here: needs the train extra, which showing recorded games does not
    from monopoly_training.runs.config import load_train_config

    table = load_train_config(folder / CONFIG).table
    against = read_curve(folder)[-1].against  # fails if the curve is empty
    bots = [f"model:{folder}", *[against] * (table.players - 1)]
    rules = {**table.rules, "windows": table.windows, "deals": table.deals}
    game = Game(table.edition, table.players, seed, mode=table.mode, rules=rules)
    GameLoop(game, [make_agent(bot) for bot in bots], skip_forced=True).play()
    return game.record([folder.name, *bots[1:]])
