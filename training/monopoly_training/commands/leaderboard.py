"""Rank bots by a fixed protocol."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from monopoly_training.cli_options.faults import Strict, bots_print_to_stderr, end_strictly
from monopoly_training.cli_options.game import AsJson, Jobs, Trust

if TYPE_CHECKING:
    from monopoly_training.leaderboard.playing import Leaderboard

FOLDER = Path("runs/leaderboard")


def command(
    config: Annotated[
        str,
        typer.Argument(help="A protocol: a YAML file, or the name of an included one."),
    ] = "default",
    seeds: Annotated[
        int | None, typer.Option(help="Seeds per setting, instead of the protocol's.", min=1)
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", help="Play only this bot's games and keep the others'. Repeatable."),
    ] = None,
    jobs: Jobs = 1,
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume the run in the folder; play new bots.")
    ] = False,
    folder: Annotated[Path, typer.Option("--out", help="Output folder.")] = FOLDER,
    page: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write leaderboard.json for the documentation."),
    ] = None,
    as_json: AsJson = False,
    trust: Trust = False,
    strict: Strict = False,
) -> None:
    """Rank bots by a fixed protocol, configs/leaderboard/default.yaml.

    In each setting, every bot plays the same seeds from every seat against the same opponents. The
    rating is one Plackett-Luce fit to all games, in Elo points, with 95% bootstrap intervals over
    seeds. To add your bot, list it under `bots` in the config: with --resume, only its games are
    played. docs/leaderboard.md has the results.
    """
    from monopoly_env.errors import InputError
    from monopoly_env.files import check_output_folder
    from monopoly_training.common import stopping
    from monopoly_training.common.progress import Live
    from monopoly_training.leaderboard.config import load_protocol
    from monopoly_training.leaderboard.page_data import FILE, write_board
    from monopoly_training.leaderboard.playing import play_leaderboard
    from monopoly_training.matches.workers import WorkOptions

    options: dict[str, object] = {} if seeds is None else {"seeds": seeds}
    protocol = load_protocol(config, options)
    if page is not None:
        check_output_folder(page, InputError.at(f"--page {page}"), (FILE,))
    stopping.resume_with()
    with Live() as progress, bots_print_to_stderr():
        work = WorkOptions(jobs, resume, trust)
        board = play_leaderboard(protocol, folder, work, progress, only)
    if as_json:
        typer.echo(json.dumps(board.as_json()))
    else:
        show(board)
    if page is not None:
        typer.echo(f"written: {write_board(page, board)}; now `monopoly-env docs`")
    faulty = any(at.faults for one in board.leaders for at in one.tables.values())
    end_strictly(strict, faulty)


def show(board: Leaderboard) -> None:
    """Print the leaderboard."""
    from monopoly_training.common.console import new_console
    from monopoly_training.evaluation.score_table import plain_table

    rows = [
        (
            one.bot,
            "" if one.rating.elo is None else f"{one.rating.elo:.0f}",
            "" if one.rating.ci95 is None else "{:.0f} to {:.0f}".format(*one.rating.ci95),
            *(f"{100 * at.win_rate:.1f}" for at in one.tables.values()),
        )
        for one in board.leaders
    ]
    protocol = board.protocol
    title = f"Wins in % at each table, {protocol.seeds} seeds; {protocol.anchor} is 0"
    new_console().print(plain_table(title, ("bot", "rating", "95%", *protocol.tables), rows))
