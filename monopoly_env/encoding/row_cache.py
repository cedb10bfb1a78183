"""What a row of observations shows, so that it is not written again: deeds, hands, board, phase.

From one step to the next few deeds change, and to write who owns what, what it earns, what it is
worth and how far each group is takes half the time of an observation.
"""

from __future__ import annotations

from typing import Annotated, Any

from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Field, dtype_of, new_records
from monopoly_env.encoding.decision import is_dealing
from monopoly_env.encoding.row_writing import seat_left
from monopoly_env.engine.board import DEED_BITS, PLAYERS, SPACES
from monopoly_env.engine.debt import innermost_debt
from monopoly_env.engine.deeds import squares_pending
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState, Int8s, Int32s, Int64s
from monopoly_env.engine.worth import loan_on, worth_of


class ShownState:
    """Whose view a row holds, and of what. All zero: the row holds nothing yet."""

    owned: Annotated[Int64s, Field("i8", (PLAYERS,), "squares", "each seat's deeds, as a bit mask")]
    mortgaged: Annotated[int, Field("i8", (), "squares", "bit mask of mortgaged deeds")]
    worth: Annotated[Int32s, Field("i4", (PLAYERS,), "$", "of each seat's deeds and buildings")]
    loan: Annotated[Int32s, Field("i4", (PLAYERS,), "$", "what selling and mortgaging all brings")]
    pot: Annotated[int, Field("i4", (), "$", "under Free Parking")]
    houses: Annotated[int, Field("i2", (), "buildings", "houses in the Bank")]
    hotels: Annotated[int, Field("i2", (), "buildings", "hotels in the Bank")]
    level: Annotated[Int8s, Field("i1", (SPACES,), "buildings", "on each square")]
    seat: Annotated[int, Field("i1", (), "seat", "who sees it")]
    square: Annotated[int, Field("i1", (), "square", "where that seat's token stands")]
    phase: Annotated[int, Field("i1", (), "Phase", "what is decided")]
    owes: Annotated[int, Field("i1", (), "yes/no", "a debt is waiting to be paid")]
    pending: Annotated[int, Field("i1", (), "yes/no", "some deeds are not settled yet")]
    filled: Annotated[int, Field("i1", (), "yes/no", "the row holds an observation")]


# Beside squares, what may have changed in a row
HANDS = ((1 << PLAYERS) - 1) << SPACES
MOVED, DEALS = 1 << SPACES + PLAYERS, 2 << SPACES + PLAYERS

SHOWN = dtype_of(ShownState)
SHOWN_SIZE = SHOWN.itemsize


def new_shown(n: int) -> Any:
    """For ``n`` rows that hold nothing yet."""
    return new_records(n, SHOWN)


NOTHING_SHOWN = new_shown(0)  # rows that are written in full each time


@jit
def changed_deeds(shown: ShownState, game: GameState) -> int:
    """Return the deeds that a row shows with another owner, mortgage or building, as a bit mask."""
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
def changes_since(shown: ShownState, game: GameState, seat: int) -> int:
    """Return what is to be written anew, as a bit mask.

    The lowest bits are the squares of deeds, then come the hands, own first, then what the token's
    place decides, and what a deal does.
    """
    hands = 0
    for left in range(game.players):
        owned = shown.owned[seat_left(game, shown.seat, left)]
        if owned != game.owned[seat_left(game, seat, left)]:
            hands |= bit(left)
    changes = changed_deeds(shown, game) | hands << SPACES
    if shown.square != game.position[seat]:
        changes |= MOVED
    if is_dealing(shown.phase) or is_dealing(game.phase):
        changes |= DEALS
    return changes


@jit
def pending_deeds(game: GameState) -> int:
    """Deeds received mortgaged and not settled yet, as a bit mask."""
    return squares_pending(game) if game.depth > 1 else 0


@jit
def note_deeds(shown: ShownState, game: GameState, rules: RuleSet, changed: int) -> None:
    """Keep what a row shows of the deeds from now on; others than ``changed`` are as they were."""
    for player in range(PLAYERS):
        before, after = shown.owned[player] & changed, game.owned[player] & changed
        while before != 0:
            square = lowest(before)
            before &= before - 1
            level, mortgaged = int(shown.level[square]), (shown.mortgaged >> square) & 1
            shown.worth[player] -= worth_of(rules, square, level, mortgaged)
            shown.loan[player] -= loan_on(rules, square, level, mortgaged)
        while after != 0:
            square = lowest(after)
            after &= after - 1
            level, mortgaged = int(game.level[square]), (game.mortgaged >> square) & 1
            shown.worth[player] += worth_of(rules, square, level, mortgaged)
            shown.loan[player] += loan_on(rules, square, level, mortgaged)
        shown.owned[player] = game.owned[player]
    shown.mortgaged = game.mortgaged
    remaining = changed
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        shown.level[square] = game.level[square]


@jit
def note_view(shown: ShownState, game: GameState, seat: int) -> None:
    """Keep what else a row shows from now on."""
    shown.pot, shown.houses, shown.hotels = game.pot, game.houses, game.hotels
    shown.seat = seat
    shown.square = game.position[seat]
    shown.phase = game.phase
    shown.owes = 1 if innermost_debt(game) != 0 else 0
    shown.pending = 1 if pending_deeds(game) != 0 else 0
    shown.filled = 1


@jit
def note_all(shown: ShownState, game: GameState, rules: RuleSet, seat: int) -> None:
    """Keep all that a row shows, whatever it was before."""
    shown.owned[:] = 0
    shown.worth[:] = 0
    shown.loan[:] = 0
    note_deeds(shown, game, rules, DEED_BITS)
    note_view(shown, game, seat)
