"""A recorded game, moment by moment, as the data that a page shows.

Moment t is the game after t actions. Its numbers form one row of a table, stored as differences
from the previous row; sentences are stored as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.bots.explain import choices
from monopoly_env.editions import Names
from monopoly_env.engine import entry_points
from monopoly_env.engine.actions import ACTIONS, ARGUMENTS, KINDS, N_ACTIONS, SEAT, TEXTS
from monopoly_env.engine.board import PLAYERS, SPACES
from monopoly_env.engine.journal import Event
from monopoly_env.engine.why import Why
from monopoly_env.errors import Location
from monopoly_env.events import Happening
from monopoly_env.game import Game
from monopoly_env.records.record import RECORD
from monopoly_env.render.decision import Decision, decision_of
from monopoly_env.replay import replay_steps
from monopoly_env.value.chances import win_chances
from monopoly_env.view import View
from monopoly_training.web.figures import write_reasons, write_rents

# Columns of the table: single numbers in this order, then numbers by square and by seat.
SINGLE = ("turn", "actor", "turns", "round", "houses", "hotels", "pot", "over")
BY_SQUARE = ("owner", "level", "mortgaged")
BY_SEAT = ("cash", "worth", "rent", "at", "jail", "tries", "out", "cards", "chance")
PER_MILLE = 1000  # win probabilities are stored in thousandths

TALK = "talk"  # what is said beside the game
# Topics by which the journal can be filtered.
TOPICS: dict[str, tuple[Event, ...]] = {
    "move": (Event.TURN, Event.THROW, Event.MOVE),
    "money": (Event.PAY,),
    "card": (Event.CARD, Event.KEEP_CARD, Event.RETURN_CARD),
    "property": (Event.DEED, Event.BANK_DEED, Event.MORTGAGE, Event.LIFT),
    "building": (Event.BUILD, Event.SELL, Event.CLAIM),
    "auction": (Event.AUCTION, Event.BID, Event.PASS, Event.UNSOLD),
    "deal": (Event.OFFER, Event.ACCEPT, Event.REJECT),
    "jail": (Event.JAIL, Event.FREE),
    "end": (Event.OUT, Event.OVER),
    TALK: (),
}
TOPIC_OF = {event: topic for topic, events in TOPICS.items() for event in events}
WHY_FIRST = 48  # the character "0" encodes the first reason


def layout(players: int) -> dict[str, tuple[int, int]]:
    """Return the start and length of each part of the table."""
    sizes = {"single": len(SINGLE), "dice": 2, "decks": 2}
    sizes |= dict.fromkeys(BY_SQUARE, SPACES) | dict.fromkeys(BY_SEAT, players)
    ends = np.cumsum(list(sizes.values())).tolist()
    return {name: (end - size, size) for (name, size), end in zip(sizes.items(), ends, strict=True)}


@dataclass
class Moments:
    """All moments of a game; lists have one item per moment, the last one without a decision."""

    game: Game  # in its final state
    players: int
    table: npt.NDArray[np.int64]  # [moments, numbers]
    actions: list[tuple[int, int]] = field(default_factory=list)  # (seat, id) of the chosen actions
    decisions: list[Decision] = field(default_factory=list)
    events: list[list[Happening]] = field(default_factory=list)
    legal: list[list[tuple[int, str, str]]] = field(default_factory=list)  # id, meaning, effect
    reasons: list[str] = field(default_factory=list)  # distinct rows of reasons
    reasons_at: list[int] = field(default_factory=list)  # index into reasons, by moment
    views: dict[int, list[tuple[int, View]]] = field(default_factory=dict)  # by watched seat

    def part(self, name: str) -> npt.NDArray[np.int64]:
        """Return a part of the table, [moments, numbers of the part]."""
        start, size = layout(self.players)[name]
        return self.table[:, start : start + size]


def read_moments(
    record: Mapping[str, Any], location: Location = RECORD, watched: frozenset[int] = frozenset()
) -> Moments:
    """Replay a record and collect everything; ``watched`` are seats whose views are kept.

    Raises: RecordError as :func:`monopoly_env.replay.replay` does.
    """
    reader = _Reader(watched)
    for game, _ in replay_steps(record, location):
        reader.note(game)
    return reader.moments()


class _Reader:
    """Collects moments during a replay."""

    def __init__(self, watched: frozenset[int]) -> None:
        self.watched = watched
        self.rows: list[npt.NDArray[np.int64]] = []
        self.known: dict[bytes, int] = {}
        self.game: Game | None = None
        self.found: Moments | None = None
        self.scratch = np.zeros(N_ACTIONS, np.int8)

    def note(self, game: Game) -> None:
        """Add the next moment."""
        if self.found is None:
            self.found = Moments(game, game.players, np.zeros((0, 0), np.int64))
        found = self.found
        games = game.state.reshape(1)
        found.decisions.append(decision_of(games, game.edition))
        found.events.append(game.journal())
        self.rows.append(table_row(games, game))
        if game.over:
            return
        view = View.of(game)
        if view.seat in self.watched:
            found.views.setdefault(view.seat, []).append((len(self.rows) - 1, view))
        found.legal.append([(one.action, one.meaning, one.effect) for one in choices(view)])
        write_reasons(games, game.edition.rules, self.scratch)
        row = self.scratch.tobytes()
        if row not in self.known:
            self.known[row] = len(self.known)
            found.reasons.append("".join(chr(WHY_FIRST + reason) for reason in row))
        found.reasons_at.append(self.known[row])

    def moments(self) -> Moments:
        """Return all moments."""
        assert self.found is not None  # a record has a first moment
        self.found.table = np.array(self.rows)
        self.found.actions = self.found.game.history
        return self.found


def table_row(games: Any, game: Game) -> npt.NDArray[np.int64]:
    """Return the numbers of one position, laid out as in :func:`layout`."""
    state, players = games[0], game.players
    rank, worth = np.zeros(PLAYERS, np.int8), np.zeros(PLAYERS, np.int64)
    entry_points.standings(games, 0, game.edition.rules, rank, worth)
    rents = np.zeros(players)
    write_rents(games, game.edition.rules, rents)
    cards = [_cards(state, seat) for seat in range(players)]
    mortgaged = int(state["mortgaged"])
    over = game.over
    single = (
        -1 if over else state["turn"],
        -1 if over else state["actor"],
        state["turns"],
        state["rounds"] + 1,
        state["houses"],
        state["hotels"],
        state["pot"],
        over,
    )
    return np.concatenate(
        [
            np.array(single, np.int64),
            state["dice"],
            state["deck_size"],
            state["owner"][:SPACES],
            state["level"][:SPACES],
            [mortgaged >> square & 1 for square in range(SPACES)],
            state["cash"][:players],
            worth[:players],
            np.rint(rents).astype(np.int64),
            state["position"][:players],
            state["in_jail"][:players],
            state["jail_tries"][:players],
            state["out"][:players] != 0,
            cards,
            np.rint(PER_MILLE * win_chances(game)).astype(np.int64),
        ]
    ).astype(np.int64)


def _cards(state: Any, seat: int) -> int:
    """Return how many Get Out of Jail Free cards a seat holds."""
    return int(sum(int(state["card_holder"][pile]) == seat for pile in range(2)))


def changes(table: npt.NDArray[np.int64]) -> list[list[int]]:
    """Return the first row whole, and each later one as its differences from the row before.

    A difference is a list of place, value, place, value and so on.
    """
    rows = [table[0].tolist()]
    for before, after in pairwise(table):
        places = np.flatnonzero(before != after)
        rows.append(np.stack([places, after[places]], axis=1).ravel().tolist())
    return rows


def action_names(names: Names) -> list[list[Any]]:
    """Return for each action id the number of its kind and its argument in words.

    A seat is given by its number of places to the left of the actor; the page turns it into a
    letter.
    """
    rows: list[list[Any]] = []
    for text in TEXTS:
        kind, _, label = text.partition(":")
        argument, shown = ARGUMENTS[kind], label
        value = argument.values[argument.labels.index(label)]
        if argument.name in ("space", "street", "deed", "item"):
            shown = names.space(value)
        elif argument.name == "group":
            shown = names.group(value)
        elif argument.name == "step":
            shown = names.money(value)
        rows.append([KINDS.index(kind), value if argument is SEAT else shown])
    return rows


def kind_names() -> list[str]:
    """Return the text of each kind of action, by number: ``build on …``."""
    texts = {row.name: row.text for row in reversed(ACTIONS)}
    return [texts[kind].replace("{}", "…") for kind in KINDS]


def reason_names() -> list[str]:
    """Return the text of each reason against an action, by number."""
    return [str(reason) for reason in Why]
