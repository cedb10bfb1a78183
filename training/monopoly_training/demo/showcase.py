"""Play one game and save it as a replayable record and as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from monopoly_env.envs.options import TableOptions
from monopoly_env.game import Game
from monopoly_env.playing import GameLoop
from monopoly_env.records import write_record
from monopoly_env.replay import transcript
from monopoly_training.common.files import write_atomic
from monopoly_training.matches.entrants import Entrant


def play_one(line_up: Sequence[Entrant], options: TableOptions, seed: int) -> Game:
    """Play one game of these bots, seated from A on, with its full history."""
    game = Game(options.editions().for_seed(seed), len(line_up), seed, journal=False)
    return GameLoop(game, [entrant.new_agent() for entrant in line_up], seed).play()


def write_game(game: Game, bots: Sequence[str], folder: Path) -> list[Path]:
    """Write ``game.jsonl`` (replayable) and ``game.txt`` (readable); return the paths."""
    record: dict[str, Any] = game.record(bots)
    record_path, text_path = folder / "game.jsonl", folder / "game.txt"
    record_path.unlink(missing_ok=True)  # write_record appends
    write_record(record_path, record)
    write_atomic(text_path, "".join(f"{line}\n" for line in transcript(record)))
    return [record_path, text_path]
