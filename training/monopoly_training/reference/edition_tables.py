"""Terminal tables of editions, for 80 columns: the list, one edition, and comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from monopoly_env.editions import Edition, load_edition
from monopoly_env.editions.edition import PARTS, BoardRow, RuleRow
from monopoly_env.engine.board import GROUP_IDS, RAILROAD, UTILITY
from monopoly_env.engine.cards import CHANCE, CHEST

NO_SOURCE = "no source is given"


def table(
    title: str, *columns: str, right: Iterable[str] = (), whole: Iterable[str] = (), gap: int = 2
) -> Table:
    """Create a table. Columns in ``right`` hold numbers; those in ``whole`` never wrap."""
    made = Table(
        title=Text(title),
        title_justify="left",
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, gap, 0, 0),
    )
    numbers, unwrapped = set(right), {*right, *whole}
    for column in columns:
        made.add_column(
            column,
            overflow="fold",
            justify="right" if column in numbers else "left",
            no_wrap=column in unwrapped,
        )
    return made


def add(made: Table, *cells: object) -> None:
    """Add a row of plain text, without markup."""
    made.add_row(*(cell if isinstance(cell, Text) else Text(str(cell)) for cell in cells))


def above(first: str, second: str, style: str = "dim") -> Text:
    """Put two texts in one cell, one below the other."""
    return Text.assemble(first, ("\n" + second if second else "", style))


# --- the list ---


def list_tables(listed: Sequence[Edition]) -> list[Table]:
    """Return the list of editions, and the popular house rules."""
    made = table(
        "Editions",
        "edition",
        "title",
        "players",
        "modes, optional rules",
        whole=("edition", "players"),
    )
    for edition in listed:
        add(
            made,
            edition.id,
            f"{edition.title}, {edition.year}" if edition.year else edition.title,
            f"{edition.min_players} to {edition.max_players}",
            ", ".join((*edition.modes, *edition.optional_rules)),
        )
    return [made, house_rules(listed[0])]


def house_rules(edition: Edition) -> Table:
    """Return the table of house rules that the edition does not already have."""
    made = table(
        "House rules: off here, any edition takes them",
        "override",
        "what it does",
        whole=["override"],
    )
    for row in edition.house_rule_rows():
        if row.value != edition.value(row.name):
            add(made, house_rule_text(row), row.meaning)
    return made


def house_rule_text(row: RuleRow) -> str:
    """Format a house rule as an argument of ``--rule``."""
    return f"{row.name}={row.text if row.unit == 'yes/no' else row.value}"


# --- one edition ---


def edition_tables(edition: Edition) -> list[Table | Text]:
    """Return all tables of an edition: names, rules, modes, house rules, board, rents and decks."""
    return [
        Text(title(edition), "bold"),
        names(edition),
        rules(edition),
        modes(edition),
        house_rules(edition),
        board(edition),
        rents(edition),
        *(deck(edition, pile) for pile in (CHANCE, CHEST)),
    ]


def title(edition: Edition) -> str:
    """Return the edition's title with its year and mode."""
    year = f", {edition.year}" if edition.year else ""
    return f"{edition.title}{year}: the {edition.mode.replace('_', '-')} game"


def names(edition: Edition) -> Table:
    """Return the table of names and publication data."""
    names = edition.names
    made = table("Names", "what", "in this edition")
    add(made, "players", f"{edition.min_players} to {edition.max_players}")
    add(made, "rule book", edition.rulebook or "none")
    if edition.publisher:
        add(made, "publisher", edition.publisher)
    add(made, "money", f"{names.currency}: {names.money(1500)}")
    add(made, "buildings", f"{names.house} ({names.houses}), {names.hotel} ({names.hotels})")
    add(made, "decks", ", ".join(names.decks))
    add(made, "kept card", names.jail_card)
    add(made, "tokens", ", ".join(names.tokens))
    return made


def rules(edition: Edition) -> Table:
    """Return the table of rules with their sources, without numbers of the board and the cards."""
    made = table("Rules", "rule\n  its value", "meaning\nwhere the rule book says so")
    for row in edition.rule_rows():
        source = row.source or NO_SOURCE
        add(made, above(row.name, f"  {row.text}", "bold"), above(row.meaning, source))
    return made


def modes(edition: Edition) -> Table:
    """Return the table of what each mode changes in the standard game."""
    made = table(
        "Modes", "mode", "rule", "value", "where the rule book says so", whole=("mode", "rule")
    )
    for mode in edition.modes:
        for row in mode_rows(edition, mode):
            add(made, mode, row.name, row.text, row.source or NO_SOURCE)
    for name, source in edition.optional_rules.items():
        add(made, "optional", name, "yes", source)
    return made


def mode_rows(edition: Edition, mode: str) -> list[RuleRow]:
    """Return the rules that a mode changes, with its values."""
    standard, other = (load_edition(edition.reference, name) for name in ("standard", mode))
    pairs = zip(standard.rule_rows(), other.rule_rows(), strict=True)
    return [row for before, row in pairs if before.value != row.value]


def board(edition: Edition) -> Table:
    """Return the table of the forty spaces."""
    made = table(
        "Board",
        "",
        "space",
        "name",
        "group",
        "price or tax",
        right=[""],
        whole=("space", "price or tax"),
        gap=1,
    )
    for row in edition.board_rows():
        add(made, row.square, row.id, row.name, row.group_name or "", price_or_tax(edition, row))
    return made


def price_or_tax(edition: Edition, row: BoardRow) -> str:
    """Return what a space costs; empty if nothing."""
    money = edition.names.money
    if row.price is not None:
        return money(row.price)
    tax = "" if row.tax is None else money(row.tax)
    return f"{tax} or {row.tax_percent}%" if row.tax_percent else tax


RENTS = ("bare", "1", "2", "3", "4", "hotel")  # number of buildings


def rents(edition: Edition) -> Table:
    """Return the table of deeds by group."""
    heads = ("mortgage", "building", *RENTS)
    made = table("Deeds: mortgage, price of a building, rent", "deed", *heads, right=heads, gap=1)
    for group in GROUP_IDS:
        for row in (row for row in edition.board_rows() if row.group == group):
            add(made, row.name, *deed_numbers(row))
        made.add_section()
    made.caption = Text(shared_rents(edition) + "\n")
    made.caption_justify = "left"
    return made


def deed_numbers(row: BoardRow) -> list[object]:
    """Return a deed's mortgage, building price (house / hotel if different) and rents."""
    if row.rent is None:
        return [row.mortgage, *("" for _ in ("building", *RENTS))]
    prices = dict.fromkeys((row.house_price, row.hotel_price))
    return [row.mortgage, " / ".join(str(price) for price in prices), *row.rent]


def shared_rents(edition: Edition) -> str:
    """Return the rents that depend on the number of deeds owned."""
    by_name = {row.name: row.text for row in edition.rule_rows()}
    stations, utilities = edition.names.group(RAILROAD), edition.names.group(UTILITY)
    return (
        f"{stations}: {by_name['railroad_rent']} by the number owned. "
        f"{utilities}: {by_name['utility_multiplier']} × the throw."
    )


def deck(edition: Edition, pile: int) -> Table:
    """Return the table of a pile's cards."""
    made = table(f"Cards: {edition.names.deck(pile)}", "card", "what it says", whole=["card"])
    for row in edition.deck_rows(pile):
        add(made, row.id, row.label)
    return made


# --- two editions ---

HEADS = {"rules": "Rules", "board": "Board", "decks": "Cards", "names": "Names"}


def difference_tables(left: Edition, right: Edition) -> list[Table]:
    """Return one table per part that differs; none if the editions are equal."""
    tables = []
    rows = left.differences(right)
    for part in PARTS:
        made = table(HEADS[part], "what", left.id, right.id)
        for row in (row for row in rows if row.part == part):
            meaning = row.meaning if part in ("rules", "board") and row.meaning != row.key else ""
            add(made, above(row.key, meaning), row.left or "–", row.right or "–")
        if made.row_count:
            tables.append(made)
    return tables
