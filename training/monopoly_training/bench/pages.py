"""Benchmarks of the web pages: writing a replay page, a review, and a click in a browser game."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from monopoly_env.errors import FileError
from monopoly_env.files import parse_json
from monopoly_training.bench.timing import ROUNDS, Result, rates, result
from monopoly_training.matches.entrants import HUMAN

if TYPE_CHECKING:
    from monopoly_training.play.setup import Setup
    from monopoly_training.play.tables import Tables

BOTS = ("fixed_a", "fixed_b", "fixed_c", "background")
DECISIONS = 1000
REVIEWED = ("strategist", "fixed_a", "fixed_b", "veteran")
REVIEWED_SEED = 35  # of a short game
PLAYERS = 4  # in the browser game


def replay_page(seconds: float) -> Iterator[Result]:
    """Measure writing the replay page of a game, cut off after a thousand decisions, and a review."""
    from monopoly_env import Game
    from monopoly_env.agent import make_agent
    from monopoly_env.playing import GameLoop
    from monopoly_training.web.replay_page import replay_page as page

    for seed in range(1, 100):
        game = Game(players=len(BOTS), seed=seed)
        loop = GameLoop(game, [make_agent(bot) for bot in BOTS])
        while not game.over and len(game.history) < DECISIONS:
            loop.step()
        if len(game.history) == DECISIONS:
            break
    record = game.record(BOTS)

    def write() -> int:
        page(record)
        return DECISIONS

    what = "the page of a game of four compiled bots and 1,000 decisions, written"
    yield result("replay_page", rates(write, seconds), "decisions/s", what)
    size = len(page(record).encode())
    yield result("replay_page_bytes", [size], "bytes", "that page, with all that it needs inside")
    yield _game_review(seconds)


def _game_review(seconds: float) -> Result:
    """Measure reviewing a game: judging every decision that has a choice."""
    from monopoly_env import Game
    from monopoly_env.agent import make_agent
    from monopoly_env.playing import GameLoop
    from monopoly_training.review.review import review

    game = Game(players=len(REVIEWED), seed=REVIEWED_SEED)
    GameLoop(game, [make_agent(bot) for bot in REVIEWED]).play()
    record = game.record(REVIEWED)

    def judge() -> int:
        return len(review(record)["decisions"])

    what = "decisions reviewed, of a game of four bots; decisions without a choice do not count"
    return result("game_review", rates(judge, seconds), "decisions/s", what)


def play_click(seconds: float) -> Iterator[Result]:
    """Measure the wait after a click: from sending the move to receiving the new board."""
    from tempfile import TemporaryDirectory

    from monopoly_training.play.app import Site
    from monopoly_training.play.setup import Setup
    from monopoly_training.play.tables import Tables
    from monopoly_training.serving.server import PageServer

    with TemporaryDirectory() as folder:
        tables = Tables(Path(folder))
        with PageServer(Site(tables, {}).app(), port=0) as server:
            try:
                names = [HUMAN, *BOTS[: PLAYERS - 1]]
                clicks = _Clicks(server.port, tables, Setup(names, seed=1, pace=0))
                clicks.median(seconds / ROUNDS)  # load compiled code
                rounds = [clicks.median(seconds / ROUNDS) for _ in range(ROUNDS)]
            finally:
                tables.close()
    what = "from a click in the browser game to the new board, three compiled bots, median"
    yield result("play_click", rounds, "ms", what, {"clicks": clicks.count})


class _Clicks:
    """A simulated player who clicks at once, over HTTP like the page, in one game after another."""

    def __init__(self, port: int, tables: Tables, setup: Setup) -> None:
        self.http = HTTPConnection("127.0.0.1", port)
        self.tables, self.setup, self.count = tables, setup, 0
        self._begin()

    def _begin(self) -> None:
        name = self.tables.new(self.setup)
        (self.key,) = self.tables.header(name).links
        self.path, self.have = f"/game/{name}", 0
        self.news: dict[str, Any] = {}
        self._hear()

    def _hear(self) -> None:
        """Fetch what is new since the last known version."""
        known = f"version={self.news.get('version', '')}&have={self.have}"
        self.news = self._ask("GET", f"{self.path}/moves?seat={self.key}&{known}", None)
        self.have = self.news["from"] + len(self.news["moments"])

    def _ask(self, method: str, path: str, body: object) -> Any:
        self.http.request(method, path, None if body is None else json.dumps(body))
        return parse_json(self.http.getresponse().read(), FileError.at(path))

    def median(self, seconds: float) -> float:
        """Return the median milliseconds per click, over a number of seconds."""
        taken: list[float] = []
        until = time.monotonic() + seconds
        while time.monotonic() < until or not taken:
            while self.news["asked"] is None and self.news["result"] is None:
                self._hear()
            if self.news["result"] is not None:
                self._begin()
                continue
            texts = [text for _, text, _, _ in self.news["asked"]["legal"]]
            wanted = [text for text in ("buy", "roll", "end_turn", "pass") if text in texts]
            message = {"at": self.news["stamp"], "actions": [(wanted or texts)[0]]}
            begun = time.monotonic()
            self._ask("POST", f"{self.path}/move?seat={self.key}", message)
            self._hear()
            taken.append(1000 * (time.monotonic() - begun))
            self.count += 1
        return statistics.median(taken)
