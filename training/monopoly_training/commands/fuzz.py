"""Play at random under random rules and check every position; say how to come to a fault."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

FAILED, INTERRUPTED = 1, 130  # exit status
DECISIONS = 1_000_000


def command(
    decisions: Annotated[
        int | None,
        typer.Option(help=f"Decisions in all; {DECISIONS:,} unless --minutes is given.", min=1),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed, the same decisions.", min=0)] = 1,
    minutes: Annotated[
        float | None, typer.Option(help="Begin nothing more after so many minutes.", min=0.0)
    ] = None,
    jobs: Annotated[int, typer.Option(help="Processes that play.", min=1, max=1024)] = 1,
    first: Annotated[int, typer.Option(help="Number of the first case, from 0.", min=0)] = 0,
    out: Annotated[Path, typer.Option(help="Folder for what a failure leaves.")] = Path(
        "runs/fuzz"
    ),
) -> None:
    """Fuzz the rules: random play in all editions, modes and switches, every position checked.

    A failure says how to repeat it and which actions lead to it, at least; the exit status is 1.
    """
    from monopoly_training.common.progress import Live
    from monopoly_training.fuzz.report import TOLD, story, summary, transcript, write_files
    from monopoly_training.fuzz.run import Plan, fuzz

    if decisions is None and minutes is None:
        decisions = DECISIONS
    with Live() as progress:
        outcome = fuzz(Plan(decisions, seed, minutes, jobs, first), progress)
    failure = outcome.failure
    if failure is not None:
        paths = write_files(failure, seed, out)
        lines = list(transcript(failure))
        for line in (*story(failure, seed), *lines[-TOLD:]):
            typer.echo(line)
        typer.echo(f"written: {', '.join(str(path) for path in paths)}")
        raise typer.Exit(FAILED)
    for line in summary(outcome):
        typer.echo(line)
    if outcome.interrupted:
        raise typer.Exit(INTERRUPTED)
