"""Test an agent on fixed decisions with known values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from monopoly_training.cli_options.faults import Strict, bots_print_to_stderr, end_strictly
from monopoly_training.cli_options.folders import as_local_folder
from monopoly_training.cli_options.game import Address, AsJson, Backend, Jobs, Trust

MAKE = "make"


def command(
    agent: Annotated[
        str | None,
        typer.Argument(help="Name of a bot, or model:PATH; make: create a set of decisions."),
    ] = None,
    kinds: Annotated[
        list[str] | None,
        typer.Option("--kind", help="Only this kind of decision, such as buy. Repeatable."),
    ] = None,
    most: Annotated[
        int | None, typer.Option("--first", help="Only the first N decisions.", min=1)
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--set", help="Your own set instead of the included one.")
    ] = None,
    prompts: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the decisions as prompts, one JSON line each."),
    ] = None,
    answers: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Score the answers: JSON lines with id and answer."),
    ] = None,
    decisions: Annotated[
        int | None,
        typer.Option(help="make: number of decisions, split among all kinds.", min=1),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(help="make: minimum rollouts per action; 2,000 by default.", min=100),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="make: seed of the games.", min=0)] = None,
    jobs: Jobs = 1,
    backend: Backend = "processes",
    address: Address = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="make: resume the run in the folder.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="make: output folder; runs/suite by default.", callback=as_local_folder),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Test all included bots; write suite.json."),
    ] = None,
    as_json: AsJson = False,
    trust: Trust = False,
    strict: Strict = False,
) -> None:
    """Test an agent on a few hundred fixed decisions: the win probability lost in each kind.

    The value of each action comes from rollouts with common random numbers. An illegal answer counts
    as the worst action. With --prompts and --answers, you can test a language model without writing
    code. docs/suite.md has the scores of the included bots. `suite make --jobs 2` creates a new set;
    --resume continues it.
    """
    from monopoly_env.errors import InputError
    from monopoly_training.cli_options.game import check_backend
    from monopoly_training.common.console import new_console
    from monopoly_training.common.remote import name_of
    from monopoly_training.matches.workers import PROCESSES, WorkOptions
    from monopoly_training.suite import tasks
    from monopoly_training.suite.decisions import SHIPPED, load_set
    from monopoly_training.suite.prompts import write_prompts
    from monopoly_training.suite.report import table_of

    if agent == MAKE:
        only_asked = {"--kind": kinds, "--first": most, "--set": file}
        only_asked |= {"--prompts": prompts, "--answers": answers, "--page": page}
        for name, value in only_asked.items():
            if value is not None:
                InputError.at(name).fail("is not for `suite make`; leave it out")
        check_backend(backend, address, jobs)
        work = WorkOptions(jobs, resume, trust, backend, address)
        path, count = tasks.make_set(out, decisions, samples, seed, work)
        typer.echo(f"written: {name_of(path)}, {count:,} decisions")
        return
    of_make: dict[str, object] = {"--decisions": decisions, "--samples": samples, "--out": out}
    of_make |= {"--address": address, "--backend": None if backend == PROCESSES else backend}
    for name, given in of_make.items():
        if given is not None:
            InputError.at(name).fail("is for `suite make`; leave it out")
    chosen = load_set(file or SHIPPED).only(kinds, most)
    if prompts is not None:
        write_prompts(prompts, chosen.decisions)
        typer.echo(f"written: {prompts}, {len(chosen.decisions):,} prompts")
        return
    if page is not None:
        typer.echo(f"written: {tasks.write_page(page, chosen)}; now `monopoly-env docs`")
        return
    if answers is not None:
        scored = tasks.score_answers(agent or answers.stem, answers, chosen)
    elif agent is None:
        InputError.at("suite").fail("name an agent, --prompts FILE, --answers FILE, or make a set")
    else:
        with bots_print_to_stderr():
            scored = tasks.score_agent(agent, chosen, trust)
    if as_json:
        typer.echo(json.dumps(scored.as_json()))
    else:
        new_console().print(table_of(scored))
        typer.echo(f"set {scored.set_name}; see docs/suite.md for the columns")
    end_strictly(strict, scored.kinds["all"].illegal > 0)
