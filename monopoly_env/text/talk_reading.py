"""Parses what a model says besides its action, and formats a negotiation for it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from monopoly_env.editions import Names
from monopoly_env.negotiation.ledger import Outcome, Status
from monopoly_env.negotiation.options import NegotiationOptions
from monopoly_env.negotiation.promises import read_promise
from monopoly_env.negotiation.statement import SILENT, SPOKEN, Statement, read_statement
from monopoly_env.negotiation.terms import Terms, read_terms
from monopoly_env.notation import LETTERS

SHOWN = 20  # entries per prompt
ACTING = ("action", "actions", "why")


def read_said(text: str, seat: int, players: int, names: Names) -> tuple[Statement, str]:
    """Return the statement in an answer, and the rest that names an action (may be empty).

    The last JSON object with a known key counts. Raises: InputError, one line.
    """
    found = last_object(text, (*SPOKEN, *ACTING))
    if found is None:
        return SILENT, text
    said = read_statement(found, seat, players, names)
    acting = {key: found[key] for key in ACTING if found.get(key) is not None}
    return said, json.dumps(acting) if acting else ""


def last_object(text: str, keys: Iterable[str]) -> dict[str, Any] | None:
    """Return the last top-level JSON object in a text that has one of the keys, or None."""
    decoder, found, at = json.JSONDecoder(), None, 0
    wanted = set(keys)
    while (at := text.find("{", at)) >= 0:
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        if isinstance(value, dict) and wanted & value.keys():
            found = value
    return found


# Formatting


def entry_lines(entries: list[dict[str, Any]], seat: int, names: Names) -> Iterator[str]:
    """Yield the messages and offers since the seat was last asked, one per line."""
    if len(entries) > SHOWN:
        yield f"({len(entries) - SHOWN} earlier messages and offers)"
    for entry in entries[-SHOWN:]:
        yield entry_text(entry, seat, names)


def entry_text(entry: dict[str, Any], seat: int, names: Names) -> str:
    """Return an entry of a negotiation in words, addressed to ``seat``."""
    by, to = entry["by"], entry["to"]
    whom = "you" if to == LETTERS[seat] else to
    kind = entry["kind"]
    if kind == "say":
        return f'{by} to {whom}: "{entry["text"]}"'
    if kind == "promise":
        by_seat = LETTERS.index(by)
        promise = read_promise(entry["promise"], by_seat, len(LETTERS))
        return f"{by} promises {whom} (promise {entry['number']}): {promise.text(names)}."
    if kind in ("offer", "counter"):
        verb = "offers" if kind == "offer" else "counters to"
        terms = entry_terms(entry).text(names, seat)
        return f"{by} {verb} {whom} (exchange {entry['chain']}, step {entry['step']}): {terms}."
    if kind in ("accept", "refuse"):
        whose = "your" if whom == "you" else f"{to}'s"
        return f"{by} {kind}s {whose} offer (exchange {entry['chain']})."
    return f"Promise {entry['number']} of {by} is {kind}: {entry['why']}."


def entry_terms(entry: dict[str, Any]) -> Terms:
    """Return the terms of an offer or counter-offer."""
    keys = ("to", "give", "ask", "give_cash", "ask_cash")
    given = {key: entry[key] for key in keys}
    return read_terms(given, len(LETTERS), LETTERS.index(entry["by"]))


def promise_lines(outcomes: Iterable[Outcome], names: Names) -> Iterator[str]:
    """Yield the open promises that a seat knows of, in one line."""
    rows = [
        f"{LETTERS[one.promise.by]} promised {one.promise.text(names)}"
        for one in outcomes
        if one.status is Status.OPEN
    ]
    if rows:
        yield f"Open promises: {'; '.join(rows)}."


def how_to_speak(options: NegotiationOptions) -> str:
    """Return the part of the system prompt about what may be said."""
    parts = [
        (
            "\nYou may bargain. What is said binds nobody; only accepted deals move things. Beside or "
            "instead of the action, the line of JSON may have:"
        ),
    ]
    if options.words and options.words_a_game:
        parts.append(
            '- "say": {"to": "B", "text": "..."} or {"to": "all", "text": "..."}, up to '
            f"{options.words} words a message, {options.words_a_game} in the game"
        )
    chance = ', "chance": 0.6' if options.beliefs else ""
    why = "; chance is that the other side accepts, as you believe" if options.beliefs else ""
    parts.append(
        '- "offer": {"to": "B", "give": ["Baltic"], "ask": ["Oriental"], "give_cash": 50'
        f"{chance}}}: a whole offer, made at once where the question says how many are left{why}"
    )
    if options.counters:
        parts.append(
            '- "counter": the same, where an offer waits for your answer: it is refused, and yours is '
            "put to the other side at once"
        )
    if options.promises:
        parts.append(
            '- "promise": {"kind": "sell", "to": "B", "deed": "Baltic", "at_most": 90, "until": 7}, up to '
            f"{options.promises} open at a time. Other kinds: buy (deed, at_least), keep (deed), "
            "no_build (group), no_bid (deed), no_deal (with); until is a round. Whether you keep "
            "them is noted for all to whom you made them"
        )
    return "\n".join(parts) + "\n"
