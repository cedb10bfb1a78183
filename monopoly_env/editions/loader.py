"""Loads editions by name or file: reads, merges, checks, and creates a RULES record.

``load_edition("kanto2014", "short", {"start_cash": 2000})`` reads kanto2014.yaml and the edition
that it extends. The base file is applied first, so that each file lists only differences, then the
mode's changes, and finally the overrides. User files work like built-in editions, and so do
generated editions, such as ``random:train:17``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from monopoly_env.editions.checks import blank, check_complete, check_decks
from monopoly_env.editions.document import Document, RuleValues, read_document
from monopoly_env.editions.edition import Edition
from monopoly_env.editions.generated.document import generated_document
from monopoly_env.editions.generated.spec import FORM, Spec, is_generated, parse_spec
from monopoly_env.editions.layout import settle_layout, write_layout
from monopoly_env.editions.names import names_of
from monopoly_env.editions.values import (
    DECK_FIELDS,
    FIELDS,
    Value,
    parse_overrides,
    read_value,
    write_value,
)
from monopoly_env.engine.rules import set_switches
from monopoly_env.errors import EditionError, Location, show, suggest

FOLDER = Path(__file__).parent
DEFAULT = "classic"
STANDARD = "standard"
SMALL = ("mini",)  # built in too, but not of the whole board; loops over all editions skip them

# Rules that only some books offer; overrides may enable them only in those editions.
OFFERED_ONLY = ("power_doubles",)


@lru_cache(maxsize=1)
def editions() -> tuple[str, ...]:
    """Return the ids of the built-in editions of the whole board; the default is first."""
    ids = sorted(path.stem for path in FOLDER.glob("*.yaml") if path.stem not in SMALL)
    return (DEFAULT, *(id_ for id_ in ids if id_ != DEFAULT))


def load_edition(
    edition: str | Path = DEFAULT,
    mode: str = STANDARD,
    rules: Mapping[str, object] | None = None,
) -> Edition:
    """Load an edition by id, file or name, in one of its modes, with rule overrides.

    ``random:train:17`` and ``random:test:17:dial=0.3`` are generated editions; see
    docs/generated_editions.md.

    ``rules`` takes any rule: ``{"salary": 400, "even_building": False, "tax": {"luxury_tax": 75}}``
    and also ``windows: all | own`` and ``max_players``.

    Raises: EditionError, one line that names the file, the key and the remedy.
    """
    chain = _chain(edition)
    overrides = parse_overrides(rules, EditionError.at("rules"))
    if not isinstance(mode, str):
        EditionError.at("mode").fail(f"must be a name such as {STANDARD!r}, not {show(mode)}")
    built = _edition(chain, mode, json.dumps(overrides))
    reference = str(chain[-1].path) if is_generated(edition) else str(edition)
    if chain[-1].path.parent == FOLDER:
        reference = built.id
    return replace(built, overrides=overrides, reference=reference)


# --- finding files ---


def _chain(edition: str | Path) -> tuple[Document, ...]:
    """Return the document of an edition and all that it extends, the base first."""
    document = _document(edition, Path(), EditionError.at("edition"))
    chain = [document]
    while document.extends is not None:
        location = document.location / "extends"
        document = _document(document.extends, document.path.parent, location)
        if any(document.path == known.path for known in chain):
            location.fail(f"is circular: {document.extends} extends this file")
        chain.insert(0, document)
    return tuple(chain)


def _document(edition: object, folder: Path, location: Location) -> Document:
    """Return the document of one edition, read from a file or generated."""
    if not is_generated(edition):
        return read_document(_path(edition, folder, location))
    spec = parse_spec(str(edition), location)
    if spec.is_set:
        location.fail(
            f"{spec.id} names {spec.count:,} editions, and one is needed here, such as "
            f"{spec.one(0).id}"
        )
    return _generated(spec)


@lru_cache(maxsize=256)
def _generated(spec: Spec) -> Document:
    """Return the document of a generated edition."""
    return generated_document(spec, load_edition(DEFAULT).rules[0])


def _path(edition: object, folder: Path, location: Location) -> Path:
    """Return the path of an edition: a built-in id, or a path relative to ``folder``."""
    if not isinstance(edition, str | Path):
        location.fail(f"must be an id or the path of a YAML file, not {show(edition)}")
    if isinstance(edition, str) and edition in (*editions(), *SMALL):
        return FOLDER / f"{edition}.yaml"
    try:
        path = (folder / edition).expanduser().resolve()
        is_there = path.exists() and not path.is_dir()
    except (OSError, ValueError, RuntimeError) as problem:
        why = getattr(problem, "strerror", None) or problem  # str(problem) would repeat the path
        location.fail(f"{show(str(edition))} is not a path: {why}")
    if not is_there:
        _fail_missing(edition, path, location)
    return path


def _fail_missing(edition: str | Path, path: Path, location: Location) -> None:
    """Raise an error that lists the available editions."""
    built_in = (*editions(), *SMALL)
    ids = ", ".join(built_in)
    if isinstance(edition, Path) or path.suffix in (".yaml", ".yml") or "/" in edition:
        location.fail(f"there is no file {path}; give a file that exists, or one of {ids}")
    close = suggest(edition, built_in)
    remedy = f"{close} " if close.startswith("did") else ""
    location.fail(
        f"there is no edition {show(edition)}; {remedy}known are {ids}, any YAML file by its path, and "
        f"generated ones such as {FORM.partition(',')[0]}"
    )


# --- merging ---


@lru_cache(maxsize=256)
def _edition(chain: tuple[Document, ...], mode: str, overrides_json: str) -> Edition:
    """Return the edition described by a chain of documents."""
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
    for doc in chain:
        write_layout(rules, doc.layout)
    _check_offered(top, rules, overrides, optional)
    _override(rules, sources, overrides)
    settle_layout(rules, top.location / "layout")
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
        names=names_of(chain, rules),
        min_players=least,
        max_players=most,
        rules=rules,
        sources=sources,
        optional_rules=optional,
        house_rules=tuple({rule.name: rule for d in chain for rule in d.house_rules}.values()),
    )


def _players(chain: tuple[Document, ...], overrides: dict[str, Value]) -> tuple[int, int]:
    """Return the minimum and maximum number of players."""
    players = {key: value for doc in chain for key, value in doc.players.items()}
    least, most = players.get("min", 2), players.get("max", 8)
    if least > most:
        (chain[-1].location / "players").fail(f"min {least} is more than max {most}")
    override = overrides.get("max_players", most)
    return least, override if isinstance(override, int) else most


def _rules(layers: list[RuleValues], top: Document) -> Any:
    """Return the RULES record after applying all layers in order, checked."""
    rules = blank()
    for layer in layers:
        for name, value in layer.values:
            write_value(rules, name, value)
    check_complete(rules, top.location)
    check_decks(rules, top.location / "decks")
    return rules


def _override(rules: Any, sources: dict[str, str], overrides: dict[str, Value]) -> None:
    """Write the overrides, and mark their sources."""
    for name in overrides.keys() & FIELDS.keys():
        write_value(rules, name, overrides[name])
        sources[name] = "override"
    if overrides.keys() & set(DECK_FIELDS):
        check_decks(rules, EditionError.at("rules") / "deck")


def _id(top: Document) -> str:
    """Return the edition's id: from the file's content, or else from its name."""
    id_ = top.about.get("id", top.path.stem)
    if id_ in (*editions(), *SMALL) and top.path.parent != FOLDER:
        (top.location / "id").fail(f"{id_} is a built-in edition; give this one an id of its own")
    return id_


def _inherited(chain: tuple[Document, ...], key: str) -> str:
    """Return the value of ``key`` in the topmost document that has it."""
    return next((d.about[key] for d in reversed(chain) if key in d.about), "")


def _modes(chain: tuple[Document, ...]) -> dict[str, list[RuleValues]]:
    """Return the modes of an edition and their changes, in order."""
    modes: dict[str, list[RuleValues]] = {STANDARD: []}
    for doc in chain:
        for name, changes in doc.modes.items():
            if changes is None:
                modes.pop(name, None)
            else:
                modes.setdefault(name, []).append(changes)
    return modes


def _fail_mode(top: Document, mode: str, modes: Mapping[str, object]) -> None:
    """Raise an error that lists the modes, and the editions that have the requested one."""
    others = [id_ for id_ in editions() if mode in _modes(_chain(id_))]
    elsewhere = f"; {', '.join(others)} {'have' if len(others) > 1 else 'has'} it" if others else ""
    rounds = "; the rule time_limit_rounds ends any game" if mode == "time_limit" else ""
    EditionError.at(_id(top)).fail(
        f"has no mode {show(mode)}; its modes are {', '.join(modes)}{elsewhere}{rounds}"
    )


def _check_offered(
    top: Document, rules: Any, overrides: dict[str, Value], optional: dict[str, str]
) -> None:
    """Check that overrides enable optional rules only where the book offers them."""
    for name in OFFERED_ONLY:
        if overrides.get(name) and name not in optional and not read_value(rules, name):
            having = [i for i in editions() if any(name in d.optional_rules for d in _chain(i))]
            (EditionError.at("rules") / name).fail(
                f"{_id(top)} has no such optional rule; {', '.join(having)} have it"
            )
