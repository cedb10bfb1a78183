"""Write the decisions of many games as a Parquet dataset."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from monopoly_training.cli_options.faults import bots_print_to_stderr
from monopoly_training.cli_options.folders import as_local_folder
from monopoly_training.cli_options.game import (
    Address,
    Agents,
    AsJson,
    Backend,
    Edition,
    FirstSeed,
    Games,
    Jobs,
    Mode,
    Rules,
    Seats,
    Trust,
)


def command(
    config: Annotated[
        str | None, typer.Argument(help="A tournament config: a YAML file or a name.")
    ] = None,
    agents: Agents = None,
    form: Annotated[
        str | None, typer.Option("--format", help="table, round_robin or gauntlet.")
    ] = None,
    seats: Seats = None,
    games: Games = None,
    seed: FirstSeed = None,
    edition: Edition = "",
    mode: Mode = "",
    rules: Rules = None,
    bots: Annotated[
        str | None, typer.Option(help="Keep only decisions of these bots, comma-separated.")
    ] = None,
    forced: Annotated[
        bool, typer.Option("--forced", help="Also keep decisions with a single legal action.")
    ] = False,
    observations: Annotated[
        bool, typer.Option(help="Write observations, the largest part of the data.")
    ] = True,
    jobs: Jobs = 1,
    backend: Backend = "processes",
    address: Address = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the run in the folder.")] = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Output folder; runs/data/NAME by default.", callback=as_local_folder
        ),
    ] = None,
    as_json: AsJson = False,
    trust: Trust = False,
) -> None:
    """Play games and write every decision: observation, mask, action, seat, outcome.

    The output is dataset.json and part-*.parquet. docs/dataset.md describes the columns, and
    monopoly_training.dataset.reader.read() reads them. Each seed is played in every rotation of the
    seats. After an interruption, repeat the command with --resume. Needs the extra eval.
    """
    from monopoly_env.extras import require
    from monopoly_training.cli_options.game import check_backend
    from monopoly_training.cli_options.tournament import tournament_config
    from monopoly_training.common import stopping
    from monopoly_training.common.bot_lists import split_names
    from monopoly_training.common.progress import Live
    from monopoly_training.dataset.writer import DatasetSpec, generate
    from monopoly_training.matches.bot_errors import ErrorLog
    from monopoly_training.matches.workers import WorkOptions

    options = {
        "agents": agents,
        "format": form,
        "seats": seats,
        "games": games,
        "seed": seed,
        "edition": edition or None,
        "mode": mode or None,
        "rules": rules,
    }
    settings = tournament_config("generate", config, options)
    require("generate", "pyarrow")
    check_backend(backend, address, jobs)
    work = WorkOptions(jobs, resume, trust, backend, address)
    kept = tuple(split_names(bots, "--bots")) if bots is not None else None
    folder = folder or Path("runs") / "data" / (Path(config).stem if config else "games")
    spec = DatasetSpec(kept, forced, observations)
    folder, named = folder.absolute(), folder  # a bot may change the working folder
    stopping.resume_with()
    with Live() as progress, bots_print_to_stderr(), stopping.removing(folder):
        about = generate(settings, spec, folder, work, progress)
    if as_json:
        typer.echo(json.dumps(about))
        return
    typer.echo(f"{about['games']:,} games, {about['rows']:,} decisions; written: {named}")
    for path in ErrorLog(folder).files():
        typer.echo(f"errors of bots: {path}")
