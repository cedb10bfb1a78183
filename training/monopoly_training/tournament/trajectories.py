"""Reconstruct wealth over time from game records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from monopoly_env.engine import entry_points
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.state import Float64s
from monopoly_env.replay import replay_steps


@dataclass(frozen=True)
class WealthHistory:
    """The cash and net worth of each seat at the end of each turn."""

    bots: tuple[str, ...]  # by seat
    cash: Float64s  # [turns, seats], dollars
    worth: Float64s  # [turns, seats], dollars; 0 once a player is out


def wealth_history(record: Mapping[str, Any]) -> WealthHistory:
    """Replay a recorded game and note the wealth at the end of each turn."""
    cash, worth, turn = [], [], -1
    rank = np.zeros(PLAYERS, np.int8)
    for game, _ in replay_steps(record, check=False):
        if turn != (turn := int(game.state["turns"])) or game.over:
            held = np.zeros(game.players, np.int64)
            entry_points.standings(game.state.reshape(1), 0, game.edition.rules, rank, held)
            cash.append(np.maximum(game.cash, 0))
            worth.append(np.maximum(held, 0))
    return WealthHistory(tuple(record["bots"]), np.array(cash, float), np.array(worth, float))
