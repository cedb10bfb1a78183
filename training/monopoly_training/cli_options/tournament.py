"""Options of ``monopoly-env tournament``, and the output of its results."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from monopoly_env.errors import InputError, show
from monopoly_training.cli_options.faults import (
    bots_print_to_stderr,
    end_strictly,
    show_faults,
)
from monopoly_training.cli_options.game import rules_of
from monopoly_training.common.bot_lists import split_names
from monopoly_training.stats.sprt import Trial
from monopoly_training.tournament.config import TournamentConfig, load_tournament_config
from monopoly_training.tournament.ledger import FILE

if TYPE_CHECKING:
    from monopoly_training.matches.workers import WorkOptions
    from monopoly_training.tournament.summary import TournamentResult


def tournament_config(
    command: str, config: str | None, options: Mapping[str, Any]
) -> TournamentConfig:
    """Load a command's config, or create one from the bots it names, and apply its options.

    ``options`` are settings by name, None if not given on the command line.
    """
    typed = {name: value for name, value in options.items() if value is not None}
    if config is None and "agents" not in typed:
        InputError.at(command).fail("name a config, or the bots: --agents fixed_a,fixed_b,random")
    for name in typed.keys() & PARSERS.keys():
        typed[name] = PARSERS[name](typed[name])
    return load_tournament_config(config, typed)


def kept_games(text: str) -> int | None:
    """Parse the number of recorded games; None: all."""
    if text == "all":
        return None
    if text == "none":
        return 0
    if not text.isdecimal():
        InputError.at("--records").fail(f"must be a number, all or none, not {show(text)}")
    return int(text)


def hypotheses(text: str) -> dict[str, object]:
    """Parse ``p1`` or ``p0,p1`` into settings of the sequential test."""
    try:
        rates = [float(part) for part in text.split(",")]
    except ValueError:
        rates = []
    if not 1 <= len(rates) <= 2:
        InputError.at("--sprt").fail(f"must be p1 or p0,p1, such as 0.25,0.30, not {show(text)}")
    names = ("p1",) if len(rates) == 1 else ("p0", "p1")
    return {"enabled": True, **dict(zip(names, rates, strict=True))}


PARSERS: dict[str, Callable[[Any], object]] = {
    "agents": lambda text: split_names(text, "--agents"),
    "sprt": hypotheses,
    "rules": rules_of,
    "records": kept_games,
}


def verdict(question: str, trial: Trial) -> str:
    """Describe the result of the sequential test in one line."""
    decision = "undecided" if trial.decided is None else f"{trial.decided} is decided"
    return f"{question} After {trial.games:,} games of {trial.seeds:,} seeds: {decision}"


def free_folder(folder: Path, resume: bool) -> Path:
    """Return the default folder of a tournament: the first without a tournament in it.

    Folders are named ``tournament``, ``tournament-2`` and so on; ``resume`` returns the last
    existing one.
    """
    number, candidate = 1, folder
    while (candidate / FILE).exists():
        last = candidate
        number += 1
        candidate = folder.with_name(f"{folder.name}-{number}")
        if resume and not (candidate / FILE).exists():
            return last
    return candidate


def play_and_show(
    settings: TournamentConfig,
    folder: Path | None,
    name: str,
    work: WorkOptions,
    as_json: bool,
    strict: bool,
) -> None:
    """Play a tournament, write its folder, and print its results.

    ``name`` is the folder's name in ``runs`` if none is given.
    """
    from monopoly_env.errors import FileError
    from monopoly_env.files import check_output_folder
    from monopoly_training.common import stopping
    from monopoly_training.common.progress import Live
    from monopoly_training.matches.bot_errors import ErrorLog
    from monopoly_training.tournament.report import WRITTEN, check_report, left_out, write_report
    from monopoly_training.tournament.tournament import play_tournament

    folder = folder or free_folder(Path("runs") / name, work.resume)
    check_output_folder(folder, FileError.at(folder), WRITTEN, keep=False)
    folder, named = folder.absolute(), folder  # a bot may change the working folder
    stopping.resume_with()
    with Live() as progress, bots_print_to_stderr():
        if work.resume:
            check_report(folder)
        result = play_tournament(settings, folder, work, progress)
        progress.stage("writing the report")
        write_report(result, folder)
    if (missing := left_out()) is not None:
        typer.echo(f"the report is {missing}", err=True)
    if as_json:
        typer.echo(json.dumps(result.as_json()))
    else:
        show_result(result, named)
    end_strictly(strict, result.any_faults or ErrorLog(folder).any)


def show_result(result: TournamentResult, folder: Path) -> None:
    """Print the standings and where the report is."""
    from monopoly_training.common.console import new_console
    from monopoly_training.evaluation.score_table import behavior_table, score_table
    from monopoly_training.tournament.report import comparison_text
    from monopoly_training.tournament.summary import names_of

    first = int(result.games.seed.min())
    title = f"{len(result.games):,} games, seeds {first} to {first + result.seeds - 1}"
    names = names_of(result.standings)
    rows = [([name], row.score) for name, row in zip(names, result.standings, strict=True)]
    faults = {row.agent: row.faults for row in result.standings}
    counts = [sum(one.values()) for one in faults.values()]
    ends = [row.win_rate_by_seed for row in result.standings]
    new_console().print(score_table(title, ["agent"], rows, counts, ends))
    show_faults(faults)
    if result.behavior is not None:
        new_console().print(behavior_table(result.behavior))
    for row in result.standings:
        if row.luck_adjusted is not None:
            typer.echo(f"{row.agent}: {row.luck_adjusted}")
    if result.comparison is not None:
        typer.echo(comparison_text(result))
    if result.trial is not None:
        typer.echo(verdict(result.question, result.trial))
    typer.echo(f"{result.games.turns.mean():.0f} turns per game; written: {folder / 'report.html'}")
