"""Whom a learner of a league meets: opponents prioritized by how often it comes in before them.

Prioritized fictitious self-play: an opponent that is always beaten teaches nothing, and one that is
not beaten yet should be met more often. How often is in :func:`monopoly_training.runs.tally.weights_of`.

Source: Vinyals et al., Grandmaster level in StarCraft II using multi-agent reinforcement learning,
2019. Differs: a table has several seats, so the measure is how often one comes in before the other,
and not how often it wins; and where AlphaStar gives shares of the games to self-play and to forgotten
players, here the main agent's own last policy is one of the population like others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from monopoly_training.league.policies import MAIN, MAIN_EXPLOITER, START, kind_of

Rates = Mapping[tuple[str, str], float]  # how often the first comes in before the second


def rate(rates: Rates, one: str, other: str) -> float:
    """How often a policy comes in before another; a policy against itself, and the unknown: 1/2."""
    if (one, other) in rates:
        return rates[one, other]
    return 1.0 - rates[other, one] if (other, one) in rates else 0.5


def latest_of(policies: Sequence[str], kind: str) -> list[str]:
    """The last policy of each learner of a kind; where all have begun, if there is none yet."""
    last = {}
    for name in policies:
        if kind_of(name) == kind:
            last[name.rpartition(".")[0]] = name
    return list(last.values()) or [START]


def opponents_of(kind: str, population: Sequence[str]) -> list[str]:
    """The policies that a learner of a kind meets: main exploiters the main agents as they are."""
    return latest_of(population, MAIN) if kind == MAIN_EXPLOITER else list(population)


def thinned(population: Sequence[str], rates: Rates, most: int) -> list[str]:
    """So many policies at most: those that the main agents beat most often go.

    The last policies of all learners stay.
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
