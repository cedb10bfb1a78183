"""Saved games: one game a JSON line, a header and its actions as text, replayed exactly.

>>> from monopoly_env import Game
>>> game = Game(players=2, seed=7)
>>> game.play("roll")
>>> record = game.record(bots=["ann", "ben"])
>>> record["actions"]
['A roll']
>>> replay(record) == game
True
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import warnings
import zlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import monopoly_env
from monopoly_env.editions import Edition, EditionError, load_edition
from monopoly_env.engine.actions import TEXTS
from monopoly_env.errors import InputError, Location, show
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS, NotAnAction, action_texts, parse_action
from monopoly_env.position import PositionError

FORMAT = 1  # what the keys of a record mean
RULES = 2  # goes up when a saved game would be replayed differently
ACTIONS = zlib.crc32("\n".join(TEXTS).encode())  # of the action table
KEYS = (
    "format", "version", "rules_version", "actions_version", "edition", "edition_hash", "mode",
    "rules", "players", "seed", "position", "bots", "actions", "result",
)  # fmt: skip
NEEDED = ("format", "edition", "mode", "players", "actions", "result")


class RecordError(InputError):
    """A record that cannot be read or replayed; one line that names file, line and action."""


class RecordWarning(UserWarning):
    """A file of records that was cut off while it was written."""


# --- making ---


def make_record(game: Game, bots: Iterable[str] = ()) -> dict[str, Any]:
    """A game so far as plain data: how it began, what was done, how it stands.

    ``bots`` names who plays, by seat. Raises: RecordError if that is no list of names.
    """
    record: dict[str, Any] = {
        "format": FORMAT,
        **_versions(),
        "edition": game.edition.reference,
        "edition_hash": edition_hash(game.edition),
        "mode": game.edition.mode,
        "rules": game.edition.overrides,
        "players": game.players,
    }
    if game.seed is not None:
        record["seed"] = game.seed
    else:
        record["position"] = game.start_position()
    record["bots"] = _bot_names(bots, game.players, record_location("bots"))
    record["actions"] = [
        f"{LETTERS[seat]} {action_texts(seat, game.players)[action]}"
        for seat, action in game.history
    ]
    record["result"] = result_of(game)
    return record


def _bot_names(bots: object, players: int, place: Location) -> list[str]:
    """Who plays, by seat; nobody need be named."""
    if isinstance(bots, str) or not isinstance(bots, Iterable):
        place.fail(f"must be a list of names, such as ['ann', 'ben'], not {show(bots)}")
    names = place.texts([str(bot) for bot in bots])
    if len(names) > players:
        place.fail(f"must be up to {players} names, one a player, not {len(names)}")
    return names


def _versions() -> dict[str, Any]:
    return {
        "version": monopoly_env.version,
        "rules_version": RULES,
        "actions_version": ACTIONS,
    }


def edition_hash(edition: Edition) -> str:
    """A short hash of all rules in force, so that a changed edition file is noticed."""
    return hashlib.sha256(edition.rules.tobytes()).hexdigest()[:16]


def result_of(game: Game) -> dict[str, Any]:
    """How a game stands; ``state`` is a hash of its record, so that nothing can differ unseen."""
    rows = sorted(game.standings(), key=lambda row: row.player)
    return {
        "over": game.over,
        "truncated": game.truncated,
        "winners": list(game.winners),
        "ranks": [row.rank for row in rows],
        "worth": [row.worth for row in rows],
        "turns": int(game.state["turns"]),
        "decisions": int(game.state["decisions"]),
        "state": hashlib.sha256(game.state.tobytes()).hexdigest()[:16],
    }


# --- writing ---


def write_record(path: str | Path, record: Mapping[str, Any]) -> None:
    """Add one record to a file, in one write. A torn last line, left by a kill, is cut off.

    Raises: RecordError if the file cannot be written, or is no file of records.
    """
    place = record_location(str(path))
    check_record(record, place)
    line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        with Path(path).open("a+b", buffering=0) as file:
            _cut_torn_line(file, place)
            if file.write(line) != len(line):
                place.fail("the record was written in part only; is the disk full?")
            os.fsync(file.fileno())
    except OSError as problem:
        place.fail(f"cannot be written: {problem.strerror or problem}")


def _cut_torn_line(file: io.FileIO, place: Location) -> None:
    """Take off a last line that is the beginning of a record; end one that is whole."""
    end = file.seek(0, os.SEEK_END)
    if end == 0:
        return
    file.seek(end - 1)
    if file.read(1) == b"\n":
        return
    begin = _last_line_start(file, end)
    file.seek(begin)
    last = file.read(end - begin)
    if _is_json(last):
        file.write(b"\n")
        return
    if not b'{"format":'.startswith(last[:10]):
        place.fail("is no file of records: its last line is something else; name another file")
    file.truncate(begin)
    _warn_torn(place)


def _last_line_start(file: io.FileIO, end: int) -> int:
    """Where the last line begins."""
    block = 1 << 16
    while end > 0:
        begin = max(0, end - block)
        file.seek(begin)
        found = file.read(end - begin).rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        end = begin
    return 0


def _warn_torn(place: Location) -> None:
    warnings.warn(
        f"{place.file}: the last line was cut off while it was written; it is left out",
        RecordWarning,
        stacklevel=4,
    )


# --- reading ---


def read_records(path: str | Path) -> Iterator[dict[str, Any]]:
    """The records of a file, in order; one whose name ends in .gz is compressed.

    A torn end is left out, with a warning.
    Raises: RecordError that names the line for anything else that is no record.
    """
    place = record_location(str(path))
    try:
        with gzip.open(path) if Path(path).suffix == ".gz" else Path(path).open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n") and not _is_json(line):
                    _warn_torn(place)
                    return
                if line.strip():
                    yield _checked(line, record_location(f"{path}: line {number}"))
    except EOFError:  # compressed, and cut off
        _warn_torn(place)
    except OSError as problem:
        place.fail(f"cannot be read: {problem.strerror or problem}")


def record_location(where: str) -> Location:
    """Where a record stands, for its errors."""
    return Location(where, error=RecordError)


def record_at(path: str | Path, number: int) -> dict[str, Any]:
    """One record of a file, counted from 1. Raises: RecordError if there are fewer."""
    record = next(islice(read_records(path), number - 1, None), None)
    if record is None:
        record_location(str(path)).fail(f"there is no game number {number}; it has fewer")
    return record


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _checked(line: bytes, place: Location) -> dict[str, Any]:
    """One line as a record whose parts have the right types."""
    try:
        raw = json.loads(line)
    except ValueError as problem:
        place.fail(f"is not JSON: {problem}")
    except RecursionError:
        place.fail("is nested too deeply to be a record")
    return check_record(raw, place)


def check_record(raw: object, place: Location) -> dict[str, Any]:
    """``raw`` as a record whose parts have the right types; an error names the key."""
    if not isinstance(raw, Mapping):
        place.fail(f"must be a record, a JSON object, not {show(raw)}")
    form = raw.get("format")
    if form != FORMAT:
        place.fail(
            f"has format {show(form)}; this is monopoly-env {monopoly_env.version}, "
            f"which reads format {FORMAT}"
        )
    record = place.mapping(raw, "key", KEYS)
    for key in NEEDED:
        if key not in record:
            (place / key).fail("is missing")
    (place / "actions").texts(record["actions"])
    players = (place / "players").whole(record["players"], 2, len(LETTERS))
    _bot_names(record.get("bots", []), players, place / "bots")
    if ("seed" in record) == ("position" in record):
        place.fail("must have a seed or a position, one of them")
    for key in ("rules", "result", "position"):
        (place / key).mapping(record.get(key))
    if record["result"] is None:
        (place / "result").fail("must say how the game stands, not nothing")
    return record


# --- replaying ---


def replay(record: Mapping[str, Any], place: Location | None = None, check: bool = True) -> Game:
    """The game of a record, every action played again.

    ``check`` compares the outcome with the recorded one.
    Raises: RecordError that names the first action or part of the result that differs.
    """
    game, steps = None, replay_steps(record, place, check)
    for game, _ in steps:  # noqa: B007  (the last one is wanted)
        pass
    if game is None:
        raise RecordError("record: has no beginning")
    return game


def replay_steps(
    record: Mapping[str, Any], place: Location | None = None, check: bool = True
) -> Iterator[tuple[Game, str | None]]:
    """The game before its first action, with None, then after each action, with its text.

    It is one and the same game that goes on; :meth:`Game.copy` keeps a state.
    """
    place = place or record_location("record")
    record = check_record(record, place)
    game = _begin(record, place)
    yield game, None
    for number, text in enumerate(record["actions"], 1):
        _replay_action(game, text, _action_place(place, number, record), record)
        yield game, text
    if check:
        _compare(record, game, place)


def _begin(record: Mapping[str, Any], place: Location) -> Game:
    """The game in which a record begins."""
    named, mode, rules = record["edition"], record["mode"], record.get("rules") or {}
    try:
        edition = load_edition(named, mode, rules)
        if "seed" in record:
            return Game(edition, record["players"], record["seed"])
        return Game.from_position(record["position"])
    except (EditionError, PositionError) as problem:
        place.fail(f"{problem}{_other_versions(record)}")


def _action_place(place: Location, number: int, record: Mapping[str, Any]) -> Location:
    return place / f"action {number} of {len(record['actions'])}"


def _replay_action(game: Game, text: str, place: Location, record: Mapping[str, Any]) -> None:
    """Play one recorded action, ``A roll``."""
    letter, _, action = text.partition(" ")
    if letter != game.actor:
        decides = f"{game.actor} decides" if game.actor else "the game is over"
        place.fail(f"{show(text)}, but {decides}{_differences(record, game)}")
    try:
        number = parse_action(action, game.actor_seat, game.players)
        game.play(number)
    except NotAnAction as problem:
        place.fail(f"{problem}{_differences(record, game)}")
    except ValueError as problem:
        place.fail(f"{problem}{_differences(record, game)}")


def _compare(record: Mapping[str, Any], game: Game, place: Location) -> None:
    """The outcome must be the recorded one."""
    result = result_of(game)
    for key, value in record["result"].items():
        if key == "state" and _other_versions(record):
            continue  # another version may keep its numbers otherwise
        if key in result and result[key] != value:
            (place / "result" / key).fail(
                f"was {show(value)}, replayed it is {show(result[key])}{_differences(record, game)}"
            )


def _differences(record: Mapping[str, Any], game: Game) -> str:
    """What else is not as it was when the record was made, as the end of a message."""
    text = _other_versions(record)
    then = record.get("edition_hash")
    if then is not None and then != edition_hash(game.edition):
        text += f" (the edition {record['edition']} has other rules now)"
    return text


def _other_versions(record: Mapping[str, Any]) -> str:
    """The versions that differ, as the end of a message; empty if none does."""
    now = _versions()
    other = [
        f"{key.replace('_', ' ')} {record[key]}, now {now[key]}"
        for key in now
        if key in record and record[key] != now[key]
    ]
    return f" (saved with {'; '.join(other)})" if other else ""


# --- transcripts ---


def transcript(record: Mapping[str, Any], place: Location | None = None) -> Iterator[str]:
    """A record as lines for people: what was done, and what came of it."""
    for game, text in replay_steps(record, place):
        if text is None:
            yield from _title(record, game)
        happened = "; ".join(str(event) for event in game.journal())
        if text is None:
            yield happened
        else:
            yield f"{text:<24} {happened}".rstrip()
    ranks = ", ".join(
        f"{row.rank}. {row.player} {game.edition.names.money(row.worth)}"
        for row in game.standings()
    )
    yield f"{'over' if game.over else 'so far'}: {ranks}"


def _title(record: Mapping[str, Any], game: Game) -> Iterator[str]:
    """The head of a transcript."""
    rules = "".join(f", {name} {value}" for name, value in game.edition.overrides.items())
    began = "from a position" if game.seed is None else f"seed {game.seed}"
    yield f"{game.edition.title}, {game.edition.mode}, {game.players} players, {began}{rules}"
    for seat, bot in enumerate(record.get("bots") or ()):
        yield f"{LETTERS[seat]} ({game.edition.names.token(seat)}): {bot}"
