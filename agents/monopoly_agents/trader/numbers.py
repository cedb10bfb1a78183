"""The trader's weights and margins in a file, and how a search varies them.

The file holds ``weights``, as the strategist's does, ``margins``, and ``margins_of_two`` for when
two players are left. It does not hold the two learned models.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_agents.strategist import search_space as strategist_space
from monopoly_agents.strategist.search_space import Vector
from monopoly_agents.strategist.weights import by_name as weights_by_name
from monopoly_agents.strategist.weights import numbers, read_weights
from monopoly_agents.trader.weights import Margins, trader_weights
from monopoly_env.compiler.records import fields
from monopoly_env.errors import AgentError, Location, show, suggest
from monopoly_env.files import read_json

REMEDY = "give the weights.json of a tune run of the trader"

STEPS = {  # a search step adds this much to a margin
    "accept": 0.02,
    "accept_share": 0.04,
    "gain": 0.03,
    "gain_share": 0.05,
    "least": 0.002,
    "slow": 5.0,
    "slow_share": 0.05,
    "patience": 10.0,
    "fade": 0.005,
    "even": 0.05,
    "auction": 0.1,
    "bids": 0.2,
}
OPTIONAL = {
    "auction": 0.0,
    "bids": 1000.0,
}  # margins that files of earlier versions lack: such a trader always buys
SETS = ("margins", "margins_of_two")


def dimensions() -> int:
    """Return the number of scalars to search: the weights, then both sets of margins."""
    return strategist_space.dimensions() + len(SETS) * len(STEPS)


def vary(start: Any, steps: Vector) -> Any:
    """Return the trader, TRADER[1], ``steps`` float64[dimensions()] away from ``start``."""
    record = start.copy()
    first = strategist_space.dimensions()
    record["weights"] = strategist_space.vary(start["weights"], steps[:first])
    of_sets = steps[first:].reshape(len(SETS), len(STEPS))
    for (name, step), times in zip(STEPS.items(), of_sets.T, strict=True):
        record["margins"][name] = np.maximum(start["margins"][name] + step * times, 0.0)
    return record


def by_name(record: Any) -> dict[str, dict[str, float | list[float]]]:
    """Return weights and margins by name as plain values, as :func:`read_numbers` reads them."""
    found: dict[str, dict[str, float | list[float]]] = {
        key: {name: float(record["margins"][name][0, place]) for name in fields(Margins)}
        for place, key in enumerate(SETS)
    }
    return {"weights": weights_by_name(record["weights"]), **found}


def has_margins(path: Path) -> bool:
    """Return whether a JSON file holds a trader's margins. Raises: AgentError, one line."""
    document = read_json(path, AgentError.at(path), REMEDY)
    return isinstance(document, dict) and "margins" in document


def read_numbers(path: Path) -> Any:
    """Read weights and margins from a JSON file; return TRADER[1] with the shipped models.

    Raises: AgentError, one line.
    """
    record, location = trader_weights(), AgentError.at(path)
    record["weights"] = read_weights(path)  # also checks the digest
    document: Any = read_json(path, location, REMEDY)
    for place, key in enumerate(SETS):
        margins = document.get(key)
        if not isinstance(margins, dict):
            (location / key).fail(f"must be a mapping, not {show(margins)}; {REMEDY}")
        put_margins(record["margins"][0, place], margins, location / key)
    return record


def put_margins(record: Any, margins: Mapping[str, object], location: Location) -> None:
    """Write margins by name into a record; all of them must be given."""
    known = fields(Margins)
    for name in margins:
        if name not in known:
            location.fail(f"there is no margin {show(name)}; {suggest(str(name), tuple(known))}")
    for name, field in known.items():
        if name not in margins and name not in OPTIONAL:
            location.fail(f"the margin {name} is missing; it is {field.meaning}")
        record[name] = numbers(margins.get(name, OPTIONAL.get(name)), (), location / name)
