"""Games that are served, and what pages send."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="games in a browser need the extra web")

from monopoly_training.play.app import Site
from monopoly_training.play.setup import Setup, known_bots
from monopoly_training.play.tables import Tables
from starlette.testclient import TestClient

HERE = "http://127.0.0.1:8750"


class Player:
    """Whoever holds the link of a seat: hears news, and sends what it does."""

    def __init__(self, web: TestClient, path: str) -> None:
        self.web = web
        self.path, _, self.query = path.partition("?")
        self.news: dict[str, Any] = {}
        self.hear()

    def hear(self) -> dict[str, Any]:
        """How the game stands now."""
        self.news = self.web.get(f"{self.path}/moves?{self.query}").json()
        return self.news

    def wait(self) -> dict[str, Any]:
        """How the game stands once it is this player's turn, or over. News are waited for."""
        while self.news["asked"] is None and self.news["result"] is None:
            version = self.news["version"]
            self.news = self.web.get(f"{self.path}/moves?{self.query}&version={version}").json()
        return self.news

    def post(self, what: str, **body: Any) -> Any:
        """The answer to a message."""
        return self.web.post(f"{self.path}/{what}?{self.query}", json=body)

    def do(self, *actions: str) -> dict[str, Any]:
        """Act where the game stands as this player has heard last."""
        answer = self.post("move", at=self.news["stamp"], actions=list(actions))
        assert answer.status_code == 200, answer.text
        return self.hear()


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    """Games of a folder, closed at the end."""
    made = Tables(tmp_path / "games")
    yield made
    made.close()


@pytest.fixture
def web(tables: Tables) -> Iterator[TestClient]:
    """A browser's side of the server."""
    with TestClient(Site(tables, known_bots()).app(), base_url=HERE) as client:
        yield client


def begin(web: TestClient, tables: Tables, *seats: str, **wishes: Any) -> list[Player]:
    """A new game; its people, by seat."""
    setup = Setup(list(seats), **{"seed": 5, "pace": 0, **wishes})
    name = tables.new(setup)
    links = tables.header(name).links
    alone = [key for key, mine in links.items() if len(mine) == 1]
    return [Player(web, f"/game/{name}?seat={key}") for key in alone]
