"""Save and load trained policies: weights as safetensors, everything else as a JSON card.

Neither file can contain code, so models from any source are safe to load. The header of the weights
is checked against the card before any large read. Inference runs in NumPy and needs no PyTorch.
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
    """Write both files to a folder. The card holds digests of the weights and of itself.

    Raises: MissingExtra without safetensors, which only saving needs.
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
    """Load a model from a run's folder, or from a weights file or folder with a card.

    For a URL, such as ``s3://bucket/run``, fsspec downloads the folder's two files. ``trust`` also
    allows Stable-Baselines3 zip files, which are pickles and can run arbitrary code.

    Raises: ModelError, one line that names the problem and the remedy.
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
    """Raise ModelError, one line, if the tensors do not form a network of the card's kind."""
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
    """Read the network of a file whose header and shapes have been checked."""
    weights = {}
    for name, entry in entries.items():
        if name in INDICES:
            continue
        weights[name] = read_tensor(file, entry)
        if not np.isfinite(weights[name]).all():
            fail(path, f"{name} must be finite; train the model again")
    return NETWORKS[kind].from_tensors(weights, *ids)


def check_fit(model: Model, path: Path) -> None:
    """Raise ModelError, one line, if the network uses columns or actions that its table lacks."""
    table = model.card.get("table", {})
    names = ("edition", "mode", "rules", "deals", "windows")
    given = {name: table[name] for name in names if table.get(name) is not None}
    if "edition" not in table or "players" not in table:
        return
    try:
        editions = TableOptions(**given).editions()
    except InputError:
        return  # the edition is not available here; the card's versions still match
    actions = used_actions(editions)
    columns = np.append(used_columns(table["players"], editions), actions + FIRST_OF_MASK)
    pairs = (("reads", model.columns, columns), ("decides on", model.actions, actions))
    for does, has, used in pairs:
        if not np.isin(has, used).all():
            fail(
                path, f"its network {does} what the table of its card does not have; train it again"
            )
