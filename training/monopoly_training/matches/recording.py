"""Turn the actions of a finished game into its record."""

from __future__ import annotations

from collections.abc import Sequence

from monopoly_env.editions import Edition
from monopoly_env.engine.state import Uint16s
from monopoly_env.game import Game
from monopoly_env.records import encode_record
from monopoly_training.matches.schedule import Match


def record_line(edition: Edition, match: Match, actions: Uint16s, names: Sequence[str]) -> str:
    """Return a game's record as one line; ``names`` are those of the line-up."""
    game = Game(edition, len(match.seating), match.seed, journal=False)
    for action in actions.tolist():
        game.play(action)
    return encode_record(game.record([names[number] for number in match.seating]))
