"""Show, test or fit the model that predicts whether offers are accepted."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from monopoly_training.cli_options.game import AsJson


class What(StrEnum):
    """The action to perform."""

    SHOW = "show"
    TEST = "test"
    FIT = "fit"


def command(
    what: Annotated[
        What,
        typer.Argument(
            help="show: how it was fitted; test: score it on new games; fit: fit a new one (extra train)."
        ),
    ] = What.SHOW,
    model: Annotated[
        Path | None,
        typer.Option(help="Show or test this file instead of the included model."),
    ] = None,
    games: Annotated[
        int | None, typer.Option(help="Games to play; 24,000 for fit, 1,000 for test.", min=1)
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Seed of these games and of the fit.", min=0)
    ] = None,
    epochs: Annotated[int, typer.Option(help="fit: training epochs.", min=1, max=1000)] = 12,
    jobs: Annotated[int, typer.Option(help="Number of processes.", min=1, max=1024)] = 1,
    out: Annotated[Path | None, typer.Option(help="fit: file to write, FILE.json.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show, test or fit the acceptance model: the probability that an offer is accepted.

    The trader makes the offers with the highest gain in win probability times this probability. The
    model is fitted to the answers of bots, and of opponents with random habits.
    """
    from monopoly_agents.trader.acceptance_file import SHIPPED, read_acceptance, read_document

    from monopoly_env.errors import InputError
    from monopoly_env.extras import require
    from monopoly_training.acceptance import tasks
    from monopoly_training.acceptance.play import play_answers
    from monopoly_training.common.progress import Live

    if what is What.FIT:
        if out is None:
            InputError.at("--out").fail("fit writes a file; name it")
        require("acceptance fit", "torch")
        start = 1 if seed is None else seed
        with Live() as progress:
            tasks.fit_acceptance(out, games or 24_000, start, epochs, jobs, progress)
        typer.echo(f"written: {out}; the bot is trader:{out}")
        return
    path = model or SHIPPED
    weights, made = read_acceptance(path), dict(read_document(path)["made"])
    scores = made.pop("scores", {})
    if what is What.TEST:
        start = tasks.TEST_SEED + 1 if seed is None else seed
        with Live() as progress:
            played = play_answers(games or tasks.TEST_GAMES, start, jobs, progress)
            scores = tasks.report(tasks.joined(played), weights)
    found = {"made": made, "scores": scores}
    shown = [json.dumps(found)] if as_json else tasks.lines(made, scores)
    for line in shown:
        typer.echo(line)
