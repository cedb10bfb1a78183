"""Checks the links of a built site without a network: ``python -m tests.release.site_links FOLDER``.

Every link that leads to the site itself must lead to a file that is there, and its fragment to an
element of that page. A broken one is a line; the exit status is 1 if there is any.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tests.golden.pythons import print_line

GENERATED = ("genindex.html", "search.html", "py-modindex.html")


class Links(HTMLParser):
    """The ids and the links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        """Note what an element is called and where it leads."""
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.ids.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


@cache
def links_of(page: Path) -> Links:
    """What a page says."""
    links = Links()
    links.feed(page.read_text(encoding="utf-8"))
    return links


def broken(site: Path) -> Iterator[str]:
    """A line for each link that leads nowhere."""
    for page in sorted(site.rglob("*.html")):
        if page.name in GENERATED:
            continue
        for link in links_of(page).links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            name = page.relative_to(site)
            if not target.exists():
                yield f"{name}: {link}: there is no such file"
            elif parts.fragment and target.suffix == ".html":
                if unquote(parts.fragment) not in links_of(target).ids:
                    yield f"{name}: {link}: nothing on that page has this id"


def main(site: Path) -> int:
    """Check a site; the exit status."""
    pages = list(site.rglob("*.html"))
    lines = list(broken(site))
    for line in lines:
        print_line(line)
    print_line(f"{len(pages)} pages, {len(lines)} broken links")
    return int(bool(lines) or not pages)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
