"""A recorded game as one standalone page that opens from disk and fetches nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from monopoly_env.errors import Location
from monopoly_env.negotiation.sentences import sentences_of
from monopoly_env.notation import LETTERS
from monopoly_env.records.record import RECORD
from monopoly_env.value.weights import shipped_value
from monopoly_training.review.report import legend, phases_of
from monopoly_training.web.assets import page
from monopoly_training.web.highlights import find_marks
from monopoly_training.web.moments import TALK, TOPICS, Moments, changes, read_moments
from monopoly_training.web.page_data import decision_data, event_data, game_head, result_data
from monopoly_training.web.policy_outputs import Thoughts, think, thinking_seats

FORMAT = 2  # version of the page's data
REVIEWED = ("blunder", "fine")  # marks of a review that have a lane of their own


def replay_page(
    record: Mapping[str, Any],
    location: Location = RECORD,
    source: str = "",
    search: bool = False,
    review: Mapping[str, Any] | None = None,
    play_on: str = "",
    odds_at: str = "",
) -> str:
    """Return the page of a recorded game, as HTML.

    Args:
        record: as :func:`monopoly_env.records.read_records` gives them.
        location: where faults of the record are reported.
        source: where the game is from, in words, for the page's footer.
        search: repeat the searches of searching bots, which takes as long as it took in the game.
        review: of this record, as :func:`monopoly_training.review.review.review` makes it.
        play_on: URL for playing on from a move, on the server that sends the page.
        odds_at: URL of that server's win probabilities from rollouts.

    Raises: RecordError.
    """
    data = {**replay_data(record, location, source, search, review), "play_on": play_on}
    data["odds_at"] = odds_at
    names = ", ".join(f"{seat['letter']} {seat['bot'] or seat['token']}" for seat in data["seats"])
    return page("replay.js", f"{data['title']}: {names}", data)


def replay_data(
    record: Mapping[str, Any],
    location: Location = RECORD,
    source: str = "",
    search: bool = False,
    review: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return what the page shows, as plain data. Raises: RecordError."""
    bots = list(record.get("bots") or ())
    moments = read_moments(record, location, thinking_seats(bots, search))
    thoughts = think(bots, moments.views)
    game = moments.game
    return {
        **game_head(game.edition, moments.players, bots),
        "format": FORMAT,
        "seed": game.seed,
        "source": source,
        **_course(moments, record),
        "marks": _marks(moments, review),
        "review": None if review is None else _review(review),
        "value": shipped_value().digest,
        "thoughts": {str(moment): found for moment, found in thoughts.by_moment.items()},
        "notes": _notes(bots, thoughts, search),
        "result": result_data(game),
    }


def _marks(moments: Moments, review: Mapping[str, Any] | None) -> list[list[Any]]:
    """Return the notable moments, including those of a review, in game order."""
    marks: list[list[Any]] = [[m.moment, m.kind, m.seat, m.text] for m in find_marks(moments)]
    if review is not None:
        marks += [
            [row["moment"], row["kind"], row["seat"], _judgment(row)]
            for row in review["marks"]
            if row["kind"] in REVIEWED
        ]
    return sorted(marks, key=lambda mark: int(mark[0]))


def _judgment(row: Mapping[str, Any]) -> str:
    """Return a review's comment on a move: ``C: buy Boardwalk; better: …``."""
    better = f"; better: {row['better']}" if row["better"] else ""
    return f"{LETTERS[row['seat']]}: {row['done']}{better}"


def _review(review: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the page shows of a review, without win probabilities, which it already has."""
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


def _course(moments: Moments, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return what happened, moment by moment."""
    events = [event_data(happened) for happened in moments.events]
    names = moments.game.edition.names
    for at, by, to, text in sentences_of(record, names, moments.players):
        events[min(at, len(events) - 1)].append([list(TOPICS).index(TALK), by, to, text])
    return {
        "table": changes(moments.table),
        "decisions": [decision_data(one) for one in moments.decisions],
        "events": events,
        "chosen": [action for _, action in moments.actions],
        "legal": moments.legal,
        "reasons": moments.reasons,
        "reasons_at": moments.reasons_at,
    }


def _notes(bots: list[str], thoughts: Thoughts, search: bool) -> list[str]:
    """Return notes on what the page cannot show, and why."""
    notes = [
        f"{LETTERS[seat]} ({bots[seat]}): probabilities are missing: {why}"
        for seat, why in thoughts.missing.items()
    ]
    searching = sorted(thinking_seats(bots, True) - thinking_seats(bots, False))
    if searching and not search:
        letters = " and ".join(LETTERS[seat] for seat in searching)
        notes.append(f"What {letters} found by searching: write the page with --search-values.")
    return notes
