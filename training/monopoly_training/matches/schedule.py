"""Schedules: who plays whom, in which seats and with which seeds, fixed before the first game.

A match is a seating (an agent number for each seat) and a seed. The same arguments give the same
schedule.
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
    """Return every rotation of a line-up around the table."""
    return [tuple((seat + shift) % agents for seat in range(agents)) for shift in range(agents)]


def rotated(agents: int, games: int, seed: int) -> list[Match]:
    """Play each seed once in every rotation of the seats, so that no bot has a better seat.

    Seeds count up from ``seed``. If ``games`` is not a multiple of ``agents``, the last seed is
    played in only some of the rotations. The dice luck of a seed does not cancel, because its games
    soon diverge.
    """
    turns = rotations(agents)
    return [Match(turns[i % agents], seed + i // agents) for i in range(games)]


def shuffled(agents: int, games: int, seed: int) -> list[Match]:
    """Give each game its own seed and a random order of seats."""
    generator = np.random.default_rng(seed)
    return [Match(tuple(generator.permutation(agents).tolist()), seed + i) for i in range(games)]


SEATS = {"rotate": rotated, "random": shuffled}


def by_seating(matches: Sequence[Match]) -> dict[Seating, list[int]]:
    """Group the match numbers by seating; each group can be played in one batch."""
    groups: dict[Seating, list[int]] = {}
    for index, match in enumerate(matches):
        groups.setdefault(match.seating, []).append(index)
    return groups


# Tournaments: several tables, in batches


@dataclass(frozen=True)
class Batch:
    """Games that one process plays in one go and that fill one line of the ledger."""

    number: int
    first: int  # the number of its first game
    round: int  # from 1; only Swiss pairing has several
    matches: tuple[Match, ...]


def seat_rotations(table: Sequence[int]) -> list[Seating]:
    """Return every rotation of these bots around their table."""
    seats = len(table)
    return [tuple(table[(seat + shift) % seats] for seat in range(seats)) for shift in range(seats)]


def in_order(tables: Sequence[Sequence[int]], seeds: range, block: int) -> Iterator[Match]:
    """Yield each seed at each table in every rotation, ``block`` seeds at a time.

    A block is finished before the next begins, so a tournament that stops early has complete seeds.
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
    """Split games into batches; ``number`` and ``first`` continue from an earlier round."""
    return [
        Batch(number + k, first + begin, round_, tuple(matches[begin : begin + size]))
        for k, begin in enumerate(range(0, len(matches), size))
    ]
