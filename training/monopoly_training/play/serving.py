"""Serves the games of a folder until somebody ends it."""

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
    """Where games are served, and kept."""

    folder: Path
    host: str = "127.0.0.1"
    port: int | None = None
    browse: bool = True  # open a browser


def serve(place: Place, setup: Setup | None, echo: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; with a ``setup``, its game is begun and opened.

    Beyond this machine the server asks for a token, which is part of the addresses it prints.
    Raises: InputError, one line.
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
            tables.close()  # first, so that whoever waits for news is answered


def _named(seats: Sequence[str]) -> dict[str, str]:
    """Bots that the command line names: python:FILE:NAME, for example."""
    return {name: "named on the command line" for name in seats if name != HUMAN}


def _links(site: Site, server: PageServer, name: str) -> list[tuple[str, str]]:
    """Whom each link of a game plays for, and the link; one that plays for all comes last."""
    found = []
    for link in site.links(name):
        letters = " and ".join("ABCDEFGH"[seat] for seat in link["seats"])
        path, _, query = link["path"].partition("?")
        key, _, value = query.partition("=")
        found.append((letters, server.address(path, **({key: value} if key else {}))))
    return found
