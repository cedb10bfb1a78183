"""Serve the games of a folder until interrupted."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from monopoly_training.matches.entrants import HUMAN
from monopoly_training.play.app import Site
from monopoly_training.play.setup import Setup, known_bots
from monopoly_training.play.tables import Tables
from monopoly_training.serving.guard import LOOPBACK, is_loopback, new_token
from monopoly_training.serving.server import PageServer


@dataclass(frozen=True)
class Place:
    """Where games are served and saved."""

    folder: Path
    host: str = "127.0.0.1"
    port: int | None = None
    browse: bool = True  # open a browser


def serve(place: Place, setup: Setup | None, echo: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; a game of ``setup``, if given, is started and opened.

    If other machines can reach the server, it asks for a token, which is part of the printed
    addresses. Raises: InputError, one line.
    """
    open_to_all = not is_loopback(place.host)
    token, hosts = (new_token(), ()) if open_to_all else ("", LOOPBACK)
    tables = Tables(place.folder)
    bots = {**known_bots(), **_named(setup.seats if setup else ())}
    site = Site(tables, bots, token, (*hosts, place.host) if hosts else ())
    with PageServer(site.app(), place.host, place.port) as server:
        try:
            first = server.address("/", token=token)
            echo(f"{first} starts games; Ctrl-C stops the server (games are saved)")
            if setup is not None:
                for letters, link in _links(site, server, tables.new(setup)):
                    echo(f"{link} plays for {letters}" if letters else f"{link} shows the game")
                    first = link
            if place.browse:
                webbrowser.open_new_tab(first)
            server.wait()
        finally:
            tables.close()  # first, so that pending requests for news are answered


def _named(seats: Sequence[str]) -> dict[str, str]:
    """Return the bots named on the command line, such as python:FILE:NAME."""
    return {name: "named on the command line" for name in seats if name != HUMAN}


def _links(site: Site, server: PageServer, name: str) -> list[tuple[str, str]]:
    """Return the seats and address of each link of a game; a link for all seats comes last."""
    found = []
    for link in site.links(name):
        letters = " and ".join("ABCDEFGH"[seat] for seat in link["seats"])
        path, _, query = link["path"].partition("?")
        key, _, value = query.partition("=")
        found.append((letters, server.address(path, **({key: value} if key else {}))))
    return found
