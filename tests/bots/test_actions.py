"""Ids of actions in compiled code are those of the action table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from monopoly_env.bots import (
    IDS,
    KINDS,
    N_ACTIONS,
    NO_ACTION,
    Kind,
    first_legal,
    first_of,
    id_of,
    id_on,
    ids_of,
    is_legal,
    jit,
    largest_step,
)
from monopoly_env.engine.actions import TEXTS
from monopoly_env.engine.policy import new_views


@jit
def ids_in(kind: int) -> tuple[int, int, int]:
    """The id of a kind without argument, the sum of all its ids, and how many they are."""
    total, number = 0, 0
    for action in ids_of(kind):
        total += action
        number += 1
    return id_of(kind), total, number


@jit
def on(kind: int, square: int) -> int:
    """An action on a deed."""
    return id_on(kind, square)


@jit
def looked_up(views: Any, kind: int, most: int) -> tuple[int, int, int, bool]:
    """The first legal action, the first of a kind, the largest step of it, and if that is legal."""
    view = views[0]
    step = largest_step(view, kind, most)
    return first_legal(view), first_of(view, kind), step, step >= 0 and is_legal(view, step)


@pytest.mark.parametrize("kind", list(Kind))
def test_ids_of_a_kind_stand_side_by_side(kind: Kind) -> None:
    name = KINDS[kind]
    every = [IDS[text] for text in TEXTS if text.partition(":")[0] == name]
    assert every == list(range(every[0], every[0] + len(every)))
    assert ids_in(int(kind)) == (every[0], sum(every), len(every))


def test_actions_on_deeds() -> None:
    assert on(int(Kind.MORTGAGE), 39) == IDS["mortgage:boardwalk"]
    assert on(int(Kind.KEEP), 5) == IDS["keep:reading"]


def test_what_is_legal() -> None:
    views = new_views(1)[0, :1]
    assert looked_up(views, int(Kind.RAISE), 100) == (NO_ACTION, NO_ACTION, NO_ACTION, False)
    for text in ("pass", "raise:1", "raise:20", "raise:500"):
        views["mask"][0, IDS[text]] = 1
    assert looked_up(views, int(Kind.RAISE), 100) == (
        min(IDS["pass"], IDS["raise:1"]),
        IDS["raise:1"],
        IDS["raise:20"],
        True,
    )
    views["mask"][0] = np.ones(N_ACTIONS, np.int8)
    assert looked_up(views, int(Kind.BUILD), 0)[:2] == (0, ids_in(int(Kind.BUILD))[0])
