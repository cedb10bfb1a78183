"""Report bots' faults, and end commands with an error status because of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from typing import Annotated

import typer

from monopoly_training.matches.bot_errors import faults_in_words
from monopoly_training.matches.outcome import FAULTS

FAULTY = 1  # exit status

Strict = Annotated[
    bool,
    typer.Option(
        "--strict", help="Exit with status 1 if a bot made an illegal, late or crashed decision."
    ),
]


def show_faults(faults: Mapping[str, Mapping[str, int]]) -> None:
    """Print a line for each bot with faults; counts are by bot and kind."""
    for name, counts in faults.items():
        said = faults_in_words([counts[kind] for kind in FAULTS])
        if said:
            typer.echo(f"{name}: replaced decisions: {said}")


def end_strictly(strict: bool, faulty: bool) -> None:
    """Exit with status 1 if ``--strict`` was given and bots had faults."""
    if strict and faulty:
        raise typer.Exit(FAULTY)


@contextmanager
def bots_print_to_stderr() -> Iterator[None]:
    """Redirect the output of bots to standard error, away from the results."""
    with redirect_stdout(sys.stderr):
        yield
