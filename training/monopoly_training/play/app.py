"""Web app for browser games: the pages, what each seat is told, and the requests it may make.

Pages ask for news by long polling. Each request is complete in itself, so a lost connection, a
reload or a restarted server needs no recovery.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from monopoly_env.errors import AgentError, InputError, in_words, one_line
from monopoly_env.records.files import encode_record
from monopoly_training.play.hints import check_hint_bot, hint
from monopoly_training.play.offers import read_terms, try_offer
from monopoly_training.play.pages import game_page, home_page
from monopoly_training.play.positions import game_after, position_of
from monopoly_training.play.setup import read_setup
from monopoly_training.play.table import Table
from monopoly_training.play.tables import Tables
from monopoly_training.serving.app import body_of, make_app
from monopoly_training.serving.guard import LOOPBACK, Access
from monopoly_training.serving.pages import whole_page
from monopoly_training.web.odds import asked_moment, played_on
from monopoly_training.web.replay_page import replay_page

LONGEST = 25.0  # seconds that a request for news waits
MOST_STEPS = 80  # actions in one request

Body = Mapping[str, object]
Answer = Callable[[Request, Body], object]


@dataclass(frozen=True)
class Site:
    """The web app with everything that its pages need.

    Args:
        tables: the games.
        bots: those that may be seated or asked for hints, each with a description.
        token: of the owner, where the server can be reached from other machines.
        hosts: allowed host names; empty: any.
    """

    tables: Tables
    bots: dict[str, str]
    token: str = ""
    hosts: tuple[str, ...] = LOOPBACK

    def app(self) -> Starlette:
        """Return the application."""
        game = "/game/{name}"
        routes = [
            Route("/", self.home),
            Route("/games", self.games),
            Route("/new", _post(self.new), methods=["POST"]),
            Route(game, self.game),
            Route(f"{game}/moves", self.moves),
            Route(f"{game}/move", _post(self.move), methods=["POST"]),
            Route(f"{game}/try", _post(self.try_deal), methods=["POST"]),
            Route(f"{game}/hint", _post(self.hint), methods=["POST"]),
            Route(f"{game}/odds", _post(self.odds), methods=["POST"]),
            Route(f"{game}/undo", _post(self.undo), methods=["POST"]),
            Route(f"{game}/windows", _post(self.windows), methods=["POST"]),
            Route(f"{game}/retry", _post(self.retry), methods=["POST"]),
            Route(f"{game}/record", self.record),
            Route(f"{game}/replay", self.replay),
        ]
        return make_app(routes, Access(self.token, self.hosts, self.admits))

    def admits(self, path: str, query: Mapping[str, list[str]]) -> bool:
        """Return whether a seat's link admits a request, which it does to its own game."""
        parts = path.split("/")
        if len(parts) < 3 or parts[1] != "game":
            return False
        with contextlib.suppress(InputError):
            header = self.tables.header(parts[2])
            return any(header.seats_of(key) for key in query.get("seat", ()))
        return False

    # --- pages ---

    def home(self, request: Request) -> Response:
        """Return the start page.

        ``?from=NAME&at=MOVE`` starts from a position of a finished game.
        """
        start = None
        if name := request.query_params.get("from"):
            start = position_of(self.tables.table(name), request.query_params.get("at", "0"))
            start.pop("position")
        return whole_page(home_page(self.bots, self.tables.rows(), start, self.token))

    def games(self, _: Request) -> Response:
        """Return the list of games."""
        return JSONResponse(self.tables.rows())

    def game(self, request: Request) -> Response:
        """Return the page of a game, for the seats of the link."""
        table, seats = self._seated(request)
        name, guarded = request.path_params["name"], bool(self.token)
        return whole_page(game_page(name, table, seats, list(self.bots), guarded))

    def record(self, request: Request) -> Response:
        """Return the record of a finished game, as a file of one line."""
        name = request.path_params["name"]
        text = encode_record(self.tables.table(name).record())
        headers = {"Content-Disposition": f'attachment; filename="{name}.jsonl"'}
        return Response(text, media_type="application/jsonl", headers=headers)

    def replay(self, request: Request) -> Response:
        """Return the replay of a finished game."""
        name = request.path_params["name"]
        record = self.tables.table(name).record()
        owner = not self.token or "token" in request.query_params
        go_on = f"/?from={name}" + f"&token={self.token}" * bool(self.token) if owner else ""
        odds = f"/game/{name}/odds?{request.url.query}"
        page = replay_page(record, source=f"game {name}", play_on=go_on, odds_at=odds)
        return whole_page(page)

    # --- news and requests of seats ---

    async def moves(self, request: Request) -> Response:
        """Return news as soon as there are any: what has happened, and the current decision."""
        table, seats = await run_in_threadpool(self._seated, request)
        query = request.query_params
        numbers = [_number(query.get(name, "0")) for name in ("epoch", "have")]
        loop, news = asyncio.get_running_loop(), asyncio.Event()
        stop = table.listen(lambda: loop.call_soon_threadsafe(news.set))
        try:
            if query.get("version") == table.version and not table.closed:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(news.wait(), LONGEST)
        finally:
            stop()
        return JSONResponse(await run_in_threadpool(table.news, seats, *numbers))

    def new(self, _: Request, body: Body) -> object:
        """Start a game; return its name and links."""
        wishes = dict(body)
        position = None
        if isinstance(start := wishes.pop("from", None), Mapping):
            table = self.tables.table(str(start.get("name")))
            position = position_of(table, str(start.get("at")))["position"]
        name = self.tables.new(read_setup(wishes, list(self.bots), position))
        return {"name": name, "links": self.links(name)}

    def links(self, name: str) -> list[dict[str, Any]]:
        """Return the links of a game, with the seats that each plays for."""
        header = self.tables.header(name)
        found = [
            {"seats": seats, "path": f"/game/{name}?seat={key}"}
            for key, seats in header.links.items()
        ]
        return found or [{"seats": [], "path": f"/game/{name}{self._owners()}"}]

    def _owners(self) -> str:
        return f"?token={self.token}" if self.token else ""

    def move(self, request: Request, body: Body) -> object:
        """Play an action, several in a row, or a whole offer."""
        table, seats = self._seated(request)
        location = InputError.at("move")
        data = location.mapping(body, "key", ("at", "actions", "deal"))
        stamp = (location / "at").text(data.get("at"))
        if "deal" in data:
            table.offer(seats, stamp, read_terms(data["deal"], table.game))
        else:
            actions = (location / "actions").texts(data.get("actions"))
            if len(actions) > MOST_STEPS:
                location.fail(f"has more than {MOST_STEPS} actions")
            table.play(seats, stamp, actions)
        return {"stamp": table.stamp}

    def try_deal(self, request: Request, body: Body) -> object:
        """Return the objection to an offer, if any, and the win probabilities it would lead to."""
        table, seats = self._seated(request)
        with table.changed:
            table.check_current(InputError.at("at").text(body.get("at")), seats)
            return try_offer(read_terms(body.get("deal"), table.game), table.game.copy())

    def hint(self, request: Request, body: Body) -> object:
        """Return what a bot would do."""
        table, seats = self._seated(request)
        bot = check_hint_bot(body.get("bot"), list(self.bots))
        with table.changed:
            table.check_current(InputError.at("at").text(body.get("at")), seats)
            game, events = table.game.copy(), list(table.view().events)
        try:
            return asdict(hint(bot, game, events))
        except InputError:
            raise
        except Exception as problem:
            raise AgentError(one_line(f"{bot}: {in_words(problem)}")) from problem

    def odds(self, request: Request, body: Body) -> object:
        """Return all win probabilities at a move, from rollouts."""
        table, _ = self._seated(request)
        return played_on(game_after(table, asked_moment(body)))

    def undo(self, request: Request, body: Body) -> object:
        """Go back to the last decision."""
        table, seats = self._seated(request)
        table.take_back(seats, InputError.at("at").text(body.get("at")))
        return {"stamp": table.stamp}

    def windows(self, request: Request, body: Body) -> object:
        """Set whether a person is asked between the turns of others."""
        table, seats = self._seated(request)
        ask = InputError.at("ask").flag(body.get("ask"))
        for seat in seats:
            table.set_windows(seat, ask)
        return {}

    def retry(self, request: Request, _: Body) -> object:
        """Ask a bot again after it failed."""
        table, seats = self._seated(request)
        if not seats and table.header.links:
            InputError.at("retry").fail("spectators cannot do that")
        with table.changed:
            table.trouble = ""
            table.ring()
        return {}

    def _seated(self, request: Request) -> tuple[Table, list[int]]:
        """Return the game of a request and the seats that its link plays for."""
        table = self.tables.table(request.path_params["name"])
        return table, table.header.seats_of(request.query_params.get("seat", ""))


def _post(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that parses the request body and answers in a thread."""

    async def endpoint(request: Request) -> Response:
        body = await body_of(request)
        return JSONResponse(await run_in_threadpool(answer, request, body))

    return endpoint


def _number(text: str) -> int:
    """Return a count in a URL; 0 for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0
