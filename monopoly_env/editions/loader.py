"""Editions by id or file: read, laid on top of each other, checked, turned into a RULES record.

``load_edition("kanto2014", "short", {"start_cash": 2000})`` reads kanto2014.yaml and the edition
that it extends. The file further down is applied first, so that each says only what differs; then
come the mode's changes and last the overrides. A user's own file works like a built-in edition.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from monopoly_env.editions import document
from monopoly_env.editions.document import Document, HouseRule, RuleValues, fill_label
from monopoly_env.editions.edition import BoardRow, CardRow, Difference, Edition, Names, RuleRow
from monopoly_env.editions.place import EditionError, Place, show, suggest
from monopoly_env.editions.values import (
    BOARD_FIELDS,
    DECK_FIELDS,
    FIELDS,
    PILES,
    Value,
    parse_overrides,
    read,
    write,
)
from monopoly_env.engine.board import (
    CHANCE_SQUARES,
    CHEST_SQUARES,
    GROUP_IDS,
    RAILROAD,
    SPACE_IDS,
    SPACES,
    UTILITY,
)
from monopoly_env.engine.cards import CARD_IDS, CHANCE, CHEST, CardKind
from monopoly_env.engine.rules import new_rules, set_switches

__all__ = [
    "BoardRow",
    "CardRow",
    "Difference",
    "Edition",
    "EditionError",
    "HouseRule",
    "Names",
    "RuleRow",
    "editions",
    "load_edition",
]

FOLDER = Path(__file__).parent
DEFAULT = "classic"
STANDARD = "standard"
UNSET = -100  # in a record that is being filled; every field can hold it, no rule can be it

# Rules that only some books offer; an override may switch them on only there.
OFFERED_ONLY = ("power_doubles",)


@lru_cache(maxsize=1)
def editions() -> tuple[str, ...]:
    """The ids of the built-in editions, the default first."""
    ids = sorted(path.stem for path in FOLDER.glob("*.yaml"))
    return (DEFAULT, *(id_ for id_ in ids if id_ != DEFAULT))


def load_edition(
    edition: str | Path = DEFAULT,
    mode: str = STANDARD,
    rules: Mapping[str, object] | None = None,
) -> Edition:
    """An edition by id or file, in one of its modes, with rules overridden by name.

    ``rules`` takes any rule: ``{"salary": 400, "even_building": False, "tax": {"luxury_tax": 75}}``
    and besides them ``windows: all | own`` and ``max_players``.

    Raises: EditionError, one line that names the file, the key and the remedy.
    """
    chain = _chain(edition)
    overrides = parse_overrides(rules, Place("rules"))
    if not isinstance(mode, str):
        Place("mode").fail(f"must be a name such as {STANDARD!r}, not {show(mode)}")
    built = _edition(chain, mode, json.dumps(overrides))
    reference = built.id if chain[-1].path.parent == FOLDER else str(edition)
    return replace(built, rules=built.rules.copy(), overrides=overrides, reference=reference)


# --- which files ---


def _chain(edition: str | Path) -> tuple[Document, ...]:
    """The document of an edition and all that it builds on, the deepest first."""
    document_ = document.read(_path(edition, Path(), Place("edition")))
    chain = [document_]
    while document_.extends is not None:
        place = document_.place / "extends"
        path = _path(document_.extends, document_.path.parent, place)
        if any(path == known.path for known in chain):
            place.fail(f"goes in a circle: {document_.extends} builds on this file")
        document_ = document.read(path)
        chain.insert(0, document_)
    return tuple(chain)


def _path(edition: object, folder: Path, place: Place) -> Path:
    """The file of an edition: a built-in id, or a path relative to ``folder``."""
    if not isinstance(edition, str | Path):
        place.fail(f"must be an id or the path of a YAML file, not {show(edition)}")
    if isinstance(edition, str) and edition in editions():
        return FOLDER / f"{edition}.yaml"
    try:
        path = (folder / edition).expanduser().resolve()
        is_file = path.is_file()
    except (OSError, ValueError, RuntimeError) as problem:
        place.fail(f"{show(str(edition))} is no path: {problem}")
    if not is_file:
        _fail_missing(edition, path, place)
    return path


def _fail_missing(edition: str | Path, path: Path, place: Place) -> None:
    """Say which editions there are."""
    ids = ", ".join(editions())
    if isinstance(edition, Path) or path.suffix in (".yaml", ".yml") or "/" in edition:
        place.fail(f"there is no file {path}; give a file that exists, or one of {ids}")
    close = suggest(edition, editions())
    meant = f"{close} " if close.startswith("did") else ""
    place.fail(
        f"there is no edition {show(edition)}; {meant}known are {ids}, and any YAML file by its path"
    )


# --- one on top of the other ---


@lru_cache(maxsize=256)
def _edition(chain: tuple[Document, ...], mode: str, overrides_json: str) -> Edition:
    """The edition that a chain of documents describes."""
    top = chain[-1]
    overrides: dict[str, Value] = json.loads(overrides_json)
    modes = _modes(chain)
    if mode not in modes:
        _fail_mode(top, mode, modes)
    layers = [*(doc.rules for doc in chain), *modes[mode]]
    sources = {name: text for layer in layers for name, text in layer.sources.items()}
    optional = {name: text for doc in chain for name, text in doc.optional_rules.items()}
    least, most = _players(chain, overrides)
    rules = _rules(layers, top)
    _check_offered(top, rules, overrides, optional)
    _override(rules, sources, overrides)
    set_switches(rules)
    return Edition(
        id=_id(top),
        title=top.about.get("title", _id(top)),
        year=top.year,
        publisher=top.about.get("publisher", ""),
        language=_inherited(chain, "language"),
        rulebook=top.about.get("rulebook", ""),
        reference=_id(top),
        mode=mode,
        modes=tuple(modes),
        overrides=overrides,
        names=_names(chain, rules),
        min_players=least,
        max_players=most,
        rules=rules,
        sources=sources,
        optional_rules=optional,
        house_rules=tuple({rule.name: rule for d in chain for rule in d.house_rules}.values()),
    )


def _players(chain: tuple[Document, ...], overrides: dict[str, Value]) -> tuple[int, int]:
    """The least and the greatest number of players."""
    players = {key: value for doc in chain for key, value in doc.players.items()}
    least, most = players.get("min", 2), players.get("max", 8)
    if least > most:
        (chain[-1].place / "players").fail(f"min {least} is more than max {most}")
    override = overrides.get("max_players", most)
    return least, override if isinstance(override, int) else most


def _rules(layers: list[RuleValues], top: Document) -> Any:
    """The record that the layers write, one over the other, checked as a whole."""
    rules = _blank()
    for layer in layers:
        for name, value in layer.values:
            write(rules, name, value)
    _check_complete(rules, top.place)
    _check_decks(rules, top.place / "decks")
    return rules


def _override(rules: Any, sources: dict[str, str], overrides: dict[str, Value]) -> None:
    """Write the overrides, and say of each that it is one."""
    for name in overrides.keys() & FIELDS.keys():
        write(rules, name, overrides[name])
        sources[name] = "override"
    if overrides.keys() & set(DECK_FIELDS):
        _check_decks(rules, Place("rules", ("deck",)))


def _id(top: Document) -> str:
    """The edition's id: as the file says, else the file's name."""
    id_ = top.about.get("id", top.path.stem)
    if id_ in editions() and top.path.parent != FOLDER:
        (top.place / "id").fail(f"{id_} is a built-in edition; give this one an id of its own")
    return id_


def _inherited(chain: tuple[Document, ...], key: str) -> str:
    """What the topmost document says about itself under ``key``, or one it builds on."""
    return next((d.about[key] for d in reversed(chain) if key in d.about), "")


def _modes(chain: tuple[Document, ...]) -> dict[str, list[RuleValues]]:
    """The modes of an edition and what changes in each, in order."""
    modes: dict[str, list[RuleValues]] = {STANDARD: []}
    for doc in chain:
        for name, changes in doc.modes.items():
            if changes is None:
                modes.pop(name, None)
            else:
                modes.setdefault(name, []).append(changes)
    return modes


def _fail_mode(top: Document, mode: str, modes: Mapping[str, object]) -> None:
    """Say which modes there are, and which editions have this one."""
    others = [id_ for id_ in editions() if mode in _modes(_chain(id_))]
    elsewhere = f"; {', '.join(others)} {'have' if len(others) > 1 else 'has'} it" if others else ""
    rounds = "; the rule time_limit_rounds ends any game" if mode == "time_limit" else ""
    Place(_id(top)).fail(
        f"has no mode {show(mode)}; its modes are {', '.join(modes)}{elsewhere}{rounds}"
    )


def _check_offered(
    top: Document, rules: Any, overrides: dict[str, Value], optional: dict[str, str]
) -> None:
    """An override may switch on an optional rule only where the book offers it."""
    for name in OFFERED_ONLY:
        if overrides.get(name) and name not in optional and not read(rules, name):
            having = [i for i in editions() if any(name in d.optional_rules for d in _chain(i))]
            (Place("rules") / name).fail(
                f"{_id(top)} has no such optional rule; {', '.join(having)} have it"
            )


# --- checks of the whole ---


def _blank() -> Any:
    """A record in which everything that an edition must say is unset."""
    rules = new_rules(1)
    rules["deck"] = -1
    for name in FIELDS:
        if name in BOARD_FIELDS:
            rules[name][0, list(BOARD_FIELDS[name])] = UNSET
        elif name not in DECK_FIELDS:
            rules[name] = UNSET
    rules["tax_percent"] = 0
    rules["card_kind"][0, : len(CARD_IDS)] = UNSET
    return rules


def _check_complete(rules: Any, place: Place) -> None:
    """Whoever extends no other edition must say everything."""
    for name, squares in BOARD_FIELDS.items():
        for square in squares:
            if (rules[name][0, square] == UNSET).any():
                (place / "board" / SPACE_IDS[square]).fail(f"says no {name}; {_EXTEND}")
    for name in FIELDS:
        if name not in BOARD_FIELDS and name != "card_kind" and (rules[name] == UNSET).any():
            (place / "rules" / name).fail(f"is missing; {_EXTEND}")
    for pile, number in PILES.items():
        if rules["deck_size"][0, number] == 0:
            (place / "decks" / pile).fail(f"is missing; {_EXTEND}")
    for card in rules["deck"][0][rules["deck"][0] >= 0].tolist():
        if rules["card_kind"][0, card] == UNSET:
            (place / "cards" / CARD_IDS[card]).fail("is missing, and a deck has it")
    kinds = rules["card_kind"]
    kinds[kinds == UNSET] = 0


_EXTEND = "add it, or build on an edition that has it with `extends: classic`"
_CARD_SQUARES = (*CHANCE_SQUARES, *CHEST_SQUARES)


def _check_decks(rules: Any, place: Place) -> None:
    """Decks that can be played: real cards, each once, and never an endless chain of moves."""
    seen: set[int] = set()
    for pile, number in PILES.items():
        here = place / pile
        size = int(rules["deck_size"][0, number])
        cards = rules["deck"][0, number, :size].tolist()
        for card in cards:
            if not 0 <= card < len(CARD_IDS):
                here.fail(f"has {size} cards, and one of them is no card; see deck_size")
            if card in seen:
                here.fail(f"the card {CARD_IDS[card]} is there twice")
            seen.add(card)
        _check_kinds(rules, cards, here)


def _check_kinds(rules: Any, cards: list[int], place: Place) -> None:
    """Cards of known kinds, at most one to keep, and one at least that ends a move."""
    kinds = {card: int(rules["card_kind"][0, card]) for card in cards}
    for card, kind in kinds.items():
        if kind not in list(CardKind):
            place.fail(f"the card {CARD_IDS[card]} is of kind {kind}, which does not exist")
        if kind == CardKind.BACK and not 1 <= rules["card_amount"][0, card] < SPACES:
            place.fail(f"the card {CARD_IDS[card]} must go back by 1 to {SPACES - 1} spaces")
    if sum(kind == CardKind.KEEP for kind in kinds.values()) > 1:
        place.fail("has more than one card to keep; a pile can have one")
    if not any(_ends(rules, card, kind) for card, kind in kinds.items()):
        place.fail("needs a card that is neither kept nor leads to another card")


def _ends(rules: Any, card: int, kind: int) -> bool:
    """Whether a card surely returns to its pile without another card being drawn."""
    if kind == CardKind.MOVE_TO:
        return int(rules["card_square"][0, card]) not in _CARD_SQUARES
    return kind not in (CardKind.KEEP, CardKind.BACK)


# --- names ---


def _names(chain: tuple[Document, ...], rules: Any) -> Names:
    """The names of the topmost document; what it does not name has the name further down."""
    place = chain[-1].place / "names"
    said: dict[str, Any] = {}
    for doc in chain:
        for key, value in doc.names.items():
            said[key] = {**said.get(key, {}), **value} if isinstance(value, dict) else value
    for key in document.NAMES:
        if key not in said:
            (place / key).fail(f"is missing; {_EXTEND}")
    decks = _named(said["decks"], tuple(PILES), place / "decks")
    for squares, pile in ((CHANCE_SQUARES, CHANCE), (CHEST_SQUARES, CHEST)):
        for square in squares:
            said["spaces"].setdefault(SPACE_IDS[square], decks[pile])
    currency, _ = _named(said["currency"], ("name", "symbol"), place / "currency")
    names = Names(
        currency=currency,
        symbol=said["currency"]["symbol"],
        thousands=said["currency"].get("thousands", ","),
        house=said["house"][0],
        houses=said["house"][1],
        hotel=said["hotel"][0],
        hotels=said["hotel"][1],
        jail_card=said["jail_card"],
        decks=decks,
        groups=_named(said["groups"], GROUP_IDS, place / "groups"),
        spaces=_named(said["spaces"], SPACE_IDS, place / "spaces"),
        tokens=tuple(said["tokens"]),
        cards=(),
    )
    return replace(names, cards=_labels(chain, names, rules))


def _named(said: dict[str, str], keys: tuple[str, ...], place: Place) -> tuple[str, ...]:
    """The names of all ``keys``, in order."""
    missing = [key for key in keys if key not in said]
    if missing:
        place.fail(
            f"names {len(keys) - len(missing)} of {len(keys)}: {', '.join(missing)} "
            f"{'are' if len(missing) > 1 else 'is'} missing; {_EXTEND}"
        )
    return tuple(said[key] for key in keys)


def _labels(chain: tuple[Document, ...], names: Names, rules: Any) -> tuple[str, ...]:
    """The card labels, with this edition's names and amounts in their placeholders."""
    labels = {card: text for doc in chain for card, text in doc.labels.items()}
    place = chain[-1].place / "cards"
    return tuple(
        fill_label(labels.get(id_, id_), _words(card, names, rules), place / id_)
        for card, id_ in enumerate(CARD_IDS)
    )


def _words(card: int, names: Names, rules: Any) -> dict[str, str]:
    """What the placeholders of a card's label stand for."""
    amount = int(rules["card_amount"][0, card])
    return {
        "amount": names.money(amount),
        "hotel_amount": names.money(int(rules["card_hotel"][0, card])),
        "number": str(amount),
        "space": names.spaces[int(rules["card_square"][0, card])],
        "go": names.spaces[0],
        "house": names.house,
        "hotel": names.hotel,
        "railroads": names.groups[RAILROAD],
        "utilities": names.groups[UTILITY],
        "jail_card": names.jail_card,
    }
