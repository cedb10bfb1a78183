"""The acceptance model on disk: one JSON file with its weights and how they were made."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_agents.trader.acceptance import ACCEPTANCE, FEATURES, LargeState, SmallState
from monopoly_env.compiler.records import fields, new_records, read_only
from monopoly_env.errors import AgentError, Location, show
from monopoly_env.files import read_json, with_digest, without_digest

SHIPPED = Path(__file__).with_name("acceptance.json")
REMEDY = "make it again with monopoly-env acceptance fit"
NETWORKS: Mapping[str, type] = {"small": SmallState, "large": LargeState}
DECIMALS = 5  # of the weights in the file
MOST = 1e6  # bound on a weight; fitted ones stay below 100


@lru_cache(maxsize=1)
def shipped_acceptance() -> Any:
    """Return the model shipped with the package, ACCEPTANCE[1], read once."""
    return read_only(read_acceptance(SHIPPED))


def read_acceptance(path: Path) -> Any:
    """Read a model from its file, as ACCEPTANCE[1]. Raises: AgentError, one line."""
    location = AgentError.at(path)
    return weights_in(read_document(path), location / "weights")


def read_document(path: Path) -> Mapping[str, Any]:
    """Read the file and check its digest and features. Raises: AgentError, one line."""
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
    """Return ACCEPTANCE[1] from the weights of a document. Raises: AgentError, one line."""
    weights = document.get("weights")
    record = new_records(1, ACCEPTANCE)
    for name, network in NETWORKS.items():
        found = weights.get(name) if isinstance(weights, dict) else None
        put_network(record[name], network, found, location / name)
    return record


def put_network(record: Any, network: type, weights: Any, location: Location) -> None:
    """Write a network's weights into its record. Raises: AgentError, one line."""
    if not isinstance(weights, dict):
        location.fail(f"must be a mapping, not {show(weights)}; {REMEDY}")
    for name, field in fields(network).items():
        try:
            array = np.array(weights.get(name), np.float64)
        except (TypeError, ValueError):
            array = np.array(np.nan)
        if array.shape != field.shape or not (abs(array) < MOST).all():
            (location / name).fail(
                f"must be numbers below {MOST:,.0f}, {list(field.shape)}; {REMEDY}"
            )
        record[name][0] = array


def document_of(
    weights: Mapping[str, Mapping[str, Any]], made: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the file's content: weights by network and field, and how they were made."""
    plain = {
        network: {
            name: np.round(np.asarray(array, np.float64), DECIMALS).tolist()
            for name, array in tensors.items()
        }
        for network, tensors in weights.items()
    }
    return with_digest({"features": list(FEATURES), "weights": plain, "made": dict(made)})
