"""Let bots play a tournament: a report, tables, plots, every game as data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from monopoly_training.cli_options.faults import (
    Strict,
    bots_print_to_stderr,
    end_strictly,
    show_faults,
)
from monopoly_training.cli_options.game import (
    Agents,
    AsJson,
    Edition,
    FirstSeed,
    Games,
    Jobs,
    Mode,
    Rules,
    Seats,
    Trust,
)

if TYPE_CHECKING:
    from monopoly_training.tournament.summary import TournamentResult


def command(
    config: Annotated[
        str | None, typer.Argument(help="A YAML file, or the name of a config that comes along.")
    ] = None,
    agents: Agents = None,
    form: Annotated[
        str | None, typer.Option("--format", help="table, round_robin, gauntlet or swiss.")
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
    jobs: Jobs = 1,
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
    report.html, results.json, table.csv, games.csv, games.parquet, records.jsonl.gz and pictures.
    After a kill, the same command with --resume goes on. The first error of each bot is shown when
    it happens, and its traceback is kept in the folder errors. Settings:
    configs/tournaments/default.yaml.
    """
    from monopoly_env.errors import FileError
    from monopoly_env.files import check_output_folder
    from monopoly_training.cli_options.tournament import free_folder, tournament_config
    from monopoly_training.common import stopping
    from monopoly_training.common.progress import Live
    from monopoly_training.matches.bot_errors import ErrorLog
    from monopoly_training.matches.workers import WorkOptions
    from monopoly_training.tournament.report import WRITTEN, write_report
    from monopoly_training.tournament.tournament import play_tournament

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
    }
    settings = tournament_config("tournament", config, options)
    name = Path(config).stem if config else "tournament"
    folder = folder or free_folder(Path("runs") / name, resume)
    check_output_folder(folder, FileError.at(folder), WRITTEN, keep=False)
    work = WorkOptions(jobs, resume, trust)
    folder, named = folder.absolute(), folder  # a bot may change the working folder
    stopping.resume_with()
    with Live() as progress, bots_print_to_stderr():
        result = play_tournament(settings, folder, work, progress)
        progress.stage("writing the report")
        write_report(result, folder)
    if as_json:
        typer.echo(json.dumps(result.as_json()))
    else:
        show(result, named)
    end_strictly(strict, result.any_faults or ErrorLog(folder).any)


def show(result: TournamentResult, folder: Path) -> None:
    """Print the table, and where the rest is."""
    from rich.console import Console

    from monopoly_training.cli_options.tournament import verdict
    from monopoly_training.evaluation.score_table import score_table
    from monopoly_training.tournament.summary import names_of

    first = int(result.games.seed.min())
    title = f"{len(result.games):,} games, seeds {first} to {first + result.seeds - 1}"
    names = names_of(result.standings)
    rows = [([name], row.score) for name, row in zip(names, result.standings, strict=True)]
    faults = {row.agent: row.faults for row in result.standings}
    counts = [sum(one.values()) for one in faults.values()]
    Console().print(score_table(title, ["agent"], rows, counts))
    show_faults(faults)
    if result.trial is not None:
        typer.echo(verdict(result.trial))
    typer.echo(f"{result.games.turns.mean():.0f} turns a game; written: {folder / 'report.html'}")
