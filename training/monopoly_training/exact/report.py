"""Format the results of `monopoly-env nashconv`: the game, and a line for each bot."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from monopoly_training.common.progress import Progress
from monopoly_training.exact.graph import Graph
from monopoly_training.exact.graph_kernel import CHANCE
from monopoly_training.exact.losses import measure_losses
from monopoly_training.exact.policies import is_exact, policy_of
from monopoly_training.exact.solution import equilibrium, nash_conv, reach_of, values_of


def summary(graph: Graph) -> dict[str, Any]:
    """Return the size of the game and its value, as plain data."""
    values = values_of(graph)
    best = equilibrium(graph, values)
    reach = reach_of(graph, best)
    return {
        "edition": graph.edition.id,
        "positions": len(graph),
        "choices": len(graph.choices),
        "throws": int((graph.mover == CHANCE).sum()),
        "edges": len(graph.target),
        "value": float(values[graph.root]),
        "ends": {"A": float(reach[0]), "B": float(reach[1]), "tie": float(reach[2])},
        "nash_conv": nash_conv(graph, best).nash_conv,
    }


def summary_lines(facts: dict[str, Any]) -> list[str]:
    """Format the result of :func:`summary`."""
    ends = facts["ends"]
    size = (
        f"{facts['edition']}: {facts['positions']:,} positions, {facts['choices']:,} of them with a "
        f"choice, {facts['edges']:,} edges"
    )
    value = f"value for the player who begins: {facts['value']:+.4f} (a win is 1, a loss -1)"
    result = (
        f"both play best: A wins {ends['A']:.1%}, B {ends['B']:.1%}, ties {ends['tie']:.1%}; "
        f"NashConv {facts['nash_conv']:.4f}"
    )
    return [size, value, result]


def measured(
    graph: Graph, name: str, samples: int, games: int, seed: int, progress: Progress
) -> dict[str, Any]:
    """Return a bot's NashConv, or a lower bound, as plain data.

    ``cpu_seconds`` is the processor time that it took, without the graph.
    """
    progress.stage(name)
    begun = time.process_time()
    row: dict[str, Any] = {"agent": name}
    if is_exact(name):
        policy = policy_of(graph, name, samples, _shown(progress, len(graph.choices), "positions"))
        found = nash_conv(graph, policy.shares)
        gains = found.gains
        row |= {
            "nash_conv": found.nash_conv,
            "gain_as_a": gains[0],
            "gain_as_b": gains[1],
            "value": found.value,
            "sampled_positions": policy.sampled,
        }
    else:
        lost = measure_losses(graph, name, games, seed, _shown(progress, 2 * games, "games"))
        row |= {
            "nash_conv_at_least": lost.bound,
            "standard_error": lost.error,
            "loss_as_a": lost.means[0],
            "loss_as_b": lost.means[1],
            "games": 2 * games,
            "decisions": lost.decisions,
        }
    return row | {"cpu_seconds": round(time.process_time() - begun, 1)}


def _shown(progress: Progress, total: int, unit: str) -> Callable[[int], None]:
    """Advance the progress bar."""
    return lambda done: progress.update(min(done / total, 1.0), f"{min(done, total):,} {unit}")


def result_line(row: dict[str, Any]) -> str:
    """Format the result of one bot."""
    if "nash_conv" not in row:
        return (
            f"{row['agent']}: NashConv at least {row['nash_conv_at_least']:.3f} "
            f"± {row['standard_error']:.3f} (standard error): against an equilibrium it gives away "
            f"{row['loss_as_a']:.3f} a game as A and {row['loss_as_b']:.3f} as B, in "
            f"{row['games']:,} games"
        )
    sampled = row["sampled_positions"]
    note = f"; probabilities sampled in {sampled:,} positions" if sampled else ""
    return (
        f"{row['agent']}: NashConv {row['nash_conv']:.4f}; a best response gains "
        f"{row['gain_as_a']:.4f} as A and {row['gain_as_b']:.4f} as B{note}"
    )
