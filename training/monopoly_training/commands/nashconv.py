"""Measure exactly how far bots are from an equilibrium, in an edition small enough for it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from monopoly_training.cli_options.game import AsJson, Rules


def command(
    agents: Annotated[
        list[str] | None,
        typer.Argument(help="Bots by name, or model:PATH; without one, only the value is shown."),
    ] = None,
    edition: Annotated[
        str, typer.Option(help="A small edition: mini, or the path of an edition file.")
    ] = "mini",
    rules: Rules = None,
    samples: Annotated[
        int,
        typer.Option(
            help="Questions per position to compiled bots that draw random numbers.", min=1
        ),
    ] = 64,
    games: Annotated[
        int, typer.Option(help="Games per seat for bots that are not compiled.", min=2)
    ] = 100,
    seed: Annotated[int, typer.Option(help="Seed of those games.", min=0)] = 0,
    plot: Annotated[
        Path | None, typer.Option(help="Plot the bots as PNG (extra eval).", metavar="FILE")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure NashConv of bots in the mini edition, by exact best responses.

    Finds all positions of the game with the engine, solves it by backward induction, and asks each
    bot in every position. NashConv is what both seats gain by a best response, from 0 (an
    equilibrium) to 4; a win is 1 and a loss -1. Bots are asked without memory of the game. Bots that
    are not compiled, such as search, play against an equilibrium instead, which gives a lower bound.
    """
    from monopoly_env.editions import load_edition
    from monopoly_training.cli_options.game import rules_of
    from monopoly_training.common.progress import Live
    from monopoly_training.exact.graph import build_graph
    from monopoly_training.exact.report import measured, result_line, summary, summary_lines

    check_plot(plot, agents or ())
    loaded = load_edition(edition, rules=rules_of(rules))
    with Live() as progress:
        progress.stage("finding positions")
        graph = build_graph(loaded, lambda share, count: progress.update(share, f"{count:,}"))
    facts = summary(graph)
    rows: list[dict[str, Any]] = []
    if not as_json:
        for line in summary_lines(facts):
            typer.echo(line)
    for name in agents or []:
        with Live() as progress:
            rows.append(measured(graph, name, samples, games, seed, progress))
        if not as_json:
            typer.echo(result_line(rows[-1]))
    if plot is not None:
        from monopoly_training.exact.plot import plot_nash_conv

        plot_nash_conv(rows, plot)
    if as_json:
        typer.echo(json.dumps({**facts, "agents": rows}))


def check_plot(plot: Path | None, agents: Sequence[str]) -> None:
    """Refuse a plot that could not be drawn or written, before anything is measured."""
    from monopoly_env.errors import InputError
    from monopoly_env.extras import require
    from monopoly_env.files import check_output

    if plot is not None:
        require("--plot", "matplotlib")
        check_output(plot, InputError.at(f"--plot {plot}"))
        if not agents:
            InputError.at("--plot").fail("needs bots to plot; name some, such as strategist")
