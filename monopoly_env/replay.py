"""Replays recorded games action by action, and writes transcripts.

>>> from monopoly_env import Game
>>> game = Game(players=2, seed=7)
>>> game.play("roll")
>>> replay(game.record()) == game
True
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from monopoly_env.editions import load_edition
from monopoly_env.errors import InputError, Location, show
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS, parse_action
from monopoly_env.records import check_record, edition_hash, result_of, versions
from monopoly_env.records.record import RECORD


def replay(record: Mapping[str, Any], location: Location = RECORD, check: bool = True) -> Game:
    """Replay all actions of a record and return the game.

    ``check`` compares the outcome with the recorded one.
    Raises: RecordError that names the first action or part of the result that differs.
    """
    steps = replay_steps(record, location, check)
    game, _ = next(steps)
    for _ in steps:  # every step yields the same Game object
        pass
    return game


def replay_steps(
    record: Mapping[str, Any], location: Location = RECORD, check: bool = True
) -> Iterator[tuple[Game, str | None]]:
    """Yield the game before its first action, with None, then after each action, with its text.

    Every step yields the same Game object; use :meth:`Game.copy` to keep a state.
    """
    record = check_record(record, location)
    game = _begin(record, location)
    yield game, None
    for number, text in enumerate(record["actions"], 1):
        here = location / f"action {number} of {len(record['actions'])}"
        _replay_action(game, text, here, record)
        yield game, text
    if check:
        _compare(record, game, location)


def _begin(record: Mapping[str, Any], location: Location) -> Game:
    """Return the game at the start of a record."""
    named, mode, rules = record["edition"], record["mode"], record.get("rules") or {}
    try:
        edition = load_edition(named, mode, rules)
        if "seed" in record:
            game = Game(edition, record["players"], record["seed"])
        else:
            game = Game.from_position(record["position"])
    except InputError as problem:
        location.fail(f"{problem}{_other_versions(record)}")
    then, now = record.get("edition_hash"), edition_hash(game.edition)
    if then not in (None, now):
        (location / "edition_hash").fail(
            f"the edition {named} has other rules now: {show(then)} when the game was played, now "
            f"{show(now)}; replay it with the edition that it was played with"
        )
    return game


def _replay_action(game: Game, text: str, location: Location, record: Mapping[str, Any]) -> None:
    """Play one recorded action, such as ``A roll``."""
    letter, _, action = text.partition(" ")
    if letter != game.actor:
        decides = f"{game.actor} decides" if game.actor else "the game is over"
        location.fail(f"{show(text)}, but {decides}{_other_versions(record)}")
    try:
        number = parse_action(action, game.actor_seat, game.players)
        game.play(number)
    except ValueError as problem:
        location.fail(f"{problem}{_other_versions(record)}")


def _compare(record: Mapping[str, Any], game: Game, location: Location) -> None:
    """Check that the outcome equals the recorded one."""
    result = result_of(game.state.reshape(1), game.edition)
    for key, value in record["result"].items():
        if key == "state" and _other_versions(record):
            continue  # another version may store the state differently
        if result[key] != value:
            (location / "result" / key).fail(
                f"was {show(value)}, replayed it is {show(result[key])}{_other_versions(record)}"
            )


def _other_versions(record: Mapping[str, Any]) -> str:
    """Return the versions that differ, as a suffix for error messages; empty if none do."""
    now = versions()
    other = [
        f"{key.replace('_', ' ')} {record[key]}, now {now[key]}"
        for key in now
        if key in record and record[key] != now[key]
    ]
    return f" (saved with {'; '.join(other)})" if other else ""


# --- transcripts ---


def transcript(record: Mapping[str, Any], location: Location = RECORD) -> Iterator[str]:
    """Yield a record as readable lines: each action, and the events that followed."""
    for game, text in replay_steps(record, location):
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
    """Yield the header lines of a transcript."""
    rules = "".join(f", {name} {value}" for name, value in game.edition.overrides.items())
    began = "from a position" if game.seed is None else f"seed {game.seed}"
    yield f"{game.edition.title}, {game.edition.mode}, {game.players} players, {began}{rules}"
    for seat, bot in enumerate(record.get("bots") or ()):
        yield f"{LETTERS[seat]} ({game.edition.names.token(seat)}): {bot}"
