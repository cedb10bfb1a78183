"""Prefetches rows of observations, and the records of what they show, before they are written.

In a large batch, no row is still in the processor's cache when its turn comes. Prefetched memory
arrives while other games are stepped. What nearly every step writes is prefetched before the step;
everything else once it is known to have changed, because prefetching takes time, too.
"""

from __future__ import annotations

from typing import Any

from monopoly_env.compiler.bits import lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.memory import prefetch
from monopoly_env.encoding.blocks import OBSERVATION_SIZE, OFFSETS
from monopoly_env.encoding.packed import PACKED_SIZE
from monopoly_env.encoding.row_cache import DEALS, HANDS, MOVED, SHOWN_SIZE
from monopoly_env.encoding.row_writing import Row
from monopoly_env.engine.board import DEED_BITS, GROUPS, N_DEEDS, SPACES

FLOAT = 4  # bytes
HAND, HAND_SHARES = FLOAT * N_DEEDS, FLOAT * GROUPS  # bytes per seat
ROW = FLOAT * OBSERVATION_SIZE
AT = {name: FLOAT * offset for name, offset in OFFSETS.items()}
OWNER, MORTGAGED, PRICE, RENT = AT["owner"], AT["mortgaged"], AT["price"], AT["rent"]
PENDING = AT["pending"]
SQUARE, PHASE, SUBJECT, RAISABLE = AT["square"], AT["phase"], AT["subject"], AT["raisable"]
GROUP_SHARE, GROUP_COMPLETE = AT["group_share"], AT["group_complete"]
GROUP_LACKING = AT["group_lacking"]
DOUBLE, DEAL_GIVE, MENU, DICE = AT["double"], AT["deal_give"], AT["menu"], AT["dice"]
RULES_ = AT["rules"]


@jit
def fetch_shown(shown: Any, row: int) -> None:
    """Prefetch one SHOWN record."""
    prefetch(shown, row * SHOWN_SIZE, (row + 1) * SHOWN_SIZE)


@jit
def fetch_row(rows: Row, row: int) -> None:
    """Prefetch the parts of a row that nearly every step writes."""
    start = row * ROW
    prefetch(rows, start, start + OWNER)
    prefetch(rows, start + PHASE, start + SUBJECT)
    prefetch(rows, start + RAISABLE, start + RAISABLE + FLOAT)
    prefetch(rows, start + DOUBLE, start + DEAL_GIVE)
    prefetch(rows, start + DICE, start + RULES_)


@jit
def fetch_packed(rows: Any, row: int) -> None:
    """Prefetch a packed row."""
    prefetch(rows, row * PACKED_SIZE, (row + 1) * PACKED_SIZE)


@jit
def fetch_changes(rows: Row, row: int, changes: int) -> None:
    """Prefetch the parts of a row into which these changes will be written."""
    start = row * ROW
    if changes & DEED_BITS != 0:
        prefetch(rows, start + MORTGAGED, start + PRICE)
        prefetch(rows, start + RENT, start + PENDING)
    hands = (changes & HANDS) >> SPACES
    while hands != 0:
        left = lowest(hands)
        hands &= hands - 1
        deeds, shares = start + left * HAND, start + left * HAND_SHARES
        prefetch(rows, deeds + OWNER, deeds + OWNER + HAND)
        prefetch(rows, shares + GROUP_SHARE, shares + GROUP_SHARE + HAND_SHARES)
        prefetch(rows, shares + GROUP_LACKING, shares + GROUP_LACKING + HAND_SHARES)
        prefetch(rows, shares + GROUP_COMPLETE, shares + GROUP_COMPLETE + HAND_SHARES)
    if changes & MOVED != 0:
        prefetch(rows, start + SQUARE, start + GROUP_SHARE)
    if changes & DEALS != 0:
        prefetch(rows, start + DEAL_GIVE, start + MENU)
