"""Play in a browser or in the terminal, against bots or friends."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from monopoly_training.cli_options.game import Edition, Mode, Rules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from monopoly_training.play.setup import Setup

SAVE = Path("runs/play.jsonl")
GAMES = Path("runs/games")
HOST = "127.0.0.1"


def command(
    agents: Annotated[
        str | None,
        typer.Option(help="One player per seat, comma-separated: human, or a bot."),
    ] = None,
    edition: Edition = "classic",
    mode: Mode = "standard",
    rules: Rules = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the dice and cards.", min=0)] = None,
    position: Annotated[
        Path | None, typer.Option(help="Start from the position in a YAML file.")
    ] = None,
    replay: Annotated[
        Path | None, typer.Option(help="Start from a saved game in this file, at the move --at.")
    ] = None,
    game: Annotated[int, typer.Option(help="Number of the game in the file, from 1.", min=1)] = 1,
    at: Annotated[int, typer.Option(help="Number of moves to replay first.", min=0)] = 0,
    terminal: Annotated[bool, typer.Option("--terminal", help="Play in the terminal.")] = False,
    save: Annotated[
        Path | None,
        typer.Option(help=f"Terminal: file to append games to; {SAVE} by default."),
    ] = None,
    games: Annotated[Path, typer.Option(help="Browser: folder of all games.")] = GAMES,
    practice: Annotated[
        bool, typer.Option("--practice/--earnest", help="Allow taking back moves.")
    ] = True,
    pace: Annotated[
        int, typer.Option(help="Minimum time of a bot's move, in milliseconds.", min=0, max=10_000)
    ] = 400,
    host: Annotated[str, typer.Option(help="0.0.0.0 allows other machines with a link.")] = HOST,
    port: Annotated[
        int | None,
        typer.Option(
            help="Port (extra web); 8750 by default, or another if it is in use.", min=0, max=65535
        ),
    ] = None,
    browse: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
) -> None:
    """Play in a browser or in the terminal, against bots or friends.

    The page lets you choose edition, seats and bots. With --agents or another option of the game, a
    game starts at once. Every move is saved: you can stop the server and continue later. Needs the
    extra web, except with --terminal.
    """
    from monopoly_env.errors import InputError
    from monopoly_env.extras import require
    from monopoly_training.cli_options.game import rules_of
    from monopoly_training.common.bot_lists import split_names
    from monopoly_training.play.setup import Setup, default_names

    where = {"--save": save is not None} if not terminal else {"--port": port is not None}
    for option in (name for name, given in where.items() if given):
        InputError.at(option).fail(f"goes {'without' if terminal else 'with'} --terminal")
    start = start_of(position, replay, game, at)
    names = split_names(agents, "--agents") if agents is not None else None
    seats = names or default_names(4 if start is None else len_of(start))
    setup = Setup(seats, edition, mode, rules_of(rules), seed, practice, pace, start)
    if terminal:
        play_here(setup, save or SAVE)
        return
    require("play", "starlette", "uvicorn")
    from monopoly_training.play.serving import Place, serve

    chosen = (agents, rules, seed, start) != (None, None, None, None)
    begins = chosen or (edition, mode) != ("classic", "standard")
    serve(Place(games, host, port, browse), setup if begins else None, typer.echo)


def start_of(
    position: Path | None, replay: Path | None, game: int, at: int
) -> Mapping[str, object] | Path | None:
    """Return the starting position; None for a new game. Raises: InputError, RecordError."""
    from monopoly_env.errors import InputError, RecordError

    if position is not None and replay is not None:
        InputError.at("--replay").fail("cannot be combined with --position; give one of them")
    if replay is None:
        return position
    from monopoly_env.records import record_at
    from monopoly_training.web.games import records_path
    from monopoly_training.web.image_export import game_at

    path = records_path(replay)
    there = game_at(record_at(path, game), at, RecordError.at(f"{path}: game {game}"), "--at")
    if there.over:
        InputError.at("--at").fail("the game is over there; name an earlier move")
    return there.position(hidden=False)


def len_of(start: Mapping[str, object] | Path) -> int:
    """Return the number of players of a position."""
    from monopoly_env import Game

    return Game.from_position(start).players


def play_here(setup: Setup, save: Path) -> None:
    """Play in the terminal."""
    from monopoly_training.demo.play_session import PlaySession, seat_agents

    bots = seat_agents(setup.seats)
    PlaySession(setup.game(), setup.seats, bots, save).play()
