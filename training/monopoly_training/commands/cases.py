"""Run rule cases: positions from rule books, what is done, what must be true after."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

FAILED, MISFIT = 1, 2  # exit status


def command(
    paths: Annotated[list[Path], typer.Argument(help="Files of cases, or folders of them.")],
    editions: Annotated[
        str | None, typer.Option(help="Only in these editions, ids or files, comma-separated.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="A line for each case.")] = False,
) -> None:
    """Run rule cases and say what fails.

    A line for each failure says what is different first; the last line counts. The exit status is
    1 if a case failed, 2 if a file or a case does not fit.
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
