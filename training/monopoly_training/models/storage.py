"""Trained policies on disk: weights as safetensors, all else as a JSON card beside them.

Neither file can hold code, so a model from anywhere is safe to load. The network is small enough
for NumPy: using a model needs no PyTorch.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.state import Int64s
from monopoly_training.common.files import as_json, write_atomic
from monopoly_training.models.card import VERSIONS, fail, read_card
from monopoly_training.models.deed_network import DeedNetwork
from monopoly_training.models.mlp import MLP, Floats, Network
from monopoly_training.models.model import Model
from monopoly_training.models.sb3_zip import load_zip

WEIGHTS, CARD = "model.safetensors", "model.json"


def save_model(folder: Path, model: Model) -> None:
    """Write both files into a folder. The card holds a hash of the weights, so a mixed pair is noticed."""
    from safetensors.numpy import save

    weights = {name: np.ascontiguousarray(array) for name, array in model.network.tensors().items()}
    data = save({"columns": model.columns, "actions": model.actions, **weights})
    card = {
        **VERSIONS,
        "network": model.network.kind,
        "weights_sha256": hashlib.sha256(data).hexdigest(),
        **model.card,
    }
    write_atomic(folder / WEIGHTS, data)
    write_atomic(folder / CARD, as_json(card))


def load_model(path: str | Path, trust: bool = False) -> Model:
    """A model from a run's folder, or from a folder or file of weights with its card beside it.

    ``trust`` allows zip files of Stable-Baselines3 too; they are pickles, which can run any code.

    Raises: ModelError, one line that says what does not fit and what to do.
    """
    path = Path(path)
    if path.suffix == ".zip":
        return load_zip(path, trust)
    weights = path / WEIGHTS if path.is_dir() else path
    if not weights.is_file():
        problem = f"holds no {WEIGHTS}" if path.is_dir() else "there is no such file or folder"
        fail(path, f"{problem}; give the folder of a training run, such as runs/demo")
    card = read_card(weights.with_suffix(".json"))
    data = weights.read_bytes()
    if hashlib.sha256(data).hexdigest() != card.get("weights_sha256"):
        fail(weights, "is not the file that its card describes; save the model again")
    return Model(*unpack(weights, data, str(card.get("network"))), card)


def unpack(path: Path, data: bytes, kind: str) -> tuple[Int64s, Int64s, Network]:
    """Columns, actions and the network out of a file's bytes, their shapes checked."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        tensors = load(data)
    except SafetensorError as problem:
        fail(path, f"is no safetensors file: {problem}")
    columns, actions = (tensors.get(name, np.zeros(0)) for name in ("columns", "actions"))
    if not are_ids(columns, OBSERVATION_SIZE) or not are_ids(actions, N_ACTIONS):
        fail(path, "does not say what its network reads and decides on")
    for name in tensors.keys() - {"columns", "actions"}:
        weight = tensors[name]
        if weight.dtype != np.float32 or not np.isfinite(weight).all():
            fail(path, f"{name} must be float32 and finite; train the model again")
    try:
        return columns, actions, network_of(kind, tensors, columns, actions)
    except (ValueError, KeyError, IndexError) as problem:
        fail(path, f"does not hold a network from observations to actions: {problem}")


def network_of(
    kind: str, tensors: Mapping[str, Floats], columns: Int64s, actions: Int64s
) -> Network:
    """The network of a kind. Raises: ValueError, KeyError, IndexError if the weights do not fit."""
    if kind == DeedNetwork.kind:
        return DeedNetwork.from_tensors(tensors, columns, actions)
    if kind == MLP.kind:
        return MLP.from_tensors(tensors, len(columns), len(actions))
    raise ValueError(f"networks are of kind layers or deeds, not {kind}")


def are_ids(numbers: Int64s, end: int) -> bool:
    """Whether these are whole numbers from 0 up to ``end``, at least one."""
    if numbers.ndim != 1 or numbers.dtype != np.int64 or len(numbers) == 0:
        return False
    return bool(numbers.min() >= 0 and numbers.max() < end)
