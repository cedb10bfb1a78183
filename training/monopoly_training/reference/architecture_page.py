"""The page of the architecture: which rooms there are, what each is for, and who imports whom.

A room is a package or a module directly inside one of the three top-level packages. Everything is
read from the sources: the first line of a room's docstring, and the imports of its modules.
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
Rooms = dict[str, str]  # names, and what each is for
Imports = dict[str, set[str]]  # by room, the rooms of the same package that it imports


def architecture_page() -> str:
    """What depends on what, drawn and in words."""
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
    """The lines of a flowchart: an arrow from each room to those that it rests on."""
    arrows = {room: sorted(others) for room, others in direct(imports).items()}
    return "".join(
        f"  {room} --> {' & '.join(others)}\n" if others else f"  {room}\n"
        for room, others in arrows.items()
    )


def read_package(package: str) -> tuple[Rooms, Imports]:
    """The rooms of a package, and which of them each imports."""
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
    """The room that a module lies in."""
    return module.split(".")[1]


def summary(path: Path) -> str:
    """The first line of a file's docstring, as a cell of a table."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0].rstrip(".:").replace("|", "\\|")


def in_layers(rooms: Rooms, imports: Imports) -> list[tuple[str, str]]:
    """The rooms with what they are for, those that import the most layers first."""
    return sorted(rooms.items(), key=lambda item: (-height(item[0], imports), item[0]))


def height(room: str, imports: Mapping[str, set[str]]) -> int:
    """How many rooms lie one above the other below this one. Raises ValueError for a circle."""
    return _height(room, imports, ())


def _height(room: str, imports: Mapping[str, set[str]], above: tuple[str, ...]) -> int:
    if room in above:
        raise ValueError(f"rooms import each other: {' -> '.join((*above, room))}")
    return max((1 + _height(other, imports, (*above, room)) for other in imports[room]), default=0)


def direct(imports: Mapping[str, set[str]]) -> Imports:
    """The imports that do not follow from other ones, for a drawing."""
    return {
        room: {
            other
            for other in others
            if not any(other in _below(third, imports) for third in others - {other})
        }
        for room, others in imports.items()
    }


def _below(room: str, imports: Mapping[str, set[str]]) -> set[str]:
    """Everything that a room reaches."""
    reached: set[str] = set()
    waiting = [room]
    while waiting:
        more = imports[waiting.pop()] - reached
        reached |= more
        waiting += more
    return reached
