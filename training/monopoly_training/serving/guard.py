"""Who may talk to a server on this machine: the browser of its owner, and whoever has a token.

A page of another site can make a browser send requests here, so the names by which a server is
called and the origins of requests are checked. Beyond this machine, a token in the address is
needed, too: ``?token=…``.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "::1")
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",  # an address may hold a token
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def new_token() -> str:
    """A token that nobody can guess, for an address."""
    return secrets.token_urlsafe(16)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine alone."""
    return host in LOOPBACK or host.startswith("127.")


def same_token(given: str, known: str) -> bool:
    """Whether two tokens are equal, in a time that tells nothing about them."""
    return hmac.compare_digest(given.encode(), known.encode())


@dataclass(frozen=True)
class Access:
    """Who is let in.

    Args:
        token: what the address must have; empty on a server that only this machine reaches.
        hosts: the names by which the server may be called; empty: any. A page of another site
            could point a name of its own at this machine.
        admits: whether a request is let in without the token: by its path, and its parameters by
            name; such as the link of one player to one game.
    """

    token: str = ""
    hosts: tuple[str, ...] = LOOPBACK
    admits: Callable[[str, dict[str, list[str]]], bool] = field(default=lambda *_: False)

    def is_owner(self, given: Iterable[str]) -> bool:
        """Whether one of these tokens is the server's; without one, everybody is its owner."""
        return not self.token or any(same_token(one, self.token) for one in given)


def refusal(scope: Scope, access: Access) -> str:
    """Why a request is not let in, in one line; empty if it is."""
    headers = Headers(scope=scope)
    host = headers.get("host", "")
    name = urlsplit(f"//{host}").hostname or ""
    if access.hosts and name not in access.hosts:
        return "this server is called by another name; open the address that it printed"
    origin = headers.get("origin")
    if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
        return "requests from other sites are refused"
    if headers.get("sec-fetch-site", "none") in ("cross-site", "same-site"):
        if scope["method"] not in ("GET", "HEAD"):
            return "requests from other sites are refused"
    path = str(scope["path"])
    query = parse_qs(scope["query_string"].decode("latin-1"))
    if not access.is_owner(query.get("token", ())) and not access.admits(path, query):
        return "the token in the address is missing or wrong; open the link as it was given to you"
    return ""


class Guard:
    """Wraps an application: refuses what :func:`refusal` says, and adds headers to the rest."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app, self.access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        problem = refusal(scope, self.access)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = PlainTextResponse(f"{problem}\n", 403) if problem else self.app
        await answer(scope, receive, send_with_headers)
