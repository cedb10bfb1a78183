"""Load settings from YAML: read, layered and checked against a dataclass.

A dataclass defines the keys and their types; ``Annotated[int, Range(1, 8)]`` bounds a number. Every
error is one line that names the file, the key and the remedy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from importlib.resources import files
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from monopoly_env.errors import InputError, Location, show, suggest
from monopoly_env.yaml_text import parse_yaml, read_yaml

T = TypeVar("T")
MAX_BYTES = 1_000_000
CONFIGS = "monopoly_training.configs"


class ConfigError(InputError):
    """An invalid config or setting; the message is one line."""


@dataclass(frozen=True)
class Range:
    """The smallest and largest allowed value of a number."""

    low: float
    high: float


def find_config(kind: str, name: str | Path) -> Path:
    """Find a config by path, or by name among the included configs (``kind`` is their folder)."""
    path = Path(name)
    if path.suffix in (".yaml", ".yml") or (path.exists() and not path.is_dir()):
        if not path.exists():
            ConfigError.at(path).fail("there is no such file; name one, or an included config")
        return path
    shipped = shipped_configs(kind)
    if str(name) not in shipped:
        ConfigError.at(name).fail(f"there is no such {kind} config; {suggest(str(name), shipped)}")
    return shipped[str(name)]


def shipped_configs(kind: str) -> dict[str, Path]:
    """Return the included configs of a kind, by name."""
    folder = Path(str(files(CONFIGS))) / kind
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


def load_settings(
    schema: type[T],
    sources: Iterable[str | Path],
    changes: Iterable[str] = (),
    options: Mapping[str, object] | None = None,
) -> T:
    """Read YAML files, later ones overriding earlier ones, and apply ``key=value`` changes on top.

    ``options`` are settings that commands have their own options for; they are applied last.

    Raises: ConfigError, one line that names the file, the key and the remedy; InputError for an
    invalid entry of ``changes`` or ``options``.
    """
    layers = []
    last = ConfigError.at("settings")
    for source in sources:
        last = ConfigError.at(source)
        raw = read_yaml(Path(source), last, MAX_BYTES)
        if raw is None:
            last.fail("is empty; leave it out for the defaults, or write 'key: value'")
        layers.append(parsed(schema, raw, last))
    layers.extend(parsed_change(schema, change) for change in changes)
    hints = get_type_hints(schema, include_extras=True)
    layers.extend(
        {key: parse_value(hints[key], value, InputError.at(key))}
        for key, value in (options or {}).items()
    )
    merged: dict[str, Any] = {}
    for layer in layers:
        merged = merge(merged, layer)
    return build(schema, merged, last)


def parsed_change(schema: type, change: str) -> dict[str, Any]:
    """Parse one ``key=value`` change into a settings layer; keys may be dotted, values are YAML."""
    key, equals, text = change.partition("=")
    location = InputError.at("changes")
    if not equals or not key:
        location.fail(f"must be key=value, such as ppo.gamma=0.999, not {show(change)}")
    value = parse_yaml(text, location / key)
    for name in reversed(key.split(".")):
        value = {name: value}
    return parsed(schema, value, location)


def merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Merge two layers of settings: mappings are merged recursively, all other values replaced."""
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        if isinstance(value, Mapping) and isinstance(under, Mapping):
            merged[key] = merge(under, value)
        else:
            merged[key] = value
    return merged


def parsed(schema: type, raw: object, location: Location) -> dict[str, Any]:
    """Check the keys in ``raw`` against the schema; keys may be missing."""
    hints = get_type_hints(schema, include_extras=True)
    given = location.mapping(raw, "setting", hints)
    return {key: parse_value(hints[key], value, location / key) for key, value in given.items()}


def build(schema: type[T], values: Mapping[str, Any], location: Location) -> T:
    """Build the dataclass from a complete set of checked settings.

    Fields with defaults may be missing: runs of earlier versions do not have them.
    """
    hints = get_type_hints(schema)
    arguments: dict[str, Any] = {}
    for field in fields(schema):  # type: ignore[arg-type]
        name = field.name
        if is_dataclass(hints[name]):
            inner: type = hints[name]
            arguments[name] = build(inner, values.get(name, {}), location / name)
        elif name in values:
            arguments[name] = values[name]
        elif field.default is MISSING:
            location.fail(f"the setting {name} is missing; add a line '{name}: …'")
    return schema(**arguments)


def plain(value: Any) -> Any:
    """Convert settings to plain YAML data: tuples become lists, recursively."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def flat(settings: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Flatten nested settings into dotted keys, as ``--set`` takes them.

    >>> flat({"ppo": {"gamma": 0.99}, "seed": 1})
    {'ppo.gamma': 0.99, 'seed': 1}
    """
    found: dict[str, Any] = {}
    for key, value in settings.items():
        if isinstance(value, Mapping) and value:
            found |= flat(value, f"{prefix}{key}.")
        else:
            found[f"{prefix}{key}"] = value
    return found


def parse_value(kind: Any, raw: object, location: Location) -> Any:
    """Check one value against its type."""
    origin = get_origin(kind)
    if is_dataclass(kind):
        return parsed(kind, raw, location)  # type: ignore[arg-type]
    if origin is Annotated:
        inner, limits = get_args(kind)
        return parse_bounded(inner, limits, raw, location)
    if origin in (UnionType, Union):
        return parse_optional(kind, raw, location)
    if origin is Literal:
        return parse_choice(get_args(kind), raw, location)
    if origin is tuple:
        return parse_tuple(get_args(kind)[0], raw, location)
    if origin is dict:
        return location.mapping(raw)
    return parse_plain(kind, raw, location)


def parse_bounded(kind: Any, limits: Range, raw: object, location: Location) -> Any:
    """Check a number (or null, if the type allows it) against its range."""
    value = parse_value(kind, raw, location)
    if value is not None and not limits.low <= value <= limits.high:
        location.fail(
            f"must be from {limit_text(limits.low)} to {limit_text(limits.high)}, not {show(raw)}"
        )
    return value


def limit_text(number: float) -> str:
    """Format a limit; whole numbers with all their digits."""
    return str(int(number)) if float(number).is_integer() else f"{number:g}"


def parse_optional(kind: Any, raw: object, location: Location) -> Any:
    """Check a value that may be ``null``."""
    if raw is None:
        return None
    (inner,) = (option for option in get_args(kind) if option is not NoneType)
    return parse_value(inner, raw, location)


def parse_choice(choices: tuple[Any, ...], raw: object, location: Location) -> Any:
    """Check a choice among fixed words. YAML reads ``off`` as false; it means ``off``."""
    word = "off" if raw is False and "off" in choices else raw
    if word not in choices:
        location.fail(f"must be one of {', '.join(map(str, choices))}, not {show(raw)}")
    return word


def parse_tuple(kind: Any, raw: object, location: Location) -> tuple[Any, ...]:
    """Check a list of values of one type."""
    if not isinstance(raw, list):
        location.fail(f"must be a list, such as [a, b], not {show(raw)}")
    return tuple(parse_value(kind, item, location / str(i + 1)) for i, item in enumerate(raw))


WORDS = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}


def parse_plain(kind: Any, raw: object, location: Location) -> Any:
    """Check a number, a boolean or a string."""
    if kind is float and isinstance(raw, str):
        raw = exponent(raw)
    if kind is str:
        return location.text(raw)
    fits = isinstance(raw, bool) if kind is bool else not isinstance(raw, bool)
    if not fits or not isinstance(raw, (int, float) if kind is float else kind):
        location.fail(f"must be {WORDS[kind]}, not {show(raw)}")
    return kind(raw)


def exponent(raw: str) -> object:
    """Parse ``3e-4`` as a number: YAML reads it as text (it expects ``3.0e-4``)."""
    try:
        return float(raw)
    except ValueError:
        return raw
