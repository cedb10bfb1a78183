"""Create Starlette applications with access control and one-line input errors."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute

from monopoly_env.errors import InputError
from monopoly_env.files import parse_json
from monopoly_training.serving.guard import Access, Guard

MOST_BYTES = 1 << 16  # maximum size of a request body


def make_app(routes: Sequence[BaseRoute], access: Access) -> Starlette:
    """Create an application with these routes.

    An :class:`InputError` raised by a route becomes ``{"error": line}`` with status 400, or with
    the ``status`` attribute of its class.
    """
    return Starlette(
        routes=list(routes),
        middleware=[Middleware(Guard, access=access)],
        exception_handlers={InputError: _bad_input, HTTPException: _no_such_page},
    )


async def _bad_input(_: Request, problem: Exception) -> JSONResponse:
    return JSONResponse({"error": str(problem)}, getattr(problem, "status", 400))


async def _no_such_page(_: Request, problem: Exception) -> JSONResponse:
    status = problem.status_code if isinstance(problem, HTTPException) else 500
    what = "there is no such page" if status == 404 else "that is not possible here"
    return JSONResponse({"error": what}, status)


async def body_of(request: Request) -> dict[str, object]:
    """Read a request's JSON body, a mapping. Raises: InputError, one line."""
    location = InputError.at("request")
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > MOST_BYTES:
            location.fail(f"has more than {MOST_BYTES:,} bytes")
    return location.mapping(parse_json(data, location))
