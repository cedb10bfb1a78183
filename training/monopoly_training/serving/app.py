"""An application: its routes, who may ask, and errors of input as one line."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute

from monopoly_env.errors import InputError
from monopoly_training.serving.guard import Access, Guard


def make_app(routes: Sequence[BaseRoute], access: Access) -> Starlette:
    """An application with these routes.

    An :class:`InputError` that a route raises is answered with status 400 and ``{"error": line}``.
    """
    return Starlette(
        routes=list(routes),
        middleware=[Middleware(Guard, access=access)],
        exception_handlers={InputError: _bad_input, HTTPException: _no_such_page},
    )


async def _bad_input(_: Request, problem: Exception) -> JSONResponse:
    return JSONResponse({"error": str(problem)}, 400)


async def _no_such_page(_: Request, problem: Exception) -> JSONResponse:
    status = problem.status_code if isinstance(problem, HTTPException) else 500
    what = "there is no such page" if status == 404 else "that is not possible here"
    return JSONResponse({"error": what}, status)
