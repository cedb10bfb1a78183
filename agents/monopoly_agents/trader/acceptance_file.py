"""The acceptance model on disk: one JSON file with its weights, and how they were made."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_agents.trader.acceptance import ACCEPTANCE, FEATURES, AcceptanceState
from monopoly_env.compiler.records import fields, new_records, read_only
from monopoly_env.errors import AgentError, Location, show
from monopoly_env.files import read_json, with_digest, without_digest

SHIPPED = Path(__file__).with_name("acceptance.json")
REMEDY = "make it again with monopoly-env acceptance fit"
DECIMALS = 5  # of the weights that are written
MOST = 1e6  # that a weight can be: what is fitted stays below 100


@lru_cache(maxsize=1)
def shipped_acceptance() -> Any:
    """The model that comes with the package, ACCEPTANCE[1], read once."""
    return read_only(read_acceptance(SHIPPED))


def read_acceptance(path: Path) -> Any:
    """A model from its file, as ACCEPTANCE[1]. Raises: AgentError, one line."""
    location = AgentError.at(path)
    return weights_in(read_document(path), location / "weights")


def read_document(path: Path) -> Mapping[str, Any]:
    """The file as a mapping, its digest and its features checked. Raises: AgentError, one line."""
    location = AgentError.at(path)
    document = read_json(path, location, REMEDY)
    if not isinstance(document, dict):
        location.fail(f"must be a mapping, not {show(document)}; {REMEDY}")
    document = without_digest(document, location, hint=REMEDY)
    if document.get("features") != list(FEATURES):
        location.fail(
            f"was fitted to other features of offers than this version of monopoly-env "
            f"computes; {REMEDY}"
        )
    return document


def weights_in(document: Mapping[str, Any], location: Location) -> Any:
    """ACCEPTANCE[1] from the weights of a document. Raises: AgentError, one line."""
    weights = document.get("weights")
    if not isinstance(weights, dict):
        location.fail(f"must be a mapping, not {show(weights)}; {REMEDY}")
    record = new_records(1, ACCEPTANCE)
    for name, field in fields(AcceptanceState).items():
        try:
            array = np.array(weights.get(name), np.float64)
        except (TypeError, ValueError):
            array = np.array(np.nan)
        if array.shape != field.shape or not (abs(array) < MOST).all():
            (location / name).fail(
                f"must be numbers below {MOST:,.0f}, {list(field.shape)}; {REMEDY}"
            )
        record[name][0] = array
    return record


def document_of(weights: Mapping[str, Any], made: Mapping[str, Any]) -> dict[str, Any]:
    """The file's content: weights by the names of AcceptanceState's fields, and how they were made."""
    plain = {
        name: np.round(np.asarray(array, np.float64), DECIMALS).tolist()
        for name, array in weights.items()
    }
    return with_digest({"features": list(FEATURES), "weights": plain, "made": dict(made)})
