"""Responses with self-contained HTML pages."""

from __future__ import annotations

from starlette.responses import HTMLResponse

# Pages load nothing from elsewhere, and may connect only to their own server.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; "
    "font-src data:; img-src data: blob:; connect-src 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


def whole_page(html: str) -> HTMLResponse:
    """Return a page made by :func:`monopoly_training.web.assets.page`, with its security policy."""
    return HTMLResponse(
        html, headers={"Content-Security-Policy": POLICY, "Cache-Control": "no-store"}
    )
