"""Lower bounds on NashConv from games, for bots that are too slow to be asked in every position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from monopoly_env.agent import Agent, make_agent
from monopoly_env.engine.state import Float64s
from monopoly_env.errors import AgentError
from monopoly_env.view import View
from monopoly_training.exact.graph import Graph
from monopoly_training.exact.graph_kernel import CHANCE, END
from monopoly_training.exact.solution import equilibrium, values_of
from monopoly_training.exact.solving_kernel import OUTCOMES


@dataclass(frozen=True)
class Losses:
    """A bot's mean loss per game against an equilibrium policy, by seat, A first.

    ``means`` and ``errors`` (standard errors) are in results, where a win is 1 and a loss -1.
    ``bound`` is a lower bound on NashConv: a best response against the bot gains that or more.
    """

    games: int
    decisions: int
    means: tuple[float, float]
    errors: tuple[float, float]

    @property
    def bound(self) -> float:
        """Return the sum over both seats."""
        return sum(self.means)

    @property
    def error(self) -> float:
        """Return the standard error of the bound."""
        return float(np.hypot(*self.errors))


def measure_losses(
    graph: Graph,
    name: str,
    games: int = 100,
    seed: int = 0,
    on_progress: Callable[[int], None] | None = None,
) -> Losses:
    """Play a bot against an equilibrium policy, ``games`` games from each seat.

    What is summed is not the result but what each of the bot's decisions gives away, by the exact
    values of the positions before and after: the same on average, and with less chance in it.
    """
    values = values_of(graph)
    best = equilibrium(graph, values)
    sums, decisions = np.zeros((2, games)), 0
    for seat in range(2):
        for number in range(games):
            rng = np.random.default_rng([seed, seat, number])
            agent = make_agent(name)
            agent.reset(int(rng.integers(2**62)))
            sums[seat, number], asked = _play(graph, agent, seat, values, best, rng)
            decisions += asked
            if on_progress is not None:
                on_progress(seat * games + number + 1)
    errors = sums.std(axis=1, ddof=1) / np.sqrt(games) if games > 1 else np.full(2, np.nan)
    means = sums.mean(axis=1)
    return Losses(
        games, decisions, (float(means[0]), float(means[1])), (float(errors[0]), float(errors[1]))
    )


def _play(
    graph: Graph,
    agent: Agent,
    seat: int,
    values: Float64s,
    best: np.ndarray,
    rng: np.random.Generator,
) -> tuple[float, int]:
    """Play one game; return what the agent gives away and its number of choices."""
    node, given, asked, sign = graph.root, 0.0, 0, 1 if seat == 0 else -1
    while graph.mover[node] != END:
        first, last = int(graph.first[node]), int(graph.first[node + 1])
        if graph.mover[node] == CHANCE:
            edge = first + int(rng.choice(last - first, p=graph.label[first:last] / OUTCOMES))
        elif graph.mover[node] == seat:
            edge = _ask(graph, agent, node)
            given += sign * (values[node] - values[graph.target[edge]])
            asked += 1
        else:
            edge = first + int(best[first:last].argmax())
        node = int(graph.target[edge])
    return given, asked


def _ask(graph: Graph, agent: Agent, node: int) -> int:
    """Return the edge that an agent takes."""
    games = graph.positions(np.array([node]))
    action = agent.decide(View(games, 0, graph.edition))
    first, last = int(graph.first[node]), int(graph.first[node + 1])
    chosen = np.flatnonzero(graph.label[first:last] == action)
    if not len(chosen):
        raise AgentError(f"{agent!r} answers {action!r}, which is not legal")
    return first + int(chosen[0])
