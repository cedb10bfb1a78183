"""Converts a CSV log of one game's moves into records.

    python examples/csv_to_records.py moves.csv games.jsonl --edition classic --players 3

The first line of the file names the columns. Each other line is one decision:

    player,action,dice,cards
    A,roll,2 4,
    A,buy,,
    B,roll,3 4,ch_go

``dice`` are the throws of that action, ``cards`` the ids of the drawn cards, separated by ``;``. A
decision with a single legal action, such as ending a turn, may be omitted. Every line is played by
the rules; the first invalid line is reported with the reason.

A position can preset 96 throws, and each card of a deck once. A longer game becomes several
records, each of which begins where the previous one ended. ``monopoly-env replay games.jsonl``
shows them.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monopoly_env import Game, IllegalAction
from monopoly_env.engine.cards import CARD_IDS
from monopoly_env.engine.journal import Event
from monopoly_env.errors import FileError, InputError, Location
from monopoly_env.records import write_record

COLUMNS = ("player", "action", "dice", "cards")
MOST_THROWS = 96  # limit of the throws that a position can preset


@dataclass(frozen=True)
class Move:
    """A line of the log, and its location."""

    player: str
    action: str
    dice: list[list[int]]
    cards: list[str]
    location: Location


def read_moves(path: Path) -> Iterator[Move]:
    """Yield the lines of a log. Raises: FileError that names the line."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file)
        if rows.fieldnames is None or not {"player", "action"} <= set(rows.fieldnames):
            FileError.at(path).fail(
                f"must begin with the names of the columns: {','.join(COLUMNS)}"
            )
        for row in rows:
            location = FileError.at(path) / f"line {rows.line_num}"
            given = {name: (row.get(name) or "").strip() for name in COLUMNS}
            dice = [throw.split() for throw in given["dice"].split(";") if throw.strip()]
            if not all(len(throw) == 2 and all(p in "123456" for p in throw) for throw in dice):
                location.fail(f"dice: must be throws such as '3 4', not {given['dice']!r}")
            yield Move(
                given["player"], given["action"],
                [[int(pips) for pips in throw] for throw in dice],
                [card.strip() for card in given["cards"].split(";") if card.strip()],
                location,
            )  # fmt: skip


def chunks(moves: Sequence[Move]) -> Iterator[list[Move]]:
    """Yield runs of moves whose throws and cards one position can preset."""
    chunk: list[Move] = []
    throws, drawn = 0, set[str]()
    for move in moves:
        if throws + len(move.dice) > MOST_THROWS or drawn & set(move.cards):
            yield chunk
            chunk, throws, drawn = [], 0, set()
        chunk.append(move)
        throws += len(move.dice)
        drawn |= set(move.cards)
    if chunk:
        yield chunk


def preset_chance(position: dict[str, Any], moves: Sequence[Move]) -> dict[str, Any]:
    """Return the position with the throws and cards of these moves preset."""
    hidden = dict(position["hidden"])
    hidden["dice"] = [throw for move in moves for throw in move.dice]
    hidden["dice_used"] = 0
    for pile in ("chance", "chest"):
        named = [card for move in moves for card in move.cards if card in hidden[pile]]
        hidden[pile] = named + [card for card in hidden[pile] if card not in named]
    return {**position, "hidden": hidden}


def play(game: Game, move: Move) -> None:
    """Play a move, after any omitted forced moves. Raises: FileError."""
    while True:
        legal = [] if game.over else game.legal_actions()
        if (game.actor == move.player and move.action in legal) or len(legal) != 1:
            break
        game.play(legal[0])  # omitted from the log: the only legal action
    if game.actor != move.player:
        move.location.fail(f"{move.player} is to play {move.action}, but {game.actor} decides")
    try:
        game.play(move.action)
    except IllegalAction as problem:
        move.location.fail(str(problem))
    came = game.journal()
    dice = [[event.square, event.amount] for event in came if event.kind is Event.THROW]
    cards = [CARD_IDS[event.square] for event in came if event.kind is Event.CARD]
    for name, noted, happened in (("dice", move.dice, dice), ("cards", move.cards, cards)):
        if len(noted) != len(happened):
            move.location.fail(
                f"{name}: the action brings {len(happened)}, and {len(noted)} are noted"
            )
        if noted != happened:
            move.location.fail(f"{name}: {noted} cannot come, {happened} does")


def records(game: Game, moves: Sequence[Move]) -> Iterator[dict[str, Any]]:
    """Yield the records of a game that starts from ``game``. Raises: FileError with the line."""
    for chunk in chunks(moves):
        position = preset_chance(game.position(), chunk)
        try:
            game = Game.from_position(position)
        except InputError as problem:
            chunk[0].location.fail(f"the lines from here on: {problem}")
        for move in chunk:
            play(game, move)
        yield game.record()


def main(argv: Sequence[str] | None = None) -> None:
    """Convert a log into records; nothing is written if a line is invalid."""
    parser = argparse.ArgumentParser(description="Records from a CSV file of moves.")
    parser.add_argument("moves", type=Path)
    parser.add_argument("records", type=Path, help="written, or added to")
    parser.add_argument("--edition", default="classic")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--position", help="YAML file of the start; instead of the others")
    args = parser.parse_args(argv)
    moves = list(read_moves(args.moves))
    start = args.position or {
        "players": args.players,
        "turn": moves[0].player if moves else "A",
        "edition": args.edition,
    }
    made = list(records(Game.from_position(start, seed=0), moves))
    for record in made:
        write_record(args.records, record)
    print(f"{len(moves)} lines, {len(made)} records: {args.records}")


if __name__ == "__main__":
    main()
