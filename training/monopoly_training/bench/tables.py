"""Terminal tables of ``monopoly-env bench``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from monopoly_training.bench.bench_run import BenchRun
from monopoly_training.bench.compare import Ratio
from monopoly_training.bench.growth import Curve
from monopoly_training.bench.page import detail_text, number, spread
from monopoly_training.bench.timing import Result
from monopoly_training.evaluation.plots import save

WIDE = 120  # minimum terminal width for descriptions


def show_run(console: Console, run: BenchRun) -> None:
    """Print all results of a run."""
    show_results(console, run)
    for curve in run.curves:
        show_curve(console, curve)
    for row in run.peers:
        rate = f"{row['steps_per_s']:,} steps/s" if "steps_per_s" in row else row["skipped"]
        console.print(f"{row['peer']}: {rate}", highlight=False)


def show_results(console: Console, run: BenchRun) -> None:
    """Print the results, with descriptions if the terminal is wide, and their details."""
    about = run.machine
    title = f"{about['processor']}, Python {about['python']}"
    columns = ["name", "value", "rounds", "unit", *(["what"] if console.width >= WIDE else [])]
    rows = [
        [one.name, number(one.value), spread(one), one.unit, one.what][: len(columns)]
        for one in run.results
    ]
    console.print(grid(title, columns, rows))
    for one in run.results:
        show_details(console, one)


def show_details(console: Console, one: Result) -> None:
    """Print the details of a result, such as the share of each phase."""
    for name, value in one.detail.items():
        text = f"{one.name}, {name.replace('_', ' ')}: {detail_text(value)}"
        console.print(text, highlight=False, soft_wrap=True)


def show_curve(console: Console, curve: Curve) -> None:
    """Print a scaling curve."""
    rows = [(f"{n:,}", number(rate)) for n, rate in curve.points.items()]
    console.print(grid(f"{curve.name}: {curve.what}", (curve.by, curve.unit), rows))


def show_ratios(console: Console, ratios: Sequence[Ratio], other: str) -> None:
    """Print the comparison of two versions."""
    rows = [
        (
            one.name,
            one.unit,
            number(one.ours),
            number(one.theirs),
            f"{one.ratio:.3f}",
            f"{one.low:.3f} to {one.high:.3f}",
        )
        for one in ratios
    ]
    head = ("name", "unit", "this tree", other, "ratio", "rounds")
    console.print(grid(f"this tree ÷ {other}", head, rows))


def grid(title: str, head: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
    """Build a terminal table."""
    made = Table(title=title)
    for column in head:
        made.add_column(column, justify="left" if column in ("name", "unit", "what") else "right")
    for row in rows:
        made.add_row(*row)
    return made


def plot_growth(curves: Sequence[Curve], path: Path) -> None:
    """Plot all curves in one figure, one panel each, with rates from zero."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 2.2 * len(curves)), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(len(curves), squeeze=False)[:, 0]
    for axes, curve in zip(panels, curves, strict=True):
        numbers, rates = list(curve.points), list(curve.points.values())
        axes.plot(numbers, rates, marker="o", markersize=3)
        if curve.by == "games":
            axes.set_xscale("log", base=2)
        axes.set_ylim(bottom=0)
        axes.set_xlabel(curve.by)
        axes.set_ylabel(curve.unit)
        axes.set_title(f"{curve.name}: {curve.what}", fontsize="small")
    save(figure, path)
