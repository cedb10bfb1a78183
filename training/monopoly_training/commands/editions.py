"""List the editions, or show one: rules, board, cards, and what differs from another."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from monopoly_env.editions import Edition


WIDTH = 160  # of tables that go into a file or another program


def command(
    name: Annotated[str | None, typer.Argument(help="An edition, id or file.")] = None,
    mode: Annotated[str, typer.Option(help="One of the edition's modes.")] = "standard",
    against: Annotated[
        str | None, typer.Option(help="Show only what differs from this edition.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Everything, as JSON.")] = False,
) -> None:
    """List the editions, or show one with the rule book's places.

    Every rule in the list can be overridden by its name.
    """
    from monopoly_env.editions import editions, load_edition

    if name is None:
        listed = [load_edition(id_) for id_ in editions()]
        if as_json:
            _echo_json([edition.describe() for edition in listed])
        else:
            _print(_list_table(listed))
        return
    edition = load_edition(name, mode)
    if against is not None:
        _show_differences(edition, load_edition(against), as_json)
    elif as_json:
        _echo_json(edition.describe())
    else:
        _show(edition)


def _echo_json(data: object) -> None:
    typer.echo(json.dumps(data, ensure_ascii=False, indent=2))


def _print(*tables: Table) -> None:
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        console.width = WIDTH
    for table in tables:
        console.print(table)


def _table(title: str, *columns: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left")
    for index, column in enumerate(columns):
        table.add_column(column, overflow="fold", no_wrap=index < 2)
    return table


def _list_table(listed: list[Edition]) -> Table:
    table = _table("", "id", "title", "year", "players", "modes", "optional rules")
    for edition in listed:
        table.add_row(
            edition.id,
            edition.title,
            str(edition.year or ""),
            f"{edition.min_players} to {edition.max_players}",
            ", ".join(edition.modes),
            ", ".join(edition.optional_rules),
        )
    return table


def _show(edition: Edition) -> None:
    """Rules, house rules, board and decks, a table each."""
    from rich.markup import escape

    title = (
        f"{edition.title}, {edition.mode}: {edition.min_players} to {edition.max_players} players"
    )
    rules = _table(escape(title), "rule", "value", "meaning", "where")
    for row in edition.rule_rows():
        rules.add_row(row.name, escape(row.text), escape(row.meaning), escape(row.source))
    house = _table("House rules", "override", "with", "meaning")
    for row in edition.house_rule_rows():
        house.add_row(row.name, escape(row.text), escape(row.meaning))
    _print(rules, house, _board_table(edition), *(_deck_table(edition, pile) for pile in (0, 1)))


def _board_table(edition: Edition) -> Table:
    from rich.markup import escape

    money = edition.names.money
    table = _table("Board", "", "id", "name", "group", "price", "mortgage", "house", "rent or tax")
    for row in edition.board_rows():
        rent = " ".join(str(amount) for amount in row.rent or ())
        tax = "" if row.tax is None else money(row.tax)
        table.add_row(
            str(row.square),
            row.id,
            escape(row.name),
            escape(row.group_name or ""),
            *("" if n is None else money(n) for n in (row.price, row.mortgage, row.house_price)),
            rent or tax + (f" or {row.tax_percent} %" if row.tax_percent else ""),
        )
    return table


def _deck_table(edition: Edition, pile: int) -> Table:
    from rich.markup import escape

    table = _table(escape(edition.names.deck(pile)), "id", "card")
    for row in edition.deck_rows(pile):
        table.add_row(row.id, escape(row.label))
    return table


def _show_differences(edition: Edition, other: Edition, as_json: bool) -> None:
    from dataclasses import asdict

    from rich.markup import escape

    rows = edition.differences(other)
    if as_json:
        _echo_json([asdict(row) for row in rows])
        return
    table = _table("", "", "what", edition.id, other.id, "meaning")
    for row in rows:
        table.add_row(row.part, *(escape(t) for t in (row.key, row.left, row.right, row.meaning)))
    _print(table)
