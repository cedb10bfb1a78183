"""Creates and checks records: how a game began, its actions, and its result."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import version
from typing import Any

import numpy as np

from monopoly_env.editions import Edition
from monopoly_env.editions.frozen import thawed
from monopoly_env.engine.actions import TEXTS
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.rules import LAYOUT, LAYOUT_AT
from monopoly_env.engine.state import GAME
from monopoly_env.errors import InputError, Location, RecordError, show
from monopoly_env.files import without_digest
from monopoly_env.hands import read_standings, winners_in
from monopoly_env.notation import LETTERS, action_texts

COUNTS_AT = int(GAME.fields["offers_made"][1])  # type: ignore[index]  # in a GAME record, in bytes
ALIGNMENT = 8  # of a GAME record, in bytes
FORMAT = 1  # version of the keys of a record
RULES_VERSION = 3  # increases when saved games would replay differently
ACTIONS_VERSION = zlib.crc32("\n".join(TEXTS).encode())  # checksum of the action table
KEYS = (
    "format",
    "version",
    "rules_version",
    "actions_version",
    "edition",
    "edition_hash",
    "mode",
    "rules",
    "players",
    "seed",
    "position",
    "bots",
    "actions",
    "result",
    "negotiation",
    "answers",
)
NEEDED = ("format", "edition", "mode", "players", "actions", "result")
RESULT_KEYS = ("over", "truncated", "winners", "ranks", "worth", "turns", "decisions", "state")
RECORD = RecordError.at("record")  # location in errors about a record that is not from a file


# --- making ---


def make_record(
    games: Any,
    edition: Edition,
    start: int | Mapping[str, Any],
    history: Iterable[tuple[int, int]],
    bots: Iterable[str] = (),
) -> dict[str, Any]:
    """Return the first of ``games`` as plain data: how it began, its actions, and its result.

    Args:
        games: an array of GAME records.
        edition: its edition.
        start: the seed, or the position as data, from which it began.
        history: the actions so far as (seat, id).
        bots: the names of the players, by seat.

    Raises: RecordError if ``bots`` is not a list of names.
    """
    players = int(games["players"][0])
    record: dict[str, Any] = {
        "format": FORMAT,
        **versions(),
        "edition": edition.reference,
        "edition_hash": edition_hash(edition),
        "mode": edition.mode,
        "rules": thawed(edition.overrides),
        "players": players,
    }
    record["position" if isinstance(start, Mapping) else "seed"] = start
    record["bots"] = _bot_names(bots, players, RecordError.at("bots"))
    record["actions"] = [
        f"{LETTERS[seat]} {action_texts(seat, players)[action]}" for seat, action in history
    ]
    record["result"] = result_of(games, edition)
    return record


def _bot_names(bots: object, players: int, location: Location) -> list[str]:
    """Return who plays, by seat; nobody need be named."""
    if isinstance(bots, str) or not isinstance(bots, Iterable):
        location.fail(f"must be a list of names, such as ['ann', 'ben'], not {show(bots)}")
    try:
        names = location.texts([str(bot) for bot in bots])
    except InputError:
        raise
    except Exception:  # noqa: BLE001 - third-party objects may raise anything
        location.fail(f"must be a list of names, such as ['ann', 'ben'], not {show(bots)}")
    if len(names) > players:
        location.fail(f"must be up to {players} names, one a player, not {len(names)}")
    return names


@cache
def package_version() -> str:
    """Return the installed version of monopoly-env."""
    return version("monopoly-env")


def versions() -> dict[str, Any]:
    """Return the versions that a record stores, for comparison by later versions."""
    return {
        "version": package_version(),
        "rules_version": RULES_VERSION,
        "actions_version": ACTIONS_VERSION,
    }


def edition_hash(edition: Edition) -> str:
    """Return a short hash of all rules, which reveals a changed edition file.

    A blank layout, at the end of the record, is left out, so that the hashes of editions of the
    whole board do not depend on it.
    """
    content = edition.rules.tobytes()
    if not any(np.any(edition.rules[name]) for name in LAYOUT):
        content = content[:LAYOUT_AT]
    return hashlib.sha256(content).hexdigest()[:16]


def _state_hash(game: Any) -> str:
    """Return a short hash of a GAME record without its counts of past offers.

    They follow from the actions, and games that were saved before there were any keep their hashes.
    """
    content = game.tobytes()[:COUNTS_AT]
    return hashlib.sha256(content + bytes(-len(content) % ALIGNMENT)).hexdigest()[:16]


def result_of(games: Any, edition: Edition) -> dict[str, Any]:
    """Return the result of the first of ``games``.

    ``state`` is a hash of its GAME record, so that any difference is noticed.
    """
    game = games[0]
    rows = sorted(read_standings(games, edition.rules), key=lambda row: row.player)
    return {
        "over": bool(game["phase"] == Phase.OVER),
        "truncated": bool(game["truncated"]),
        "winners": list(winners_in(games, edition.rules)),
        "ranks": [row.rank for row in rows],
        "worth": [row.worth for row in rows],
        "turns": int(game["turns"]),
        "decisions": int(game["decisions"]),
        "state": _state_hash(game),
    }


# --- checking ---


def check_record(raw: object, location: Location = RECORD) -> dict[str, Any]:
    """Return ``raw`` as a record after checking its keys and types; an error names the key.

    The digest of a record from a file is verified and removed. A record made with other rules is
    refused, because its actions would be played differently.
    """
    if not isinstance(raw, Mapping):
        location.fail(f"must be a record, a JSON object, not {show(raw)}")
    form = raw.get("format")
    if form != FORMAT:
        location.fail(
            f"has format {show(form)}; this is monopoly-env {package_version()}, "
            f"which reads format {FORMAT}"
        )
    raw = without_digest(raw, location, needed=False, hint="take the digest out of what you edit")
    record = location.mapping(raw, "key", KEYS)
    for key in NEEDED:
        if key not in record:
            (location / key).fail("is missing")
    if record.get("rules_version", RULES_VERSION) != RULES_VERSION:
        (location / "rules_version").fail(
            f"is {show(record['rules_version'])}, of monopoly-env {show(record.get('version'))}; "
            f"this is {package_version()} with {RULES_VERSION}, which would play it differently"
        )
    if "version" in record:
        (location / "version").text(record["version"])
    if "actions_version" in record:
        (location / "actions_version").whole(record["actions_version"], 0, 2**32 - 1)
    (location / "actions").texts(record["actions"])
    players = (location / "players").whole(record["players"], 2, len(LETTERS))
    bots = (location / "bots").texts(record.get("bots", []))
    _bot_names(bots, players, location / "bots")
    if ("seed" in record) == ("position" in record):
        location.fail("must have a seed or a position, one of them")
    for key in ("rules", "position"):
        (location / key).mapping(record.get(key))
    _check_talk(record, location)
    result = (location / "result").mapping(record["result"], "key", RESULT_KEYS)
    for key in RESULT_KEYS:
        if key not in result:
            (location / "result" / key).fail("is missing; a result says how the game stands")
    return record


def _check_talk(record: Mapping[str, Any], location: Location) -> None:
    """Check the parts that are not replayed: the negotiation, and the answers of models."""
    (location / "negotiation").mapping(record.get("negotiation"))
    if not isinstance(record.get("answers", []), list):
        (location / "answers").fail(f"must be a list, not {show(record['answers'])}")
