"""Run a tournament between bots and write a report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from monopoly_training.cli_options.faults import Strict
from monopoly_training.cli_options.folders import as_local_folder
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
        str | None, typer.Argument(help="A YAML file, or the name of an included config.")
    ] = None,
    agents: Agents = None,
    form: Annotated[
        str | None, typer.Option("--format", help="table, round_robin, gauntlet, paired or swiss.")
    ] = None,
    seats: Seats = None,
    games: Games = None,
    rounds: Annotated[int | None, typer.Option(help="Rounds of the format swiss.")] = None,
    seed: FirstSeed = None,
    sprt: Annotated[
        str | None,
        typer.Option(help="Sequential test of the first bot's win rate: p1, or p0,p1."),
    ] = None,
    edition: Edition = "",
    mode: Mode = "",
    rules: Rules = None,
    records: Annotated[
        str | None, typer.Option(help="Games to record with every action: a number, all or none.")
    ] = None,
    behavior: BehaviorToo = False,
    luck_adjusted: LuckAdjusted = None,
    jobs: Jobs = 1,
    backend: Backend = "processes",
    address: Address = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the run in the folder.")] = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Output folder; runs/NAME by default.", callback=as_local_folder
        ),
    ] = None,
    as_json: AsJson = False,
    trust: Trust = False,
    strict: Strict = False,
) -> None:
    """Run a tournament between bots and report win rates and ratings.

    Each seed is played in every rotation of the seats. The output folder contains report.html,
    results.json, table.csv, games.csv and records.jsonl.gz; with the extra eval, also games.parquet
    and plots. After an interruption, repeat the command with --resume. Each bot's first error is
    shown when it happens, and its traceback is stored in the folder errors. Settings:
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
        InputError.at("--rounds").fail(f"needs --format swiss, not {settings.format}")
    name = Path(config).stem if config else "tournament"
    check_backend(backend, address, jobs)
    work = WorkOptions(jobs, resume, trust, backend, address)
    play_and_show(settings, folder, name, work, as_json, strict)
