"""What a row of observations shows of the deeds and the board, so that it is not written again.

From one step to the next few deeds change, and to write who owns what, what it earns and how far
each group is takes half the time of an observation.
"""

from __future__ import annotations

from typing import Annotated, Any

from monopoly_env.engine._jit import bit, jit, new_records, prefetch
from monopoly_env.engine.board import PLAYERS, SPACES
from monopoly_env.engine.deeds import squares_pending
from monopoly_env.engine.record import Field, dtype_of
from monopoly_env.engine.state import GameState, Int8s, Int64s


class ShownState:
    """Whose view a row holds, and of which deeds. All zero: the row holds nothing yet."""

    owned: Annotated[Int64s, Field("i8", (PLAYERS,), "squares", "each seat's deeds, as a bit mask")]
    mortgaged: Annotated[int, Field("i8", (), "squares", "bit mask of mortgaged deeds")]
    level: Annotated[Int8s, Field("i1", (SPACES,), "buildings", "on each square")]
    pending: Annotated[int, Field("i8", (), "squares", "bit mask of deeds not settled yet")]
    seat: Annotated[int, Field("i1", (), "seat", "who sees it")]
    square: Annotated[int, Field("i1", (), "square", "where that seat's token stands")]
    filled: Annotated[int, Field("i1", (), "yes/no", "the row holds an observation")]


SHOWN = dtype_of(ShownState)
SHOWN_SIZE = SHOWN.itemsize


def new_shown(n: int) -> Any:
    """For ``n`` rows that hold nothing yet."""
    return new_records(n, SHOWN)


NOTHING_SHOWN = new_shown(0)  # rows that are written in full each time


@jit
def fetch_shown(shown: Any, row: int) -> None:
    """Have one of these records brought near."""
    prefetch(shown, row * SHOWN_SIZE, (row + 1) * SHOWN_SIZE)


@jit
def changed_deeds(shown: ShownState, game: GameState) -> int:
    """The deeds that a row shows with another owner, mortgage or building, as a bit mask."""
    changed = shown.mortgaged ^ game.mortgaged
    for player in range(PLAYERS):
        changed |= shown.owned[player] ^ game.owned[player]
    built = 0
    for square in range(SPACES):
        built |= int(shown.level[square]) ^ int(game.level[square])
    if built != 0:
        for square in range(SPACES):
            if shown.level[square] != game.level[square]:
                changed |= bit(square)
    return int(changed)


@jit
def pending_deeds(game: GameState) -> int:
    """Deeds received mortgaged and not settled yet, as a bit mask."""
    return squares_pending(game) if game.depth > 1 else 0


@jit
def note_shown(shown: ShownState, game: GameState, seat: int) -> None:
    """Keep what a row shows from now on."""
    shown.seat = seat
    shown.square = game.position[seat]
    shown.mortgaged = game.mortgaged
    shown.pending = pending_deeds(game)
    shown.owned[:] = game.owned
    shown.level[:] = game.level
    shown.filled = 1
