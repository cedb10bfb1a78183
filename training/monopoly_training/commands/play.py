"""Play a game at the terminal, against bots or friends."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from monopoly_training.cli_options.game import Edition, Mode, Rules


def command(
    agents: Annotated[
        str | None,
        typer.Option(help="Who plays, with commas between them, one a seat: human or bots."),
    ] = None,
    edition: Edition = "classic",
    mode: Mode = "standard",
    rules: Rules = None,
    seed: Annotated[int | None, typer.Option(help="The same seed, the same dice.", min=0)] = None,
    save: Annotated[
        Path, typer.Option(help="The file that the game is added to, also when you quit.")
    ] = Path("runs/play.jsonl"),
) -> None:
    """Play a game: you against three bots, or whoever --agents names.

    Type help in the game to see what can be typed. The game is saved when it ends and when you
    leave it; monopoly-env replay reads it.
    """
    from monopoly_env import Game
    from monopoly_training.cli_options.game import rules_of
    from monopoly_training.common.bot_lists import split_names
    from monopoly_training.demo.play_session import PlaySession, default_names, seat_agents

    names = split_names(agents, "--agents") if agents is not None else default_names()
    bots = seat_agents(names)
    game = Game(edition, len(names), seed, mode, rules_of(rules))
    PlaySession(game, names, bots, save).play()
