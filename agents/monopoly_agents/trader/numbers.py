"""The trader's weights and margins in a file, and how a search varies them.

The file holds ``weights``, as the strategist's does, and ``margins`` for more than two players, and
``weights_of_two`` and ``margins_of_two`` for when two players are left. It does not hold the two
learned models.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from monopoly_agents.strategist import search_space as strategist_space
from monopoly_agents.strategist.search_space import Vector
from monopoly_agents.strategist.weights import by_name as weights_by_name
from monopoly_agents.strategist.weights import numbers, read_weights, weights_from
from monopoly_agents.trader.acceptance_file import shipped_acceptance
from monopoly_agents.trader.weights import TRADER, TWO, Margins
from monopoly_env.compiler.records import fields, new_records
from monopoly_env.errors import AgentError, Location, show, suggest
from monopoly_env.files import read_json
from monopoly_env.value.weights import Value, shipped_value

SHIPPED = Path(__file__).parent / "trader.json"
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
MARGINS_KEYS = ("margins", "margins_of_two")
WEIGHTS_OF_TWO = "weights_of_two"  # as ``weights`` in files of earlier versions


def trader_weights(value: Value | None = None, acceptance: Any = None) -> Any:
    """Return the shipped numbers, TRADER[1].

    ``value`` and ``acceptance`` (ACCEPTANCE[1]) default to those shipped with the package.
    Raises: AgentError, FileError, one line.
    """
    return with_numbers(SHIPPED, value, acceptance)


def read_numbers(path: Path) -> Any:
    """Read weights and margins from a JSON file; return TRADER[1] with the shipped models.

    Raises: AgentError, one line.
    """
    return with_numbers(path, None, None)


def with_numbers(path: Path, value: Value | None, acceptance: Any) -> Any:
    """Return TRADER[1] with the numbers of a file. Raises: AgentError, FileError, one line."""
    record, location = new_records(1, TRADER), AgentError.at(path)
    record["weights"] = read_weights(path)  # also checks the digest
    record["value"] = (value or shipped_value()).networks
    record["acceptance"] = shipped_acceptance() if acceptance is None else acceptance
    document: Any = read_json(path, location, REMEDY)
    if WEIGHTS_OF_TWO in document:
        values = mapping_of(document, WEIGHTS_OF_TWO, location)
        record["weights"][0, TWO] = weights_from(values, location / WEIGHTS_OF_TWO)[0]
    for place, key in enumerate(MARGINS_KEYS):
        margins = mapping_of(document, key, location)
        put_margins(record["margins"][0, place], margins, location / key)
    return record


def mapping_of(document: Mapping[str, Any], key: str, location: Location) -> Mapping[str, object]:
    """Return the mapping under a key of a document. Raises: AgentError, one line."""
    found = document.get(key)
    if not isinstance(found, dict):
        (location / key).fail(f"must be a mapping, not {show(found)}; {REMEDY}")
    return found


def put_margins(record: Any, margins: Mapping[str, object], location: Location) -> None:
    """Write margins by name into a record; all but the OPTIONAL ones must be given."""
    known = fields(Margins)
    for name in margins:
        if name not in known:
            location.fail(f"there is no margin {show(name)}; {suggest(str(name), tuple(known))}")
    for name, field in known.items():
        if name not in margins and name not in OPTIONAL:
            location.fail(f"the margin {name} is missing; it is {field.meaning}")
        record[name] = numbers(margins.get(name, OPTIONAL.get(name)), (), location / name)


def has_margins(path: Path) -> bool:
    """Return whether a JSON file holds a trader's margins. Raises: AgentError, one line."""
    document = read_json(path, AgentError.at(path), REMEDY)
    return isinstance(document, dict) and "margins" in document


def by_name(record: Any) -> dict[str, dict[str, float | list[float]]]:
    """Return weights and margins by name as plain values, as :func:`read_numbers` reads them."""
    found = {
        key: weights_by_name(record["weights"][:, place])
        for place, key in enumerate(("weights", WEIGHTS_OF_TWO))
    }
    for place, key in enumerate(MARGINS_KEYS):
        found[key] = {name: float(record["margins"][name][0, place]) for name in fields(Margins)}
    return found


# Search


def dimensions() -> int:
    """Return the number of scalars to search: the weights and the margins of one set."""
    return strategist_space.dimensions() + len(STEPS)


def vary(start: Any, steps: Vector, place: int) -> Any:
    """Return the trader, TRADER[1], ``steps`` float64[dimensions()] away from ``start``.

    ``place`` is the set that varies, MANY or TWO.
    """
    record = start.copy()
    first = strategist_space.dimensions()
    record["weights"][:, place] = strategist_space.vary(start["weights"][:, place], steps[:first])
    for (name, step), times in zip(STEPS.items(), steps[first:], strict=True):
        margin = start["margins"][name][0, place] + step * times
        record["margins"][name][0, place] = max(margin, 0.0)
    return record
