"""How a figure is taken: rounds of processor time, and their median."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

ROUNDS = 5
Clock = Callable[[], float]


@dataclass(frozen=True)
class Result:
    """One figure: the median of its rounds."""

    name: str
    value: float
    unit: str
    what: str
    detail: dict[str, Any] = field(default_factory=dict)
    rounds: tuple[float, ...] = ()


def result(
    name: str, rounds: Sequence[float], unit: str, what: str, detail: dict[str, Any] | None = None
) -> Result:
    """The figure that several rounds come to."""
    kept = tuple(float(f"{one:.6g}") for one in rounds)
    return Result(name, statistics.median(kept), unit, what, detail or {}, kept)


def rates(work: Callable[[], int], seconds: float, clock: Clock = time.process_time) -> list[float]:
    """How much of something is done a second, one figure a round, after a warm-up.

    ``work`` does some of it and says how much. Processor time of this process is disturbed less
    by other programs than the time of day.
    """
    work()
    return [rate_once(work, seconds / ROUNDS, clock) for _ in range(ROUNDS)]


def rate_once(work: Callable[[], int], seconds: float, clock: Clock) -> float:
    """One round of so many seconds."""
    done, began = 0, clock()
    while (spent := clock() - began) < seconds or done == 0:
        done += work()
    return done / max(spent, 1e-9)
