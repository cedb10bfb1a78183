"""Index the observation columns and actions that belong to each deed, each offer, or neither."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from monopoly_env.encoding.blocks import BLOCKS, OFFER_SIZE, OFFSETS, SEATS
from monopoly_env.engine.actions import ARGUMENTS, DEED_INDEX, OFFERS, TEXTS
from monopoly_env.engine.board import DEEDS, GROUP, GROUPS, N_DEEDS, SPACES
from monopoly_env.engine.state import Int64s

DEED_SQUARES = np.array(DEEDS, np.int64)
DEED_GROUPS = np.array([GROUP[square] for square in DEEDS], np.int64)


@dataclass(frozen=True)
class Layout:
    """How the deed network groups its columns and orders its logits.

    Column indices refer to the columns that the network reads.
    """

    deeds: Int64s  # (28 · deed_features): columns of each deed, one deed after another
    positions: Int64s  # the other players' positions
    others: Int64s  # columns that belong to no single deed or offer
    offers: Int64s  # (32 · OFFER_SIZE): the offer menu; empty if deals are not made by menu
    deed_kinds: tuple[str, ...]  # the kinds of action that take a deed
    other_actions: int  # number of actions without a deed or an offer
    order: Int64s  # position of each action's logit among other actions, deeds, offers

    @property
    def deed_features(self) -> int:
        """Number of columns per deed."""
        return len(self.deeds) // N_DEEDS


def layout_of(columns: Int64s, actions: Int64s) -> Layout:
    """Return the layout for these observation columns and action ids."""
    index_of = {int(column): index for index, column in enumerate(columns)}
    deed_rows = [row for row in deed_columns() if all(int(column) in index_of for column in row)]
    deeds = np.array(deed_rows)
    menu = [OFFSETS["menu"] + k for k in range(OFFERS * OFFER_SIZE)]
    positions = [OFFSETS["position"] + left for left in range(1, len(SEATS))]
    apart = {int(column) for column in deeds.flat} | set(menu)
    deed_kinds, order, other_actions = action_heads(actions)
    return Layout(
        deeds=indices(index_of, deeds.T.flatten().tolist()),
        positions=indices(index_of, positions),
        others=indices(index_of, (column for column in index_of if column not in apart)),
        offers=indices(index_of, menu),
        deed_kinds=deed_kinds,
        other_actions=other_actions,
        order=order,
    )


def indices(index_of: Mapping[int, int], columns: Iterable[int]) -> Int64s:
    """Return the indices of those columns that the network reads."""
    return np.array([index_of[int(c)] for c in columns if int(c) in index_of], np.int64)


def deed_columns() -> list[Int64s]:
    """Return rows of 28 observation columns: one row per feature, one column per deed."""
    rows = []
    deed, group = np.arange(N_DEEDS), DEED_GROUPS
    for block in BLOCKS:
        start = OFFSETS[block.name]
        if block.name in ("owner", "group_share", "group_complete", "group_lacking"):
            step, index = (N_DEEDS, deed) if block.name == "owner" else (GROUPS, group)
            rows += [start + left * step + index for left in range(len(SEATS))]
        elif block.name in ("deal_my_share", "deal_their_share"):
            rows.append(start + group)
        elif block.size == N_DEEDS or block.name in ("deal_give", "deal_get"):
            rows.append(start + deed)
    return rows


def action_heads(actions: Int64s) -> tuple[tuple[str, ...], Int64s, int]:
    """Return the kinds with a deed, each action's logit position, and the number of other actions.

    Logits are ordered as other actions, deeds (all kinds of one after another), offers.
    """
    parsed = [kind_and_deed(TEXTS[action]) for action in actions.tolist()]
    deed_kinds = tuple(dict.fromkeys(kind for kind, deed in parsed if deed is not None))
    n_others = sum(deed is None and kind != "propose" for kind, deed in parsed)
    order, others_so_far = [], 0
    for action, (kind, deed) in zip(actions.tolist(), parsed, strict=True):
        if deed is not None:
            order.append(n_others + deed * len(deed_kinds) + deed_kinds.index(kind))
        elif kind == "propose":
            number = int(TEXTS[action].partition(":")[2]) - 1
            order.append(n_others + N_DEEDS * len(deed_kinds) + number)
        else:
            order.append(others_so_far)
            others_so_far += 1
    return deed_kinds, np.array(order, np.int64), n_others


def kind_and_deed(text: str) -> tuple[str, int | None]:
    """Return the kind of an action and the number of its deed, if any."""
    kind, _, label = text.partition(":")
    argument = ARGUMENTS[kind]
    if argument.name not in ("street", "deed", "item"):
        return kind, None
    square = argument.values[argument.labels.index(label)]
    return kind, int(DEED_INDEX[square]) if square < SPACES else None
