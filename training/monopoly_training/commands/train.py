"""Train an agent from a config."""

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
        typer.Option(
            "--set",
            help="Change a setting: key=value, such as ppo.gamma=0.99. Several values, such as "
            "ppo.gamma=0.98,0.99, start one run each.",
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            help="Resume the run in this folder.", metavar="RUN", callback=as_local_folder
        ),
    ] = None,
    backend: Backend = "processes",
    address: Address = None,
) -> None:
    """Train an agent. Settings: configs/train/default.yaml.

    The output folder contains the resolved config, the model (weights and a card), the learning
    curve, TensorBoard logs and a checkpoint. With --set ppo.workers=N, N processes play the games;
    with --backend ray, N actors on a cluster. If --set gives a setting several values, each
    combination is a run in a subfolder, and sweep.csv has their results. Needs the extra train.
    """
    from monopoly_env.extras import require
    from monopoly_training.runs import PACKAGES

    require("train", *PACKAGES)
    from monopoly_env.errors import InputError
    from monopoly_training.cli_options.game import check_backend
    from monopoly_training.common.progress import Live
    from monopoly_training.common.remote import name_of
    from monopoly_training.matches.workers import RAY, WorkOptions
    from monopoly_training.runs import train
    from monopoly_training.runs.config import load_train_config
    from monopoly_training.runs.sweep import check_no_run, runs_of, train_sweep

    check_backend(backend, address, 1)
    work = WorkOptions(backend=backend, address=address)
    given = changes or []
    options = {} if seed is None else {"seed": seed}
    if (config is None) == (resume is None):
        InputError.at("train").fail("name a config, or a run to resume: --resume runs/NAME")
    runs = runs_of(given, options)
    if resume is not None:
        if len(runs) > 1:
            InputError.at("--set").fail(
                "a resumed run takes one value of a setting; resume the runs of a sweep one by one"
            )
        if folder is not None:
            InputError.at("--out").fail(
                "a resumed run stays in its folder; leave this out with --resume"
            )
        with Live() as progress:
            run = train.resume(resume, progress, given, options, work=work)
    else:
        configs = {run.name: load_train_config(str(config), run.changes, options) for run in runs}
        if backend == RAY and any(one.ppo.workers == 0 for one in configs.values()):
            InputError.at("--backend").fail(
                "ray is where rollout workers are, and ppo.workers is 0; give --set ppo.workers=N too"
            )
        folder = folder or Path("runs") / Path(str(config)).stem
        with Live() as progress:
            if len(runs) > 1:
                written = train_sweep(configs, folder, progress, work)
                typer.echo(f"the results of {len(runs)} runs are in {name_of(written)}")
                return
            check_no_run(folder)
            run = train.train(configs[""], folder, progress, work=work)
    typer.echo(f"{run.learner.num_timesteps:,} steps; the agent is model:{name_of(run.folder)}")
