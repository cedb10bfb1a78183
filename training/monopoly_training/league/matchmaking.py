"""Matchmaking by prioritized fictitious self-play.

Opponents that are always beaten teach nothing, so opponents that are not beaten yet are met more
often; the weights are in :func:`monopoly_training.runs.tally.weights_of`.

Source: Vinyals et al., Grandmaster level in StarCraft II using multi-agent reinforcement learning,
2019. Differs: with several seats, policies are compared by how often one finishes ahead of the
other rather than by wins; and where AlphaStar reserves shares of the games for self-play and for
forgotten players, here a main agent's own last policy is part of the population like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from monopoly_training.league.policies import MAIN, MAIN_EXPLOITER, START, kind_of

Rates = Mapping[tuple[str, str], float]  # how often the first finishes ahead of the second


def rate(rates: Rates, one: str, other: str) -> float:
    """Return how often a policy finishes ahead of another; 1/2 against itself, or if unknown."""
    if (one, other) in rates:
        return rates[one, other]
    return 1.0 - rates[other, one] if (other, one) in rates else 0.5


def latest_of(policies: Sequence[str], kind: str) -> list[str]:
    """Return the latest policy of each learner of a kind, or else the initial policy."""
    last = {}
    for name in policies:
        if kind_of(name) == kind:
            last[name.rpartition(".")[0]] = name
    return list(last.values()) or [START]


def opponents_of(kind: str, population: Sequence[str]) -> list[str]:
    """Return the opponents of a kind of learner; main exploiters only meet current main agents."""
    return latest_of(population, MAIN) if kind == MAIN_EXPLOITER else list(population)


def thinned(population: Sequence[str], rates: Rates, most: int) -> list[str]:
    """Reduce the population to ``most`` policies, dropping those that main agents beat most often.

    The latest policies of all learners stay.
    """
    kept = list(population)
    mains = latest_of(population, MAIN)
    last = {name.rpartition(".")[0]: name for name in population if name != START}
    while len(kept) > most:
        others = [name for name in kept if name not in last.values()]
        if not others:
            break
        kept.remove(min(others, key=lambda name: np.mean([rate(rates, name, m) for m in mains])))
    return kept
