"""Generate the pages on client libraries, with code quoted from their tests.

A page quotes a file with a comment that names its path, from the root of the project, above a code
block. The block's content is filled in here, so that pages only show tested code::

    <!-- quoted: tests/clients/rllib/one_seat.py -->
    ```python
    ```

The folder of a client's tests has ``requirements.in``, which names its packages, and ``no-deps.in``
for packages whose pinned dependencies conflict with monopoly-env's. A client with a
``requirements.lock`` has its own virtual environment (``make test-clients``); the others use the
project's lock file, and their tests run in ``make test``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from monopoly_training.common.markdown import NOTE, table

FOLDER = "clients"
MATRIX = f"{FOLDER}/README.md"
TOOLS = frozenset({"pytest", "torch"})  # named in the requirements, but not under test
QUOTE = re.compile(r"^<!-- quoted: (\S+) -->\n```(\w*)\n(?:.*?\n)??```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"^([A-Za-z0-9._-]+)", re.MULTILINE)
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)


def pages_of(folder: Path, tests: Path) -> dict[str, str]:
    """Return the client pages with refreshed quotes, and the matrix, by name.

    ``folder`` holds the pages, ``tests`` the tests. Raises: ValueError for a quoted file that does
    not exist, and for a client without a page.
    """
    root = tests.parent
    written = {
        f"{FOLDER}/{path.name}": quoted(path, root)
        for path in sorted((folder / FOLDER).glob("*.md"))
        if path.name != Path(MATRIX).name
    }
    return written | {MATRIX: matrix(written, tests / FOLDER)}


def quoted(page: Path, root: Path) -> str:
    """Return a page with each quote replaced by the file's content. Raises: ValueError."""

    def block(match: re.Match[str]) -> str:
        path, language = match.groups()
        if not (root / path).is_file():
            raise ValueError(f"{page}: quotes {path}, which is not there")
        text = (root / path).read_text(encoding="utf-8").strip("\n")
        return f"<!-- quoted: {path} -->\n```{language}\n{text}\n```"

    return QUOTE.sub(block, page.read_text(encoding="utf-8"))


# The matrix of clients


def matrix(written: dict[str, str], clients: Path) -> str:
    """Return the table of clients with their versions and commands."""
    rows = []
    for folder in sorted(path.parent for path in clients.glob("*/requirements.in")):
        name = f"{FOLDER}/{folder.name}.md"
        if name not in written:
            raise ValueError(f"docs/{name} is missing: each client in tests/clients has a page")
        title = written[name].splitlines()[0].removeprefix("# ")
        own = (folder / "requirements.lock").exists()
        rows.append(
            (
                f"[{title}]({folder.name}.md)",
                ", ".join(versions(folder)),
                len(list(tests_of(folder))),
                "`make test-clients`" if own else "`make test`",
            )
        )
    return (
        f"# Other libraries\n\n{NOTE}Each page shows how to use a library with these environments. The code is "
        "quoted from tested files in `tests/clients`. `make test-clients` installs each library in its "
        'own virtual environment, with locked versions, and runs its tests; `make test-clients CLIENTS="rllib"` '
        "tests one.\n\n" + table(("library", "tested versions", "tests", "command"), rows)
    )


def versions(folder: Path) -> Iterator[str]:
    """Yield the tested packages of a client with their locked versions."""
    lock = folder / "requirements.lock"
    if not lock.exists():
        lock = folder.parents[2] / "requirements.lock"
    locked = {plain(name): version for name, version in PINNED.findall(lock.read_text("utf-8"))}
    named = folder / "no-deps.in"  # the library itself; the other file then lists its dependencies
    if not named.exists():
        named = folder / "requirements.in"
    for name in NAMED.findall(named.read_text(encoding="utf-8")):
        if name.startswith("-") or name in TOOLS:
            continue
        if plain(name) not in locked:
            raise ValueError(
                f"{named}: {name} is not in {lock}: run `make lock-clients CLIENTS={folder.name}`"
            )
        yield f"{name} {locked[plain(name)]}"


def plain(package: str) -> str:
    """Normalize a package name."""
    return re.sub(r"[-_.]+", "-", package).lower()


def tests_of(folder: Path) -> Iterator[str]:
    """Yield the names of a client's tests, in file order."""
    for path in sorted(folder.glob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield node.name
