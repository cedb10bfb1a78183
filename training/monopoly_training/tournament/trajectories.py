"""From the actions of a game to its record, and from records to what everybody had turn by turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from monopoly_env.editions import Edition
from monopoly_env.engine import entry_points
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.state import Float64s, Uint16s
from monopoly_env.game import Game
from monopoly_env.records import encode_record
from monopoly_env.replay import replay_steps
from monopoly_training.matches.schedule import Match


def record_line(edition: Edition, match: Match, actions: Uint16s, names: Sequence[str]) -> str:
    """The record of a game as a line; ``names`` are those of the line-up."""
    game = Game(edition, len(match.seating), match.seed, journal=False)
    for action in actions.tolist():
        game.play(action)
    return encode_record(game.record([names[number] for number in match.seating]))


@dataclass(frozen=True)
class WealthHistory:
    """What each seat of a game had at the end of each turn."""

    bots: tuple[str, ...]  # by seat
    cash: Float64s  # [turns, seats], dollars
    worth: Float64s  # [turns, seats], dollars; 0 for who is out


def wealth_history(record: Mapping[str, Any]) -> WealthHistory:
    """Play a recorded game again and note the wealth at the end of each turn."""
    cash, worth, turn = [], [], -1
    rank = np.zeros(PLAYERS, np.int8)
    for game, _ in replay_steps(record, check=False):
        if turn != (turn := int(game.state["turns"])) or game.over:
            held = np.zeros(game.players, np.int64)
            entry_points.standings(game.state.reshape(1), 0, game.edition.rules, rank, held)
            cash.append(np.maximum(game.cash, 0))
            worth.append(np.maximum(held, 0))
    return WealthHistory(tuple(record["bots"]), np.array(cash, float), np.array(worth, float))
