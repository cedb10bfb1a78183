"""Summarize the behavior statistics of each bot, with intervals over seeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from monopoly_env.engine.state import Float64s, Int64s
from monopoly_env.value.weights import shipped_value
from monopoly_training.behavior.figures import AT, FIGURES, Figure
from monopoly_training.stats.bootstrap import Interval, intervals_of_ratio


@dataclass(frozen=True)
class Measured:
    """One statistic of one bot."""

    value: float | None  # None if the denominator is zero
    count: float  # the denominator, such as throws, offers or deals
    ci95: Interval | None  # bootstrap over seeds; None if there are too few


Behavior = dict[str, Measured]  # by the names of FIGURES


def behavior_of(sums: Float64s, unit: Int64s) -> Behavior:
    """Compute a bot's statistics from float64[games, len(COLUMNS)] and each game's seed index."""
    units = int(unit.max()) + 1 if len(unit) else 0
    by_unit = np.zeros((units, sums.shape[1]))
    np.add.at(by_unit, unit, sums)
    above = by_unit[:, [AT[figure.above] for figure in FIGURES]]
    below = by_unit[:, [AT[figure.below] for figure in FIGURES]]
    ends = intervals_of_ratio(above, below) if units else [None] * len(FIGURES)
    totals, counts = above.sum(axis=0), below.sum(axis=0)
    return {
        figure.name: Measured(
            float(totals[k] / counts[k]) if counts[k] else None, float(counts[k]), ends[k]
        )
        for k, figure in enumerate(FIGURES)
    }


def behavior_as_json(behavior: Behavior) -> dict[str, Any]:
    """Return value, count and ci95 by name."""
    return {name: asdict(measured) for name, measured in behavior.items()}


def all_as_json(behaviors: Mapping[str, Behavior] | None) -> dict[str, Any] | None:
    """Return the statistics of several bots, and the digest of the value function used."""
    if behaviors is None:
        return None
    bots = {name: behavior_as_json(behavior) for name, behavior in behaviors.items()}
    return {"value": shipped_value().digest, "bots": bots}


def behavior_rows(behaviors: Sequence[Behavior]) -> Iterator[tuple[str, ...]]:
    """Yield one row per statistic, with one column per bot."""
    for figure in FIGURES:
        cells = [figure_text(figure, one[figure.name].value) for one in behaviors]
        yield (label(figure), *cells)


def label(figure: Figure) -> str:
    """Return a statistic's label in tables."""
    unit = {"%": ", %", "points": ", points"}.get(figure.unit, "")
    return f"{figure.name.replace('_', ' ')}{unit}"


def figure_text(figure: Figure, value: float | None) -> str:
    """Format a value in its unit; a dash for None."""
    if value is None:
        return "–"
    return f"{value:.2f}" if not figure.unit else f"{round(100 * value, 1) + 0.0:.1f}"
