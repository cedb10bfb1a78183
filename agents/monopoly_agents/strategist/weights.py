"""The strategist's weights: a record passed to the policy, or its own defaults.

A policy finds the address of its weights in its view; 0 stands for the defaults.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.pointers import record_at
from monopoly_env.compiler.records import Field, dtype_of, fields, new_records
from monopoly_env.engine.board import COLORS
from monopoly_env.engine.policy import ViewState
from monopoly_env.engine.state import Float64s
from monopoly_env.errors import AgentError, Location, show, suggest
from monopoly_env.files import DIGEST, read_json, without_digest

LEVELS = 5  # levels of concession


class Weights:
    """Values of holdings and thresholds for decisions. Turns are opponents' turns."""

    # What holdings are worth
    deeds: Annotated[
        float, Field("f8", (), "of price", "the value of a deed by itself; half if mortgaged")
    ]
    lone: Annotated[float, Field("f8", (), "turns", "the horizon for rents of incomplete groups")]
    whole: Annotated[
        float, Field("f8", (), "turns", "the horizon for rents of a complete group as it stands")
    ]
    houses: Annotated[
        float, Field("f8", (), "turns", "the horizon for rents that planned houses add")
    ]
    group: Annotated[
        Float64s,
        Field(
            "f8", (COLORS,), "times", "the factor on the rents of planned houses, by color group"
        ),
    ]
    railroads: Annotated[float, Field("f8", (), "turns", "the horizon for rents of railroads")]
    utilities: Annotated[float, Field("f8", (), "turns", "the horizon for rents of utilities")]
    pair: Annotated[
        float, Field("f8", (), "of price", "the bonus for two of a group's three deeds")
    ]
    keep: Annotated[float, Field("f8", (), "$", "the cash kept out of building plans")]
    idle: Annotated[
        float, Field("f8", (), "of value", "the part of idle mortgages that building plans may use")
    ]

    # Deals
    gain: Annotated[
        float, Field("f8", (), "times", "the least factor on one's own share to make an offer")
    ]
    accept: Annotated[
        float, Field("f8", (), "times", "the least factor on one's own share to accept an offer")
    ]
    even: Annotated[
        float,
        Field(
            "f8",
            (),
            "times",
            "the least factor on one's own share for a deal that completes a group in a stalled game",
        ),
    ]
    gives_way: Annotated[
        Float64s,
        Field(
            "f8", (LEVELS,), "times", "the least factor on a partner's share, by earlier refusals"
        ),
    ]
    gives_way_of_two: Annotated[
        Float64s,
        Field(
            "f8", (LEVELS,), "times", "the least factor on a partner's share with two players left"
        ),
    ]

    # Cash
    spreads: Annotated[
        float,
        Field("f8", (), "deviations", "the standard deviations of rents ahead that cash covers"),
    ]
    pocket: Annotated[float, Field("f8", (), "$", "the cash kept in any case")]
    lift_stays: Annotated[
        float,
        Field("f8", (), "$", "the cash left after lifting the mortgage of an incomplete group"),
    ]
    breaks_group: Annotated[
        float, Field("f8", (), "times", "the extra loss of mortgaging a deed of a complete group")
    ]
    unsold: Annotated[float, Field("f8", (), "of price", "the value of landing on an unowned deed")]


WEIGHTS = dtype_of(Weights)


def weights_from(values: Mapping[str, object], location: Location) -> Any:
    """Return WEIGHTS[1] from all weights by name; ``location`` names the file in errors.

    Raises: AgentError, one line, for a missing or unknown name or a value that is not a number.
    """
    record = new_records(1, WEIGHTS)
    known = fields(Weights)
    for name in values:
        if name not in known:
            location.fail(f"there is no weight {show(name)}; {suggest(str(name), tuple(known))}")
    for name, field in known.items():
        if name not in values:
            location.fail(f"the weight {name} is missing; it is {field.meaning}")
        record[name] = numbers(values[name], field.shape, location / name)
    return record


def numbers(value: object, shape: tuple[int, ...], location: Location) -> float | list[float]:
    """Return a number, or a list of n numbers for shape (n,). Raises: AgentError, one line."""
    if shape == ():
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            location.fail(f"must be a number, not {show(value)}")
        return float(value)
    if not isinstance(value, list) or len(value) != shape[0]:
        location.fail(f"must be a list of {shape[0]} numbers, not {show(value)}")
    return [float(numbers(one, (), location / str(k))) for k, one in enumerate(value)]  # type: ignore[arg-type]


def by_name(record: Any) -> dict[str, float | list[float]]:
    """Return the weights by name as plain numbers and lists, as :func:`weights_from` reads them."""
    return {name: record[name][0].tolist() for name in fields(Weights)}


def read_weights(path: Path) -> Any:
    """Read the weights that a JSON file holds under ``weights``.

    A digest, as tune runs write one, must match; a file written by hand needs none.

    Raises: AgentError, one line.
    """
    location = AgentError.at(path)
    document = read_json(path, location, "give the weights.json of a tune run")
    if not isinstance(document, dict):
        location.fail("has no weights; give the weights.json of a tune run")
    for key in document:
        if key != DIGEST and suggest(key, [DIGEST]).startswith("did"):
            location.fail_unknown(key, "key", [DIGEST])
    hint = "take the digest out if you have edited it"
    document = without_digest(document, location, needed=False, hint=hint)
    values = document.get("weights")
    if not isinstance(values, dict):
        location.fail("has no weights; give the weights.json of a tune run")
    return weights_from(values, location / "weights")


# The weights of holdings are fitted to who won 4,000 games of the strategist against itself
# (docs/bots.md). Two players cannot both gain, so the last levels for two stay below 1. The first
# levels find partners that ignore what the other side gains.
STRATEGIST = weights_from(
    {
        "deeds": 0.92,
        "lone": 120.0,
        "whole": 75.0,
        "houses": 42.0,
        "group": [1.0] * COLORS,
        "railroads": 35.0,
        "utilities": 35.0,
        "pair": 0.0,
        "keep": 150.0,
        "idle": 0.5,
        "gain": 1.02,
        "accept": 1.02,
        "even": 0.97,
        "gives_way": [0.2, 0.6, 0.9, 0.98, 1.04],
        "gives_way_of_two": [0.1, 0.2, 0.4, 0.6, 0.97],
        "spreads": 1.0,
        "pocket": 20.0,
        "lift_stays": 200.0,
        "breaks_group": 5.0,
        "unsold": 0.25,
    },
    AgentError.at("strategist"),
)

weights_at = record_at(WEIGHTS)


@jit
def weights_of(view: ViewState) -> Any:
    """Return the weights passed to the policy, or the strategist's defaults."""
    if view.weights != 0:
        return weights_at(view.weights)
    return STRATEGIST[0]
