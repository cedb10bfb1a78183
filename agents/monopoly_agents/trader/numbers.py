"""The trader's own numbers in a file, and how a search varies them: weights and margins.

The file holds them under ``weights``, as the strategist's does, ``margins`` and ``margins_of_two``,
for where two players are left. The two learned models are not among them.
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

STEPS = {  # a step of the search adds this much to a margin
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
}
SETS = ("margins", "margins_of_two")


def dimensions() -> int:
    """How many numbers a search varies: the weights, then both sets of margins."""
    return strategist_space.dimensions() + len(SETS) * len(STEPS)


def vary(start: Any, steps: Vector) -> Any:
    """Numbers so many steps away from others, TRADER[1]; ``steps`` float64[dimensions()]."""
    record = start.copy()
    first = strategist_space.dimensions()
    record["weights"] = strategist_space.vary(start["weights"], steps[:first])
    of_sets = steps[first:].reshape(len(SETS), len(STEPS))
    for (name, step), times in zip(STEPS.items(), of_sets.T, strict=True):
        record["margins"][name] = np.maximum(start["margins"][name] + step * times, 0.0)
    return record


def by_name(record: Any) -> dict[str, dict[str, float | list[float]]]:
    """Weights and margins by name, as plain numbers and lists, such as :func:`read_numbers` reads."""
    found: dict[str, dict[str, float | list[float]]] = {
        key: {name: float(record["margins"][name][0, place]) for name in fields(Margins)}
        for place, key in enumerate(SETS)
    }
    return {"weights": weights_by_name(record["weights"]), **found}


def has_margins(path: Path) -> bool:
    """Whether a JSON file holds margins, and so a trader's numbers. Raises: AgentError, one line."""
    document = read_json(path, AgentError.at(path), REMEDY)
    return isinstance(document, dict) and "margins" in document


def read_numbers(path: Path) -> Any:
    """The trader by the weights and margins of a JSON file and the shipped models, as TRADER[1].

    Raises: AgentError, one line.
    """
    record, location = trader_weights(), AgentError.at(path)
    record["weights"] = read_weights(path)  # checks the digest, too
    document: Any = read_json(path, location, REMEDY)
    for place, key in enumerate(SETS):
        margins = document.get(key)
        if not isinstance(margins, dict):
            (location / key).fail(f"must be a mapping, not {show(margins)}; {REMEDY}")
        put_margins(record["margins"][0, place], margins, location / key)
    return record


def put_margins(record: Any, margins: Mapping[str, object], location: Location) -> None:
    """Write margins by name into a record of them; every one of them must be there."""
    known = fields(Margins)
    for name in margins:
        if name not in known:
            location.fail(f"there is no margin {show(name)}; {suggest(str(name), tuple(known))}")
    for name, field in known.items():
        if name not in margins:
            location.fail(f"the margin {name} is missing; it is {field.meaning}")
        record[name] = numbers(margins[name], (), location / name)
