"""Who plays whom, from which seats, with which seeds: decided before the first game.

A game is a table (the number of an agent for each seat) and a seed. The same arguments give the
same games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
    """Each seed is played once in every rotation of the seats: no bot has a better one.

    Luck with dice hardly cancels: the games of a seed take different courses.

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


# Tournaments: several tables, in batches


@dataclass(frozen=True)
class Batch:
    """Games that are played in one go by one process, and noted in one line."""

    number: int
    first: int  # the number of its first game
    round: int  # from 1; there is one, but for Swiss pairing
    matches: tuple[Match, ...]


def seat_rotations(table: Sequence[int]) -> list[Seating]:
    """Every rotation of these bots round their table."""
    seats = len(table)
    return [tuple(table[(seat + shift) % seats] for seat in range(seats)) for shift in range(seats)]


def in_order(tables: Sequence[Sequence[int]], seeds: range, block: int) -> Iterator[Match]:
    """Each seed at each table in every rotation, ``block`` seeds at a time.

    A block is finished before the next begins: a tournament that stops early has whole seeds.
    """
    turns = [seat_rotations(table) for table in tables]
    for begin in range(seeds.start, seeds.stop, block):
        for rotations_ in turns:
            for seed in range(begin, min(begin + block, seeds.stop)):
                for seating in rotations_:
                    yield Match(seating, seed)


def batches(
    matches: Sequence[Match], size: int, round_: int = 1, number: int = 0, first: int = 0
) -> list[Batch]:
    """Cut games into batches; ``number`` and ``first`` count on from an earlier round."""
    return [
        Batch(number + k, first + begin, round_, tuple(matches[begin : begin + size]))
        for k, begin in enumerate(range(0, len(matches), size))
    ]
