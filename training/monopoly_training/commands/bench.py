"""Measure speed on this machine: engine, environments, learning, start-up."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table


def command(
    only: Annotated[
        str, typer.Option(help="Measures to take, by name, separated by commas; all by default.")
    ] = "",
    seconds: Annotated[float, typer.Option(min=0.05, help="Seconds a measure.")] = 5.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """Measure decisions a second of everything a user runs; see docs/bench.md."""
    from monopoly_training import bench

    names = [name.strip() for name in only.split(",") if name.strip()] or list(bench.MEASURES)
    unknown = [name for name in names if name not in bench.MEASURES]
    if unknown:
        known = ", ".join(bench.MEASURES)
        raise typer.BadParameter(
            f"no measure {unknown[0]!r}; there are {known}", param_hint="--only"
        )
    console = Console(stderr=True, highlight=False)
    results: list[bench.Result] = []
    with console.status("compiling and measuring …") as status:
        for name in names:
            status.update(f"measuring {name} …")
            results.extend(bench.run([name], seconds))
    if as_json:
        typer.echo(json.dumps(bench.as_json(results), indent=2))
        return
    about = bench.machine()
    table = Table(title=f"{about['processor']}, Python {about['python']}")
    for column in ("name", "value", "unit", "what"):
        table.add_column(column, justify="right" if column == "value" else "left")
    for result in results:
        value = f"{result.value:,.0f}" if result.value >= 100 else f"{result.value:.3g}"
        table.add_row(result.name, value, result.unit, result.what)
    Console().print(table)
