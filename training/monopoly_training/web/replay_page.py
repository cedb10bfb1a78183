"""A recorded game as one page that opens from disk: everything in it, nothing fetched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from monopoly_env.editions import STANDARD
from monopoly_env.engine.board import GROUP_SQUARES
from monopoly_env.errors import Location
from monopoly_env.notation import LETTERS
from monopoly_env.records.record import RECORD
from monopoly_env.render.decision import Decision
from monopoly_env.value.weights import shipped_value
from monopoly_training.review.report import legend, phases_of
from monopoly_training.web.assets import page
from monopoly_training.web.board_layer import board_layer
from monopoly_training.web.marks import find_marks
from monopoly_training.web.moments import (
    SINGLE,
    TOPIC_OF,
    TOPICS,
    WHY_FIRST,
    Moments,
    action_names,
    changes,
    kind_names,
    layout,
    read_moments,
    reason_names,
)
from monopoly_training.web.thoughts import Thoughts, think, thinking_seats

FORMAT = 2  # of the data in the page
REVIEWED = ("blunder", "fine")  # marks of a review that have a lane of their own


def replay_page(
    record: Mapping[str, Any],
    location: Location = RECORD,
    source: str = "",
    search: bool = False,
    review: Mapping[str, Any] | None = None,
) -> str:
    """The page of a recorded game, as HTML.

    Args:
        record: as :func:`monopoly_env.records.read_records` gives them.
        location: where faults of the record are reported.
        source: where the game is from, in words, for the page's foot.
        search: work out again what the bots that search found, which takes as long as they took.
        review: of this record, as :func:`monopoly_training.review.review.review` makes it.

    Raises: RecordError.
    """
    data = replay_data(record, location, source, search, review)
    names = ", ".join(f"{seat['letter']} {seat['bot'] or seat['token']}" for seat in data["seats"])
    return page("replay.js", f"{data['title']}: {names}", data)


def replay_data(
    record: Mapping[str, Any],
    location: Location = RECORD,
    source: str = "",
    search: bool = False,
    review: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """What the page shows, as plain data. Raises: RecordError."""
    bots = list(record.get("bots") or ())
    moments = read_moments(record, location, thinking_seats(bots, search))
    thoughts = think(bots, moments.views)
    edition = moments.game.edition
    names = edition.names
    return {
        "format": FORMAT,
        "title": edition.title,
        "mode": "" if edition.mode == STANDARD else edition.mode,
        "rules": {name: str(value) for name, value in edition.overrides.items()},
        "seed": moments.game.seed,
        "source": source,
        "money": {"symbol": names.symbol, "thousands": names.thousands},
        "words": _words(moments),
        "seats": [
            {
                "letter": LETTERS[seat],
                "token": names.token(seat),
                "bot": bots[seat] if seat < len(bots) else "",
            }
            for seat in range(moments.players)
        ],
        "board": board_layer(edition),
        "group_names": [names.group(group) for group in range(len(GROUP_SQUARES))],
        **_course(moments),
        "marks": _marks(moments, review),
        "review": None if review is None else _review(review),
        "value": shipped_value().digest,
        "thoughts": {str(moment): told for moment, told in thoughts.by_moment.items()},
        "notes": _notes(bots, thoughts, search),
        "result": {
            "over": moments.game.over,
            "truncated": moments.game.truncated,
            "winners": list(moments.game.winners),
            "ranks": [[row.player, row.rank, row.worth] for row in moments.game.standings()],
        },
    }


def _marks(moments: Moments, review: Mapping[str, Any] | None) -> list[list[Any]]:
    """The moments that stand out, those of a review among them, in the order of the game."""
    marks: list[list[Any]] = [[m.moment, m.kind, m.seat, m.text] for m in find_marks(moments)]
    if review is not None:
        marks += [
            [row["moment"], row["kind"], row["seat"], _judgment(row)]
            for row in review["marks"]
            if row["kind"] in REVIEWED
        ]
    return sorted(marks, key=lambda mark: int(mark[0]))


def _judgment(row: Mapping[str, Any]) -> str:
    """What a review says of a move: ``C: buy Boardwalk; better: …``."""
    better = f"; better: {row['better']}" if row["better"] else ""
    return f"{LETTERS[row['seat']]}: {row['done']}{better}"


def _review(review: Mapping[str, Any]) -> dict[str, Any]:
    """What the page shows of a review; chances it has of its own."""
    return {
        "marks": [
            [m["moment"], m["seat"], m["kind"], m["lost"] or -m["gained"], m["done"], m["better"]]
            for m in review["marks"]
        ],
        "luck": review["luck"],
        "luck_start": review["luck_start"],
        "seats": review["seats"],
        "phases": phases_of(review),
        "legend": legend(review),
        "lost": [[row[0], row[1], row[5]] for row in review["decisions"]],
    }


def _words(moments: Moments) -> dict[str, Any]:
    """What this edition calls things."""
    names = moments.game.edition.names
    return {
        "house": names.house,
        "houses": names.houses,
        "hotel": names.hotel,
        "hotels": names.hotels,
        "decks": [names.deck(0), names.deck(1)],
    }


def _course(moments: Moments) -> dict[str, Any]:
    """What happened, moment by moment."""
    return {
        "layout": {name: list(place) for name, place in layout(moments.players).items()},
        "single": list(SINGLE),
        "table": changes(moments.table),
        "decisions": [_decision(one) for one in moments.decisions],
        "topics": list(TOPICS),
        "events": [
            [
                [list(TOPICS).index(TOPIC_OF[event.kind]), event.player, event.other, event.text]
                for event in events
            ]
            for events in moments.events
        ],
        "kinds": kind_names(),
        "action_names": action_names(moments.game.edition.names),
        "chosen": [action for _, action in moments.actions],
        "legal": moments.legal,
        "reason_names": reason_names(),
        "reason_first": WHY_FIRST,
        "reasons": moments.reasons,
        "reasons_at": moments.reasons_at,
    }


def _decision(decision: Decision) -> dict[str, Any]:
    data: dict[str, Any] = {"actor": decision.actor, "headline": decision.headline}
    if decision.details:
        data["details"] = list(decision.details)
    if decision.square is not None:
        data["square"] = decision.square
    if decision.sides:
        data["sides"] = [[one.seat, list(one.squares), list(one.items)] for one in decision.sides]
    if decision.bidders:
        data["bidders"] = [[one.seat, one.bidding, one.bid] for one in decision.bidders]
    return data


def _notes(bots: list[str], thoughts: Thoughts, search: bool) -> list[str]:
    """What the page cannot show, and why."""
    notes = [
        f"{LETTERS[seat]} ({bots[seat]}): probabilities are missing: {why}"
        for seat, why in thoughts.missing.items()
    ]
    searching = sorted(thinking_seats(bots, True) - thinking_seats(bots, False))
    if searching and not search:
        letters = " and ".join(LETTERS[seat] for seat in searching)
        notes.append(f"What {letters} found by searching: write the page with --search-values.")
    return notes
