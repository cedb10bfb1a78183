"""Access control for the local server: its owner's browser, and holders of a token.

Pages of other sites can make a browser send requests to this server, so the Host and Origin headers
are checked. If the server is reachable from other machines, a token in the address is required:
``?token=…``.
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
    "Referrer-Policy": "no-referrer",  # addresses may contain a token
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def new_token() -> str:
    """Return a random token for an address."""
    return secrets.token_urlsafe(16)


def is_loopback(host: str) -> bool:
    """Return whether a host is only reachable from this machine."""
    return host in LOOPBACK or host.startswith("127.")


def same_token(given: str, known: str) -> bool:
    """Compare two tokens in constant time."""
    return hmac.compare_digest(given.encode(), known.encode())


@dataclass(frozen=True)
class Access:
    """The access rules of a server.

    Args:
        token: required in the address; empty if only this machine can reach the server.
        hosts: accepted host names; empty: any. Protects against DNS rebinding.
        admits: whether a request needs no token, given its path and its parameters by name, such as
            a player's link to a game.
    """

    token: str = ""
    hosts: tuple[str, ...] = LOOPBACK
    admits: Callable[[str, dict[str, list[str]]], bool] = field(default=lambda *_: False)

    def is_owner(self, given: Iterable[str]) -> bool:
        """Return whether one of these tokens is the server's.

        Without a token, everybody is the owner.
        """
        return not self.token or any(same_token(one, self.token) for one in given)


def refusal(scope: Scope, access: Access) -> str:
    """Return why a request is refused, in one line; empty if it is accepted."""
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
    """ASGI middleware that refuses requests by :func:`refusal` and adds security headers."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app, self.access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
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
