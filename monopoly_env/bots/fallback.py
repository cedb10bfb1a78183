"""The action for a player without a usable answer: the one with the least cost and commitment."""

from __future__ import annotations

from monopoly_env.engine.actions import KINDS, TEXTS
from monopoly_env.engine.state import Int8s

ORDER = (
    "reject",  # refuse
    "pass",
    "cancel",
    "roll",  # go on
    "end_turn",
    "auction",  # let go of a property
    "tax_flat",  # take the plain choice
    "keep",
    "mortgage",  # raise cash, without losing deeds
    "sell",
    "sell_group",
    "bankrupt",  # give up
)
RANK: tuple[int, ...] = tuple(
    (*ORDER, *(kind for kind in KINDS if kind not in ORDER)).index(text.partition(":")[0])
    for text in TEXTS
)


def safe_action(mask: Int8s) -> int:
    """Return the first legal action by the order of kinds in ``ORDER``, then by id.

    ``mask`` is int8[N_ACTIONS] with at least one legal action.
    """
    legal: list[int] = mask.nonzero()[0].tolist()
    return min(legal, key=RANK.__getitem__)
