"""Compiled policies: bots that run inside the engine's loops.

A policy is ``policy(game, rules, view) -> action id``, compiled with one explicit signature, so
that any eight of them form a line-up without compiling anything anew. It sees a copy of the
game in which everything hidden is wiped, and a view: its seat, the mask, 32 numbers of memory
that live with the game, and a random generator of its own.
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
    """What a policy is handed beside the wiped game."""

    rng: Annotated[np.uint64, Field("u8", (), "", "the policy's own random generator")]
    memory: Annotated[Int32s, Field("i4", (MEMORY,), "", "numbers the policy keeps over a game")]
    weights: Annotated[int, Field("i8", (), "address", "of what it plays by; 0: its own numbers")]
    seat: Annotated[int, Field("i1", (), "seat", "who decides")]
    mask: Annotated[Int8s, Field("i1", (N_ACTIONS,), "", "legal actions: 1")]


VIEW = dtype_of(ViewState)

Policy = Callable[[GameState, RuleSet, ViewState], int]


def new_views(n: int) -> Any:
    """``n`` rows of PLAYERS blank views: one a game and seat, shape (n, 8)."""
    return new_records(n * PLAYERS, VIEW).reshape(n, PLAYERS)


SIGNATURE: Any = record_signature(GAME, RULES, VIEW)


def policy(function: Policy) -> Policy:
    """Compile a policy with the one signature all policies share."""
    return jit_as(SIGNATURE)(function)


policy_at = function_at(SIGNATURE)  # the policy at an address, inside compiled loops


def policy_address(function: Policy) -> int:
    """Where a compiled policy lies in memory; keep the policy alive as long as this is used."""
    return address_of(function, SIGNATURE)


def weights_address(weights: Any) -> int:
    """Where a policy's weights lie in memory, for its view; 0 for None. Keep them alive."""
    if weights is None:
        return 0
    if not weights.flags.c_contiguous:
        raise ValueError("weights must lie in one piece; give a contiguous array")
    return int(weights.ctypes.data)


@jit
def chance(view: ViewState, n: int) -> int:
    """A random number from 0 to n - 1 from the policy's own generator."""
    view.rng = np.uint64(view.rng) + GAMMA
    return int(((mix(np.uint64(view.rng)) >> S32) * np.uint64(n)) >> S32)


@jit
def wipe(game: GameState) -> None:
    """Hide what no player can see: the generator, undrawn cards' order, forced throws.

    The undrawn cards are sorted, so that nothing of their order is left. Cards that everybody
    has seen go under the pile in a known order and stay.
    """
    game.rng = np.uint64(0)
    game.forced[:] = 0
    game.forced_count = 0
    game.forced_next = 0
    game.forced_only = 0
    for pile in range(2):
        sort_unseen(game, pile)


@jit
def sort_unseen(game: GameState, pile: int) -> None:
    """Put the cards nobody has seen in the order of their ids."""
    cards = game.deck[pile]
    members = 0
    for index in range(game.unseen[pile]):
        members |= bit(cards[index])
    for index in range(game.unseen[pile]):
        cards[index] = lowest(members)
        members &= members - 1
