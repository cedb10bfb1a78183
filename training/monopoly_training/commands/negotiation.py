"""Play negotiations between bots, and analyze recorded ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from monopoly_training.cli_options.game import AsJson, Edition, Mode, Rules


def command(
    file: Annotated[Path, typer.Argument(help="A file of saved games; with --agents, a new one.")],
    agents: Annotated[
        str | None,
        typer.Option(help="Play new games with these bots, comma-separated."),
    ] = None,
    games: Annotated[int, typer.Option(help="Number of new games.", min=1)] = 1,
    seed: Annotated[int, typer.Option(help="First seed; seeds are consecutive.", min=0)] = 0,
    samples: Annotated[
        int,
        typer.Option(
            help="Value each deal by this many paired rollouts; 0: by the learned value.", min=0
        ),
    ] = 0,
    transcript: Annotated[bool, typer.Option(help="Print messages and offers.")] = False,
    edition: Edition = "classic",
    mode: Mode = "standard",
    rules: Rules = None,
    as_json: AsJson = False,
) -> None:
    """Analyze recorded negotiations: surplus, efficiency, third parties, concessions, promises.

    With --agents, it plays games first; bots such as negotiator send messages. Games without messages
    have the figures of their offers.
    """
    from monopoly_env.errors import RecordError
    from monopoly_env.records import read_records
    from monopoly_training.cli_options.dependent_options import check_goes_with
    from monopoly_training.cli_options.game import rules_of
    from monopoly_training.common.bot_lists import split_names
    from monopoly_training.common.progress import Live
    from monopoly_training.negotiation.figures import report
    from monopoly_training.negotiation.formatting import table, tell
    from monopoly_training.negotiation.playing import play_games
    from monopoly_training.negotiation.retracing import retrace

    check_goes_with({name: ["agents"] for name in ("games", "seed", "edition", "mode", "rules")})
    if agents is not None:
        names = split_names(agents, "--agents")
        with Live() as progress:
            play_games(file, names, games, seed, edition, mode, rules_of(rules), progress)
    retraced = []
    for record in read_records(file):
        one = retrace(record)
        if transcript:
            typer.echo("\n".join(tell(one)))
        retraced.append(one)
    if not retraced:
        RecordError.at(file).fail("there is no game in it; name a file of saved games")
    result = report(retraced, samples, seed)
    typer.echo(json.dumps(result) if as_json else table(result))
