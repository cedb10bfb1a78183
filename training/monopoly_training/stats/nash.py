"""Nash averaging: rate bots against the mixture of bots that no bot beats.

A mean over opponents depends on the field: if a weak bot enters ten times, the bots that beat it
look better. Nash averaging considers a game in which two players each choose a bot, with the bots'
pairwise margin as the payoff. A bot's skill is its score against the Nash equilibrium of that game,
which is at most 0. Bots in the support of the equilibrium have skill 0. Copies of a bot share its
weight and change nothing else. Among several equilibria, the one with maximum entropy is used.

Source: D. Balduzzi, K. Tuyls, J. Perolat, T. Graepel, Re-evaluating Evaluation, NeurIPS 2018.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from monopoly_training.stats.bootstrap import Float64s

COOLEST = 1e-6  # final temperature; the accuracy of mixtures, in units of the largest margin
COOLING = 0.6  # factor between two temperatures
MOST_STEPS = 50  # of Newton's method at each temperature
TOLERANCE = 1e-10


def nash_mixture(margins: Float64s, coolest: float = COOLEST, cooling: float = COOLING) -> Float64s:
    """Return the weights of the maximum-entropy Nash equilibrium, float64[n], which sum to 1.

    Args:
        margins: antisymmetric, float64[n, n]: by how much the bot of a row beats that of a column,
            such as its share of the games minus one half.
        coolest: the final temperature.
        cooling: the factor between two temperatures.

    With an entropy bonus weighted by a temperature, the game has a unique equilibrium, p =
    softmax(margins @ p / temperature), which converges to the maximum-entropy equilibrium as the
    temperature falls. Newton's method tracks it; its linear systems are always solvable because the
    margins are antisymmetric.

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
    """Return the logits of the equilibrium at a temperature, starting from a guess."""
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
    """Return probabilities proportional to exp(logits)."""
    weights = np.exp(logits - logits.max())
    probabilities: Float64s = weights / weights.sum()
    return probabilities


def skills(margins: Float64s, mixture: Float64s) -> Float64s:
    """Return each bot's score against a mixture, float64[n]; at most 0 against the equilibrium."""
    scores: Float64s = margins @ mixture
    return scores


def shortest_cycles(beats: npt.NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """Return cycles of bots in which each beats the next and the last beats the first.

    ``beats`` is bool[n, n]. For each bot on a cycle, one shortest cycle through it is found; each
    cycle is returned once, starting with its lowest number.

    >>> shortest_cycles(np.array([[0, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 0, 0, 0]], bool))
    [(0, 1, 2)]
    """
    found = {cycle for start in range(len(beats)) if (cycle := cycle_through(beats, start))}
    return sorted(found, key=lambda cycle: (len(cycle), cycle))


def cycle_through(beats: npt.NDArray[np.bool_], start: int) -> tuple[int, ...]:
    """Return a shortest cycle through a bot, rotated to start with its lowest number.

    () if none.
    """
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
    """Return the smallest share of games with which a bot of the cycle beats the next."""
    return min(float(shares[one, other]) for one, other in links(cycle))


def links(cycle: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Yield the (winner, loser) pairs of a cycle."""
    return pairwise((*cycle, cycle[0]))
