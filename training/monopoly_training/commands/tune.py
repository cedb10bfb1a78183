"""Evolve the weights of a scripted bot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from monopoly_training.cli_options.folders import as_local_folder
from monopoly_training.cli_options.game import Address, Backend


def command(
    config: Annotated[
        str | None, typer.Argument(help="A YAML file, or the name of an included config.")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Output folder; runs/NAME by default.", callback=as_local_folder
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed; the same as --set seed=…")] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change a setting: key=value, such as games=500."),
    ] = None,
    jobs: Annotated[int, typer.Option(help="Number of processes.", min=1, max=256)] = 1,
    backend: Backend = "processes",
    address: Address = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            help="Resume the run in this folder.", metavar="RUN", callback=as_local_folder
        ),
    ] = None,
) -> None:
    """Evolve the weights of a scripted bot. Settings: configs/tune/default.yaml.

    The output folder contains the resolved config, the weights with their win rate, the curve, and
    the results of each generation for --resume. The same config gives the same weights for any
    number of jobs. Needs the extra train.
    """
    from monopoly_env.errors import InputError
    from monopoly_env.extras import require
    from monopoly_training.cli_options.game import check_backend
    from monopoly_training.common import stopping
    from monopoly_training.common.progress import Live
    from monopoly_training.matches.workers import WorkOptions
    from monopoly_training.tuning import evolution
    from monopoly_training.tuning.config import load_tune_config

    if (config is None) == (resume is None):
        InputError.at("tune").fail("name a config, or a run to resume: --resume runs/NAME")
    require("tune", "cma")
    check_backend(backend, address, jobs)
    work = WorkOptions(jobs, backend=backend, address=address)
    if resume is not None:
        if folder is not None or seed is not None:
            InputError.at("--resume").fail(
                "keeps the run's seed and folder; leave out --seed and --out"
            )
        with Live() as progress:
            run = evolution.resume(resume, progress, changes or [], work)
    else:
        options = {} if seed is None else {"seed": seed}
        settings = load_tune_config(str(config), changes or [], options)
        folder = folder or Path("runs") / Path(str(config)).stem
        stopping.set_discard_message("nothing was finished yet; the same command starts over")
        with Live() as progress:
            run = evolution.tune(settings, folder, progress, work)
    typer.echo(f"{len(run.generations)} generations; the bot is {run.bot}")
