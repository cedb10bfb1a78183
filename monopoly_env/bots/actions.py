"""Action ids for compiled policies.

The ids of a kind of action are consecutive, in the order of its arguments. ``KIND_OF[action]`` is
the kind of an action, ``VALUE_OF[action]`` its argument: a square, a number of seats to the left,
or an amount.
"""

from __future__ import annotations

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import BASE, DEED_INDEX, N_ACTIONS, SIZE, VALUE_OF
from monopoly_env.engine.policy import ViewState

NO_ACTION = -1  # returned if there is no such action


@jit
def id_of(kind: int) -> int:
    """Return the id of an action without an argument, such as ``roll``."""
    return int(BASE[kind])


@jit
def ids_of(kind: int) -> range:
    """Return all ids of a kind of action, such as ``build``, in the order of their arguments."""
    return range(int(BASE[kind]), int(BASE[kind]) + int(SIZE[kind]))


@jit
def id_on(kind: int, square: int) -> int:
    """Return the id of an action on a deed: ``mortgage``, ``lift`` or ``keep``."""
    return int(BASE[kind]) + int(DEED_INDEX[square])


@jit
def is_legal(view: ViewState, action: int) -> bool:
    """Return whether an action is legal now."""
    return bool(view.mask[action] != 0)


@jit
def first_legal(view: ViewState) -> int:
    """Return the legal action with the lowest id, for decisions that a bot does not handle."""
    for action in range(N_ACTIONS):
        if view.mask[action] != 0:
            return action
    return NO_ACTION


@jit
def first_of(view: ViewState, kind: int) -> int:
    """Return the legal action of a kind with the lowest id; NO_ACTION if there is none."""
    for action in ids_of(kind):
        if view.mask[action] != 0:
            return action
    return NO_ACTION


@jit
def largest_step(view: ViewState, kind: int, most: int) -> int:
    """Return the largest legal ``raise``, ``give_cash`` or ``ask_cash`` of up to ``most`` $."""
    best = NO_ACTION
    for action in ids_of(kind):
        if VALUE_OF[action] <= most and view.mask[action] != 0:
            best = action
    return best
