"""The JSON messages exchanged with external programs; docs/protocol.md describes them.

Each message is one line of ASCII, readable from any language. Only ``decide`` is answered.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import monopoly_env
from monopoly_env import Game
from monopoly_env.editions import Edition
from monopoly_env.engine.actions import ITEM
from monopoly_env.notation import LETTERS, action_ids
from monopoly_env.render.text import question
from monopoly_env.view import Offer, View

PROTOCOL = 1
Message = dict[str, Any]
ITEM_IDS = dict(zip(ITEM.values, ITEM.labels, strict=True))


class NotAnAnswer(ValueError):  # noqa: N818  (named for what it is)
    """A line that is not an answer; the message says why."""


# --- messages to the program ---


def encode(message: Message) -> bytes:
    """Encode a message as a line of ASCII."""
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def hello(view: View, seed: int, limits: Message) -> Message:
    """Return the message for a new game or a new process: what stays constant in the game.

    ``limits`` are ``decision``, ``first`` and ``game``, in seconds.
    """
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "version": monopoly_env.version,
        "players": int(view.record["players"]),
        "seat": LETTERS[view.seat],
        "seed": seed,
        "limits": limits,
        **_edition_keys(view.edition),
    }


@lru_cache(maxsize=16)
def _edition_keys(edition: Edition) -> Message:
    """Return the edition's keys: its rules in force, its board and its names."""
    names = edition.names
    return {
        "edition": edition.id,
        "title": edition.title,
        "mode": edition.mode,
        "rules": {row.name: row.value for row in edition.rule_rows()},
        "board": [_space(row) for row in edition.board_rows()],
        "names": {
            "currency": names.currency,
            "symbol": names.symbol,
            "tokens": list(names.tokens),
            "decks": list(names.decks),
            "jail_card": names.jail_card,
        },
    }


def _space(row: Any) -> Message:
    """Return a space of the board, without the keys that do not apply."""
    keys = ("id", "name", "group", "price", "mortgage", "house_price", "hotel_price", "rent", "tax")
    return {key: value for key in keys if (value := getattr(row, key)) is not None}


def decide(view: View, number: int, time_left: Message, fault: str | None = None) -> Message:
    """Return the message that asks for a decision. ``fault`` describes the last answer's fault."""
    game = view.game
    message: Message = {
        "type": "decide",
        "id": number,
        "seat": LETTERS[view.seat],
        "phase": game.phase.name,
        "question": question(view.record, view.edition),
        "legal": view.legal_actions,
        "events": [str(event) for event in view.events],
        "position": game.position(hidden=False),
        "time_left": time_left,
    }
    if view.menu:
        message["menu"] = [_offer(game, offer) for offer in view.menu]
    if fault is not None:
        message["fault"] = fault
    return message


def _offer(game: Game, offer: Offer) -> Message:
    """Return an offer of the deal menu, from the proposer's perspective."""
    return {
        "action": game.text(offer.action),
        "partner": LETTERS[offer.partner],
        "give": [ITEM_IDS[square] for square in offer.give],
        "ask": [ITEM_IDS[square] for square in offer.ask],
        "cash": offer.cash,
    }


def result(game: Game) -> Message:
    """Return the message for the end of a game."""
    rows = {row.player: row for row in game.standings()}
    seats = sorted(rows)
    return {
        "type": "result",
        "winners": list(game.winners),
        "ranks": {seat: rows[seat].rank for seat in seats},
        "worth": {seat: rows[seat].worth for seat in seats},
        "turns": int(game.state["turns"]),
        "truncated": game.truncated,
    }


BYE: Message = {"type": "bye"}


# --- answers from the program ---


def read_answer(line: bytes, number: int) -> str:
    """Parse the action of an answer, ``{"action": "roll"}``. Raises: NotAnAnswer."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise NotAnAnswer(f"{_shown(line)} is not JSON") from None
    if not isinstance(answer, dict) or not isinstance(answer.get("action"), str):
        raise NotAnAnswer(f'{_shown(line)} is not {{"action": "…"}}')
    if answer.get("id", number) != number:
        raise NotAnAnswer(f"{_shown(line)} answers another decision than {number}")
    action: str = answer["action"]
    return action


def _shown(line: bytes) -> str:
    """Return the beginning of a line, for an error message."""
    text = line[:60].decode(errors="replace")
    return repr(text if len(line) <= 60 else text + "…")


def legal_id(action: str, view: View) -> int | None:
    """Return the id of a legal action given as text; None if it is not legal."""
    known = action_ids(view.seat, int(view.record["players"]))
    number = known.get(action)
    return number if number is not None and view.mask[number] else None
