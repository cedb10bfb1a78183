"""Run the chosen benchmarks, with scaling curves and other projects on request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from monopoly_env.errors import InputError
from monopoly_env.extras import hint, is_installed, require
from monopoly_training.bench import MEASURES, MORE_FIGURES, NEEDS
from monopoly_training.bench.anchors import measure_peers
from monopoly_training.bench.bench_run import BenchRun
from monopoly_training.bench.growth import curves
from monopoly_training.bench.timing import Result

POINT = 0.4  # time per point of a curve, as a fraction of a benchmark's


@dataclass(frozen=True)
class BenchSpec:
    """The benchmarks and options of a run."""

    names: Sequence[str]  # names of benchmarks
    seconds: float
    growth: bool = False
    anchors: bool = False
    python: Path | None = None  # a Python with the other projects installed; None: this one


def chosen(only: str) -> list[str]:
    """Return the benchmarks named by ``a,b``, also by the names of their results.

    By default, all whose packages are installed. Raises: InputError for an unknown name,
    MissingExtra for a benchmark whose packages are not installed.
    """
    names = [name.strip() for name in only.split(",") if name.strip()]
    for name in names:
        if name not in MEASURES and name not in MORE_FIGURES:
            InputError.at("only").fail_unknown(name, "measure", MEASURES)
    found = list(dict.fromkeys(MORE_FIGURES.get(name, name) for name in names))
    for name in found:
        require(name, *NEEDS.get(name, ()))
    return found or [name for name in MEASURES if missing(name) is None]


def missing(name: str) -> str | None:
    """Return a package that a benchmark needs and that is not installed, or None."""
    return next((package for package in NEEDS.get(name, ()) if not is_installed(package)), None)


def left_out(names: Sequence[str]) -> list[str]:
    """Return a line for each benchmark skipped because a package is not installed."""
    return [
        f"without {name}: {package} is not installed; {hint(package)}"
        for name in NEEDS
        if name not in names and (package := missing(name)) is not None
    ]


def take(spec: BenchSpec, log: Callable[[str], None]) -> BenchRun:
    """Run everything in ``spec``; ``log`` receives progress."""
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
