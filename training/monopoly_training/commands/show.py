"""Show a position: who has what, who decides, what is legal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def command(
    position: Annotated[Path, typer.Argument(help="A YAML file that describes a position.")],
    edition: Annotated[str | None, typer.Option(help="Edition, id or file.")] = None,
    mode: Annotated[str | None, typer.Option(help="Mode of the edition.")] = None,
    seed: Annotated[int, typer.Option(help="Draws what the file leaves open.")] = 0,
    full: Annotated[bool, typer.Option("--full", help="As YAML that loads exactly.")] = False,
) -> None:
    """Check a position that was written by hand, and show it."""
    from monopoly_env import Game

    game = Game.from_position(position, edition=edition, mode=mode, seed=seed)
    if full:
        typer.echo(game.to_yaml(), nl=False)
    else:
        Console().print(game, soft_wrap=True)
