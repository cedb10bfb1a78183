"""Games to look at: those that a tournament kept, and new ones by a run's policy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from monopoly_env.agent import make_agent
from monopoly_env.errors import FileError, RecordError
from monopoly_env.game import Game
from monopoly_env.playing import GameLoop
from monopoly_env.records import record_at
from monopoly_training.evaluation.learning_curve import read_curve
from monopoly_training.models.storage import WEIGHTS
from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.run_folder import CONFIG
from monopoly_training.tournament.ledger import RECORDS
from monopoly_training.web.replay_page import replay_page


def recorded_game(folder: Path, number: int) -> str:
    """The page of a game that a tournament kept. Raises: RecordError, one line."""
    path = folder / RECORDS
    record = record_at(path, number)
    return replay_page(record, RecordError.at(f"{path}: game {number}"), f"{path.name}, {number}")


def new_game(folder: Path, seed: int) -> str:
    """The page of a game that the policy of a run plays now, against whom it was judged last.

    Raises: FileError, one line, while there is no policy.
    """
    return replay_page(played_game(folder, seed), source=f"played by {folder.name}, seed {seed}")


def played_game(folder: Path, seed: int) -> dict[str, Any]:
    """The record of such a game."""
    if not (folder / WEIGHTS).exists():
        FileError.at(folder / WEIGHTS).fail("is not there yet; it is written when training ends")
    table = load_train_config(folder / CONFIG).table
    against = read_curve(folder)[-1].against
    bots = [f"model:{folder}", *[against] * (table.players - 1)]
    rules = {**table.rules, "windows": table.windows, "deals": table.deals}
    game = Game(table.edition, table.players, seed, mode=table.mode, rules=rules)
    GameLoop(game, [make_agent(bot) for bot in bots], skip_forced=True).play()
    return game.record([folder.name, *bots[1:]])
