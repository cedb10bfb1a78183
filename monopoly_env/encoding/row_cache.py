"""Records what a row of observations already shows, so that only changes are written.

Few deeds change from one step to the next. Writing owners, rents, net worth and group shares in
full takes half the time of an observation.
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
    """The content of a row: whose observation it holds, and the state it shows. Zero if empty."""

    owned: Annotated[Int64s, Field("i8", (PLAYERS,), "squares", "each seat's deeds, as a bit mask")]
    mortgaged: Annotated[int, Field("i8", (), "squares", "bit mask of mortgaged deeds")]
    worth: Annotated[Int32s, Field("i4", (PLAYERS,), "$", "worth of each seat's property")]
    loan: Annotated[Int32s, Field("i4", (PLAYERS,), "$", "proceeds of selling and mortgaging all")]
    pot: Annotated[int, Field("i4", (), "$", "money under Free Parking")]
    houses: Annotated[int, Field("i2", (), "buildings", "houses in the Bank")]
    hotels: Annotated[int, Field("i2", (), "buildings", "hotels in the Bank")]
    level: Annotated[Int8s, Field("i1", (SPACES,), "buildings", "on each square")]
    seat: Annotated[int, Field("i1", (), "seat", "whose observation it is")]
    square: Annotated[int, Field("i1", (), "square", "position of that seat's token")]
    phase: Annotated[int, Field("i1", (), "Phase", "phase of the decision")]
    owes: Annotated[int, Field("i1", (), "yes/no", "there is an open debt")]
    pending: Annotated[int, Field("i1", (), "yes/no", "there are pending deeds")]
    filled: Annotated[int, Field("i1", (), "yes/no", "the row holds an observation")]


# Bits of a change mask above those of the squares
HANDS = ((1 << PLAYERS) - 1) << SPACES
MOVED, DEALS = 1 << SPACES + PLAYERS, 2 << SPACES + PLAYERS

SHOWN = dtype_of(ShownState)
SHOWN_SIZE = SHOWN.itemsize


def new_shown(n: int) -> Any:
    """Return records for ``n`` rows that hold nothing yet."""
    return new_records(n, SHOWN)


NOTHING_SHOWN = new_shown(0)  # for rows that are written in full each time


@jit
def changed_deeds(shown: ShownState, game: GameState) -> int:
    """Return the deeds whose owner, mortgage or buildings differ from the row, as a bit mask."""
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
    """Return what must be rewritten, as a bit mask.

    The lowest bits are the squares of deeds. Above them are the hands (own first), the features of
    the token's position (MOVED), and those of a deal (DEALS).
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
    """Return the deeds received mortgaged that are still undecided, as a bit mask."""
    return squares_pending(game) if game.depth > 1 else 0


@jit
def note_deeds(shown: ShownState, game: GameState, rules: RuleSet, changed: int) -> None:
    """Record what a row now shows of the deeds in ``changed``."""
    remaining = changed
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        level, mortgaged = int(shown.level[square]), (shown.mortgaged >> square) & 1
        worth, loan = (
            worth_of(rules, square, level, mortgaged),
            loan_on(rules, square, level, mortgaged),
        )
        level, mortgaged = int(game.level[square]), (game.mortgaged >> square) & 1
        worth_now, loan_now = (
            worth_of(rules, square, level, mortgaged),
            loan_on(rules, square, level, mortgaged),
        )
        for player in range(PLAYERS):  # without branches: whose deed it is cannot be predicted
            before, now = shown.owned[player] >> square & 1, game.owned[player] >> square & 1
            shown.worth[player] += now * worth_now - before * worth
            shown.loan[player] += now * loan_now - before * loan
        shown.level[square] = level
    for player in range(PLAYERS):
        shown.owned[player] = game.owned[player]
    shown.mortgaged = game.mortgaged


@jit
def note_view(shown: ShownState, game: GameState, seat: int) -> None:
    """Record the other facts that a row now shows."""
    shown.pot, shown.houses, shown.hotels = game.pot, game.houses, game.hotels
    shown.seat = seat
    shown.square = game.position[seat]
    shown.phase = game.phase
    shown.owes = 1 if innermost_debt(game) != 0 else 0
    shown.pending = 1 if pending_deeds(game) != 0 else 0
    shown.filled = 1


@jit
def note_all(shown: ShownState, game: GameState, rules: RuleSet, seat: int) -> None:
    """Record everything that a row shows, regardless of earlier content."""
    shown.owned[:] = 0
    shown.worth[:] = 0
    shown.loan[:] = 0
    note_deeds(shown, game, rules, DEED_BITS)
    note_view(shown, game, seat)
