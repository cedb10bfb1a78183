"""Generate the architecture page: subpackages, their purpose, and their imports.

"Room" is short for a subpackage or module directly inside a top-level package. Everything is read
from the sources: the first lines of docstrings and the imports.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

from monopoly_env.compiler.source_keys import SourceKeys, find_packages, imported
from monopoly_training.common.markdown import NOTE, table

PACKAGES = {
    "monopoly_env": "the library: rules, editions, encodings, environments",
    "monopoly_agents": "bots (`agents/`), registered through the same entry point as third-party bots",
    "monopoly_training": "training, evaluation, tournaments, the command line (`training/`)",
}
Rooms = dict[str, str]  # name -> purpose
Imports = dict[str, set[str]]  # room -> imported rooms of the same package


def architecture_page() -> str:
    """Return the page with diagrams and tables of dependencies."""
    page = (
        f"# Architecture\n\n{NOTE}There are three packages; each may import only those below it. Each package "
        "has layered subpackages with one subject each. `make lint` enforces both.\n\n"
        "```mermaid\nflowchart TD\n  monopoly_training --> monopoly_agents --> monopoly_env\n```\n"
    )
    for package, meaning in PACKAGES.items():
        rooms, imports = read_package(package)
        rows = [
            (f"`{room}`", text, ", ".join(f"`{other}`" for other in sorted(imports[room])))
            for room, text in in_layers(rooms, imports)
        ]
        page += (
            f"\n## {package}\n\n{meaning[0].upper()}{meaning[1:]}.\n\n```mermaid\nflowchart TD\n"
            + drawing(imports)
            + "```\n\nThe drawing omits arrows that follow from others. The table lists all "
            "imports, with the highest layer first.\n\n"
            + table(("subpackage", "purpose", "imports"), rows)
        )
    return page


def drawing(imports: Imports) -> str:
    """Return the lines of a flowchart, with an arrow from each room to those that it imports."""
    arrows = {room: sorted(others) for room, others in direct(imports).items()}
    return "".join(
        f"  {room} --> {' & '.join(others)}\n" if others else f"  {room}\n"
        for room, others in arrows.items()
    )


def read_package(package: str) -> tuple[Rooms, Imports]:
    """Read the rooms of a package, and the rooms that each imports."""
    modules = dict(SourceKeys([], find_packages()).modules_of(package))
    rooms: Rooms = {}
    imports: Imports = {}
    for module, path in sorted(modules.items()):
        if module == package:
            continue
        room = _room(module)
        rooms.setdefault(room, summary(path))
        parent = module if path.name == "__init__.py" else module.rpartition(".")[0]
        others = {
            _room(name)
            for name in imported(path.read_text(encoding="utf-8"), parent)
            if name in modules and name != package
        }
        imports.setdefault(room, set()).update(others - {room})
    return rooms, imports


def _room(module: str) -> str:
    """Return the room of a module."""
    return module.split(".")[1]


def summary(path: Path) -> str:
    """Return the first line of a file's docstring, as a table cell."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0].rstrip(".:").replace("|", "\\|")


def in_layers(rooms: Rooms, imports: Imports) -> list[tuple[str, str]]:
    """Return the rooms with their purpose, highest layer first."""
    return sorted(rooms.items(), key=lambda item: (-height(item[0], imports), item[0]))


def height(room: str, imports: Mapping[str, set[str]]) -> int:
    """Return the number of layers below a room. Raises: ValueError for a cycle."""
    return _height(room, imports, ())


def _height(room: str, imports: Mapping[str, set[str]], above: tuple[str, ...]) -> int:
    if room in above:
        raise ValueError(f"rooms import each other: {' -> '.join((*above, room))}")
    return max((1 + _height(other, imports, (*above, room)) for other in imports[room]), default=0)


def direct(imports: Mapping[str, set[str]]) -> Imports:
    """Return the transitive reduction of the imports, for drawing."""
    return {
        room: {
            other
            for other in others
            if not any(other in _below(third, imports) for third in others - {other})
        }
        for room, others in imports.items()
    }


def _below(room: str, imports: Mapping[str, set[str]]) -> set[str]:
    """Return everything that a room imports, directly or not."""
    reached: set[str] = set()
    waiting = [room]
    while waiting:
        more = imports[waiting.pop()] - reached
        reached |= more
        waiting += more
    return reached
