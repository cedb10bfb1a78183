"""Data that all pages of a game share: names, board, seats, decisions and events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from monopoly_env.editions import STANDARD, Edition, Names
from monopoly_env.engine.board import GROUP_SQUARES
from monopoly_env.events import Happening
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS
from monopoly_env.render.decision import Decision
from monopoly_training.web.board_layer import board_layer
from monopoly_training.web.moments import (
    SINGLE,
    TOPIC_OF,
    TOPICS,
    WHY_FIRST,
    action_names,
    kind_names,
    layout,
    reason_names,
)


def game_head(edition: Edition, players: int, bots: Sequence[str]) -> dict[str, Any]:
    """Return what stays the same during a game; ``bots`` names the players by seat."""
    names = edition.names
    return {
        "title": edition.title,
        "mode": "" if edition.mode == STANDARD else edition.mode.replace("_", " "),
        "rules": {name: str(value) for name, value in edition.overrides.items()},
        "money": {"symbol": names.symbol, "thousands": names.thousands},
        "words": _words(names),
        "seats": [
            {
                "letter": LETTERS[seat],
                "token": names.token(seat),
                "bot": bots[seat] if seat < len(bots) else "",
            }
            for seat in range(players)
        ],
        "board": board_layer(edition),
        "group_names": [names.group(group) for group in range(len(GROUP_SQUARES))],
        "layout": {name: list(place) for name, place in layout(players).items()},
        "single": list(SINGLE),
        "topics": list(TOPICS),
        "kinds": kind_names(),
        "action_names": action_names(names),
        "reason_names": reason_names(),
        "reason_first": WHY_FIRST,
    }


def _words(names: Names) -> dict[str, Any]:
    """Return the edition's words for buildings and decks."""
    return {
        "house": names.house,
        "houses": names.houses,
        "hotel": names.hotel,
        "hotels": names.hotels,
        "decks": [names.deck(0), names.deck(1)],
    }


def decision_data(decision: Decision) -> dict[str, Any]:
    """Return a decision as a page reads it."""
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


def event_data(events: Sequence[Happening]) -> list[list[Any]]:
    """Return the events of a step as rows: topic number, player, other, text."""
    topics = list(TOPICS)
    return [
        [topics.index(TOPIC_OF[event.kind]), event.player, event.other, event.text]
        for event in events
    ]


def result_data(game: Game) -> dict[str, Any]:
    """Return the standing or result of a game."""
    return {
        "over": game.over,
        "truncated": game.truncated,
        "winners": list(game.winners),
        "ranks": [[row.player, row.rank, row.worth] for row in game.standings()],
    }
