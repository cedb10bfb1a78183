"""Say whether one bot is better than another, by games with the same seeds, seats and opponents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from monopoly_training.cli_options.faults import Strict
from monopoly_training.cli_options.game import (
    AsJson,
    BehaviorToo,
    Edition,
    FirstSeed,
    Jobs,
    Mode,
    Rules,
    Trust,
)


def command(
    agent: Annotated[str, typer.Argument(help="A bot by name, or model:PATH.")],
    other: Annotated[str, typer.Argument(help="The bot that it is compared with.")],
    against: Annotated[str, typer.Option(help="Their opponents, with commas between them.")],
    games: Annotated[int, typer.Option(help="Games of each of the two; the most with --sprt.")] = (
        1000
    ),
    sprt: Annotated[
        str | None,
        typer.Option(help="Stop when it is clear by how much it wins more often: p1, or p0,p1."),
    ] = None,
    seed: FirstSeed = None,
    edition: Edition = "",
    mode: Mode = "",
    rules: Rules = None,
    records: Annotated[
        str | None, typer.Option(help="Games kept with every action: a number, all or none.")
    ] = None,
    behavior: BehaviorToo = False,
    jobs: Jobs = 1,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with what the folder holds.")
    ] = False,
    folder: Annotated[
        Path | None, typer.Option("--out", help="Folder for the results; runs/compare.")
    ] = None,
    as_json: AsJson = False,
    trust: Trust = False,
    strict: Strict = False,
) -> None:
    """Play two bots from the same seats, with the same seeds, against the same opponents.

    Prints the difference of their win rates with its 95 % interval by seed, and the p-value of a
    randomization test: how often as large a difference would come of chance alone if neither were
    better. --sprt 0.05 stops as soon as it is clear whether the first wins 5 points more often, or
    not more often at all. It is a tournament of format paired: the folder is that of one. With the
    extra eval it has pictures and games.parquet, too.
    """
    from monopoly_env.errors import InputError, show
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
    work = WorkOptions(jobs, resume, trust)
    play_and_show(settings, folder, "compare", work, as_json, strict)
