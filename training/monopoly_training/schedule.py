"""Who plays whom, from which seats, with which seeds: decided before the first game.

A game is a table (the number of an agent for each seat) and a seed. The same arguments give the
same games.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

Seating = tuple[int, ...]  # the agent's number in the line-up, by seat


class Match(NamedTuple):
    """One game to play."""

    seating: Seating
    seed: int


def rotations(agents: int) -> list[Seating]:
    """Every rotation of a line-up round the table."""
    return [tuple((seat + shift) % agents for seat in range(agents)) for shift in range(agents)]


def rotated(agents: int, games: int, seed: int) -> list[Match]:
    """Each seed is played once in every rotation of the seats, so that luck cancels.

    Seeds count up from ``seed``. If ``games`` is not a multiple of ``agents``, the last seed is
    played in some rotations only.
    """
    turns = rotations(agents)
    return [Match(turns[i % agents], seed + i // agents) for i in range(games)]


def shuffled(agents: int, games: int, seed: int) -> list[Match]:
    """Each game has its own seed and a random order of seats."""
    generator = np.random.default_rng(seed)
    return [Match(tuple(generator.permutation(agents).tolist()), seed + i) for i in range(games)]


SEATS = {"rotate": rotated, "random": shuffled}


def by_seating(matches: Sequence[Match]) -> dict[Seating, list[int]]:
    """The numbers of the matches that share a seating: those can be played in one batch."""
    groups: dict[Seating, list[int]] = {}
    for index, match in enumerate(matches):
        groups.setdefault(match.seating, []).append(index)
    return groups
