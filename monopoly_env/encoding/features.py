"""Selects the features and actions that can vary in a setup (players, edition, rules).

Empty seats, unused forms of deals and the rules themselves are constant during a run. Dropping them
halves the network and speeds up learning.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from monopoly_env.editions import Edition, EditionSet
from monopoly_env.encoding.blocks import BLOCKS, OFFSETS, SEATS
from monopoly_env.engine.actions import KIND_OF, N_ACTIONS, SIZE, TEXTS
from monopoly_env.engine.rules import Deals
from monopoly_env.engine.state import Float32s, Int64s

COMPOSING = ("deal", "give", "ask", "give_cash", "ask_cash", "offer", "cancel")


def used_columns(players: int, edition: Edition | EditionSet) -> Int64s:
    """Return the indices of the observation columns that can change in this setup, ascending.

    The rules' own columns are included only if each game draws its edition from a set.
    """
    several = isinstance(edition, EditionSet) and len(edition) > 1
    deals = deals_of(edition)
    absent = {f"left{offset}" for offset in range(players, len(SEATS))}
    return np.array(
        [
            OFFSETS[block.name] + index
            for block in BLOCKS
            if is_used(block.name, deals) or (several and block.name == "rules")
            for index, label in enumerate(block.labels)
            if label.partition(".")[0] not in absent
        ],
        np.int64,
    )


def used_actions(edition: Edition | EditionSet) -> Int64s:
    """Return the ids of the actions that can be legal under these rules, ascending."""
    if isinstance(edition, EditionSet):
        edition = edition.first  # all editions of a set have the same switches
    deals = deals_of(edition)
    absent: set[str] = set()
    if deals != Deals.STEPS:
        absent.update(COMPOSING)
    if deals != Deals.MENU:
        absent.add("propose")
    if deals == Deals.OFF:
        absent.update(("accept", "reject"))
    if not edition.value("power_doubles"):
        absent.update(("power", "to", "attack"))
    if not edition.value("rent_asked"):
        absent.add("ask_rent")
    if not edition.rules["tax_percent"].any():
        absent.update(("tax_flat", "tax_percent"))
    return np.array(
        [index for index, text in enumerate(TEXTS) if text.partition(":")[0] not in absent],
        np.int64,
    )


def kind_bias(action_ids: Int64s | Sequence[int] | None = None) -> Float32s:
    """Return logits, float32[n], under which all kinds of action are equally likely.

    An untrained network gives all actions nearly the same logit. There are 28 ways to mortgage and
    one to roll the dice, so it would mortgage itself to death, and unlearning that takes hundreds
    of thousands of decisions. Adding these logits, or using them as the initial bias of the actor's
    last layer, makes each kind of action equally likely.

    Args:
        action_ids: the ids of the actor's outputs; None for all 342 of them.

    >>> bias = kind_bias()
    >>> bias.shape, bias.dtype
    ((342,), dtype('float32'))
    >>> from monopoly_env.engine.actions import IDS
    >>> round(float(bias[IDS["roll"]]), 2), round(float(bias[IDS["mortgage:boardwalk"]]), 2)
    (0.0, -3.33)
    """
    ids = np.arange(N_ACTIONS) if action_ids is None else np.asarray(action_ids, np.int64)
    return np.log(1.0 / SIZE[KIND_OF[ids]]).astype(np.float32)


def deals_of(edition: Edition | EditionSet) -> Deals:
    """Return the form of deals that an edition uses."""
    if isinstance(edition, EditionSet):
        edition = edition.first
    return Deals(int(edition.rules[0]["deals"]))


def is_used(block: str, deals: Deals) -> bool:
    """Return whether a block of the observation can change under this form of deals."""
    if block == "menu":
        return deals == Deals.MENU
    if block.startswith(("deal_", "offers_")) or block in ("refused", "debt_deals"):
        return deals != Deals.OFF
    return block != "rules"
