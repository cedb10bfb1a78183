"""YAML from people: read safely, with one-line errors that name the line."""

from __future__ import annotations

import re
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from monopoly_env.errors import Location, show

try:
    from yaml import CSafeLoader as _SafeLoader
except ImportError:  # PyYAML without its C library: the same, slower
    from yaml import SafeLoader as _SafeLoader  # type: ignore[assignment]


# What YAML 1.1 reads as something else than it looks like: 010 as 8, 1:30 as 90.
_BASE_8 = re.compile(r"[-+]?0[0-7_]+")
_BASE_60 = re.compile(r"[-+]?\d[\d_]*(:[0-5]?\d)+(\.[\d_]*)?")


class _Loader(_SafeLoader):
    """YAML's safe loader without its traps: equal keys, numbers in base 8 and 60."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen = set()
        for key_node, _ in node.value if node.id == "mapping" else ():
            if not isinstance(key_node, yaml.ScalarNode):
                continue
            key = (key_node.tag, key_node.value)
            if key in seen:
                raise _fault(key_node, f"the key {show(key_node.value)} stands twice")
            seen.add(key)
        return super().construct_mapping(node, deep)

    def construct_yaml_int(self, node: yaml.ScalarNode) -> int:
        _check_base(node)
        return super().construct_yaml_int(node)

    def construct_yaml_float(self, node: yaml.ScalarNode) -> float:
        _check_base(node)
        return super().construct_yaml_float(node)


_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.construct_yaml_int)
_Loader.add_constructor("tag:yaml.org,2002:float", _Loader.construct_yaml_float)


def _check_base(node: yaml.ScalarNode) -> None:
    """A number must be what it looks like."""
    for base, pattern in ((8, _BASE_8), (60, _BASE_60)):
        if pattern.fullmatch(node.value):
            remedy = "write it in base 10, or in quotes if it is text"
            raise _fault(node, f"{show(node.value)} would be read in base {base}; {remedy}")


def _fault(node: yaml.Node, problem: str) -> yaml.constructor.ConstructorError:
    return yaml.constructor.ConstructorError(None, None, problem, node.start_mark)


def read_yaml(path: Path, location: Location, max_bytes: int) -> object:
    """What a YAML file says; an error names ``location`` and the line."""
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            location.fail("is no file; name a YAML file")  # a device or a pipe might never end
        size = path.stat().st_size
        if size > max_bytes:
            location.fail(f"has {size} bytes; such a file has up to {max_bytes}")
        return parse_yaml(path.read_bytes(), location)
    except (OSError, ValueError) as problem:
        if isinstance(problem, location.error):
            raise
        location.fail(f"cannot be read: {reason_of(problem)}")


def parse_yaml(text: str | bytes, location: Location) -> object:
    """What YAML says; an error names ``location`` and the line."""
    try:
        return yaml.load(text, _Loader)
    except yaml.YAMLError as problem:
        location.fail(f"is not valid YAML: {_yaml_reason(problem)}")
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError) as problem:
        # PyYAML lets these through for scalars that do not fit their tag, such as 2001-13-45.
        location.fail(f"is not valid YAML: {reason_of(problem)}")


def reason_of(problem: Exception) -> str:
    """An error in a few words."""
    return getattr(problem, "strerror", None) or str(problem) or type(problem).__name__


def _yaml_reason(problem: yaml.YAMLError) -> str:
    """What YAML found, and in which line."""
    if isinstance(problem, yaml.reader.ReaderError):
        return f"{problem.reason} at byte {problem.position}; save it as UTF-8 text"
    mark = getattr(problem, "problem_mark", None)
    text = getattr(problem, "problem", None) or str(problem)
    return f"line {mark.line + 1}: {text}" if mark else text
