"""Scaling benchmarks: speed by number of players, batch size and cores."""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from monopoly_training.bench.engine import random_play
from monopoly_training.bench.environments import step_rates, vector
from monopoly_training.bench.scaling import process_rates, thread_rates
from monopoly_training.bench.timing import rates

PLAYERS = tuple(range(2, 9))
SIZES = (1, 4, 16, 64, 256, 1024, 4096, 16384)


@dataclass(frozen=True)
class Curve:
    """Rates as a function of a count."""

    name: str
    by: str
    what: str
    unit: str
    points: dict[int, float]


def curves(seconds: float, log: Callable[[str], None] = lambda _: None) -> list[Curve]:
    """Measure all curves, ``seconds`` per point. ``log`` receives progress."""
    made = []
    for curve in (engine_by_players, steps_by_players, steps_by_size, by_threads, by_processes):
        log(curve.__doc__ or "")
        made.append(curve(seconds))
    return made


def engine_by_players(seconds: float) -> Curve:
    """Random play inside one compiled call, by players."""
    points = {n: statistics.median(rates(random_play(n)[0], seconds)) for n in PLAYERS}
    return _curve("engine_mask", "players", "random play in one compiled call", points)


def steps_by_players(seconds: float) -> Curve:
    """Steps of a batch, by players."""
    points = {n: statistics.median(step_rates(vector(players=n), seconds)) for n in PLAYERS}
    return _curve("batch_step", "players", "1,024 games stepped from outside", points)


def steps_by_size(seconds: float) -> Curve:
    """Steps of a batch, by its size."""
    points = {n: statistics.median(step_rates(vector(n), seconds)) for n in SIZES}
    return _curve("batch_step", "games", "games stepped from outside in one call", points)


def by_threads(seconds: float) -> Curve:
    """Steps of a batch, by threads."""
    by_count = thread_rates(_counts(), seconds)
    points = {count: statistics.median(rounds) for count, rounds in by_count.items()}
    return _curve("batch_step", "threads", "1,024 games on so many threads, by the clock", points)


def by_processes(seconds: float) -> Curve:
    """Steps of a batch in each of several processes."""
    by_count, _ = process_rates(_counts(), seconds)
    points = {count: statistics.median(rounds) for count, rounds in by_count.items()}
    return _curve("batch_step", "processes", "1,024 games in each, together, by the clock", points)


def _counts() -> list[int]:
    """Return 1, 2, 4 … and the number of cores."""
    cores = os.cpu_count() or 1
    return sorted({1 << k for k in range(cores.bit_length()) if 1 << k <= cores} | {cores})


def _curve(name: str, by: str, what: str, points: dict[int, float]) -> Curve:
    return Curve(name, by, what, "decisions/s", {n: float(f"{v:.6g}") for n, v in points.items()})


def as_data(curve: Curve) -> dict[str, Any]:
    """Return a curve as plain data; points become pairs, since JSON keys must be text."""
    return asdict(curve) | {"points": [list(point) for point in curve.points.items()]}


def from_data(data: dict[str, Any]) -> Curve:
    """Restore a curve from plain data."""
    return Curve(**(data | {"points": {int(n): float(rate) for n, rate in data["points"]}}))
