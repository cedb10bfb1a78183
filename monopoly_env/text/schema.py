"""A JSON Schema of the answer to the current question, for structured outputs."""

from __future__ import annotations

from typing import Any

from monopoly_env.engine.board import COLORS, GROUP_IDS
from monopoly_env.negotiation.options import NegotiationOptions
from monopoly_env.negotiation.promises import KEYS, Kind
from monopoly_env.negotiation.terms import ITEMS, MOST_CASH
from monopoly_env.notation import LETTERS
from monopoly_env.text.answers import MOST

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def answer_schema(
    actions: list[str], seat: int, players: int, talk: NegotiationOptions | None = None
) -> dict[str, Any]:
    """Return a JSON Schema of a seat's answer: its actions, and what it may say.

    ``actions`` are the texts in the order of their numbers. The schema does not check whether the
    rules allow an offer or promise; the environment reports that after the answer.
    """
    one = {"anyOf": [{"type": "integer", "minimum": 1, "maximum": len(actions)}, {"enum": actions}]}
    properties: dict[str, Any] = {
        "action": one,
        "actions": {"type": "array", "items": one, "minItems": 1, "maxItems": MOST},
        "why": {"type": ["string", "integer"]},
    }
    if talk is not None:
        others = [LETTERS[other] for other in range(players) if other != seat]
        properties |= _spoken(others, talk)
    return {
        "$schema": DIALECT,
        "type": "object",
        "properties": properties,
        "minProperties": 1,
        "additionalProperties": False,
    }


def _spoken(others: list[str], talk: NegotiationOptions) -> dict[str, Any]:
    """Return the schemas of everything that may be said besides an action."""
    hearer = {"enum": [*others, "all"]}
    message = _object({"to": hearer, "text": {"type": "string", "minLength": 1}}, "to", "text")
    terms: dict[str, Any] = {
        "to": {"enum": others},
        "give": {"type": "array", "items": {"enum": list(ITEMS)}},
        "ask": {"type": "array", "items": {"enum": list(ITEMS)}},
        "give_cash": {"type": "integer", "minimum": 0, "maximum": MOST_CASH},
        "ask_cash": {"type": "integer", "minimum": 0, "maximum": MOST_CASH},
        "chance": {"type": "number", "minimum": 0, "maximum": 1},
    }
    offer = _object(terms, "to", *(["chance"] if talk.beliefs else []))
    spoken: dict[str, Any] = {"offer": offer}
    if talk.words and talk.words_a_game:
        spoken["say"] = {"anyOf": [message, {"type": "array", "items": message}]}
    if talk.counters:
        spoken["counter"] = offer
    if talk.promises:
        kinds = {"anyOf": [_promise(kind, others) for kind in Kind]}
        spoken["promise"] = {"anyOf": [kinds, {"type": "array", "items": kinds}]}
    return spoken


def _promise(kind: Kind, others: list[str]) -> dict[str, Any]:
    parts: dict[str, Any] = {
        "deed": {"enum": [item for item in ITEMS if not item.startswith("card_")]},
        "at_most": {"type": "integer", "minimum": 0, "maximum": MOST_CASH},
        "at_least": {"type": "integer", "minimum": 0, "maximum": MOST_CASH},
        "group": {"enum": list(GROUP_IDS[:COLORS])},
        "with": {"enum": others},
    }
    to = others if kind in (Kind.SELL, Kind.BUY) else [*others, "all"]
    properties = {
        "kind": {"const": str(kind)},
        "to": {"enum": to},
        "until": {"type": "integer", "minimum": 1},
        **{key: parts[key] for key in KEYS[kind]},
    }
    return _object(properties, *(key for key in properties if key != "group"))


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
