"""Count how often each opponent finishes ahead of the learner."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.float64]
# draw weights, from how often each opponent finishes ahead
PRIORITIES: dict[str, Callable[[Counts], Counts]] = {
    "linear": lambda ahead: ahead,
    "hard": lambda ahead: ahead**2,
    "variance": lambda ahead: ahead * (1 - ahead),
    "even": np.ones_like,
}
LEAST_WEIGHT = 0.05  # minimum weight, for opponents that never finish ahead of the learner
MEMORY = 0.98  # decay of earlier games at each call of fade()


def weights_of(ahead: Counts, priority: str = "linear", least: float = LEAST_WEIGHT) -> Counts:
    """Return the draw weight of each opponent from how often it finishes ahead of the learner.

    >>> weights_of(np.array([0.1, 0.7]), "hard").round(3).tolist()
    [0.05, 0.49]
    """
    weights: Counts = np.maximum(PRIORITIES[priority](ahead), least)
    return weights


class Tally:
    """Decaying counts of how often each opponent finishes ahead of the learner.

    Each opponent starts with a prior of two games, one of them lost by the learner.
    """

    def __init__(self, size: int) -> None:
        self.met: Counts = np.full(size, 2.0)
        self.lost: Counts = np.ones(size)

    def record(self, number: int, lost: bool) -> None:
        """Record one game against an opponent, and whether the learner finished behind it."""
        self.met[number] += 1
        self.lost[number] += lost

    def fade(self) -> None:
        """Decay the counts towards the prior."""
        self.met = 2.0 + MEMORY * (self.met - 2.0)
        self.lost = 1.0 + MEMORY * (self.lost - 1.0)

    def rates(self) -> Counts:
        """Return how often each opponent finishes ahead of the learner, 0 to 1.

        Initially one half.
        """
        rates: Counts = self.lost / self.met
        return rates

    def grow(self, met: float = 0.0, lost: float = 0.0) -> None:
        """Add an opponent, with its known results."""
        self.met = np.append(self.met, 2.0 + met)
        self.lost = np.append(self.lost, 1.0 + lost)

    def drop(self, number: int) -> None:
        """Remove an opponent."""
        self.met = np.delete(self.met, number)
        self.lost = np.delete(self.lost, number)
