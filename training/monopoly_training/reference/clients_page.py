"""The pages of clients: other libraries, each with the files that its tests run.

A page quotes a file by a comment with its path, from the root of the project, above a block of
code. What stands in the block is written here, so that a page shows nothing that is not tested::

    <!-- quoted: tests/clients/rllib/one_seat.py -->
    ```python
    ```

The folder of a client's tests has ``requirements.in``, which names its packages, and ``no-deps.in``
where one asks for versions of others that monopoly-env does not run with. If it has a
``requirements.lock`` too, the client has an environment of its own (``make test-clients``);
otherwise the versions are those of the lock of the project, and its tests run in ``make test``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from monopoly_training.common.markdown import NOTE, table

FOLDER = "clients"
MATRIX = f"{FOLDER}/README.md"
TOOLS = frozenset({"pytest", "torch"})  # named, but not what is tested
QUOTE = re.compile(r"^<!-- quoted: (\S+) -->\n```(\w*)\n(?:.*?\n)??```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"^([A-Za-z0-9._-]+)", re.MULTILINE)
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)


def pages_of(folder: Path, tests: Path) -> dict[str, str]:
    """Every page of a client with its quotes renewed, and the matrix, by name.

    ``folder`` is that of the pages, ``tests`` that of the tests. Raises: ValueError for a page that
    quotes a file that is not there, and for a client that has no page.
    """
    root = tests.parent
    written = {
        f"{FOLDER}/{path.name}": quoted(path, root)
        for path in sorted((folder / FOLDER).glob("*.md"))
        if path.name != Path(MATRIX).name
    }
    return written | {MATRIX: matrix(written, tests / FOLDER)}


def quoted(page: Path, root: Path) -> str:
    """A page in which each quote is the file that it names. Raises: ValueError."""

    def block(match: re.Match[str]) -> str:
        path, language = match.groups()
        if not (root / path).is_file():
            raise ValueError(f"{page}: quotes {path}, which is not there")
        text = (root / path).read_text(encoding="utf-8").strip("\n")
        return f"<!-- quoted: {path} -->\n```{language}\n{text}\n```"

    return QUOTE.sub(block, page.read_text(encoding="utf-8"))


# The matrix


def matrix(written: dict[str, str], clients: Path) -> str:
    """All clients with their versions, and what is run."""
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
    """The packages that are tested, as a client's files name them, with their locked versions."""
    lock = folder / "requirements.lock"
    if not lock.exists():
        lock = folder.parents[2] / "requirements.lock"
    locked = {plain(name): version for name, version in PINNED.findall(lock.read_text("utf-8"))}
    named = folder / "no-deps.in"  # the library; then the other file has what it needs
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
    """The name of a package as indexes have it."""
    return re.sub(r"[-_.]+", "-", package).lower()


def tests_of(folder: Path) -> Iterator[str]:
    """The names of a client's tests, in the order of its files."""
    for path in sorted(folder.glob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield node.name
