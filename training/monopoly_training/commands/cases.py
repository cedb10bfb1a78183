"""Run rule cases: positions, actions and expected results from the rule books."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

FAILED, MISFIT = 1, 2  # exit status


def command(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders with rule cases.")],
    editions: Annotated[
        str | None, typer.Option(help="Only these editions, ids or files, comma-separated.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print one line per case.")] = False,
) -> None:
    """Run rule cases and report failures.

    Each failure is one line with the first difference; the last line has the counts. The exit status
    is 1 if a case failed, and 2 if a file or a case is invalid.
    """
    from monopoly_env.cases import Outcome, run_paths
    from monopoly_env.editions import load_edition
    from monopoly_env.errors import InputError

    only = None
    if editions is not None:
        only = [name.strip() for name in editions.split(",") if name.strip()]
        if not only:
            InputError.at("--editions").fail("names none; leave it out for all editions")
        for name in only:
            load_edition(name)
    passed = failed = misfits = 0
    for outcome in run_paths(paths, only):
        if not isinstance(outcome, Outcome) or outcome.misfit:
            misfits += 1
            typer.echo(f"error: {outcome}", err=True)
        elif outcome.problem:
            failed += 1
            typer.echo(str(outcome))
        else:
            passed += 1
            if verbose:
                typer.echo(str(outcome))
    if not passed + failed + misfits:
        InputError.at("--editions").fail("no case is of these editions; leave it out for all cases")
    typer.echo(f"{passed} passed, {failed} failed")
    if misfits or failed:
        raise typer.Exit(MISFIT if misfits else FAILED)
