"""What answers a browser: the page, how far things are, and games to look at."""

from __future__ import annotations

import socket
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from monopoly_env.errors import InputError
from monopoly_env.render.board_data import board_data
from monopoly_training.watching.games import new_game, recorded_game
from monopoly_training.watching.progress import progress_of
from monopoly_training.web.assets import page

HOST = "127.0.0.1"  # this machine alone
HOSTS = [
    HOST,
    "localhost",
]  # the names under which it may be asked: a page of another site has none
PORT = 8760
GRACE = 1  # seconds that open connections have to close


def watch_app(folder: Path) -> Starlette:
    """The pages of a folder. It is read each time anew, and nothing is written."""

    def index(_: Request) -> Response:
        state = progress_of(folder)
        board = board_data()
        data = {
            "themes": board.themes,
            "colors": [seat.fill for seat in board.seats],
            "state": state,
        }
        return HTMLResponse(page("watch.js", f"{state['name']}: {state['kind']}", data))

    def state(_: Request) -> Response:
        return JSONResponse(progress_of(folder))

    def replay(request: Request) -> Response:
        return HTMLResponse(recorded_game(folder, request.path_params["number"]))

    def game(request: Request) -> Response:
        return HTMLResponse(new_game(folder, request.path_params["seed"]))

    def refused(_: Request, problem: Exception) -> Response:
        return PlainTextResponse(str(problem), status_code=404)

    return Starlette(
        routes=[
            Route("/", index),
            Route("/state", state),
            Route("/replay/{number:int}", replay),
            Route("/game/{seed:int}", game),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)],
        exception_handlers={InputError: refused},
    )


def bound(port: int | None) -> socket.socket:
    """A socket on this machine alone: PORT, or any other if that is taken and none was asked for.

    Raises: InputError for a port that cannot be had.
    """
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, PORT if port is None else port))
    except (OSError, OverflowError) as problem:
        if port is not None:
            listener.close()
            InputError.at("--port").fail(f"{port} cannot be had: {problem}; name another one")
        listener.bind((HOST, 0))
    return listener


def serve(folder: Path, listener: socket.socket) -> None:
    """Answer until Ctrl-C."""
    config = uvicorn.Config(
        watch_app(folder), log_level="warning", access_log=False, lifespan="off",
        timeout_graceful_shutdown=GRACE, server_header=False,
    )  # fmt: skip
    uvicorn.Server(config).run(sockets=[listener])
