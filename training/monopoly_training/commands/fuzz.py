"""Play random games under random rules and check every position."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from monopoly_env.editions.generated.spec import Spec
    from monopoly_training.fuzz.resumable_run import KeptRun
    from monopoly_training.fuzz.run import Outcome

FAILED = 1  # exit status
DECISIONS = 1_000_000
FAILURES = Path("runs/fuzz")  # default folder for failures


def command(
    decisions: Annotated[
        int | None,
        typer.Option(help=f"Total decisions; {DECISIONS:,} unless --minutes is given.", min=1),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed; 1 by default.", min=0)] = None,
    minutes: Annotated[
        float | None, typer.Option(help="Start no new cases after this many minutes.", min=0.0)
    ] = None,
    jobs: Annotated[int, typer.Option(help="Number of processes.", min=1, max=1024)] = 1,
    first: Annotated[
        int | None, typer.Option(help="Number of the first case, from 0.", min=0)
    ] = None,
    edition: Annotated[
        str | None,
        typer.Option(
            help="Play only generated editions, such as random:test:0-99999: one per case of 1,000 "
            "decisions."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Make the run resumable in this folder, and write failures there "
            f"({FAILURES} by default)."
        ),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Resume the run in this folder.", metavar="RUN")
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Add the run to fuzz.json in this folder, usually docs."
        ),
    ] = None,
) -> None:
    """Play random games under random rules and check every position.

    A failure is reported with the command that repeats it and the shortest failing sequence of
    actions; the exit status is then 1.
    """
    from monopoly_env.errors import FileError
    from monopoly_env.files import check_output_folder
    from monopoly_training.common.progress import Live
    from monopoly_training.fuzz.resumable_run import RUNS_FILE, add_run, read_runs
    from monopoly_training.fuzz.run import Plan, check_minutes, fuzz

    check_minutes(minutes)
    generated = generated_editions(edition, kept=out is not None or resume is not None)
    if page is not None:
        check_output_folder(page, FileError.at(f"--page {page}"), [RUNS_FILE], keep=False)
        read_runs(page / RUNS_FILE)
    kept = resumable_run(decisions, seed, minutes, first, out, resume, page)
    if kept is not None:
        set_resume_hint(kept, jobs)
        plan = Plan(kept.remaining, kept.seed, minutes, jobs, kept.next_case)
    else:
        wanted = DECISIONS if decisions is None and minutes is None else decisions
        plan = Plan(wanted, seed if seed is not None else 1, minutes, jobs, first or 0, generated)
    with Live() as progress:
        outcome = fuzz(plan, progress, kept)
    status = tell(outcome, kept.folder if kept is not None else FAILURES)
    if kept is not None:
        typer.echo(kept.summary())
        if page is not None and outcome.failure is None:
            typer.echo(f"written: {add_run(kept, page)}; `monopoly-env docs` writes the page")
    if status:
        raise typer.Exit(status)


def generated_editions(edition: str | None, kept: bool) -> Spec | None:
    """Return the generated editions to fuzz, if any are named."""
    from monopoly_env.editions.generated.spec import is_generated, parse_spec
    from monopoly_env.errors import InputError, show

    if edition is None:
        return None
    location = InputError.at("--edition")
    if kept:
        location.fail("goes without --out and --resume: kept runs play all editions")
    if not is_generated(edition):
        location.fail(
            f"must name generated editions, such as random:train:0-99999, not {show(edition)}; "
            "without it all kinds are played"
        )
    return parse_spec(edition, location)


def resumable_run(
    decisions: int | None,
    seed: int | None,
    minutes: float | None,
    first: int | None,
    out: Path | None,
    resume: Path | None,
    page: Path | None,
) -> KeptRun | None:
    """Start or resume the saved run that these options ask for, if any."""
    from monopoly_env.errors import InputError
    from monopoly_training.fuzz import resumable_run as runs

    if resume is not None:
        if (out, seed, first) != (None, None, None):
            InputError.at("--resume").fail(
                "keeps the run's seed, cases and folder; leave out --out, --seed and --first"
            )
        run = runs.resume(resume, decisions)
        if run.target is None and minutes is None:
            InputError.at("--resume").fail(
                "the run has no end; add --minutes, or --decisions for the total"
            )
        return run
    if out is None:
        if page is not None:
            InputError.at("--page").fail("needs a resumable run; add --out or --resume")
        return None
    wanted = DECISIONS if decisions is None and minutes is None else decisions
    return runs.begin(out, seed if seed is not None else 1, first or 0, wanted)


def set_resume_hint(kept: KeptRun, jobs: int) -> None:
    """Set the message of an interrupt."""
    from monopoly_training.common import stopping

    options = ["--jobs", str(jobs)] if jobs > 1 else []
    stopping.resume_with("fuzz", "--resume", str(kept.folder), *options)


def tell(outcome: Outcome, folder: Path) -> int:
    """Print the result of a run and write its failure, if any; return the exit status."""
    from monopoly_training.common import stopping
    from monopoly_training.fuzz.report import TOLD, story, summary, transcript, write_files

    failure, plan = outcome.failure, outcome.plan
    if failure is not None:
        paths = write_files(failure, plan, folder)
        lines = list(transcript(failure))
        for line in (*story(failure, plan), *lines[-TOLD:]):
            typer.echo(line)
        typer.echo(f"written: {', '.join(str(path) for path in paths)}")
        return FAILED
    for line in summary(outcome):
        typer.echo(line)
    if outcome.interrupted:
        typer.echo(stopping.message(), nl=False, err=True)
        return stopping.status()
    return 0
