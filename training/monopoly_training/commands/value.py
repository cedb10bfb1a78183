"""Show, test or fit the model of win probabilities."""

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
    FREEZE = "freeze"


USES = {  # the options that each action uses, by parameter name
    What.SHOW: ("what", "value", "as_json"),
    What.TEST: ("what", "value", "games", "boards", "seed", "jobs", "as_json"),
    What.FIT: ("what", "games", "boards", "seed", "epochs", "jobs", "out"),
    What.FREEZE: ("what", "boards", "seed", "jobs", "out"),
}


def command(
    what: Annotated[
        What,
        typer.Argument(
            help="show: how it was fitted; test: score it on held-out games; fit: fit a new one (extra train); "
            "freeze: replay the held-out games."
        ),
    ] = What.SHOW,
    value: Annotated[
        Path | None,
        typer.Option(help="Show or test these weights instead of the included ones."),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            help="fit: games to play, 40,000 by default; test: new games instead of the stored ones."
        ),
    ] = None,
    boards: Annotated[
        bool,
        typer.Option(
            "--boards",
            help="Generated boards: fit the weights for boards with other prices than the printed "
            "editions, test or freeze on the test split.",
        ),
    ] = False,
    seed: Annotated[
        int | None, typer.Option(help="Seed of these games and of the fit.", min=0)
    ] = None,
    epochs: Annotated[int, typer.Option(help="fit: training epochs.", min=1, max=1000)] = 6,
    jobs: Annotated[int, typer.Option(help="Number of processes.", min=1, max=1024)] = 1,
    out: Annotated[
        Path | None,
        typer.Option(help="fit, freeze: file to write; the card is written next to it."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show, test or fit the value model, which estimates each player's win probability.

    docs/value.md describes the model. `test` compares it with net worth and with the strategist's
    formula.
    """
    from monopoly_env.errors import InputError
    from monopoly_env.extras import require
    from monopoly_env.value.weights import load_value, shipped_value
    from monopoly_training.cli_options.dependent_options import check_only
    from monopoly_training.common.progress import Live
    from monopoly_training.value import tasks
    from monopoly_training.value.positions import joined, play_positions
    from monopoly_training.value.report import report_lines, show_lines
    from monopoly_training.value.tables import TEST

    check_only(f"value {what}", USES[what])
    if games is not None and games < 1:
        InputError.at("--games").fail(f"must be at least 1, not {games}")
    if what in (What.FIT, What.FREEZE):
        if out is None:
            InputError.at("--out").fail(f"{what} writes a file; name it")
        if what is What.FIT:
            require("value fit", "torch")
        with Live() as progress:
            if what is What.FREEZE:
                start = tasks.TEST_SEED if seed is None else seed
                tasks.freeze(out, start, jobs, progress, boards)
            else:
                tasks.fit_value(out, games or 40_000, seed or 1, jobs, epochs, progress, boards)
        typer.echo(f"written: {out}, {out.with_suffix('.json')}")
        return
    shown = shipped_value() if value is None else load_value(value)
    if what is What.SHOW:
        lines = [json.dumps(shown.card)] if as_json else show_lines(shown)
    else:
        with Live() as progress:
            if games is None:
                report = tasks.frozen_report(shown)
            else:
                start = tasks.TEST_SEED + 100 if seed is None else seed
                split = TEST if boards else ""
                played = play_positions(games, start, jobs, progress=progress, boards=split)
                report = tasks.report(joined(list(played)), shown)
        lines = [json.dumps(report)] if as_json else report_lines(shown, report)
    for line in lines:
        typer.echo(line)
