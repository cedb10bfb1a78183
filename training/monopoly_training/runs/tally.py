"""How often each opponent comes in before the learner."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.float64]
MEMORY = 0.98  # of earlier games, at each call of fade()


class Tally:
    """How often each opponent comes in before the learner; what is long ago counts less.

    An opponent begins with two meetings, one of them lost.
    """

    def __init__(self, size: int) -> None:
        self.met: Counts = np.full(size, 2.0)
        self.lost: Counts = np.ones(size)

    def record(self, number: int, lost: bool) -> None:
        """The learner met an opponent once, and came in behind or not."""
        self.met[number] += 1
        self.lost[number] += lost

    def fade(self) -> None:
        """Let what was recorded count a little less."""
        self.met = 2.0 + MEMORY * (self.met - 2.0)
        self.lost = 1.0 + MEMORY * (self.lost - 1.0)

    def rates(self) -> Counts:
        """How often each comes in before the learner, 0 to 1; one half at first."""
        rates: Counts = self.lost / self.met
        return rates

    def grow(self) -> None:
        """Add an opponent."""
        self.met = np.append(self.met, 2.0)
        self.lost = np.append(self.lost, 1.0)

    def drop(self, number: int) -> None:
        """Remove an opponent."""
        self.met = np.delete(self.met, number)
        self.lost = np.delete(self.lost, number)
