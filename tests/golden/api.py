"""The public interface as text: ``make api`` writes tests/golden/api, a test compares with it.

Names with their signatures, ids of actions, blocks of the observation, keys of files, commands and
settings. Whoever uses the project relies on them: what changes here is a version event, and
``VERSIONS`` says of which version.
"""

from __future__ import annotations

import argparse
import difflib
import enum
import importlib
import inspect
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, get_type_hints

import yaml

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).with_name("api")
PACKAGES = ("monopoly_env", "monopoly_agents", "monopoly_training")
# Modules that users import, and what of them; an empty tuple: what is in __all__.
MODULES: dict[str, tuple[str, ...]] = {
    "monopoly_env": (),
    "monopoly_env.envs": (),
    "monopoly_env.monopoly_v0": (),
    "monopoly_env.bots": (),
    "monopoly_env.editions": (),
    "monopoly_env.records": (),
    "monopoly_env.cases": (),
    "monopoly_env.errors": (
        "InputError", "EditionError", "PositionError", "RecordError", "CaseError", "AgentError",
        "FileError",
    ),
    "monopoly_env.encoding.blocks": ("labels",),
    "monopoly_agents.registry": ("agents",),
    "monopoly_training.cli": ("main",),
    "monopoly_training.dataset.reader": ("info", "read"),
    "monopoly_training.models.registry": ("agents",),
    "monopoly_training.sb3.vec_env": ("MonopolyVecEnv",),
}  # fmt: skip
LONG = 60  # characters of a constant that is written out
PACKAGE = "the package's version in pyproject.toml"
# What must go up when a file changes.
VERSIONS = {
    "actions": "the package's version (ACTIONS_VERSION follows from the table by itself: saved "
    "games and models of before are refused)",
    "bots": PACKAGE,
    "commands": PACKAGE,
    "configs": PACKAGE,
    "formats": "FORMAT of what changed: monopoly_env/records/record.py for records, "
    "monopoly_training/models/card.py for models, monopoly_training/dataset/reader.py for data "
    "sets; for the other files the package's version",
    "observation": "OBSERVATION_VERSION in monopoly_env/encoding/blocks.py",
    "python": PACKAGE,
}

Lines = Iterator[str]


# Names and signatures


def python() -> Lines:
    """Every public name of Python; what several modules offer is described once."""
    homes: dict[int, str] = {}
    for module, names in MODULES.items():
        loaded = importlib.import_module(module)
        yield f"# {module}"
        for name in names or sorted(loaded.__all__):
            value = getattr(loaded, name)
            home = homes.setdefault(id(value), f"{module}.{name}")
            if home == f"{module}.{name}" or not callable(value):
                yield from described(name, value)
            else:
                yield f"{name} is {home}"
        yield ""


def described(name: str, value: object) -> Lines:
    """A name: a class with its members, a function with its signature, a constant."""
    if isinstance(value, type):
        yield from class_lines(name, value)
    elif callable(value):
        yield f"{name}{signature(value)}"
    elif isinstance(value, int | str | float | tuple) and len(repr(value)) < LONG:
        yield f"{name}: {type(value).__name__} = {value!r}"
    else:
        yield f"{name}: {type(value).__name__}"


def class_lines(name: str, kind: type) -> Lines:
    """A class: what it takes, its fields, methods and properties."""
    bases = ", ".join(base.__name__ for base in kind.__bases__ if base is not object)
    yield f"class {name}({bases})" if bases else f"class {name}"
    if issubclass(kind, enum.Enum):
        yield from (f"    {member.name} = {member.value!r}" for member in kind)
        return
    if "__init__" in vars(kind):
        yield f"    __init__{signature(kind.__init__)}"  # type: ignore[misc]
    for field in sorted(set(own_annotations(kind))):
        yield f"    {field}: {plain(own_annotations(kind)[field])}"
    for member in sorted(member for member in dir(kind) if not member.startswith("_")):
        home = next((base for base in kind.__mro__ if member in vars(base)), kind)
        if home.__module__.partition(".")[0] in PACKAGES:
            yield from member_lines(member, inspect.getattr_static(kind, member), kind)


def own_annotations(kind: type) -> dict[str, Any]:
    """The public annotated fields of a class and of its bases in these packages."""
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.partition(".")[0] in PACKAGES:
            found |= vars(base).get("__annotations__", {})
    return {name: text for name, text in found.items() if not name.startswith("_")}


def member_lines(name: str, value: object, kind: type) -> Lines:
    """A method, a property or a class attribute; fields are told elsewhere."""
    if isinstance(value, property | cached_property):
        getter = value.fget if isinstance(value, property) else value.func
        kept = inspect.signature(getter).return_annotation if getter else ""
        yield f"    {name} -> {kept}"
    elif isinstance(value, staticmethod | classmethod):
        yield f"    {type(value).__name__} {name}{signature(getattr(kind, name))}"
    elif callable(value):
        yield f"    {name}{signature(value)}"
    elif name not in own_annotations(kind):
        yield f"    {name}: {type(value).__name__}"


class Plain(str):
    """An annotation that is shown without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def plain(annotation: object) -> object:
    """A type as it is written, without what ``Annotated`` says of it."""
    if not isinstance(annotation, str):
        return annotation
    return Plain(re.sub(r"Annotated\[(.+?), .+\]$", r"\1", annotation))


def signature(value: Callable[..., object]) -> str:
    """The parameters and what is returned, as they are written."""
    try:
        found = inspect.signature(getattr(value, "py_func", value))  # of a compiled function
    except (TypeError, ValueError):
        return "(…)"
    parameters = [
        each.replace(annotation=plain(each.annotation)) for each in found.parameters.values()
    ]
    kept = plain(found.return_annotation)
    return str(found.replace(parameters=parameters, return_annotation=kept))


# Tables


def actions() -> Lines:
    """The ids of actions."""
    from monopoly_env.engine.actions import TEXTS

    yield from (f"{number} {text}" for number, text in enumerate(TEXTS))


def observation() -> Lines:
    """The blocks of the observation."""
    from monopoly_env.encoding.blocks import (
        BLOCKS,
        OBSERVATION_SIZE,
        OBSERVATION_VERSION,
        OFFSETS,
    )

    yield f"# OBSERVATION_VERSION {OBSERVATION_VERSION}: {OBSERVATION_SIZE} numbers"
    yield "# offset size block unit low high: labels"
    for block in BLOCKS:
        yield (
            f"{OFFSETS[block.name]} {block.size} {block.name} {block.unit} {block.low:g} "
            f"{block.high:g}: {' '.join(block.labels)}"
        )


def bots() -> Lines:
    """The bots that come along, by name."""
    from monopoly_agents.registry import agents as scripted
    from monopoly_training.models.registry import agents as trained

    yield from sorted({*scripted(), *trained()})


def commands() -> Lines:
    """The commands with their arguments and options."""
    from monopoly_training import commands as package
    from monopoly_training.cli import command_names

    for name in command_names():
        yield f"# monopoly-env {name}"
        module = importlib.import_module(f"{package.__name__}.{name.replace('-', '_')}")
        hints = get_type_hints(module.command, include_extras=True)
        for parameter in inspect.signature(module.command).parameters.values():
            yield " ".join(parameter_words(parameter, hints[parameter.name]))
        yield ""


def parameter_words(parameter: inspect.Parameter, hint: Any) -> Lines:
    """An argument or option: its names, its type, and whether it must be given or its default."""
    kind, info = hint.__origin__, hint.__metadata__[0]
    own = "--" + parameter.name.replace("_", "-")
    given = [info.default, *(info.param_decls or ())]  # within Annotated, the first is a name
    names = [name for name in given if isinstance(name, str) and name.startswith("-")]
    if type(info).__name__ == "ArgumentInfo":
        yield parameter.name.upper()
    else:
        yield ", ".join(names or ([own, "--no-" + own[2:]] if kind is bool else [own]))
    yield kind.__name__ if isinstance(kind, type) else str(kind)
    default = parameter.default
    if default in (inspect.Parameter.empty, ...):
        yield "required"
    elif default not in (None, False, ""):
        yield f"= {default}"


def configs() -> Lines:
    """The settings of each kind of config."""
    for path in sorted((ROOT / "configs").glob("*/default.yaml")):
        yield f"# configs/{path.parent.name}"
        yield from keys(yaml.safe_load(path.read_text(encoding="utf-8")))
        yield ""


# Files


def keys(value: object, path: str = "") -> Lines:
    """The keys of data with the types of what they hold."""
    if isinstance(value, Mapping) and value:
        for key, each in value.items():
            yield from keys(each, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple) and value and isinstance(value[0], Mapping):
        yield from keys(value[0], f"{path}[]")
    elif isinstance(value, list | tuple):
        yield f"{path}: [{', '.join(sorted({type(each).__name__ for each in value}))}]"
    else:
        yield f"{path}: {type(value).__name__}"


def formats() -> Lines:
    """What files hold: keys of JSON, columns of tables."""
    from monopoly_env import Game

    game = Game(players=2, seed=1)
    game.play("roll")
    record = game.record(["ann", "ben"])
    yield f"# a record; format {record['format']}, rules version {record['rules_version']}"
    yield from keys(record)
    yield from ("", "# a position")
    yield from keys(game.position())
    with tempfile.TemporaryDirectory() as folder:
        yield from tournament_formats(Path(folder))
    yield from dataset_formats()
    yield from model_formats()


def tournament_formats(folder: Path) -> Lines:
    """The ledger, results and tables of a tournament."""
    from monopoly_training.tournament.config import load_tournament_config
    from monopoly_training.tournament.game_table import write_games
    from monopoly_training.tournament.report import csv_row
    from monopoly_training.tournament.tournament import play_tournament

    settings = {"agents": ["fixed_a", "random"], "games": 4, "records": 1,
                "sprt": {"enabled": True}, "rules": {"max_turns": 20}}  # fmt: skip
    result = play_tournament(load_tournament_config(None, settings), folder)
    for number, what in ((0, "its first line"), (1, "a batch"), (-1, "its last line")):
        yield from ("", f"# games.jsonl, {what}")
        lines = (folder / "games.jsonl").read_text(encoding="utf-8").splitlines()
        yield from keys(json.loads(lines[number]))
    yield from ("", "# results.json")
    yield from keys(json.loads(json.dumps(result.as_json())))
    yield from ("", "# table.csv", *csv_row(result.standings[0]))
    written = [path for path in write_games(result.games, folder) if path.suffix == ".csv"]
    for path in written:
        yield from (
            "",
            f"# {path.name}",
            *path.read_text(encoding="utf-8").splitlines()[0].split(","),
        )


def dataset_formats() -> Lines:
    """A data set of decisions."""
    from monopoly_training.dataset.reader import arrow_schema

    yield from ("", "# a data set, a row a decision")
    for field in arrow_schema(True):
        yield f"{field.name}: {field.type}"


def model_formats() -> Lines:
    """A trained policy: its card and its tensors."""
    from monopoly_training.models.model_agent import CHAMPION_FOLDER

    for path in sorted(CHAMPION_FOLDER.glob("*.json")):
        yield from ("", f"# {path.name} of a model")
        yield from keys(json.loads(path.read_text(encoding="utf-8")))


# Comparing


SNAPSHOTS: dict[str, Callable[[], Lines]] = {
    "actions": actions,
    "bots": bots,
    "commands": commands,
    "configs": configs,
    "formats": formats,
    "observation": observation,
    "python": python,
}


def taken(name: str) -> str:
    """A snapshot of what is there now."""
    return "\n".join(SNAPSHOTS[name]()).rstrip() + "\n"


def kept(name: str) -> str:
    """The snapshot that is kept; nothing if there is none."""
    path = FOLDER / f"{name}.txt"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def difference(name: str, old: str, new: str) -> str:
    """What changed in a snapshot, and what must follow; empty if nothing did."""
    lines = difflib.unified_diff(
        old.splitlines(), new.splitlines(), "kept", "now", lineterm="", n=1
    )
    changed = "\n".join(lines)
    if not changed:
        return ""
    return (
        f"the public interface changed (tests/golden/api/{name}.txt):\n{changed}\n"
        f"If it is meant: raise {VERSIONS[name]}; say it in CHANGELOG.md; `make api`."
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, or write; the exit status is 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden.api", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the snapshots anew")
    given = parser.parse_args(arguments)
    differences = {name: difference(name, kept(name), taken(name)) for name in SNAPSHOTS}
    changed = {name: text for name, text in differences.items() if text}
    for name, text in changed.items():
        sys.stdout.write(text + "\n\n")
        if given.write:
            FOLDER.mkdir(exist_ok=True)
            (FOLDER / f"{name}.txt").write_text(taken(name), encoding="utf-8")
    sys.stdout.write(f"{len(SNAPSHOTS) - len(changed)} of {len(SNAPSHOTS)} snapshots unchanged\n")
    return int(bool(changed) and not given.write)


if __name__ == "__main__":
    sys.exit(main())
