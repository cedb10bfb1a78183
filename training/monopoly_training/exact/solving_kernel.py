"""Compiled backward induction over a graph, in one pass from the ends of the game to its root."""

from __future__ import annotations

from typing import NamedTuple

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.state import Float32s, Float64s, Int8s, Int32s, Int64s
from monopoly_training.exact.graph_kernel import A_WINS, B_WINS, CHANCE, N_ENDS, TIE

OUTCOMES = 36


class Arrows(NamedTuple):
    """The graph without its positions."""

    mover: Int8s
    first: Int64s
    target: Int32s
    label: Int32s
    order: Int32s


@jit
def write_values(
    arrows: Arrows, shares: Float32s, best_a: bool, best_b: bool, values: Float64s
) -> None:
    """Compute A's expected return from every node: 1 for a win, -1 for a loss, 0 for a tie.

    A player who plays best chooses the best edge; the other takes edge e with the probability
    ``shares[e]``, float32[edges].
    """
    values[A_WINS], values[B_WINS], values[TIE] = 1.0, -1.0, 0.0
    for index in range(N_ENDS, len(arrows.order)):
        node = arrows.order[index]
        mover = arrows.mover[node]
        first, last = arrows.first[node], arrows.first[node + 1]
        if mover == CHANCE:
            total = 0.0
            for edge in range(first, last):
                total += arrows.label[edge] * values[arrows.target[edge]]
            values[node] = total / OUTCOMES
        elif (mover == 0 and best_a) or (mover == 1 and best_b):
            sign = 1.0 if mover == 0 else -1.0
            best = -2.0
            for edge in range(first, last):
                best = max(best, sign * values[arrows.target[edge]])
            values[node] = sign * best
        else:
            total = 0.0
            for edge in range(first, last):
                total += shares[edge] * values[arrows.target[edge]]
            values[node] = total


@jit
def write_best(arrows: Arrows, values: Float64s, shares: Float32s) -> None:
    """Write the policy that takes the best edge by ``values``, and the first among equals."""
    for node in range(N_ENDS, len(arrows.mover)):
        mover = arrows.mover[node]
        if mover < CHANCE:
            sign = 1.0 if mover == 0 else -1.0
            best, chosen = -2.0, -1
            for edge in range(arrows.first[node], arrows.first[node + 1]):
                shares[edge] = 0.0
                value = sign * values[arrows.target[edge]]
                if value > best:
                    best, chosen = value, edge
            shares[chosen] = 1.0


@jit
def write_reach(arrows: Arrows, shares: Float32s, root: int, reach: Float64s) -> None:
    """Compute the probability of reaching each node, float64[nodes], under both players' policy."""
    reach[:] = 0.0
    reach[root] = 1.0
    for index in range(len(arrows.order) - 1, N_ENDS - 1, -1):
        node = arrows.order[index]
        for edge in range(arrows.first[node], arrows.first[node + 1]):
            if arrows.mover[node] == CHANCE:
                share = arrows.label[edge] / OUTCOMES
            else:
                share = float(shares[edge])
            reach[arrows.target[edge]] += reach[node] * share
