"""Trained policies on disk: weights as safetensors, all else as a JSON card beside them.

Neither file can hold code, so a model from anywhere is safe to load; and nothing large is read
before the header of the weights fits the card. The network is small enough for NumPy: using a model
needs no PyTorch.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np

from monopoly_env.encoding.features import used_actions, used_columns
from monopoly_env.engine.state import Int64s
from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import InputError
from monopoly_env.extras import need
from monopoly_env.files import open_file, with_digest
from monopoly_training.common.files import as_json, write_atomic
from monopoly_training.common.remote import fetched
from monopoly_training.models.card import VERSIONS, ModelError, fail, read_card
from monopoly_training.models.deed_network import DeedNetwork
from monopoly_training.models.mlp import MLP, Network, ReluMLP
from monopoly_training.models.model import FIRST_OF_MASK, Model
from monopoly_training.models.sb3_zip import load_zip
from monopoly_training.models.weight_file import (
    INDICES,
    Shape,
    TensorEntry,
    check_digest,
    check_entries,
    describe,
    read_header,
    read_ids,
    read_tensor,
)

WEIGHTS, CARD = "model.safetensors", "model.json"
NETWORKS = {network.kind: network for network in (MLP, ReluMLP, DeedNetwork)}


def save_model(folder: Path, model: Model) -> None:
    """Write both files into a folder. The card holds digests of the weights, and its own.

    Raises: MissingExtra without safetensors, which reading does not need.
    """
    save = need("saving a model", "safetensors.numpy").save

    weights = {name: np.ascontiguousarray(array) for name, array in model.network.tensors().items()}
    tensors: dict[str, Any] = {"columns": model.columns, "actions": model.actions, **weights}
    data: bytes = save(tensors)
    own = {
        **VERSIONS,
        "network": model.network.kind,
        "weights_sha256": hashlib.sha256(data).hexdigest(),
        "tensors": describe(tensors),
    }
    write_atomic(folder / WEIGHTS, data)
    write_atomic(folder / CARD, as_json(with_digest({**own, **model.card, **own})))


def load_model(path: str | Path, trust: bool = False) -> Model:
    """A model from a run's folder, or from a folder or file of weights with its card beside it.

    Of a URL, such as ``s3://bucket/run``, the folder's two files are brought here by fsspec.
    ``trust`` allows zip files of Stable-Baselines3 too; they are pickles, which can run any code.

    Raises: ModelError, one line that says what does not fit and what to do.
    """
    path = fetched(path, (WEIGHTS, CARD))
    if path.suffix == ".zip":
        return load_zip(path, trust)
    weights = path / WEIGHTS if path.is_dir() else path
    if not weights.exists():
        problem = f"holds no {WEIGHTS}" if path.is_dir() else "there is no such file or folder"
        fail(path, f"{problem}; give the folder of a training run, such as runs/demo")
    card = read_card(weights.with_suffix(".json"))
    kind = str(card.get("network"))
    with open_file(weights, ModelError.at(weights)) as file:
        entries = read_header(file, weights)
        check_entries(entries, card, weights)
        columns, actions = (read_ids(file, entries, name, weights) for name in INDICES)
        shapes = {name: entry.shape for name, entry in entries.items() if name not in INDICES}
        check_shapes(kind, shapes, columns, actions, weights)
        check_digest(file, entries, card, weights)
        network = read_network(file, entries, kind, (columns, actions), weights)
    return Model(columns, actions, network, card)


def check_shapes(
    kind: str, shapes: Mapping[str, Shape], columns: Int64s, actions: Int64s, path: Path
) -> None:
    """Raise ModelError, one line, for tensors that are no network of the card's kind."""
    if kind not in NETWORKS:
        fail(path, f"networks are of kind {', '.join(NETWORKS)}, not {kind}")
    try:
        NETWORKS[kind].check_shapes(shapes, columns, actions)
    except (ValueError, KeyError, IndexError) as problem:
        fail(path, f"does not hold a network from observations to actions: {problem}")


def read_network(
    file: IO[bytes],
    entries: Mapping[str, TensorEntry],
    kind: str,
    ids: tuple[Int64s, Int64s],  # columns and actions
    path: Path,
) -> Network:
    """The network in a file, whose header and shapes have been checked."""
    weights = {}
    for name, entry in entries.items():
        if name in INDICES:
            continue
        weights[name] = read_tensor(file, entry)
        if not np.isfinite(weights[name]).all():
            fail(path, f"{name} must be finite; train the model again")
    return NETWORKS[kind].from_tensors(weights, *ids)


def check_fit(model: Model, path: Path) -> None:
    """Raise ModelError, one line, for a network that reads or does what its card's table has not."""
    table = model.card.get("table", {})
    names = ("edition", "mode", "rules", "deals", "windows")
    given = {name: table[name] for name in names if table.get(name) is not None}
    if "edition" not in table or "players" not in table:
        return
    try:
        editions = TableOptions(**given).editions()
    except InputError:
        return  # of an edition that is not here; the versions of the card still fit
    actions = used_actions(editions)
    columns = np.append(used_columns(table["players"], editions), actions + FIRST_OF_MASK)
    pairs = (("reads", model.columns, columns), ("decides on", model.actions, actions))
    for does, has, used in pairs:
        if not np.isin(has, used).all():
            fail(
                path, f"its network {does} what the table of its card does not have; train it again"
            )
