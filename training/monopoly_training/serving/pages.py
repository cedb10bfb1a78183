"""Pages and their files, as a server sends them: ES modules by name, no build, nothing from elsewhere."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from monopoly_training.web.assets import FOLDER, VENDOR, modules, source_of

TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".woff2": "font/woff2",
}
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{title}</title>
<link rel="stylesheet" href="/static/fonts.css">
<link rel="stylesheet" href="/static/vendor/uPlot.min.css">
{styles}
<script type="importmap" nonce="{nonce}">{imports}</script>
</head>
<body>
<div id="app"><p class="wait">{wait}</p></div>
<script type="application/json" id="data">{data}</script>
<script src="/static/vendor/uPlot.iife.min.js"></script>
<script type="module" src="/static/modules/{entry}"></script>
</body>
</html>
"""
POLICY = (
    "default-src 'self'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
# A page of a replay, which holds all it needs inside itself.
WHOLE_PAGE_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; "
    "font-src data:; img-src data: blob:; base-uri 'none'; frame-ancestors 'none'"
)


def shell(
    entry: str,
    title: str,
    data: Mapping[str, Any] | None = None,
    wait: str = "The page needs JavaScript.",
    styles: tuple[str, ...] = ("style.css",),
) -> HTMLResponse:
    """A page that runs the module ``entry``.

    Args:
        entry: a file of ``web/page``, such as ``play/game.js``.
        title: of the window.
        data: what the page begins with, as JSON in the element ``data``.
        wait: what is shown until the module draws.
        styles: files of ``web/page``, in order.
    """
    nonce = secrets.token_urlsafe(12)
    text = json.dumps(data or {}, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    page = PAGE.format(
        title=escape(title),
        styles="\n".join(f'<link rel="stylesheet" href="/static/{name}">' for name in styles),
        nonce=nonce,
        imports=json.dumps({"imports": {name: module_path(name) for name in served_modules()}}),
        wait=escape(wait),
        data=text.replace("<", "\\u003c"),
        entry=entry,
    )
    headers = {"Content-Security-Policy": POLICY.format(nonce=nonce), "Cache-Control": "no-store"}
    return HTMLResponse(page, headers=headers)


def whole_page(html: str) -> HTMLResponse:
    """A page that has everything inside itself, such as that of a replay."""
    headers = {"Content-Security-Policy": WHOLE_PAGE_POLICY, "Cache-Control": "no-store"}
    return HTMLResponse(html, headers=headers)


def module_path(name: str) -> str:
    """Where a module is that others import as ``name``."""
    return f"/static/modules/{name.removeprefix('monopoly/')}"


@lru_cache(maxsize=1)
def served_modules() -> dict[str, str]:
    """The source of each module by its name: those of all pages, and those in folders of their own."""
    own = [path for path in sorted(FOLDER.glob("*/*.js")) if path.parent != VENDOR]
    return modules() | {
        f"monopoly/{path.relative_to(FOLDER).as_posix()}": source_of(path) for path in own
    }


@lru_cache(maxsize=1)
def files() -> dict[str, tuple[bytes, str]]:
    """All files by path: their bytes and type. Those of the package, and no others."""
    found: dict[str, tuple[bytes, str]] = {}
    for name, source in served_modules().items():
        found[module_path(name)] = (source.encode(), TYPES[".js"])
    for path in sorted([*FOLDER.rglob("*.css"), *VENDOR.glob("*.js"), *VENDOR.glob("*.woff2")]):
        if path.suffix in TYPES:
            where = f"/static/{path.relative_to(FOLDER).as_posix()}"
            found[where] = (path.read_bytes(), TYPES[path.suffix])
    found["/static/fonts.css"] = (_fonts().encode(), TYPES[".css"])
    return found


def _fonts() -> str:
    """The font of the drawing."""
    rule = (
        "@font-face {{ font-family: Inter; font-weight: {}; src: url(/static/vendor/{}.woff2); }}"
    )
    return "\n".join(rule.format(*one) for one in ((400, "Inter-Regular"), (700, "Inter-Bold")))


async def send_file(request: Request) -> Response:
    """A file of the pages; a browser that has it already is told so."""
    found = files().get(request.url.path)
    if found is None:
        return PlainTextResponse("there is no such file\n", 404)
    content, kind = found
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=f"{kind}; charset=utf-8", headers=headers)


STATIC = Route("/static/{path:path}", send_file, methods=["GET"])
