"""The same table with the seats turned."""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.records import copy_records
from monopoly_env.engine.board import NOBODY


def turned(games, shift):
    """A copy in which seat k has what seat k + shift had. ``games`` is GAME[1] before a throw."""
    copied = copy_records(games)
    game, before = copied[0], games[0]
    players = int(before["players"])
    for name in ("owned", "cash", "position", "in_jail", "jail_tries", "out", "laps"):
        game[name][:players] = np.roll(before[name][:players], -shift)
    for name in ("owner", "card_holder"):
        game[name] = np.where(
            before[name] == NOBODY, NOBODY, (before[name].astype(int) - shift) % players
        )
    for name in ("turn", "actor", "starter"):
        game[name] = (int(before[name]) - shift) % players
    game["agenda"]["player"][0] = game["turn"]
    return copied
