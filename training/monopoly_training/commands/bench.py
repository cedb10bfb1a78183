"""Measure speed on this machine: engine, environments, learning, start-up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from monopoly_training.bench.measured import Measured

STDOUT = Path("-")


def command(
    only: Annotated[
        str, typer.Option(help="Measures to take, by name, separated by commas; all by default.")
    ] = "",
    seconds: Annotated[float, typer.Option(min=0.05, help="Seconds a measure.")] = 5.0,
    as_json: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="Write JSON; - prints it and nothing else."),
    ] = None,
    growth: Annotated[
        bool, typer.Option("--growth", help="Also by players, by batch size and by cores.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The growth as a picture, PNG.")
    ] = None,
    anchors: Annotated[
        bool, typer.Option("--anchors", help="Also other projects, as far as they are installed.")
    ] = False,
    peers: Annotated[
        Path | None,
        typer.Option(metavar="PYTHON", help="The Python that they are installed in; this one."),
    ] = None,
    compare: Annotated[
        str,
        typer.Option(metavar="FILE|REVISION", help="Ratios to an earlier run or a git revision."),
    ] = "",
    page: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Measure everything; write bench.json and bench.md."),
    ] = None,
) -> None:
    """Measure decisions a second of everything a user runs; see docs/bench.md."""
    from rich.console import Console

    from monopoly_training.bench import compare as versions
    from monopoly_training.bench import shown
    from monopoly_training.bench.taking import Wanted, chosen, take

    names, whole = chosen(only), page is not None
    revision = compare if compare and not Path(compare).is_file() else ""
    console = Console()
    with Console(stderr=True, highlight=False).status("starting …") as status:
        if revision:
            compared = names if only else versions.QUICK
            ratios = versions.with_revision(revision, compared, seconds, status.update)
            shown.show_ratios(console, ratios, revision)
            return
        grown = growth or whole or plot is not None
        run = take(Wanted(names, seconds, grown, anchors or whole, peers), status.update)
    if as_json == STDOUT:
        typer.echo(json.dumps(run.as_data(), indent=2))
    else:
        shown.show_run(console, run)
    keep(run, as_json, plot, page)
    if compare:
        shown.show_ratios(console, versions.with_file(run.results, Path(compare)), compare)


def keep(run: Measured, as_json: Path | None, plot: Path | None, page: Path | None) -> None:
    """Write the files that were asked for."""
    from monopoly_training.bench.page import write_page
    from monopoly_training.bench.shown import plot_growth

    if as_json is not None and as_json != STDOUT:
        run.write(as_json)
    if plot is not None:
        plot_growth(run.curves, plot)
    if page is not None:
        write_page(run, page)
