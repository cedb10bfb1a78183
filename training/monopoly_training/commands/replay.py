"""Replay saved games: what was done and what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    file: Annotated[Path, typer.Argument(help="A file of saved games, one a line.")],
    game: Annotated[int, typer.Option(help="Which game of the file, from 1.", min=1)] = 1,
    at: Annotated[
        int | None, typer.Option(help="Only the position after this many actions.", min=0)
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="With --at: the position as YAML that loads exactly.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Only replay all games and compare their outcomes.")
    ] = False,
) -> None:
    """Print a saved game, show a position in it, or check that all games replay exactly."""
    from monopoly_env.errors import RecordError
    from monopoly_env.records import read_records, record_at
    from monopoly_env.replay import replay, replay_steps, transcript

    if check:
        number = 0
        for number, record in enumerate(read_records(file), 1):
            replay(record, RecordError.at(f"{file}: game {number}"))
        if number == 0:
            RecordError.at(file).fail("there is no game in it; name a file of saved games")
        typer.echo(f"{number} games replay exactly")
        return
    record = record_at(file, game)
    here = RecordError.at(f"{file}: game {game}")
    if at is None:
        for line in transcript(record, here):
            typer.echo(line)
        return
    for number, (position, _) in enumerate(replay_steps(record, here)):
        if number == at:
            typer.echo(position.to_yaml() if full else str(position), nl=not full)
            return
    here.fail(f"has {len(record['actions'])} actions; --at {at} is beyond them")
