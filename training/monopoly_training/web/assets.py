"""Assets of the pages: ES modules, styles and bundled libraries, without a build or network access.

A standalone page contains them all: its import map gives each module a data URL.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "page"
VENDOR = FOLDER / "vendor"
# Import-map names of the libraries, and their files.
LIBRARIES = {
    "preact": "vendor/preact.mjs",
    "preact/hooks": "vendor/hooks.mjs",
    "htm": "vendor/htm.mjs",
}
IMPORTED = re.compile(r"""from\s*["']([^"']+)["']""")
FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{title}</title>
<!--
{licenses}
-->
<style>
{fonts}
{style}
</style>
<script type="importmap">
{imports}
</script>
</head>
<body>
<div id="app"><p class="wait">The page needs JavaScript to show the game.</p></div>
<script type="application/octet-stream" id="data">{data}</script>
<script>
{uplot}
</script>
<script type="module">
import {{ start }} from "monopoly/{entry}";
start();
</script>
</body>
</html>
"""


@lru_cache(maxsize=1)
def modules() -> dict[str, str]:
    """Return the source of each module by its import name."""
    sources = {name: _read(FOLDER / path) for name, path in LIBRARIES.items()}
    for path in sorted(FOLDER.glob("*.js")):
        sources[f"monopoly/{path.name}"] = _read(path)
    return sources


def _read(path: Path) -> str:
    """Return a source without its source-map URL, because the map is not shipped."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("//# sourceMappingURL="))


def needed(entry: str) -> dict[str, str]:
    """Return the module ``entry`` and everything it imports, directly or not."""
    known, found = modules(), {}
    waiting = [f"monopoly/{entry}"]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = known[name]
            waiting += [one for one in IMPORTED.findall(known[name]) if one in known]
    return dict(sorted(found.items()))


def page(entry: str, title: str, data: Mapping[str, Any]) -> str:
    """Return a page as one HTML file that runs the module ``entry`` on ``data``."""
    imports = {name: _address(source) for name, source in needed(entry).items()}
    return FRAME.format(
        title=escape(title),
        licenses=_read(VENDOR / "LICENSES.txt").strip().replace("--", "- -"),
        fonts=_fonts(),
        style=_read(VENDOR / "uPlot.min.css") + "\n" + _read(FOLDER / "style.css"),
        imports=json.dumps({"imports": imports}),
        data=pack(data),
        uplot=_read(VENDOR / "uPlot.iife.min.js").replace("</script", "<\\/script"),
        entry=entry,
    )


@lru_cache(maxsize=1)
def _fonts() -> str:
    """Return the CSS of the drawing's font, embedded in the page."""
    rules = []
    for weight, name in ((400, "Inter-Regular"), (700, "Inter-Bold")):
        data = base64.b64encode((VENDOR / f"{name}.woff2").read_bytes()).decode()
        source = f"url(data:font/woff2;base64,{data})"
        rules.append(f"@font-face {{ font-family: Inter; font-weight: {weight}; src: {source}; }}")
    return "\n".join(rules)


def _address(source: str) -> str:
    """Return a module as a data URL."""
    return f"data:text/javascript;base64,{base64.b64encode(source.encode()).decode()}"


def pack(data: Mapping[str, Any]) -> str:
    """Return data as text a page can unpack: JSON, gzip, base64.

    The text depends only on the data.
    """
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
