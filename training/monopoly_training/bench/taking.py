"""Takes a whole run: the measures that are wanted, and what comes with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from monopoly_env.errors import InputError
from monopoly_training.bench import MEASURES, MORE_FIGURES
from monopoly_training.bench.anchors import measure_peers
from monopoly_training.bench.growth import curves
from monopoly_training.bench.measured import Measured
from monopoly_training.bench.timing import Result

POINT = 0.4  # of the seconds of a measure go to a point of a curve


@dataclass(frozen=True)
class Wanted:
    """What a run takes."""

    names: Sequence[str]  # of measures
    seconds: float
    growth: bool = False
    anchors: bool = False
    peers: Path | None = None  # the Python that has the anchors


def chosen(only: str) -> list[str]:
    """The measures named by ``a,b``, or by figures that they give; all if none is named.

    Raises: InputError for an unknown one.
    """
    names = [name.strip() for name in only.split(",") if name.strip()]
    for name in names:
        if name not in MEASURES and name not in MORE_FIGURES:
            InputError.at("only").fail_unknown(name, "measure", MEASURES)
    return list(dict.fromkeys(MORE_FIGURES.get(name, name) for name in names)) or list(MEASURES)


def take(wanted: Wanted, told: Callable[[str], None]) -> Measured:
    """Measure; ``told`` hears what is going on."""
    results: list[Result] = []
    for name in wanted.names:
        told(f"measuring {name}")
        results += MEASURES[name](wanted.seconds)
    grown = curves(wanted.seconds * POINT, told) if wanted.growth else []
    others = []
    if wanted.anchors:
        told("measuring other projects")
        others = measure_peers(wanted.peers, wanted.seconds)
    return Measured.here(wanted.seconds, results, grown, others)
