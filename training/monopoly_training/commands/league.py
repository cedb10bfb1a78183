"""Train agents in a league."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from monopoly_training.cli_options.folders import as_local_folder
from monopoly_training.cli_options.game import Address, Backend, Jobs


def command(
    config: Annotated[
        str | None, typer.Argument(help="A YAML file, or the name of an included config.")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Output folder; runs/league-NAME by default.", callback=as_local_folder
        ),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change a setting: key=value, such as rounds=20."),
    ] = None,
    jobs: Jobs = 1,
    backend: Backend = "processes",
    address: Address = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            help="Resume the league in this folder.", metavar="RUN", callback=as_local_folder
        ),
    ] = None,
) -> None:
    """Train agents in a league. Settings: configs/league/default.yaml.

    In each round, main agents and exploiters train against a population of policies, most often
    those they lose to; the new policies join the population. The rounds are tasks, in --jobs
    processes or on a Ray cluster; the results are the same. Needs the extra train.
    """
    from monopoly_env.errors import InputError
    from monopoly_env.extras import require
    from monopoly_training.runs import PACKAGES

    require("league", *PACKAGES)
    from monopoly_training.cli_options.game import check_backend
    from monopoly_training.common import stopping
    from monopoly_training.common.progress import Live, percent
    from monopoly_training.common.remote import name_of
    from monopoly_training.league import league
    from monopoly_training.league.config import load_league_config
    from monopoly_training.matches.workers import WorkOptions

    check_backend(backend, address, jobs)
    work = WorkOptions(jobs, backend=backend, address=address)
    if (config is None) == (resume is None):
        InputError.at("league").fail("name a config, or a league to resume: --resume runs/NAME")
    if resume is not None:
        if folder is not None:
            InputError.at("--out").fail(
                "a resumed league stays in its folder; leave this out with --resume"
            )
        with Live() as progress:
            found = league.resume(resume, progress, changes or [], work)
    else:
        settings = load_league_config(str(config), changes or [])
        folder = folder or Path("runs") / f"league-{Path(str(config)).stem}"
        stopping.set_discard_message("nothing was finished yet; the same command starts over")
        with Live() as progress:
            found = league.begin(settings, folder, progress, work)
    for name, ahead, weight in found.standings():
        typer.echo(f"{name:24} finishes ahead of the others {percent(ahead):>7}, Nash {weight:.2f}")
    agents = ", ".join(f"model:{name_of(path)}" for path in found.main_agents())
    typer.echo(f"{found.state.rounds} rounds; main agents: {agents}")
