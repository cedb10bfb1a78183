"""Plays games in one compiled call, with any mix of compiled policies and external players.

A LOOP record says who decides. When an external seat must decide, the loop stops and returns. Some
external seats are learners, which may leave some phases and kinds of action to their policy (the
hybrid agents of the papers).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from monopoly_env.compiler.bits import count
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Field, Records, dtype_of, new_records
from monopoly_env.engine.actions import BASE, KIND_OF, N_ACTIONS, N_KINDS
from monopoly_env.engine.board import NOBODY, PLAYERS
from monopoly_env.engine.dice import GAMMA
from monopoly_env.engine.dispatch import legal_bits
from monopoly_env.engine.flow import step
from monopoly_env.engine.journal import Log
from monopoly_env.engine.masks import nth_set, pick, write_mask
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy import Policy, ViewState, policy_address, policy_at, wipe, wipe_dice
from monopoly_env.engine.rules import RULES, RuleSet
from monopoly_env.engine.state import GAME, GameState, Int8s, Int32s, Int64s

MEMORY_SALT = np.uint64(0xD1B54A32D192ED03)
ALL_PHASES = (1 << len(Phase)) - 1


class LoopState:
    """Who decides in a game that a loop plays, and the loop's working memory."""

    policies: Annotated[Int64s, Field("i8", (PLAYERS,), "address", "compiled policies by number")]
    line_up: Annotated[Int8s, Field("i1", (PLAYERS,), "policy", "number of each seat's policy")]
    external: Annotated[int, Field("i2", (), "seats", "bit mask of externally played seats")]
    learners: Annotated[int, Field("i2", (), "seats", "bit mask of learners among them")]
    decides: Annotated[int, Field("i8", (), "Phase bits", "where learners decide")]
    leaves: Annotated[
        int, Field("i8", (), "Kind bits", "kinds that their policy decides even there")
    ]
    stop_seat: Annotated[int, Field("i1", (), "seat", "its bankruptcy ends the loop; or NOBODY")]
    skip_forced: Annotated[int, Field("i1", (), "yes/no", "play single legal actions unasked")]
    faults: Annotated[Int32s, Field("i4", (PLAYERS,), "answers", "illegal answers so far, by seat")]
    illegal: Annotated[int, Field("i4", (), "answers", "illegal answers of all seats so far")]
    wiped: Annotated[GameState, Field(GAME, (), "", "the copy of the game for policies")]
    deck: Annotated[Int8s, Field("i1", (2, 16), "card", "the piles that were sorted last")]
    unseen: Annotated[Int8s, Field("i1", (2,), "cards", "their unseen cards")]
    sorted: Annotated[Int8s, Field("i1", (2, 16), "card", "these piles with sorted unseen cards")]
    rules: Annotated[RuleSet, Field(RULES, (), "", "the copy of the rules for policies")]
    has_rules: Annotated[int, Field("i1", (), "yes/no", "``rules`` has been filled")]


LOOP = dtype_of(LoopState)


def new_loop(policies: Sequence[Policy], skip_forced: bool = False) -> Records:
    """Return one LOOP record with compiled policies by seat; the last one plays all other seats.

    Keep the policies alive as long as the record is used, because it has only their addresses.
    """
    loop = new_records(1, LOOP)
    addresses = [policy_address(policy) for policy in policies]
    loop["policies"][0] = addresses + addresses[-1:] * (PLAYERS - len(addresses))
    loop["line_up"][0] = np.arange(PLAYERS)
    loop["decides"] = ALL_PHASES
    loop["stop_seat"] = NOBODY
    loop["skip_forced"] = skip_forced
    return loop


@jit
def only_action(bits: Int64s) -> int:
    """Return the id of the only legal action; -1 if there are several."""
    from_kind = -1
    for kind in range(N_KINDS):
        if bits[kind] != 0:
            if from_kind != -1 or count(bits[kind]) > 1:
                return -1
            from_kind = kind
    return first_action(bits, from_kind)


@jit
def offers_some(bits: Int64s, kinds: int) -> bool:
    """Return whether any action of these kinds (bit k for kind k) is legal."""
    for kind in range(N_KINDS):
        if kinds >> kind & 1 != 0 and bits[kind] != 0:
            return True
    return False


@jit
def leave_out(bits: Int64s, kinds: int) -> None:
    """Remove all actions of these kinds."""
    for kind in range(N_KINDS):
        if kinds >> kind & 1 != 0:
            bits[kind] = 0


@jit
def first_action(bits: Int64s, kind: int) -> int:
    """Return the first legal id of a kind."""
    return int(BASE[kind]) + nth_set(bits[kind], 0)


@jit
def copy_wiped(game: GameState, loop: LoopState) -> None:
    """Copy the game for a policy, without hidden information.

    Sorting unseen cards takes longer than the copy, so it is done only after the piles have changed.
    """
    loop.wiped = game
    if piles_changed(game, loop):
        wipe(loop.wiped)
        copy_piles(loop.deck, game.deck)
        copy_piles(loop.sorted, loop.wiped.deck)
        loop.unseen[0], loop.unseen[1] = game.unseen[0], game.unseen[1]
    else:
        wipe_dice(loop.wiped)
        copy_piles(loop.wiped.deck, loop.sorted)


@jit
def piles_changed(game: GameState, loop: LoopState) -> bool:
    """Return whether the piles differ from those that were sorted last."""
    changed = (game.unseen[0] ^ loop.unseen[0]) | (game.unseen[1] ^ loop.unseen[1])
    for pile in range(2):
        for index in range(16):
            changed |= game.deck[pile, index] ^ loop.deck[pile, index]
    return bool(changed != 0)


@jit
def copy_piles(target: Int8s, source: Int8s) -> None:
    """Copy both piles of cards."""
    for pile in range(2):
        for index in range(16):
            target[pile, index] = source[pile, index]


@jit
def ask_policy(
    game: GameState, rules: RuleSet, view: ViewState, address: int, bits: Int64s, loop: LoopState
) -> int:
    """Return the actor's action by the policy at ``address``, which sees no hidden information.

    The policy gets copies of the game and the rules, so it cannot change them. The rules are copied
    once per loop record (``has_rules``). ``bits`` are the legal actions. An illegal answer is
    counted and replaced by a random legal action.
    """
    seat = int(game.actor)
    copy_wiped(game, loop)
    if loop.has_rules == 0:
        loop.rules = rules
        loop.has_rules = 1
    view.seat = seat
    write_mask(bits, view.mask)
    action = policy_at(address)(loop.wiped, loop.rules, view)
    if 0 <= action < N_ACTIONS:  # check the bits, because the policy can write to its mask
        kind = int(KIND_OF[action])
        if bits[kind] >> (action - int(BASE[kind])) & 1 != 0:
            return int(action)
    loop.faults[seat] += 1
    loop.illegal += 1
    view.rng = np.uint64(view.rng) + GAMMA + GAMMA
    return pick(bits, np.uint64(view.rng))


@jit
def next_action(
    game: GameState, rules: RuleSet, views: Records, loop: LoopState, bits: Int64s
) -> int:
    """Return the action of the actor's policy, or the only legal one; -1 for an external decision.

    Writes the legal actions into ``bits``. If a learner leaves some of them to its fallback policy
    (``loop.leaves``), the policy is asked first. Its answer counts if it is of such a kind;
    otherwise the learner decides among the remaining kinds.
    """
    legal_bits(game, rules, bits)
    action = only_action(bits) if loop.skip_forced != 0 else -1
    if action >= 0:
        return action
    seat, leaves = int(game.actor), 0
    external = loop.external >> seat & 1 != 0
    if external and loop.learners >> seat & 1 != 0:
        external = loop.decides >> game.phase & 1 != 0
        leaves = loop.leaves
    if external and (leaves == 0 or not offers_some(bits, leaves)):
        return -1
    address = loop.policies[loop.line_up[seat]]
    action = ask_policy(game, rules, views[seat], address, bits, loop)
    if not external or leaves >> KIND_OF[action] & 1 != 0 or not offers_some(bits, ~leaves):
        return action
    leave_out(bits, leaves)
    return only_action(bits) if loop.skip_forced != 0 else -1


@jit
def is_over(game: GameState, stop_seat: int) -> bool:
    """Return whether the game is over, or ``stop_seat`` (unless NOBODY) is bankrupt."""
    return bool(game.phase == Phase.OVER or (stop_seat != NOBODY and game.out[stop_seat] != 0))


@jit
def play_on(
    game: GameState, rules: RuleSet, log: Log, views: Records, loop: LoopState, bits: Int64s
) -> int:
    """Play until an external seat must decide or the game is over; return the decisions taken.

    Writes the legal actions of the awaited decision into ``bits``; none if the game is over.
    """
    taken = 0
    while not is_over(game, loop.stop_seat):
        action = next_action(game, rules, views, loop, bits)
        if action < 0:
            return taken
        step(game, rules, log, action)
        taken += 1
    bits[:] = 0
    return taken


@jit
def seat_players(views: Records, seed: int) -> None:
    """Clear the policies' memory and seed their random generators."""
    for seat in range(len(views)):
        views[seat].memory[:] = 0
        views[seat].seat = seat
        views[seat].rng = (np.uint64(seed) * GAMMA) ^ (np.uint64(seat + 1) * MEMORY_SALT)
