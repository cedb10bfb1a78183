"""Test whether one bot is better than another, with paired seeds and seats."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from monopoly_training.cli_options.faults import Strict
from monopoly_training.cli_options.folders import as_local_folder
from monopoly_training.cli_options.game import (
    Address,
    AsJson,
    Backend,
    BehaviorToo,
    Edition,
    FirstSeed,
    Jobs,
    Mode,
    Rules,
    Trust,
)


def command(
    agent: Annotated[str, typer.Argument(help="Name of a bot, or model:PATH.")],
    other: Annotated[str, typer.Argument(help="The bot to compare with.")],
    against: Annotated[str, typer.Option(help="The opponents, comma-separated.")],
    games: Annotated[
        int, typer.Option(help="Games for each of the two bots; the maximum with --sprt.")
    ] = 1000,
    sprt: Annotated[
        str | None,
        typer.Option(help="Sequential test of the difference in win rates: p1, or p0,p1."),
    ] = None,
    seed: FirstSeed = None,
    edition: Edition = "",
    mode: Mode = "",
    rules: Rules = None,
    records: Annotated[
        str | None, typer.Option(help="Games to record with every action: a number, all or none.")
    ] = None,
    behavior: BehaviorToo = False,
    jobs: Jobs = 1,
    backend: Backend = "processes",
    address: Address = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the run in the folder.")] = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Output folder; runs/compare by default.", callback=as_local_folder
        ),
    ] = None,
    as_json: AsJson = False,
    trust: Trust = False,
    strict: Strict = False,
) -> None:
    """Test whether one bot is better than another, with paired seeds, seats and opponents.

    Prints the difference of their win rates with its 95% interval by seed, and the p-value of a
    randomization test: how often chance alone gives such a difference between equal bots. --sprt 0.05
    stops as soon as it is clear whether the first bot wins 5 percentage points more often, or not
    more often at all. The result is a tournament with format paired; with the extra eval, its folder
    also has plots and games.parquet.
    """
    from monopoly_env.errors import InputError, show
    from monopoly_training.cli_options.game import check_backend
    from monopoly_training.cli_options.tournament import play_and_show, tournament_config
    from monopoly_training.common.bot_lists import split_names
    from monopoly_training.matches.workers import WorkOptions
    from monopoly_training.tournament.config import MOST_GAMES

    if not 1 <= games <= MOST_GAMES // 2:
        InputError.at("--games").fail(f"must be from 1 to {MOST_GAMES // 2:,}, not {games:,}")
    for name in (agent, other):
        if "," in name:
            InputError.at("compare").fail(
                f"takes two bots, then --against with their opponents, not {show(name)}"
            )
    options = {
        "agents": ",".join([agent, other, *split_names(against, "--against")]),
        "format": "paired",
        "games": 2 * games,
        "sprt": sprt,
        "seed": seed,
        "edition": edition or None,
        "mode": mode or None,
        "rules": rules,
        "records": records,
        "behavior": behavior or None,
    }
    settings = tournament_config("compare", None, options)
    check_backend(backend, address, jobs)
    work = WorkOptions(jobs, resume, trust, backend, address)
    play_and_show(settings, folder, "compare", work, as_json, strict)
