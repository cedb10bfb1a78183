"""Show a position: holdings, the player to act, legal actions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from monopoly_training.common.console import new_console


def command(
    position: Annotated[Path, typer.Argument(help="A YAML file with a position.")],
    edition: Annotated[str | None, typer.Option(help="Edition: an id or a file.")] = None,
    mode: Annotated[str | None, typer.Option(help="Mode of the edition.")] = None,
    seed: Annotated[int, typer.Option(help="Seed for what the file does not specify.")] = 0,
    full: Annotated[bool, typer.Option("--full", help="Print exact YAML.")] = False,
) -> None:
    """Check a position file and show it."""
    from monopoly_env import Game

    game = Game.from_position(position, edition=edition, mode=mode, seed=seed)
    if full:
        typer.echo(game.to_yaml(), nl=False)
    else:
        new_console().print(game, soft_wrap=True)
