"""The log of a negotiation in sentences."""

from __future__ import annotations

from typing import Any

import pytest

from monopoly_env import load_edition
from monopoly_env.negotiation.sentences import sentences_of

NAMES = load_edition().names
TERMS = {"give": ["baltic"], "ask": ["boardwalk"], "give_cash": 20, "ask_cash": 0}
PROMISE = {"kind": "no_build", "to": "all", "group": "orange", "until": 9}


def entry(kind: str, to: str = "B", **more: Any) -> dict[str, Any]:
    return {"at": 4, "by": "A", "kind": kind, "to": to, **more}


def sentences(*entries: Any) -> list[str]:
    return [text for *_, text in sentences_of({"negotiation": {"entries": [*entries]}}, NAMES, 3)]


def test_messages_name_speaker_and_hearer() -> None:
    said = [entry("say", text="Sell me\nBaltic."), entry("say", "all", text="Hello.")]
    assert sentences(*said) == ["A says to B: “Sell me Baltic.”", "A says to all: “Hello.”"]
    rows = sentences_of({"negotiation": {"entries": said}}, NAMES, 3)
    assert [row[:3] for row in rows] == [(4, 0, 1), (4, 0, -1)]


def test_the_journal_has_offers_but_not_counter_offers() -> None:
    offer = entry("offer", chain=1, step=1, **TERMS)
    refused = {**entry("refuse", chain=1, step=1), "by": "B", "to": "A"}
    counter = {**entry("counter", chain=1, step=2, **TERMS), "by": "B", "to": "A"}
    answers = [entry("accept", chain=1, step=2), entry("refuse", chain=1, step=2)]
    assert sentences(offer, refused) == []
    assert sentences(offer, refused, counter, *answers) == [
        "B offers A instead: Baltic Avenue and $20 for Boardwalk",
        "A accepts B's counter-offer",
        "A refuses B's counter-offer",
    ]


@pytest.mark.parametrize(
    ("status", "verb"),
    [("kept", "keeps its promise"), ("broken", "breaks its promise"), ("void", "is released")],
)
def test_promises_and_what_becomes_of_them(status: str, verb: str) -> None:
    made = entry("promise", "all", number=1, promise=PROMISE)
    first, then = sentences(made, entry(status, "all", number=1, why="round 9 is over"))
    assert first == "A promises all: not to build on orange before round 9 is over"
    assert then.startswith(f"A {verb}")
    assert "not to build on orange" in then


@pytest.mark.parametrize(
    "odd",
    [
        None,
        "say",
        {},
        entry("say"),
        entry("say", "Z", text="x"),
        entry("counter", chain=1, step=1, give=["nowhere"]),
        entry("promise", number=1, promise={"kind": "fly"}),
        entry("kept", number=7),
    ],
)
def test_what_cannot_be_read_is_left_out(odd: Any) -> None:
    assert sentences(odd, entry("say", text="Hello.")) == ["A says to B: “Hello.”"]


@pytest.mark.parametrize("record", [{}, {"negotiation": None}, {"negotiation": {"entries": 3}}])
def test_most_records_have_no_negotiation(record: dict[str, Any]) -> None:
    assert sentences_of(record, NAMES, 3) == []
