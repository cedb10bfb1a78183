"""What chance says about each number of a generated edition, equal on every machine.

Each draw has a label of its own and follows from the split, the number of the edition and that
label alone. So the same board at another dial is the same board nearer to classic or farther from it,
and whoever draws something more leaves all other draws as they are. No draw takes more than
additions, products and quotients, which have one result everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import TypeVar

from monopoly_env.editions.generated.spec import VERSION

Item = TypeVar("Item")
BITS = 53  # of a draw: what a float holds


@dataclass(frozen=True)
class Draws:
    """The draws of one edition, by label."""

    split: str
    number: int

    def share(self, label: str) -> float:
        """Return a number from 0 up to, not including, 1."""
        hashed = self._hash.copy()
        hashed.update(label.encode())
        return (int.from_bytes(hashed.digest(), "big") >> (64 - BITS)) / (1 << BITS)

    @cached_property
    def _hash(self) -> blake2b:
        """What all draws of this edition begin with."""
        text = f"monopoly-env edition {VERSION} {self.split} {self.number} "
        return blake2b(text.encode(), digest_size=8)

    def swing(self, label: str) -> float:
        """Return a number from -1 up to, not including, 1."""
        return 2.0 * self.share(label) - 1.0

    def factor(self, label: str, most: float, dial: float) -> float:
        """What a number is multiplied by: from 1 / ``most`` to ``most``, at dial 0 exactly 1."""
        swing = self.swing(label) * dial * (most - 1.0)
        return 1.0 + swing if swing >= 0 else 1.0 / (1.0 - swing)

    def order(self, label: str, items: Sequence[Item]) -> list[Item]:
        """All of ``items`` in an order that is drawn."""
        keys = [self.share(f"{label} {place}") for place in range(len(items))]
        return [items[place] for place in sorted(range(len(items)), key=keys.__getitem__)]

    def pick(self, label: str, items: Sequence[Item]) -> Item:
        """Return one of ``items``."""
        return items[int(self.share(label) * len(items))]
