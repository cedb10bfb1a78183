"""Safe YAML parsing, with one-line errors that name the line."""

from __future__ import annotations

import re
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from monopoly_env.errors import Location, show
from monopoly_env.files import read_bytes, reason_of

try:
    from yaml import CSafeLoader as _SafeLoader
except ImportError:  # PyYAML without its C library: same results, but slower
    from yaml import SafeLoader as _SafeLoader  # type: ignore[assignment]


MOST_VALUES = 1_000_000  # limit for one document, with aliases expanded

# YAML 1.1 misreads these numbers: 010 as 8, 1:30 as 90.
_BASE_8 = re.compile(r"[-+]?0[0-7_]+")
_BASE_60 = re.compile(r"[-+]?\d[\d_]*(:[0-5]?\d)+(\.[\d_]*)?")


class _Loader(_SafeLoader):
    """A safe YAML loader that refuses duplicate keys and numbers in base 8 or 60."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen = set()
        for key_node, _ in node.value if node.id == "mapping" else ():
            if not isinstance(key_node, yaml.ScalarNode):
                continue
            key = (key_node.tag, key_node.value)
            if key in seen:
                raise _fault(key_node, f"the key {show(key_node.value)} occurs twice")
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
    """Refuse a number that YAML would read in base 8 or 60."""
    for base, pattern in ((8, _BASE_8), (60, _BASE_60)):
        if pattern.fullmatch(node.value):
            remedy = "write it in base 10, or in quotes if it is text"
            raise _fault(node, f"{show(node.value)} would be read in base {base}; {remedy}")


def _fault(node: yaml.Node, problem: str) -> yaml.constructor.ConstructorError:
    return yaml.constructor.ConstructorError(None, None, problem, node.start_mark)


def read_yaml(path: Path, location: Location, max_bytes: int) -> object:
    """Return the parsed content of a YAML file; an error names ``location`` and the line."""
    return parse_yaml(read_bytes(path, location, max_bytes, "name a YAML file"), location)


def parse_yaml(text: str | bytes, location: Location) -> object:
    """Return parsed YAML; an error names ``location`` and the line."""
    try:
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return None
            _count(node, {}, set())
            return loader.construct_document(node)
        finally:
            loader.dispose()
    except yaml.YAMLError as problem:
        location.fail(f"is not valid YAML: {_yaml_reason(problem)}")
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError) as problem:
        # PyYAML lets these through for scalars that do not fit their tag, such as 2001-13-45.
        location.fail(f"is not valid YAML: {reason_of(problem)}")


def _count(node: yaml.Node, known: dict[yaml.Node, int], above: set[yaml.Node]) -> int:
    """Count the values of a node with aliases expanded: a few lines can stand for billions."""
    if node in above:
        raise _fault(node, "this refers to itself")
    if node not in known:
        inner: list[yaml.Node] = []
        if isinstance(node, yaml.MappingNode):
            inner = [one for pair in node.value for one in pair]
        elif isinstance(node, yaml.SequenceNode):
            inner = node.value
        above.add(node)
        known[node] = 1 + sum(_count(one, known, above) for one in inner)
        above.remove(node)
        if known[node] > MOST_VALUES:
            raise _fault(node, f"this expands to more than {MOST_VALUES:,} values by its aliases")
    return known[node]


def _yaml_reason(problem: yaml.YAMLError) -> str:
    """Return YAML's message, with the line."""
    if isinstance(problem, yaml.reader.ReaderError):
        return f"{problem.reason} at byte {problem.position}; save it as UTF-8 text"
    mark = getattr(problem, "problem_mark", None)
    text = getattr(problem, "problem", None) or str(problem)
    return f"line {mark.line + 1}: {text}" if mark else text
