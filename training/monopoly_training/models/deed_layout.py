"""Where things stand among what a network of deeds reads and decides on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from monopoly_env.encoding.blocks import BLOCKS, OFFSETS, SEATS
from monopoly_env.engine.actions import ARGUMENTS, OFFERS, TEXTS
from monopoly_env.engine.board import DEEDS, GROUP, GROUPS, SPACES
from monopoly_env.engine.dispatch import DEED_INDEX
from monopoly_env.engine.state import Int64s

N_DEEDS = len(DEEDS)
DEED_SQUARES = np.array(DEEDS, np.int64)
DEED_GROUPS = np.array([GROUP[square] for square in DEEDS], np.int64)
FACTS = 8  # of an offer of the menu


@dataclass(frozen=True)
class Layout:
    """Where things stand among the columns that a network reads and the actions that it knows."""

    deeds: Int64s  # (28 · F): columns of what concerns each deed, one deed after another
    positions: Int64s  # columns of the other players' positions
    rest: Int64s  # columns of all that concerns no single deed or offer
    offers: Int64s  # (32 · FACTS): columns of the menu; none where deals are made otherwise
    kinds: tuple[str, ...]  # of actions that are done to a deed
    others: int  # how many actions the trunk decides
    order: Int64s  # where each action's logit stands: others, deeds by kinds, offers

    @property
    def facts(self) -> int:
        """How many numbers concern each deed."""
        return len(self.deeds) // N_DEEDS


def layout_of(columns: Int64s, actions: Int64s) -> Layout:
    """The layout for these columns of the observation and these ids of actions."""
    at = {int(column): index for index, column in enumerate(columns)}
    facts = np.array([row for row in deed_columns() if all(int(c) in at for c in row)])
    menu = [OFFSETS["menu"] + k for k in range(OFFERS * FACTS)]
    positions = [OFFSETS["position"] + left for left in range(1, len(SEATS))]
    apart = {int(column) for column in facts.flat} | set(menu)
    kinds, order, others = heads_of(actions)
    return Layout(
        deeds=places(at, facts.T.flat),
        positions=places(at, positions),
        rest=places(at, (column for column in at if column not in apart)),
        offers=places(at, menu),
        kinds=kinds,
        others=others,
        order=order,
    )


def places(at: Mapping[int, int], columns: Any) -> Int64s:
    """Where columns of the observation stand among those that are read."""
    return np.array([at[int(c)] for c in columns if int(c) in at], np.int64)


def deed_columns() -> list[Int64s]:
    """Rows of 28 columns of the observation: one fact a row, one deed a column."""
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


def heads_of(actions: Int64s) -> tuple[tuple[str, ...], Int64s, int]:
    """Kinds done to a deed; where the logit of each action stands; how many the trunk decides."""
    parsed = [parse(TEXTS[action]) for action in actions.tolist()]
    kinds = tuple(dict.fromkeys(kind for kind, deed in parsed if deed is not None))
    is_other = [deed is None and kind != "propose" for kind, deed in parsed]
    others, order, taken = sum(is_other), [], 0
    for action, (kind, deed) in zip(actions.tolist(), parsed, strict=True):
        if deed is not None:
            order.append(others + deed * len(kinds) + kinds.index(kind))
        elif kind == "propose":
            number = int(TEXTS[action].partition(":")[2]) - 1
            order.append(others + N_DEEDS * len(kinds) + number)
        else:
            order.append(taken)
            taken += 1
    return kinds, np.array(order, np.int64), others


def parse(text: str) -> tuple[str, int | None]:
    """The kind of an action, and the number of the deed that it is done to, if any."""
    kind, _, label = text.partition(":")
    argument = ARGUMENTS[kind]
    if argument.name not in ("street", "deed", "item"):
        return kind, None
    square = argument.values[argument.labels.index(label)]
    return kind, int(DEED_INDEX[square]) if square < SPACES else None
