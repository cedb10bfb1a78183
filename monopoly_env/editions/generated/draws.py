"""Random numbers for generated editions, identical on every machine.

Each draw has a label and depends only on the split, the edition's number and that label. So the
same board at another dial setting is the same board, closer to classic or farther from it, and
adding a draw leaves all others unchanged. Draws use only addition, multiplication and division,
which give the same result everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import TypeVar

from monopoly_env.editions.generated.spec import VERSION

Item = TypeVar("Item")
BITS = 53  # bits per draw, the precision of a float


@dataclass(frozen=True)
class Draws:
    """The random draws of one edition, by label."""

    split: str
    number: int

    def share(self, label: str) -> float:
        """Return a number in [0, 1)."""
        hashed = self._hash.copy()
        hashed.update(label.encode())
        return (int.from_bytes(hashed.digest(), "big") >> (64 - BITS)) / (1 << BITS)

    @cached_property
    def _hash(self) -> blake2b:
        """The hash state with which all draws of this edition begin."""
        text = f"monopoly-env edition {VERSION} {self.split} {self.number} "
        return blake2b(text.encode(), digest_size=8)

    def swing(self, label: str) -> float:
        """Return a number in [-1, 1)."""
        return 2.0 * self.share(label) - 1.0

    def factor(self, label: str, most: float, dial: float) -> float:
        """Return a factor from 1 / ``most`` to ``most``; exactly 1 at dial 0."""
        swing = self.swing(label) * dial * (most - 1.0)
        return 1.0 + swing if swing >= 0 else 1.0 / (1.0 - swing)

    def order(self, label: str, items: Sequence[Item]) -> list[Item]:
        """Return ``items`` in random order."""
        keys = [self.share(f"{label} {place}") for place in range(len(items))]
        return [items[place] for place in sorted(range(len(items)), key=keys.__getitem__)]

    def pick(self, label: str, items: Sequence[Item]) -> Item:
        """Return a random one of ``items``."""
        return items[int(self.share(label) * len(items))]
