"""Convert bots to policies over a graph: the probability of each action in each position.

A bot is asked in every position at which it could choose, with a fixed last throw and without a
memory of the game so far. Compiled bots and trained networks are asked in all positions. Other
bots are too slow for that: :func:`measure_losses` plays them against an equilibrium.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from monopoly_env.agent import AgentSpec, find_agent
from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.policy import new_views, weights_address
from monopoly_env.engine.policy_loop import new_loop
from monopoly_env.engine.state import Float32s, Int64s
from monopoly_env.errors import AgentError
from monopoly_training.exact.graph import Graph
from monopoly_training.exact.policy_kernel import (
    spread_rows,
    write_answers,
    write_kinds,
    write_sights,
)
from monopoly_training.exact.solution import arrows_of
from monopoly_training.models.model_agent import ModelAgent
from monopoly_training.models.names import CHAMPION, SCHEME

CHUNK = 4096  # positions at a time
RANDOM = "random"  # its probabilities are known
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Policy:
    """A bot's probabilities, float32[edges], and in how many positions they were sampled."""

    shares: Float32s
    sampled: int


def is_exact(name: str) -> bool:
    """Return whether a bot can be asked in every position: compiled bots and plain networks can."""
    return name == CHAMPION or name.startswith(SCHEME) or _spec(name)[0].policy is not None


def policy_of(
    graph: Graph, name: str, samples: int = 64, on_progress: Progress | None = None
) -> Policy:
    """Ask a compiled bot or a trained policy in every position.

    Args:
        graph: all positions.
        name: a bot's name, or ``model:PATH``.
        samples: how often a bot is asked where it draws random numbers. The probabilities of
            ``random`` and of networks are exact.
        on_progress: called with the number of positions done.

    Raises:
        AgentError: there is no such bot, or it is neither compiled nor a network alone.
    """
    if name == RANDOM:
        shares = np.zeros(len(graph.target), np.float32)
        write_kinds(arrows_of(graph), graph.choices, shares)
        return Policy(shares, 0)
    spec, rest = _spec(name)
    if spec.policy is not None:
        return _compiled(graph, spec, samples, on_progress)
    agent = spec.factory(*rest)
    if not isinstance(agent, ModelAgent) or agent.has_fallback or agent.composes(graph.edition):
        raise AgentError(f"{name}: cannot be asked in all {len(graph.choices):,} positions")
    return _network(graph, agent, on_progress)


def _spec(name: str) -> tuple[AgentSpec, tuple[str, ...]]:
    return find_agent(name)


def _chunks(graph: Graph, on_progress: Progress | None) -> Iterator[Int64s]:
    """Yield the nodes at which a player chooses, in batches."""
    for start in range(0, len(graph.choices), CHUNK):
        yield graph.choices[start : start + CHUNK]
        if on_progress is not None:
            on_progress(start + CHUNK)


def _compiled(graph: Graph, spec: AgentSpec, samples: int, on_progress: Progress | None) -> Policy:
    """Ask a compiled bot in every position."""
    policy, weights = spec.policy, spec.weights
    if policy is None:
        raise AgentError(f"{spec.name}: is not compiled")
    views, loops = new_views(1)[0], new_loop([policy])
    views["weights"] = weights_address(weights)
    shares, drew = np.zeros(len(graph.target), np.float32), 0
    arrows, rules = arrows_of(graph), graph.desk.rules
    for nodes in _chunks(graph, on_progress):
        games = graph.positions(nodes)
        drew += write_answers(arrows, nodes, games, rules, views, loops, samples, shares)
    return Policy(shares, int(drew))


def _network(graph: Graph, agent: ModelAgent, on_progress: Progress | None) -> Policy:
    """Compute a trained policy's probabilities; without sampling, its likeliest action has 1."""
    shares, arrows = np.zeros(len(graph.target), np.float32), arrows_of(graph)
    for nodes in _chunks(graph, on_progress):
        games = graph.positions(nodes)
        observations = np.zeros((len(nodes), OBSERVATION_SIZE), np.float32)
        masks = np.zeros((len(nodes), N_ACTIONS), np.int8)
        write_sights(games, graph.desk.rules, observations, masks)
        spread_rows(arrows, nodes, _rows(agent, observations, masks), shares)
    return Policy(shares, 0)


def _rows(agent: ModelAgent, observations: Float32s, masks: np.ndarray) -> Float32s:
    """Return probabilities by action id, float32[n, N_ACTIONS]; the first legal action if it knows none."""
    if agent.sample:
        rows: Float32s = agent.probabilities(observations, masks)
        unknown = rows.sum(axis=1) == 0
        rows[unknown, masks[unknown].argmax(axis=1)] = 1
        return rows
    rows = np.zeros(masks.shape, np.float32)
    rows[np.arange(len(rows)), agent.decide_rows(observations, masks)] = 1
    return rows
