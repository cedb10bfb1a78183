"""Pages as a server sends them: each holds all it needs inside itself."""

from __future__ import annotations

from starlette.responses import HTMLResponse

# Nothing is loaded from elsewhere, and a page may ask nobody but the server that it is from.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; "
    "font-src data:; img-src data: blob:; connect-src 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


def whole_page(html: str) -> HTMLResponse:
    """A page that :func:`monopoly_training.web.assets.page` has made, with its security policy."""
    return HTMLResponse(
        html, headers={"Content-Security-Policy": POLICY, "Cache-Control": "no-store"}
    )
