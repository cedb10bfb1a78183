"""Compute exact values, best responses and NashConv of policies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from monopoly_env.engine.state import Float32s, Float64s
from monopoly_training.exact.graph import Graph
from monopoly_training.exact.solving_kernel import Arrows, write_best, write_reach, write_values


@dataclass(frozen=True)
class NashConv:
    """The distance of a policy from an equilibrium, if both seats play it. Returns are 1, 0 or -1.

    ``value`` is A's expected result, where A begins; ``best_a`` and ``best_b`` are the results of
    a best response in that seat against the policy in the other.
    """

    value: float
    best_a: float
    best_b: float

    @property
    def gains(self) -> tuple[float, float]:
        """Return each seat's gain from a best response."""
        return self.best_a - self.value, self.best_b + self.value

    @property
    def nash_conv(self) -> float:
        """Return the sum of both gains: 0 for an equilibrium, at most 4."""
        return sum(self.gains)


def arrows_of(graph: Graph) -> Arrows:
    """Return the graph's arrays for compiled code."""
    return Arrows(graph.mover, graph.first, graph.target, graph.label, graph.order)


def values_of(graph: Graph, shares: Float32s | None = None, best: str = "AB") -> Float64s:
    """Return A's expected return from every node, float64[nodes].

    Args:
        graph: all positions.
        shares: a policy: how likely each edge is taken at its node, float32[edges]. The edges of
            throws do not count.
        best: the players who play best instead: ``"AB"``, ``"A"``, ``"B"`` or ``""``.
    """
    if shares is None:
        shares = np.zeros(len(graph.target), np.float32)
    values = np.zeros(len(graph), np.float64)
    write_values(arrows_of(graph), shares, "A" in best, "B" in best, values)
    return values


def equilibrium(graph: Graph, values: Float64s | None = None) -> Float32s:
    """Return a policy that is a best response to itself at every node, float32[edges].

    ``values`` of another policy of the opponent give a best response to that instead.
    """
    shares = np.zeros(len(graph.target), np.float32)
    write_best(arrows_of(graph), values_of(graph) if values is None else values, shares)
    return shares


def nash_conv(graph: Graph, shares: Float32s) -> NashConv:
    """Return the NashConv of a policy that plays both seats; ``shares`` as in :func:`values_of`."""
    value, best_a, best_b = (
        float(values_of(graph, shares, best)[graph.root]) for best in ("", "A", "B")
    )
    return NashConv(value, best_a, -best_b)


def reach_of(graph: Graph, shares: Float32s) -> Float64s:
    """Return the probability of reaching each node, float64[nodes], if both seats play ``shares``."""
    reach = np.zeros(len(graph), np.float64)
    write_reach(arrows_of(graph), shares, graph.root, reach)
    return reach


def uniform(graph: Graph) -> Float32s:
    """Return the policy that takes every legal action with the same probability."""
    degree = np.diff(graph.first)
    return np.repeat(1.0 / np.maximum(degree, 1), degree).astype(np.float32)
