"""Fixed splits of games and positions into training, validation and test sets.

>>> seeds_of("train", 3)
range(0, 3)
>>> seeds_of("test", 2)[0]
2000000000
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable

from monopoly_env.errors import InputError, show

SIZE = 1_000_000_000  # seeds per split
SPLITS = ("train", "validation", "test")
# Percentages of positions; the hash of a position's name selects its split.
SHARES = {"train": 70, "validation": 15, "test": 15}


def check_split(split: object) -> str:
    """Check the name of a split. Raises: InputError if it is unknown."""
    if not isinstance(split, str) or split not in SPLITS:
        InputError.at("split").fail(f"must be one of {', '.join(SPLITS)}, not {show(split)}")
    return split


def seeds_of(split: str, games: int, first: int = 0) -> range:
    """Return the seeds of some games of a split: a billion each, from 0, 10**9 and 2 * 10**9.

    Raises: InputError for an unknown split, or games beyond its end.
    """
    start = SIZE * SPLITS.index(check_split(split))
    first = InputError.at("first").index(first, 0, SIZE - 1)
    games = InputError.at("games").index(games, 1, SIZE - first)
    return range(start + first, start + first + games)


def split_of_seed(seed: int) -> str:
    """Return the split of a game's seed. Raises: InputError if it is in none."""
    number = InputError.at("seed").index(seed, 0, len(SPLITS) * SIZE - 1)
    return SPLITS[number // SIZE]


def split_of_position(name: str) -> str:
    """Return the split of a position, given its name, such as ``buy-017`` of the suite.

    It depends only on the name, so a growing set moves no position.

    >>> split_of_position("buy-017") in SPLITS
    True
    """
    place, after = zlib.crc32(name.encode()) % 100, 0
    for split in SPLITS:
        after += SHARES[split]
        if place < after:
            return split
    raise AssertionError("the shares are a hundred")


def positions_of(split: str, names: Iterable[str]) -> list[str]:
    """Return the names that belong to a split, in order. Raises: InputError."""
    check_split(split)
    return [name for name in names if split_of_position(name) == split]
