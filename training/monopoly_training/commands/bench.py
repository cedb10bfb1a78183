"""Measure speed on this machine: engine, environments, learning, startup."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from monopoly_training.bench.bench_run import BenchRun

STDOUT = Path("-")


def command(
    only: Annotated[
        str, typer.Option(help="Names of benchmarks, comma-separated; all by default.")
    ] = "",
    seconds: Annotated[
        float, typer.Option(min=0.05, max=86_400, help="Seconds per benchmark.")
    ] = 5.0,
    as_json: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="Write JSON to FILE; - prints only JSON."),
    ] = None,
    growth: Annotated[
        bool,
        typer.Option("--growth", help="Also measure by number of players, batch size and cores."),
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Plot the growth as PNG (extra eval).")
    ] = None,
    anchors: Annotated[
        bool, typer.Option("--anchors", help="Also measure other installed projects.")
    ] = False,
    python: Annotated[
        Path | None,
        typer.Option(
            "--peers",
            metavar="PYTHON",
            help="Python in which they are installed; this one by default.",
        ),
    ] = None,
    revision: Annotated[
        str,
        typer.Option(
            "--compare",
            metavar="FILE|REVISION",
            help="Compare with an earlier run or a git revision.",
        ),
    ] = "",
    page: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Run everything; write bench.json and bench.md."),
    ] = None,
) -> None:
    """Measure speed: engine, environments, learning, startup. See docs/bench.md.

    Benchmarks of learning need the extra train, those of rendering the extra render; without the
    extra, they are skipped.
    """
    from monopoly_env.errors import InputError
    from monopoly_env.extras import require
    from monopoly_env.files import check_output, check_output_folder
    from monopoly_training.bench import compare as versions
    from monopoly_training.bench import tables
    from monopoly_training.bench.bench_run import read
    from monopoly_training.bench.runner import BenchSpec, chosen, left_out, take
    from monopoly_training.common.console import new_console

    names, whole = chosen(only), page is not None
    given = {"--only": only, "--json": as_json, "--growth": growth, "--plot": plot}
    check_together({**given, "--anchors": anchors, "--peers": python, "--page": page}, revision)
    if plot is not None or whole:
        require("--plot" if plot is not None else "--page", "matplotlib")
    earlier = Path(revision) if revision and Path(revision).exists() else None
    if earlier is not None:
        read(earlier)  # checks the file before anything is measured
    for name, path in (("--json", as_json), ("--plot", plot)):
        if path is not None and path != STDOUT:
            check_output(path, InputError.at(f"{name} {path}"))
    if page is not None:
        check_output_folder(page, InputError.at(f"--page {page}"))
    if not only:
        for line in left_out(names):
            typer.echo(line, err=True)
    console = new_console()
    with new_console(stderr=True, highlight=False).status("starting …") as status:
        if revision and earlier is None:
            compared = names if only else versions.QUICK
            ratios = versions.with_revision(revision, compared, seconds, status.update)
            tables.show_ratios(console, ratios, revision)
            return
        grown = growth or whole or plot is not None
        run = take(BenchSpec(names, seconds, grown, anchors or whole, python), status.update)
    if as_json == STDOUT:
        typer.echo(json.dumps(run.as_data(), indent=2))
    else:
        tables.show_run(console, run)
    write(run, as_json, plot, page)
    if earlier is not None:
        tables.show_ratios(console, versions.with_file(run.results, earlier), revision)


def check_together(given: Mapping[str, object], revision: str) -> None:
    """Refuse options that others would ignore. Raises: InputError, one line."""
    from monopoly_env.errors import InputError

    if given["--only"] and given["--page"]:
        InputError.at("--page").fail("writes the page of all benchmarks; leave out --only")
    if revision and not Path(revision).exists():
        for name, value in given.items():
            if value and name != "--only":
                InputError.at(f"--compare {revision}").fail(
                    f"only prints the ratios to a revision; leave out {name}, or name a file that "
                    "an earlier run wrote with --json"
                )


def write(run: BenchRun, as_json: Path | None, plot: Path | None, page: Path | None) -> None:
    """Write the files requested by options."""
    from monopoly_training.bench.page import write_page
    from monopoly_training.bench.tables import plot_growth

    if as_json is not None and as_json != STDOUT:
        run.write(as_json)
    if plot is not None:
        plot_growth(run.curves, plot)
    if page is not None:
        write_page(run, page)
