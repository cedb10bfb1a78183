"""Write the decisions of many games as Parquet, to learn from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from monopoly_training.cli_options.faults import bots_print_to_stderr
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
        str | None, typer.Argument(help="A tournament's YAML file, or the name of one.")
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
    bots: Annotated[str | None, typer.Option(help="Keep the decisions of these bots only.")] = None,
    forced: Annotated[
        bool, typer.Option("--forced", help="Keep decisions with one legal action too.")
    ] = False,
    observations: Annotated[
        bool, typer.Option(help="Write what the seat sees; the largest part of the data.")
    ] = True,
    jobs: Jobs = 1,
    backend: Backend = "processes",
    address: Address = None,
    resume: Annotated[bool, typer.Option("--resume", help="Finish what the folder holds.")] = False,
    folder: Annotated[
        Path | None, typer.Option("--out", help="Folder for the data; runs/data/ and the name.")
    ] = None,
    as_json: AsJson = False,
    trust: Trust = False,
) -> None:
    """Play games and write every decision: observation, mask, action, seat, outcome.

    The folder receives dataset.json and part-*.parquet; docs/dataset.md names the columns, and
    monopoly_training.dataset.reader.read() reads them. Each seed is played in every rotation of the
    seats. After a kill, the same command with --resume goes on. Needs the extra eval.
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
        typer.echo(f"a bot made errors: {path}")
