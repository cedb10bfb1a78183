"""Test an agent's decisions against frozen ones whose actions have known values; make such a set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from monopoly_training.cli_options.faults import Strict, bots_print_to_stderr, end_strictly
from monopoly_training.cli_options.game import AsJson, Jobs, Trust

MAKE = "make"


def command(
    agent: Annotated[
        str | None,
        typer.Argument(help="A bot by name, or model:PATH; make: make a set of decisions."),
    ] = None,
    kinds: Annotated[
        list[str] | None,
        typer.Option("--kind", help="Only decisions of this kind, such as buy. Repeatable."),
    ] = None,
    most: Annotated[
        int | None, typer.Option("--first", help="Only the first so many decisions.", min=1)
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--set", help="A set of your own, instead of the one that ships.")
    ] = None,
    prompts: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the decisions as prompts, a JSON line each."),
    ] = None,
    answers: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Score answers to them, JSON lines with id and answer."),
    ] = None,
    decisions: Annotated[
        int | None,
        typer.Option(help="make: how many decisions; all kinds have their share.", min=1),
    ] = None,
    samples: Annotated[
        int | None, typer.Option(help="make: rollouts of each action, at least (2,000).", min=100)
    ] = None,
    seed: Annotated[int | None, typer.Option(help="make: of the games.", min=0)] = None,
    jobs: Jobs = 1,
    resume: Annotated[
        bool, typer.Option("--resume", help="make: go on with what the folder holds.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="make: the folder for what is made; runs/suite. The set is in it, too."),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Ask all bots that come along; write suite.json."),
    ] = None,
    as_json: AsJson = False,
    trust: Trust = False,
    strict: Strict = False,
) -> None:
    """Ask an agent for a few hundred frozen decisions: how much chance to win it loses in each kind.

    Each action's chance was found by rollouts with common random numbers. An answer
    that is none of the actions counts as illegal, and as the worst of them. With --prompts and
    --answers a language model is tested without a line of code. docs/suite.md has the scores of all
    bots that come along. `suite make --jobs 2` makes such a set, and goes on with --resume.
    """
    from rich.console import Console

    from monopoly_env.errors import InputError
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
        path, count = tasks.make_set(out, decisions, samples, seed, jobs, resume)
        typer.echo(f"written: {path}, {count:,} decisions")
        return
    for name, value in {"--decisions": decisions, "--samples": samples, "--out": out}.items():
        if value is not None:
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
        Console().print(table_of(scored))
        typer.echo(f"set {scored.set_name}; docs/suite.md says what the columns mean")
    end_strictly(strict, scored.kinds["all"].illegal > 0)
