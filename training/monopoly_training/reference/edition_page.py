"""Generate the comparison of editions: rules, modes, house rules, names and boards."""

from __future__ import annotations

from collections.abc import Iterable

from monopoly_env.editions import Edition, editions, load_edition
from monopoly_env.engine.board import GROUP_IDS, SPACE_IDS
from monopoly_training.common.markdown import NOTE, table
from monopoly_training.reference.edition_tables import house_rule_text, mode_rows, price_or_tax


def editions_page() -> str:
    """Return the page."""
    listed = [load_edition(id_) for id_ in editions()]
    return (
        f"# Editions\n\n{NOTE}An edition is a rule book as data: one YAML file in "
        "`monopoly_env/editions`. `monopoly-env editions NAME` prints an edition with the source of "
        "every rule and both decks; `monopoly-env editions A B` compares "
        "two. To make your own, see [your_edition.md](your_edition.md).\n\n"
        + _list(listed)
        + "\n## Differences in the standard game\n\nEverything else is the same as in `classic`: see "
        "[switches.md](switches.md).\n\n"
        + _differences(listed)
        + "".join(_mode(mode, listed) for mode in _modes(listed))
        + "\n## Optional rules\n\nOptions that the rule books offer. Enable them as rule overrides.\n\n"
        + _optional(listed)
        + "\n## House rules\n\nCommon house rules, off by default. Any edition supports them: "
        '`Game(rules={"auctions": False})`, on the command line `--rule auctions=no`.\n\n'
        + _house_rules(listed[0])
        + "\n## Names\n\nUnknown names default to the classic ones.\n\n"
        + _names(listed)
        + "\n## Boards\n\n"
        + _boards(listed)
    )


def _heads(listed: Iterable[Edition]) -> list[str]:
    return [f"`{edition.id}`" for edition in listed]


def _list(listed: list[Edition]) -> str:
    rows = [
        (
            f"`{edition.id}`",
            edition.title,
            edition.year,
            edition.publisher,
            f"{edition.min_players} to {edition.max_players}",
            ", ".join(f"`{mode}`" for mode in edition.modes),
            edition.rulebook,
        )
        for edition in listed
    ]
    head = ("edition", "title", "year", "publisher", "players", "modes", "rule book")
    return table(head, rows)


def _differences(listed: list[Edition]) -> str:
    """Return the rules, taxes and cards in which any edition differs from the first."""
    first, *others = listed
    differences = [{row.key: row for row in first.differences(edition)} for edition in others]
    shown = {
        row.key: row
        for rows in differences
        for row in rows.values()
        if row.part != "names" and row.key not in ("players", "modes", "optional_rules")
    }
    table_rows = []
    for key, row in shown.items():
        texts = [row.left, *(rows[key].right if key in rows else row.left for rows in differences)]
        table_rows.append((f"`{key}`", row.meaning, *(text or "–" for text in texts)))
    return table(("rule or card", "meaning", *_heads(listed)), table_rows)


def _modes(listed: list[Edition]) -> list[str]:
    """Return all modes except the standard game, each once."""
    return list(dict.fromkeys(mode for edition in listed for mode in edition.modes[1:]))


def _mode(mode: str, listed: list[Edition]) -> str:
    """Return the section on a mode: its changes in each edition that has it."""
    having = [edition for edition in listed if mode in edition.modes]
    played = [load_edition(edition.id, mode) for edition in having]
    changed = {row.name: row.meaning for edition in having for row in mode_rows(edition, mode)}
    texts = [{row.name: row.text for row in edition.rule_rows()} for edition in played]
    rows = [
        (f"`{name}`", meaning, *(text[name] for text in texts)) for name, meaning in changed.items()
    ]
    return (
        f"\n## The {mode.replace('_', '-')} game\n\n`mode: {mode}`. Everything else is as in the standard "
        "game.\n\n" + table(("rule", "meaning", *_heads(having)), rows)
    )


def _optional(listed: list[Edition]) -> str:
    rows = [
        (f"`{name}`", f"`{edition.id}`", source)
        for edition in listed
        for name, source in edition.optional_rules.items()
    ]
    return table(("rule", "edition", "source"), rows)


def _house_rules(edition: Edition) -> str:
    rows = [(f"`{house_rule_text(row)}`", row.meaning) for row in edition.house_rule_rows()]
    return table(("override", "effect"), rows)


def _names(listed: list[Edition]) -> str:
    """Return the table of names in each edition."""
    all_names = [edition.names for edition in listed]
    rows: list[tuple[object, ...]] = [
        ("money", *(f"{names.currency}: {names.money(1500)}" for names in all_names)),
        ("house, houses", *(f"{names.house}, {names.houses}" for names in all_names)),
        ("hotel, hotels", *(f"{names.hotel}, {names.hotels}" for names in all_names)),
        ("Chance", *(names.decks[0] for names in all_names)),
        ("Community Chest", *(names.decks[1] for names in all_names)),
        ("kept card", *(names.jail_card for names in all_names)),
        ("tokens", *(", ".join(names.tokens) for names in all_names)),
        *(
            (f"group `{id_}`", *(names.group(group) for names in all_names))
            for group, id_ in enumerate(GROUP_IDS)
        ),
    ]
    return table(("", *_heads(listed)), rows)


def _boards(listed: list[Edition]) -> str:
    """Return the table of spaces with their names in each edition.

    Numbers are the first edition's.
    """
    boards = [edition.board_rows() for edition in listed]
    rows = [
        (
            square,
            f"`{id_}`",
            price_or_tax(listed[0], boards[0][square]),
            *(board[square].name for board in boards),
        )
        for square, id_ in enumerate(SPACE_IDS)
    ]
    return table(("", "space", "price or tax", *_heads(listed)), rows)
