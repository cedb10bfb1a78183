"""What a row of observations shows of the deeds, so that it need not be written again.

Deeds change hands rarely, and to write who owns what, what it earns and how far each group is
takes half the time of an observation.
"""

from __future__ import annotations

from typing import Annotated, Any

from monopoly_env.engine._jit import jit, new_records
from monopoly_env.engine.board import PLAYERS, SPACES
from monopoly_env.engine.record import Field, dtype_of
from monopoly_env.engine.state import GameState, Int8s, Int64s


class ShownState:
    """Whose view a row holds, and of which deeds. All zero: the row holds nothing yet."""

    owned: Annotated[Int64s, Field("i8", (PLAYERS,), "squares", "each seat's deeds, as a bit mask")]
    mortgaged: Annotated[int, Field("i8", (), "squares", "bit mask of mortgaged deeds")]
    level: Annotated[Int8s, Field("i1", (SPACES,), "buildings", "on each square")]
    seat: Annotated[int, Field("i1", (), "seat", "who sees it")]
    filled: Annotated[int, Field("i1", (), "yes/no", "the row holds an observation")]


SHOWN = dtype_of(ShownState)


def new_shown(n: int) -> Any:
    """For ``n`` rows that hold nothing yet."""
    return new_records(n, SHOWN)


NOTHING_SHOWN = new_shown(0)  # rows that are written in full each time


@jit
def shows(shown: ShownState, game: GameState, seat: int) -> bool:
    """Whether a row shows these very deeds, seen from this seat."""
    differs = int(shown.seat) ^ int(seat) | (shown.mortgaged ^ game.mortgaged)
    for player in range(PLAYERS):
        differs |= shown.owned[player] ^ game.owned[player]
    for square in range(SPACES):
        differs |= int(shown.level[square]) ^ int(game.level[square])
    return bool(differs == 0)


@jit
def note_shown(shown: ShownState, game: GameState, seat: int) -> None:
    """Keep what a row shows from now on."""
    shown.seat = seat
    shown.mortgaged = game.mortgaged
    shown.owned[:] = game.owned
    shown.level[:] = game.level
    shown.filled = 1
