"""Let bots play a tournament: a report, tables, plots, every game as data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from monopoly_training.cli_options.faults import Strict
from monopoly_training.cli_options.game import (
    Address,
    Agents,
    AsJson,
    Backend,
    BehaviorToo,
    Edition,
    FirstSeed,
    Games,
    Jobs,
    LuckAdjusted,
    Mode,
    Rules,
    Seats,
    Trust,
)


def command(
    config: Annotated[
        str | None, typer.Argument(help="A YAML file, or the name of a config that comes along.")
    ] = None,
    agents: Agents = None,
    form: Annotated[
        str | None, typer.Option("--format", help="table, round_robin, gauntlet, paired or swiss.")
    ] = None,
    seats: Seats = None,
    games: Games = None,
    rounds: Annotated[int | None, typer.Option(help="Rounds of format swiss.")] = None,
    seed: FirstSeed = None,
    sprt: Annotated[
        str | None,
        typer.Option(help="Stop when it is clear how often the first bot wins: p1, or p0,p1."),
    ] = None,
    edition: Edition = "",
    mode: Mode = "",
    rules: Rules = None,
    records: Annotated[
        str | None, typer.Option(help="Games kept with every action: a number, all or none.")
    ] = None,
    behavior: BehaviorToo = False,
    luck_adjusted: LuckAdjusted = None,
    jobs: Jobs = 1,
    backend: Backend = "processes",
    address: Address = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with what the folder holds.")
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option("--out", help="Folder for the results; runs/ and the config's name."),
    ] = None,
    as_json: AsJson = False,
    trust: Trust = False,
    strict: Strict = False,
) -> None:
    """Let bots play each other from every seat, and show who wins how often.

    Each seed is played at every table in every rotation of the seats. The folder receives
    report.html, results.json, table.csv, games.csv and records.jsonl.gz, with the extra eval
    games.parquet and pictures, too.
    After a kill, the same command with --resume goes on. The first error of each bot is shown when
    it happens, and its traceback is kept in the folder errors. Settings:
    configs/tournaments/default.yaml.
    """
    from monopoly_env.errors import InputError
    from monopoly_training.cli_options.game import check_backend
    from monopoly_training.cli_options.tournament import play_and_show, tournament_config
    from monopoly_training.matches.workers import WorkOptions

    options = {
        "agents": agents,
        "format": form,
        "seats": seats,
        "games": games,
        "rounds": rounds,
        "seed": seed,
        "sprt": sprt,
        "edition": edition or None,
        "mode": mode or None,
        "rules": rules,
        "records": records,
        "behavior": behavior or None,
        "luck_adjusted": luck_adjusted,
    }
    settings = tournament_config("tournament", config, options)
    if rounds is not None and settings.format != "swiss":
        InputError.at("--rounds").fail(f"goes with --format swiss, not {settings.format}")
    name = Path(config).stem if config else "tournament"
    check_backend(backend, address, jobs)
    work = WorkOptions(jobs, resume, trust, backend, address)
    play_and_show(settings, folder, name, work, as_json, strict)
