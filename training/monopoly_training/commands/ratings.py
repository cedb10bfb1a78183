"""Rate the bots of one or more tournaments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from monopoly_training.cli_options.game import AsJson

if TYPE_CHECKING:
    from monopoly_training.stats.who_beats_whom import WhoBeatsWhom


def command(
    ledgers: Annotated[
        list[Path], typer.Argument(help="Tournament folders, or games.jsonl files.")
    ],
    anchor: Annotated[
        str | None, typer.Option(help="The bot with rating 0; the first by name by default.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Rate the bots of one or more tournaments of any format.

    Ratings are one Plackett-Luce fit to all games, in Elo points. Nash averaging scores bots against
    the mixture that no bot beats, so copies of a bot change nothing. In a cycle, each bot
    significantly beats the next. Intervals are 95% bootstrap intervals over seeds. A game that
    occurs in several ledgers counts once.
    """
    from monopoly_training.stats.who_beats_whom import who_beats_whom
    from monopoly_training.tournament.merged_ledgers import anchor_of, read_ledgers

    joint = read_ledgers(ledgers)
    found = who_beats_whom(joint.bots, joint.games, anchor_of(joint, anchor))
    if joint.codes > 1:
        typer.echo(
            f"warning: these games were played with {joint.codes} versions of the code; a bot is "
            "taken to be the same in all of them",
            err=True,
        )
    if as_json:
        games = len(joint.games.seating)
        typer.echo(json.dumps({"games": games, **found.as_json()}))
    else:
        show(found, len(joint.games.seating))


def show(found: WhoBeatsWhom, games: int) -> None:
    """Print the tables and the cycles."""
    from monopoly_training.common.console import new_console
    from monopoly_training.evaluation.score_table import plain_table
    from monopoly_training.tournament.order_text import (
        PLACES,
        cycles_text,
        matrix_rows,
        places_rows,
    )

    console = new_console()
    console.print(plain_table(f"{games:,} games; {found.anchor} is 0", PLACES, places_rows(found)))
    names = [place.bot for place in found.places]
    title = "How often the bot of a row finishes ahead, % (± half of the 95% interval)"
    console.print(plain_table(title, ("bot", *names), matrix_rows(found)))
    for line in cycles_text(found):
        typer.echo(line)
