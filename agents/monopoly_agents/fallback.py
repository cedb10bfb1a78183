"""What is played for a player who gives no usable answer: nothing that costs or commits."""

from __future__ import annotations

from monopoly_env.engine.actions import KINDS, TEXTS
from monopoly_env.engine.state import Int8s

# In this order: refuse, do nothing, throw; let go of a property; take the plain choice; raise cash
# without losing deeds; give up last.
ORDER = (
    "reject", "pass", "cancel", "roll", "end_turn", "auction", "tax_flat", "keep", "mortgage",
    "sell", "sell_group", "bankrupt",
)  # fmt: skip
RANK: tuple[int, ...] = tuple(
    (*ORDER, *(kind for kind in KINDS if kind not in ORDER)).index(text.partition(":")[0])
    for text in TEXTS
)


def safe_action(mask: Int8s) -> int:
    """The legal action of the first kind in ``ORDER``, else of any; of one kind the lowest id.

    ``mask`` is int8[N_ACTIONS] and not empty.
    """
    legal: list[int] = mask.nonzero()[0].tolist()
    return min(legal, key=RANK.__getitem__)
