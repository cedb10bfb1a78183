"""The numbers that the strategist plays by: a record of weights, handed to it or its own.

A policy finds the address of its weights in its view; where that is 0, it plays by its own.
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

LEVELS = 5  # of giving way


class Weights:
    """What things are worth, and how far to go. Rents count over opponents' turns."""

    # What holdings are worth
    deeds: Annotated[float, Field("f8", (), "of price", "a deed by itself; half if mortgaged")]
    lone: Annotated[float, Field("f8", (), "turns", "rents of deeds of incomplete groups")]
    whole: Annotated[float, Field("f8", (), "turns", "rents of a complete group as it stands")]
    houses: Annotated[float, Field("f8", (), "turns", "rents that planned houses add")]
    group: Annotated[
        Float64s, Field("f8", (COLORS,), "times", "rents that planned houses add, by color group")
    ]
    railroads: Annotated[float, Field("f8", (), "turns", "rents of railroads")]
    utilities: Annotated[float, Field("f8", (), "turns", "rents of utilities")]
    pair: Annotated[float, Field("f8", (), "of price", "two of three deeds of a group, more")]
    keep: Annotated[float, Field("f8", (), "$", "that stay out of building plans")]
    idle: Annotated[float, Field("f8", (), "of value", "of idle mortgages that goes into plans")]

    # Deals
    gain: Annotated[float, Field("f8", (), "times", "one's own share at least, to make an offer")]
    accept: Annotated[
        float, Field("f8", (), "times", "one's own share at least, to accept an offer")
    ]
    even: Annotated[
        float,
        Field(
            "f8", (), "times", "one's own share at least, for a group each in a game that stalls"
        ),
    ]
    gives_way: Annotated[
        Float64s, Field("f8", (LEVELS,), "times", "a partner's share at least, by refusals before")
    ]
    gives_way_of_two: Annotated[
        Float64s, Field("f8", (LEVELS,), "times", "a partner's share at least, where two are left")
    ]

    # Cash
    spreads: Annotated[float, Field("f8", (), "deviations", "of rents ahead that cash covers")]
    pocket: Annotated[float, Field("f8", (), "$", "that stay in hand in any case")]
    lift_stays: Annotated[float, Field("f8", (), "$", "to spare after a lone mortgage is lifted")]
    breaks_group: Annotated[float, Field("f8", (), "times", "the loss of breaking a group")]
    unsold: Annotated[float, Field("f8", (), "of price", "what coming to an unowned deed is worth")]


WEIGHTS = dtype_of(Weights)


def weights_from(values: Mapping[str, object], location: Location) -> Any:
    """A record of weights, WEIGHTS[1], from all of them by name; ``location`` names the file.

    Raises: AgentError, one line, for a name that is missing or not known, or what is no number.
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
    """A number, or a list of them for a shape of (n,). Raises: AgentError, one line."""
    if shape == ():
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            location.fail(f"must be a number, not {show(value)}")
        return float(value)
    if not isinstance(value, list) or len(value) != shape[0]:
        location.fail(f"must be a list of {shape[0]} numbers, not {show(value)}")
    return [float(numbers(one, (), location / str(k))) for k, one in enumerate(value)]  # type: ignore[arg-type]


def by_name(record: Any) -> dict[str, float | list[float]]:
    """Weights by name, as plain numbers and lists, such as :func:`weights_from` reads."""
    return {name: record[name][0].tolist() for name in fields(Weights)}


def read_weights(path: Path) -> Any:
    """The weights of a JSON file that holds them under ``weights``.

    A digest, as tune runs write one, must fit; a file that was written by hand needs none.

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


# Those of what holdings are worth are fitted to who won 4,000 games of the strategist against
# itself (docs/bots.md). Two players cannot both gain, so the last levels of two give less. The
# first levels find out who does not look at what the other side gets.
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
    """The weights that a policy was handed, or the strategist's."""
    if view.weights != 0:
        return weights_at(view.weights)
    return STRATEGIST[0]
