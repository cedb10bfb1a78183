"""Anything as one line of text, so that two versions can be compared line by line.

What is long, arrays and files, is a line with its hash. Types are told wherever two of them could
look alike: a flag that turns from a ``bool`` into a ``numpy.bool`` is a change.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any

import numpy as np

Lines = Iterator[str]
Takers = dict[str, Callable[[], Lines]]  # fingerprints by name: GROUP/WHAT

FEW = 16  # numbers of an array that are written out
# What differs between two runs, or two commits, of code that does the same.
PASSING = ("version", "git", "python", "system", "packages", "time", "seconds", "hours")


def short(data: bytes) -> str:
    """A hash that two different things will not share."""
    return hashlib.sha256(data).hexdigest()[:16]


def told(value: Any) -> str:
    """A value in one line."""
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {told(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}[{', '.join(map(told, value))}]"
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}={value.value}"
    return repr(value)


def _array(values: Any) -> str:
    """An array: what it holds if that is little, else its hash."""
    form = f"{values.dtype.str}{list(values.shape)}"
    if values.dtype == object or values.size <= FEW:
        return f"{form} {told(values.tolist())}"
    return f"{form} {short(np.ascontiguousarray(values).tobytes())}"


def lasting(value: Any) -> Any:
    """Data as JSON or YAML has it, without what differs between two runs of the same."""
    if isinstance(value, list):
        return [lasting(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: lasting(each)
        for key, each in value.items()
        if key not in PASSING and not (key == "code" and isinstance(each, str))
    }


def lasting_json(text: str) -> str:
    """A line of JSON without what differs between two runs; the keys keep their order."""
    return json.dumps(lasting(json.loads(text)))


def refused(what: Callable[[], Any]) -> str:
    """The error that a call raises, with its families: who catches it relies on them."""
    try:
        found = what()
    except Exception as problem:  # noqa: BLE001 - whatever it is, it is told
        families = " < ".join(kind.__name__ for kind in type(problem).__mro__[:-2])
        return f"{families}: {problem}"
    return f"no error: {found!r}"
