"""The log of a negotiation in sentences, for transcripts and pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from monopoly_env.editions import Names
from monopoly_env.errors import InputError
from monopoly_env.negotiation.promises import Promise, read_promise
from monopoly_env.negotiation.terms import KEYS, read_terms
from monopoly_env.notation import LETTERS

COUNTER, PROMISE = "counter", "promise"
DECIDED = {
    "kept": "keeps its promise",
    "broken": "breaks its promise",
    "void": "is released from its promise",
}
IN_JOURNAL = ("offer", "accept", "refuse")  # except the answer to a counter-offer


def sentences_of(
    record: Mapping[str, Any], names: Names, players: int
) -> list[tuple[int, int, int, str]]:
    """Return what was said beside the game, in order: moves before it, speaker, hearer, sentence.

    Seats are numbers; the hearer is -1 for all. Offers and answers in the rules are left out, as the
    journal has them. A log that this version cannot read gives fewer sentences, never an error.

    >>> from monopoly_env import load_edition
    >>> said = {"at": 7, "by": "A", "kind": "say", "to": "B", "text": "Sell me Baltic."}
    >>> sentences_of({"negotiation": {"entries": [said]}}, load_edition().names, 2)
    [(7, 0, 1, 'A says to B: “Sell me Baltic.”')]
    """
    log = record.get("negotiation")
    entries = log.get("entries") if isinstance(log, Mapping) else None
    teller = _Teller(names, players)
    found = []
    for entry in entries if isinstance(entries, list) else ():
        try:
            row = teller.tell(entry)
        except (InputError, KeyError, TypeError, AttributeError, ValueError):
            continue
        if row is not None:
            found.append(row)
    return found


class _Teller:
    """Tells entries in order; remembers counter-offers and promises."""

    def __init__(self, names: Names, players: int) -> None:
        self.names, self.players = names, players
        self.countered: set[tuple[int, int]] = set()  # chains and steps
        self.promises: dict[int, Promise] = {}

    def tell(self, entry: Mapping[str, Any]) -> tuple[int, int, int, str] | None:
        """Return an entry's row; None if the journal tells it."""
        by, kind = LETTERS[: self.players].index(entry["by"]), entry["kind"]
        to = -1 if entry["to"] == "all" else LETTERS[: self.players].index(entry["to"])
        text = self._words(entry, kind, by, "all" if to < 0 else LETTERS[to])
        return (int(entry["at"]), by, to, f"{LETTERS[by]} {text}") if text else None

    def _words(self, entry: Mapping[str, Any], kind: str, by: int, to: str) -> str:
        if kind == "say":
            return f"says to {to}: “{' '.join(str(entry['text']).split())}”"
        if kind == COUNTER:
            self.countered.add((entry["chain"], entry["step"]))
            terms = {key: entry[key] for key in KEYS if key in entry and key != "from"}
            offer = read_terms(terms, self.players, by)
            return f"offers {to} instead: {offer.text(self.names)}"
        if kind == PROMISE:
            promise = read_promise({"to": to, **entry["promise"]}, by, self.players)
            self.promises[entry["number"]] = promise
            return f"promises {to}: {promise.text(self.names)}"
        if kind in DECIDED:
            promised = self.promises[entry["number"]].text(self.names)
            return f"{DECIDED[kind]} {promised}"
        if kind in IN_JOURNAL and (entry.get("chain"), entry.get("step")) in self.countered:
            return f"{kind}s {to}'s counter-offer"
        return ""
