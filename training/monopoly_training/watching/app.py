"""Web app that shows a folder's progress and its games."""

from __future__ import annotations

from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from monopoly_env.render.board_data import board_data
from monopoly_training.serving.app import body_of, make_app
from monopoly_training.serving.guard import Access
from monopoly_training.serving.pages import whole_page
from monopoly_training.watching.games import (
    KeptGame,
    evaluated_game,
    new_game,
    recorded_game,
)
from monopoly_training.watching.progress import progress_of
from monopoly_training.web.assets import page
from monopoly_training.web.odds import asked_moment


def watch_app(folder: Path) -> Starlette:
    """Return the web app for a folder. Each request reads the folder; nothing is written."""

    def index(_: Request) -> Response:
        state = progress_of(folder)
        board = board_data()
        data = {
            "themes": board.themes,
            "colors": [seat.fill for seat in board.seats],
            "state": state,
        }
        return whole_page(page("watch.js", f"{state['name']}: {state['kind']}", data))

    def state(_: Request) -> Response:
        return JSONResponse(progress_of(folder))

    def kept(request: Request) -> KeptGame:
        given = request.path_params
        if "steps" in given:
            return evaluated_game(folder, given["steps"], given["number"])
        return recorded_game(folder, given["number"])

    def replay(request: Request) -> Response:
        return whole_page(kept(request).page(f"{request.url.path}/odds"))

    async def odds(request: Request) -> Response:
        moment = asked_moment(await body_of(request))
        return JSONResponse(await run_in_threadpool(kept(request).odds, moment))

    def game(request: Request) -> Response:
        return whole_page(new_game(folder, request.path_params["seed"]))

    routes = [
        Route("/", index),
        Route("/state", state),
        *(
            route
            for place in ("/replay/{number:int}", "/evaluated/{steps:int}/{number:int}")
            for route in (Route(place, replay), Route(f"{place}/odds", odds, methods=["POST"]))
        ),
        Route("/game/{seed:int}", game),
    ]
    return make_app(routes, Access())
