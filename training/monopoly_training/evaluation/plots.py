"""Plot learning curves and win rates to PNG files."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_training.common.files import write_atomic
from monopoly_training.evaluation.learning_curve import Point
from monopoly_training.stats.bootstrap import Interval
from monopoly_training.stats.win_rates import Score

Curves = Mapping[str, Sequence[Sequence[Point]]]  # by label: one curve per run (seed)


def plot_win_rates(rows: Sequence[tuple[str, Score, Interval]], chance: float, path: Path) -> None:
    """Plot win rates with 95% intervals, one bar per row, and a line at chance level."""
    figure, axes = new_figure(height=1.2 + 0.45 * len(rows))
    for height, (_, score, (low, high)) in zip(reversed(range(len(rows))), rows, strict=True):
        axes.barh(height, 100 * score.win_rate, height=0.6, color="tab:blue", alpha=0.6)
        axes.plot([100 * low, 100 * high], [height, height], color="black", linewidth=2)
    axes.axvline(100 * chance, color="grey", linestyle="--", linewidth=1)
    axes.set_yticks(range(len(rows)), [name for name, *_ in reversed(rows)])
    axes.set_xlim(0, 100)
    axes.set_xlabel("games won, %; line: 95% interval; dashed: chance")
    save(figure, path)


def plot_curves(curves: Curves, path: Path, by: str = "steps") -> None:
    """Plot win rates over training, one line per label and line-up of opponents.

    A single run shows its 95% intervals as a band; several runs of a label show their mean and
    their range. ``by`` is ``steps`` or ``seconds``.
    """
    from matplotlib.ticker import EngFormatter

    figure, axes = new_figure(height=4.0)
    for label, runs in curves.items():
        for against in opponents(runs):
            lines = [[p for p in run if p.against == against] for run in runs]
            x, middle, low, high = band(lines, by)
            name = f"{label}: against {against}" if len(curves) > 1 else f"against {against}"
            (line,) = axes.plot(x, 100 * middle, marker="o", markersize=3, label=name)
            axes.fill_between(x, 100 * low, 100 * high, alpha=0.2, color=line.get_color())
    axes.set_ylim(0, 100)
    axes.set_xlim(left=0)
    if by == "steps":
        axes.xaxis.set_major_formatter(EngFormatter(sep=" "))
    axes.set_xlabel(
        "decisions of the learner, or games of candidates"
        if by == "steps"
        else "seconds of training"
    )
    axes.set_ylabel("games won, %")
    axes.grid(alpha=0.3)
    axes.legend(loc="best")
    save(figure, path)


def opponents(runs: Sequence[Sequence[Point]]) -> list[str]:
    """Return the line-ups that the runs were evaluated against, in order of appearance."""
    return list(dict.fromkeys(point.against for run in runs for point in run))


def band(lines: Sequence[Sequence[Point]], by: str) -> tuple[Any, Any, Any, Any]:
    """Return the x values, the center line, and the lower and upper edge of the band."""
    if len(lines) == 1:
        points = lines[0]
        x = np.array([getattr(p, by) for p in points])
        rates = np.array([(p.win_rate, p.low, p.high) for p in points]).reshape(-1, 3)
        return x, *rates.T
    end = min(getattr(line[-1], by) for line in lines if line)
    # where any run was evaluated; the others are interpolated there
    x = np.unique([min(getattr(p, by), end) for line in lines for p in line])
    rates = np.array(
        [np.interp(x, [getattr(p, by) for p in line], [p.win_rate for p in line]) for line in lines]
    )
    return x, rates.mean(axis=0), rates.min(axis=0), rates.max(axis=0)


def new_figure(height: float) -> tuple[Any, Any]:
    """Return an empty figure with one pair of axes; needs no display."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def save(figure: Any, path: Path) -> None:
    """Write a figure atomically."""
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=120)
    write_atomic(path, data.getvalue())
