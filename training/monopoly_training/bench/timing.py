"""Timing of benchmarks: rounds of CPU time, and their median."""

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
    """One result: the median of its rounds."""

    name: str
    value: float
    unit: str
    what: str
    detail: dict[str, Any] = field(default_factory=dict)
    rounds: tuple[float, ...] = ()


def result(
    name: str, rounds: Sequence[float], unit: str, what: str, detail: dict[str, Any] | None = None
) -> Result:
    """Build a result from its rounds."""
    kept = tuple(float(f"{one:.6g}") for one in rounds)
    return Result(name, statistics.median(kept), unit, what, detail or {}, kept)


def rates(work: Callable[[], int], seconds: float, clock: Clock = time.process_time) -> list[float]:
    """Return the work done per second, one value per round, after a warm-up.

    ``work`` does one unit and returns its amount. CPU time is less sensitive to other programs than
    wall-clock time.
    """
    work()
    return [rate_once(work, seconds / ROUNDS, clock) for _ in range(ROUNDS)]


def rate_once(work: Callable[[], int], seconds: float, clock: Clock) -> float:
    """Measure one round of ``seconds``."""
    done, began = 0, clock()
    while (spent := clock() - began) < seconds or done == 0:
        done += work()
    return done / max(spent, 1e-9)
