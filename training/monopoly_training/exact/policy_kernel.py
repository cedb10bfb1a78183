"""Evaluate compiled policies, and write observations for networks, at every choice of a graph."""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.bits import count
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.encoding.observation import write_observation
from monopoly_env.engine.actions import KIND_OF, N_KINDS
from monopoly_env.engine.dispatch import legal_bits
from monopoly_env.engine.masks import write_mask
from monopoly_env.engine.policy_loop import ask_policy, seat_players
from monopoly_env.engine.state import Float32s, Int8s, Int64s
from monopoly_training.exact.solving_kernel import Arrows


@jit
def write_answers(
    arrows: Arrows,
    nodes: Int64s,
    games: Records,
    rules_: Records,
    views: Records,
    loops: Records,
    samples: int,
    shares: Float32s,
) -> int:
    """Ask a compiled policy at ``nodes``, whose positions are ``games``.

    Returns the number of nodes at which it drew random numbers. It is asked without a memory of the game. Where it draws random numbers it is asked ``samples``
    times, and the shares are how often it gave each answer.
    """
    bits, drew = np.zeros(N_KINDS, np.int64), 0
    rules, loop = rules_[0], loops[0]
    for row in range(len(nodes)):
        first, last = arrows.first[nodes[row]], arrows.first[nodes[row] + 1]
        seat = int(games[row].actor)
        asked = 0
        shares[first:last] = 0.0
        while asked < samples:
            seat_players(views, int(nodes[row]) * samples + asked)
            before = np.uint64(views[seat].rng)
            legal_bits(games[row], rules, bits)
            action = ask_policy(games[row], rules, views[seat], loop.policies[0], bits, loop)
            for edge in range(first, last):
                if arrows.label[edge] == action:
                    shares[edge] += 1.0
            asked += 1
            if np.uint64(views[seat].rng) == before:
                break
            if asked == 1:
                drew += 1
        for edge in range(first, last):
            shares[edge] /= asked
    return drew


@jit
def write_kinds(arrows: Arrows, nodes: Int64s, shares: Float32s) -> None:
    """Write the probabilities of `random`, which draws a kind of action and then one of that kind."""
    sizes = np.zeros(N_KINDS, np.int64)
    for row in range(len(nodes)):
        first, last = arrows.first[nodes[row]], arrows.first[nodes[row] + 1]
        sizes[:] = 0
        kinds = 0
        for edge in range(first, last):
            kind = int(KIND_OF[arrows.label[edge]])
            sizes[kind] += 1
            kinds |= 1 << kind
        for edge in range(first, last):
            shares[edge] = 1.0 / (count(kinds) * sizes[int(KIND_OF[arrows.label[edge]])])


@jit
def write_sights(games: Records, rules_: Records, observations: Float32s, masks: Int8s) -> None:
    """Write each actor's observation, float32[n, size], and its legal actions, int8[n, actions]."""
    bits = np.zeros(N_KINDS, np.int64)
    for row in range(len(games)):
        write_observation(games[row], rules_[0], int(games[row].actor), observations[row])
        legal_bits(games[row], rules_[0], bits)
        write_mask(bits, masks[row])


@jit
def spread_rows(arrows: Arrows, nodes: Int64s, rows: Float32s, shares: Float32s) -> None:
    """Convert probabilities by action id, float32[n, actions], to those of the nodes' edges."""
    for row in range(len(nodes)):
        for edge in range(arrows.first[nodes[row]], arrows.first[nodes[row] + 1]):
            shares[edge] = rows[row, arrows.label[edge]]
