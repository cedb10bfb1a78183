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
        typer.Option("--set", help="Change a setting: key=value, such as ppo.gamma=0.99."),
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
    with --backend ray, N actors on a cluster. Needs the extra train.
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
    from monopoly_training.runs.run_folder import RunError, holds_run

    check_backend(backend, address, 1)
    work = WorkOptions(backend=backend, address=address)
    given = changes or []
    options = {} if seed is None else {"seed": seed}
    if (config is None) == (resume is None):
        InputError.at("train").fail("name a config, or a run to resume: --resume runs/NAME")
    if resume is not None:
        if folder is not None:
            InputError.at("--out").fail(
                "a resumed run stays in its folder; leave this out with --resume"
            )
        with Live() as progress:
            run = train.resume(resume, progress, given, options, work=work)
    else:
        settings = load_train_config(str(config), given, options)
        if backend == RAY and settings.ppo.workers == 0:
            InputError.at("--backend").fail(
                "ray is where rollout workers are, and ppo.workers is 0; give --set ppo.workers=N too"
            )
        folder = folder or Path("runs") / Path(str(config)).stem
        if holds_run(folder):
            RunError.at(folder).fail(
                f"already contains a run; continue it with --resume {name_of(folder)}, or name "
                "another --out"
            )
        with Live() as progress:
            run = train.train(settings, folder, progress, work=work)
    typer.echo(f"{run.learner.num_timesteps:,} steps; the agent is model:{name_of(run.folder)}")
