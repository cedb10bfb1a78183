"""List the editions, show one, or compare two."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text


def command(
    edition: Annotated[str | None, typer.Argument(help="An edition: an id or a file.")] = None,
    other: Annotated[
        str | None, typer.Argument(help="Another edition, to show the differences.")
    ] = None,
    mode: Annotated[str, typer.Option(help="Mode of the edition.")] = "standard",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the editions, show one with the source of each rule, or compare two.

    You can override any rule by name: --rule salary=400, or Game(rules={"salary": 400}).
    """
    from dataclasses import asdict

    from monopoly_env.editions import editions, load_edition
    from monopoly_training.reference.edition_tables import (
        difference_tables,
        edition_tables,
        list_tables,
    )

    if edition is None:
        listed = [load_edition(id_) for id_ in editions()]
        if as_json:
            _echo_json([one.describe() for one in listed])
        else:
            _print(list_tables(listed))
        return
    left = load_edition(edition, mode)
    if other is None:
        if as_json:
            _echo_json(left.describe())
        else:
            _print(edition_tables(left))
        return
    right = load_edition(other, mode)
    if as_json:
        _echo_json([asdict(row) for row in left.differences(right)])
    else:
        _print(difference_tables(left, right), f"{left.id} and {right.id}: nothing differs")


def _echo_json(data: object) -> None:
    typer.echo(json.dumps(data, ensure_ascii=False, indent=2))


def _print(tables: Iterable[Table | Text], otherwise: str = "") -> None:
    """Print the tables, or a line if there are none."""
    from monopoly_training.common.console import new_console

    console = new_console(highlight=False)
    shown = list(tables)
    for table in shown:
        console.print(table)
    if not shown:
        console.print(otherwise)
