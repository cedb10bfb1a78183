"""Takes a whole run: the chosen measures, and what comes with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from monopoly_env.errors import InputError
from monopoly_training.bench import MEASURES, MORE_FIGURES
from monopoly_training.bench.anchors import measure_peers
from monopoly_training.bench.bench_run import BenchRun
from monopoly_training.bench.growth import curves
from monopoly_training.bench.timing import Result

POINT = 0.4  # of the seconds of a measure go to a point of a curve


@dataclass(frozen=True)
class BenchSpec:
    """What a run measures."""

    names: Sequence[str]  # of measures
    seconds: float
    growth: bool = False
    anchors: bool = False
    python: Path | None = None  # the one that has the anchors installed; None: this one


def chosen(only: str) -> list[str]:
    """The measures named by ``a,b``, or by figures that they give; all if none is named.

    Raises: InputError for an unknown one.
    """
    names = [name.strip() for name in only.split(",") if name.strip()]
    for name in names:
        if name not in MEASURES and name not in MORE_FIGURES:
            InputError.at("only").fail_unknown(name, "measure", MEASURES)
    return list(dict.fromkeys(MORE_FIGURES.get(name, name) for name in names)) or list(MEASURES)


def take(spec: BenchSpec, log: Callable[[str], None]) -> BenchRun:
    """Measure; ``log`` takes what is going on."""
    results: list[Result] = []
    for name in spec.names:
        log(f"measuring {name}")
        results += MEASURES[name](spec.seconds)
    grown = curves(spec.seconds * POINT, log) if spec.growth else []
    others = []
    if spec.anchors:
        log("measuring other projects")
        others = measure_peers(spec.python, spec.seconds)
    return BenchRun.here(spec.seconds, results, grown, others)
