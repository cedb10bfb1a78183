"""Generate the package's JSON Schema files from what the readers of positions and records accept.

    python -m monopoly_training.reference.schemas    rewrites monopoly_env/schemas

They define keys and types of values. Whether the rules can reach a position, or play a record, is
checked when it is read.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import monopoly_env
from monopoly_env.compiler.records import Field, fields
from monopoly_env.editions.values import PILES
from monopoly_env.engine.board import DEEDS, HOTEL, PLAYERS, SPACE_IDS, STREETS
from monopoly_env.engine.cards import CARD_IDS
from monopoly_env.engine.money import MOST_MONEY
from monopoly_env.engine.phases import Task
from monopoly_env.engine.state import AGENDA, FORCED, RENT_CLAIMS, AgendaItem, RentClaim
from monopoly_env.files import DIGITS
from monopoly_env.notation import LETTERS
from monopoly_env.position.document import KEYS
from monopoly_env.position.engine_state import (
    ENGINE_KEYS,
    ENUMS,
    FIELDS,
    ITEM_IDS,
    MOST,
    MOST_TIMES,
    PLAIN,
)
from monopoly_env.position.hidden import HIDDEN_KEYS
from monopoly_env.position.public_state import (
    BANK_KEYS,
    CARDS,
    DOUBLES,
    MOST_STORED,
    MOST_TURNS,
    PLAYER_KEYS,
)
from monopoly_env.records.record import FORMAT, NEEDED, RESULT_KEYS, RULES_VERSION
from monopoly_env.records.record import KEYS as RECORD_KEYS

FOLDER = Path(monopoly_env.__file__).parent / "schemas"
DRAFT = "http://json-schema.org/draft-07/schema#"
Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
ANY: Schema = {"type": "object"}
SEAT: Schema = {"enum": list(LETTERS)}
NO_SEAT: Schema = {"enum": [None, *LETTERS]}
SEATS: Schema = {"type": "array", "items": SEAT}
SPACE: Schema = {"enum": list(SPACE_IDS)}
NO_SPACE: Schema = {"enum": [None, *SPACE_IDS]}
HEX = f"^[0-9a-f]{{{DIGITS}}}$"


def whole(low: int, high: int) -> Schema:
    """Return the schema of an integer within bounds."""
    return {"type": "integer", "minimum": low, "maximum": high}


def some(items: Schema, most: int, least: int = 0) -> Schema:
    """Return the schema of a list with ``least`` to ``most`` items."""
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


def closed(
    properties: dict[str, Schema], known: tuple[str, ...], needed: tuple[str, ...] = ()
) -> Schema:
    """Return the schema of an object with exactly the keys ``known``, those of the reader."""
    if properties.keys() != set(known):
        raise ValueError(f"the schema and the reader differ in {properties.keys() ^ set(known)}")
    schema: Schema = {
        "type": "object",
        "properties": {name: properties[name] for name in known},
        "additionalProperties": False,
    }
    return schema | ({"required": list(needed)} if needed else {})


# --- positions ---


def position_schema() -> Schema:
    """Return the schema of :meth:`Game.from_position` and :meth:`Game.position`."""
    properties = {
        "edition": TEXT,
        "mode": TEXT,
        "rules": ANY,
        "players": whole(2, PLAYERS),
        "turn": SEAT,
        "bank": closed({name: whole(0, 1000) for name in BANK_KEYS}, BANK_KEYS),
        "doubles": whole(0, DOUBLES),
        "rounds": whole(0, MOST_TURNS),
        **{letter: {"$ref": "#/definitions/player"} for letter in LETTERS},
        "hidden": {"$ref": "#/definitions/hidden"},
        "engine": {"$ref": "#/definitions/engine"},
    }
    definitions = {"player": player(), "hidden": hidden(), "engine": engine()}
    return {
        "$schema": DRAFT,
        "title": "A position of monopoly-env",
        "description": "Who is where and has what. Only `players` is needed; what is not said is as "
        "at the start of a game. `hidden` and `engine` go on exactly where a game stood.",
        **closed(properties, KEYS, ("players",)),
        "definitions": definitions,
    }


def player() -> Schema:
    """Return the schema of one player."""
    deeds = [SPACE_IDS[square] + star for square in DEEDS for star in ("", "*")]
    streets = {SPACE_IDS[square]: whole(1, HOTEL) for square in STREETS}
    properties = {
        "at": SPACE,
        "cash": whole(0, MOST_STORED),
        "deeds": {
            "description": "a star behind the id: mortgaged",
            "type": "array",
            "items": {"enum": deeds},
            "uniqueItems": True,
        },
        "buildings": {
            "description": "1 to 4 houses, 5 a hotel",
            "type": "object",
            "properties": streets,
            "additionalProperties": False,
        },
        "cards": some({"enum": list(CARDS)}, len(CARDS)),
        "jail": {
            "description": "in Jail, after so many failed throws",
            **whole(0, MOST["jail_tries"]),
        },
        "out": FLAG,
    }
    return closed(properties, PLAYER_KEYS)


def hidden() -> Schema:
    """Return the schema of hidden information."""
    pile = {"type": "array", "items": {"enum": list(CARD_IDS)}, "uniqueItems": True}
    properties = {
        "rng": whole(0, 2**64 - 1),
        **{name: {"description": "top card first", **pile} for name in PILES},
        "dice": {"description": "throws to come", **some(some(whole(1, 6), 2, 2), FORCED)},
        "dice_used": whole(0, FORCED),
        "dice_only": FLAG,
    }
    return closed(properties, HIDDEN_KEYS)


def engine() -> Schema:
    """Return the schema of engine state that does not follow from the public state."""
    properties = {
        "over": FLAG,
        "truncated": FLAG,
        **{name: engine_field(FIELDS[name], MOST.get(name)) for name in PLAIN},
        "agenda": some(agenda_item(), AGENDA, 1),
        "claims": some({"anyOf": [{"type": "null"}, rent_claim()]}, RENT_CLAIMS),
    }
    return closed(properties, ENGINE_KEYS)


def engine_field(field: Field, most: int | None) -> Schema:
    """Return the schema of a field of the game: a value, a list, or a mapping by player."""
    if not field.shape:
        return {"description": field.meaning, **value_of(field, field.unit, most)}
    number = value_of(field, "", most)
    if field.shape == (PLAYERS,):
        seats = dict.fromkeys(LETTERS, number)
        schema: Schema = {"type": "object", "properties": seats, "additionalProperties": False}
    else:
        schema = some(number, field.shape[0], field.shape[0])
    return {"description": field.meaning, **schema}


def value_of(field: Field, unit: str, most: int | None = None) -> Schema:
    """Return the schema of a value, by its unit."""
    known: dict[str, Schema] = {
        "seat": NO_SEAT,
        "square": NO_SPACE,
        "squares": {"type": "array", "items": {"enum": list(ITEM_IDS)}},
        "seats": SEATS,
        **{name: {"enum": [member.name for member in enum]} for name, enum in ENUMS.items()},
    }
    if unit in known:
        return known[unit]
    if most is None:
        most = MOST_MONEY if "$" in unit else int(np.iinfo(np.dtype(field.storage)).max)
    return whole(0, most)


def agenda_item() -> Schema:
    """Return the schema of an agenda item; some tasks store other things in its fields."""
    items = dict(fields(AgendaItem))
    del items["kind"]
    properties = {name: value_of(field, field.unit) for name, field in items.items()}
    properties["other"] = {"enum": [None, *LETTERS, "everyone"]}
    properties["amount"] = {"anyOf": [properties["amount"], SEATS]}
    properties["squares"] = {"anyOf": [properties["squares"], SEATS]}
    task = {"task": {"enum": [member.name for member in Task]}}
    return closed(task | properties, ("task", *items), ("task",))


def rent_claim() -> Schema:
    """Return the schema of a rent claim."""
    parts = fields(RentClaim)
    properties = {
        name: value_of(field, field.unit, MOST_TIMES if name == "multiplier" else None)
        for name, field in parts.items()
    }
    return closed(properties, tuple(parts), tuple(parts))


# --- records ---


def record_schema() -> Schema:
    """Return the schema of :meth:`Game.record` and of the lines of record files."""
    position = position_schema()
    definitions = position.pop("definitions") | {
        "position": {
            name: part for name, part in position.items() if name not in ("$schema", "title")
        }
    }
    properties = {
        "format": {"const": FORMAT},
        "version": TEXT,
        "rules_version": {"const": RULES_VERSION},
        "actions_version": whole(0, 2**32 - 1),
        "edition": TEXT,
        "edition_hash": TEXT,
        "mode": TEXT,
        "rules": ANY,
        "players": whole(2, PLAYERS),
        "seed": whole(0, 2**63 - 1),
        "position": {"$ref": "#/definitions/position"},
        "bots": some(TEXT, PLAYERS),
        "actions": {
            "type": "array",
            "items": {"type": "string", "pattern": "^[A-H] [a-z_]+(:.+)?$"},
        },
        "result": result(),
        "negotiation": {"description": "what was said and promised, by TextEnv", **ANY},
        "answers": {
            "description": "what language models answered, by TextEnv",
            "type": "array",
            "items": ANY,
        },
        "digest": {"type": "string", "pattern": HEX},
    }
    return {
        "$schema": DRAFT,
        "title": "A record of a game of monopoly-env",
        "description": "How the game began (a seed, or a position), every action, and how it stood "
        "after them.",
        **closed(properties, (*RECORD_KEYS, "digest"), NEEDED),
        "oneOf": [{"required": ["seed"]}, {"required": ["position"]}],
        "definitions": definitions,
    }


def result() -> Schema:
    """Return the schema of a game's result."""
    properties = {
        "over": FLAG,
        "truncated": FLAG,
        "winners": some(SEAT, PLAYERS),
        "ranks": some(whole(1, PLAYERS), PLAYERS, 2),
        "worth": some({"type": "integer"}, PLAYERS, 2),
        "turns": whole(0, MOST_TURNS),
        "decisions": whole(0, 2 * MOST_TURNS),
        "state": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
    }
    return closed(properties, RESULT_KEYS, RESULT_KEYS)


def schema_texts() -> dict[str, str]:
    """Return the files by name."""
    schemas = {"position": position_schema(), "record": record_schema()}
    return {
        f"{name}.schema.json": json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
        for name, schema in schemas.items()
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in schema_texts().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
