"""Compiled policies: bots that run inside the engine's loops.

A policy is ``policy(game, rules, view) -> action id``, compiled with one fixed signature, so that
any line-up of eight works without recompilation. It sees a copy of the game without hidden
information, and a view: its seat, the mask, 32 numbers of memory that last for a game, and its own
random generator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit, jit_as
from monopoly_env.compiler.pointers import address_of, function_at, record_signature
from monopoly_env.compiler.records import Field, dtype_of, new_records
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.dice import GAMMA, S32, mix
from monopoly_env.engine.rules import RULES, RuleSet
from monopoly_env.engine.state import GAME, GameState, Int8s, Int32s

MEMORY = 32


class ViewState:
    """The input of a policy besides the game and the rules."""

    rng: Annotated[np.uint64, Field("u8", (), "", "the policy's own random generator")]
    memory: Annotated[Int32s, Field("i4", (MEMORY,), "", "numbers that persist during a game")]
    weights: Annotated[int, Field("i8", (), "address", "its weights; 0: built in")]
    seat: Annotated[int, Field("i1", (), "seat", "the deciding seat")]
    mask: Annotated[Int8s, Field("i1", (N_ACTIONS,), "", "1 for each legal action")]


VIEW = dtype_of(ViewState)

Policy = Callable[[GameState, RuleSet, ViewState], int]


def new_views(n: int) -> Any:
    """Return ``n`` rows of PLAYERS blank views, one per game and seat: shape (n, 8)."""
    return new_records(n * PLAYERS, VIEW).reshape(n, PLAYERS)


SIGNATURE: Any = record_signature(GAME, RULES, VIEW)


def policy(function: Policy) -> Policy:
    """Compile a policy with the signature that all policies share."""
    return jit_as(SIGNATURE)(function)


policy_at = function_at(SIGNATURE)  # calls the policy at an address, in compiled loops


def policy_address(function: Policy) -> int:
    """Return the memory address of a compiled policy; keep the policy alive meanwhile."""
    return address_of(function, SIGNATURE)


def weights_address(weights: Any) -> int:
    """Return the address of a policy's weights, 0 for None; keep the weights alive."""
    if weights is None:
        return 0
    if not weights.flags.c_contiguous:
        raise ValueError("weights must lie in one piece; give a contiguous array")
    return int(weights.ctypes.data)


@jit
def chance(view: ViewState, n: int) -> int:
    """Return a random number from 0 to n - 1 from the policy's own generator."""
    view.rng = np.uint64(view.rng) + GAMMA
    return int(((mix(np.uint64(view.rng)) >> S32) * np.uint64(n)) >> S32)


@jit
def wipe(game: GameState) -> None:
    """Remove hidden information: the generator, the order of undrawn cards, and forced throws.

    Undrawn cards are sorted. Cards that everybody has seen go under the deck in a known order and
    stay there.
    """
    wipe_dice(game)
    for pile in range(2):
        sort_unseen(game, pile)


@jit
def wipe_dice(game: GameState) -> None:
    """Hide the random generator and forced throws."""
    game.rng = np.uint64(0)
    game.forced[:] = 0
    game.forced_count = 0
    game.forced_next = 0
    game.forced_only = 0


@jit
def sort_unseen(game: GameState, pile: int) -> None:
    """Sort the cards that nobody has seen by id."""
    cards = game.deck[pile]
    members = 0
    for index in range(game.unseen[pile]):
        members |= bit(cards[index])
    for index in range(game.unseen[pile]):
        cards[index] = lowest(members)
        members &= members - 1
