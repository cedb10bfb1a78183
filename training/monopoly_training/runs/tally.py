"""How often each opponent comes in before the learner."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.float64]
PRIORITIES: dict[str, Callable[[Counts], Counts]] = {  # of opponents, by how often each comes first
    "linear": lambda ahead: ahead,
    "hard": lambda ahead: ahead**2,
    "variance": lambda ahead: ahead * (1 - ahead),
    "even": np.ones_like,
}
LEAST_WEIGHT = 0.05  # of an opponent that never comes in before the learner
MEMORY = 0.98  # of earlier games, at each call of fade()


def weights_of(ahead: Counts, priority: str = "linear", least: float = LEAST_WEIGHT) -> Counts:
    """How much each opponent counts when one is drawn, by how often it comes in before the learner.

    >>> weights_of(np.array([0.1, 0.7]), "hard").round(3).tolist()
    [0.05, 0.49]
    """
    weights: Counts = np.maximum(PRIORITIES[priority](ahead), least)
    return weights


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

    def grow(self, met: float = 0.0, lost: float = 0.0) -> None:
        """Add an opponent, with what is known of it."""
        self.met = np.append(self.met, 2.0 + met)
        self.lost = np.append(self.lost, 1.0 + lost)

    def drop(self, number: int) -> None:
        """Remove an opponent."""
        self.met = np.delete(self.met, number)
        self.lost = np.delete(self.lost, number)
