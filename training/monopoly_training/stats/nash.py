"""Nash averaging: how good bots are against the best mixture of them, however often one is copied.

A mean over opponents depends on who they are: a weak bot that takes part ten times makes those who
beat it look better. Here two players each choose a bot, and win by how much theirs beats the
other's. The Nash equilibrium of that game is a mixture of bots that no bot beats; what a bot scores
against it is its skill, at most 0. Bots of the mixture have 0: none of them is better in general.
Copies share the weight of their bot, and change nothing else. Of several equilibria, the one
of maximum entropy is meant.

Source: D. Balduzzi, K. Tuyls, J. Perolat, T. Graepel, Re-evaluating Evaluation, NeurIPS 2018.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from monopoly_training.stats.bootstrap import Float64s

COOLEST = 1e-6  # temperature at the end; mixtures are that exact, in the unit of the margins
COOLING = 0.6  # from one temperature to the next
MOST_STEPS = 50  # of Newton's method at one temperature
TOLERANCE = 1e-10


def nash_mixture(margins: Float64s, coolest: float = COOLEST, cooling: float = COOLING) -> Float64s:
    """The weights of the maximum-entropy Nash equilibrium, float64[n], which add up to 1.

    Args:
        margins: antisymmetric, float64[n, n]: by how much the bot of a row beats that of a column,
            such as its share of the games less one half.
        coolest: the temperature to end at.
        cooling: the factor from one temperature to the next.

    Players whose wins count beside the entropy of their mixture, at a temperature, have one
    equilibrium, p = softmax(margins @ p / temperature). As the temperature falls it goes to the
    equilibrium of maximum entropy. Newton's method follows it there; since margins are antisymmetric,
    its equations can always be solved.

    >>> rock_paper_scissors = np.array([[0, -0.2, 0.1], [0.2, 0, -0.3], [-0.1, 0.3, 0]])
    >>> nash_mixture(rock_paper_scissors).round(3).tolist()
    [0.5, 0.167, 0.333]
    """
    largest = float(np.abs(margins).max(initial=0.0))
    logits, temperature = np.zeros(len(margins)), 1.0
    if largest == 0:
        return softmax(logits)
    scaled = margins / largest
    while temperature > coolest:
        temperature *= cooling
        logits = at_temperature(scaled, logits / cooling, temperature)
    return softmax(logits)


def at_temperature(margins: Float64s, logits: Float64s, temperature: float) -> Float64s:
    """The logits of the equilibrium at a temperature, from a guess."""
    identity = np.eye(len(margins))

    def excess(at: Float64s) -> Float64s:
        difference: Float64s = at - margins @ softmax(at) / temperature
        return difference

    gap = excess(logits)
    for _ in range(MOST_STEPS):
        mixture = softmax(logits)
        spread = np.diag(mixture) - np.outer(mixture, mixture)
        step = np.linalg.solve(identity - margins @ spread / temperature, gap)
        scale = 1.0
        after = excess(logits - step)
        while np.linalg.norm(after) > (1 - scale / 4) * np.linalg.norm(gap) and scale > TOLERANCE:
            scale /= 2
            after = excess(logits - scale * step)
        logits, gap = logits - scale * step, after
        if np.abs(gap).max() < TOLERANCE * max(1.0, np.abs(logits).max()):
            break
    return logits


def softmax(logits: Float64s) -> Float64s:
    """Probabilities in proportion to exp(logits)."""
    weights = np.exp(logits - logits.max())
    probabilities: Float64s = weights / weights.sum()
    return probabilities


def skills(margins: Float64s, mixture: Float64s) -> Float64s:
    """What each bot scores against a mixture, float64[n]; against the equilibrium, at most 0."""
    scores: Float64s = margins @ mixture
    return scores


def shortest_cycles(beats: npt.NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """Cycles of bots each of which beats the next, the last one the first.

    ``beats`` bool[n, n]. For each bot that is on a cycle, one of the shortest through it; each cycle
    once, beginning with its lowest number.

    >>> shortest_cycles(np.array([[0, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 0, 0, 0]], bool))
    [(0, 1, 2)]
    """
    found = {cycle for start in range(len(beats)) if (cycle := cycle_through(beats, start))}
    return sorted(found, key=lambda cycle: (len(cycle), cycle))


def cycle_through(beats: npt.NDArray[np.bool_], start: int) -> tuple[int, ...]:
    """A shortest cycle through a bot, turned so that its lowest number is first; () if there is none."""
    before = {start: start}
    waiting = [start]
    for bot in waiting:
        if beats[bot, start]:
            path = [bot]
            while path[-1] != start:
                path.append(before[path[-1]])
            path.reverse()
            first = path.index(min(path))
            return tuple(path[first:] + path[:first])
        for other in np.flatnonzero(beats[bot]).tolist():
            if other not in before:
                before[other] = bot
                waiting.append(other)
    return ()


def weakest_link(cycle: tuple[int, ...], shares: Float64s) -> float:
    """The smallest share of games by which a bot of a cycle beats the next."""
    return min(float(shares[one, other]) for one, other in links(cycle))


def links(cycle: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Who beats whom in a cycle."""
    return pairwise((*cycle, cycle[0]))
