"""List the available bots."""

from __future__ import annotations

import json
from typing import Annotated

import typer


def command(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the available bots, one per line.

    Any installed package can add bots through the entry-point group ``monopoly_env.agents``.
    """
    from monopoly_env.agent import agents

    specs = list(agents().values())
    if as_json:
        rows = [
            {
                "name": spec.name,
                "description": spec.description,
                "compiled": spec.load_policy is not None,
            }
            for spec in specs
        ]
        typer.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    width = max((len(spec.name) for spec in specs), default=0)
    for spec in specs:
        typer.echo(f"{spec.name:{width}}  {spec.description}")
