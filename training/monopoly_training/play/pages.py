"""The two pages: the start page and a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from monopoly_env.engine.actions import KIND_OF, KINDS, VALUE_OF
from monopoly_env.notation import LETTERS
from monopoly_env.render.board_data import board_data
from monopoly_training.matches.entrants import HUMAN
from monopoly_training.play.setup import offered
from monopoly_training.play.table import Table
from monopoly_training.web.assets import page
from monopoly_training.web.page_data import game_head

TITLE = "Monopoly"


def home_page(
    bots: Mapping[str, str],
    games: list[dict[str, Any]],
    start: Mapping[str, Any] | None,
    token: str,
) -> str:
    """Return the start page. ``start`` is the position in which the next game begins, if any."""
    board = board_data()
    data = {
        "themes": board.themes,
        "colors": [{"fill": seat.fill, "ink": seat.ink} for seat in board.seats],
        **offered(bots),
        "games": games,
        "start": start,
        "token": token,
    }
    return page("home.js", "Monopoly: a new game", data)


def game_page(
    name: str, table: Table, seats: Sequence[int], bots: Sequence[str], guarded: bool
) -> str:
    """Return the page of a game as seen by ``seats``; without seats, by a spectator.

    ``guarded``: whether the list of games needs a token.
    """
    header, edition = table.header, table.game.edition
    people = [f"you ({LETTERS[seat]})" for seat in seats] or ["watching"]
    called = [_called(seat, one, seats) for seat, one in enumerate(header.seats)]
    data = {
        **game_head(edition, table.game.players, called),
        "name": name,
        "guarded": guarded,
        "mine": list(seats),
        "people": [seat for seat, one in enumerate(header.seats) if one == HUMAN],
        "practice": header.practice,
        "bots": list(bots),
        "action_kinds": [KINDS[kind] for kind in KIND_OF.tolist()],
        "action_values": VALUE_OF.tolist(),
        "prices": _prices(table),
        "links": _links(table, name) if len(seats) == len(_people(table)) else [],
    }
    return page("play.js", f"{edition.title}: {', '.join(people)}", data)


def _people(table: Table) -> list[int]:
    return [seat for seat, name in enumerate(table.header.seats) if name == HUMAN]


def _links(table: Table, name: str) -> list[dict[str, Any]]:
    """Return the links of the other players, for whoever plays all seats."""
    return [
        {"seats": seats, "path": f"/game/{name}?seat={key}"}
        for key, seats in table.header.links.items()
    ]


def _called(seat: int, name: str, seats: Sequence[int]) -> str:
    """Return a player's name: "you", a bot's name, or empty for its token."""
    if name != HUMAN:
        return name
    return "you" if list(seats) == [seat] else ""


def _prices(table: Table) -> dict[str, list[Any]]:
    """Return the prices and rents of deeds, by square."""
    rules = table.game.edition.rules[0]
    return {
        "price": rules["price"].tolist(),
        "mortgage": rules["mortgage"].tolist(),
        "house": rules["house_price"].tolist(),
        "rent": rules["rent"].tolist(),
    }
