"""Trained policies on disk: weights as safetensors, all else as a JSON card beside them.

Neither file can hold code, so a model from anywhere is safe to load. The network is small enough
for numpy: using a model needs no PyTorch.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from monopoly_env.encoding.blocks import OBSERVATION_SIZE, OBSERVATION_VERSION
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.state import Int64s
from monopoly_env.errors import AgentError, one_line, show
from monopoly_env.records import ACTIONS_VERSION
from monopoly_training.common.files import as_json, write_atomic
from monopoly_training.models.deed_network import DeedNetwork
from monopoly_training.models.mlp import Floats, Layer, Layers, Network, fit

FORMAT = 2
WEIGHTS, CARD = "model.safetensors", "model.json"


class ModelError(AgentError):
    """A model that cannot be loaded; the message is one line."""


@dataclass(frozen=True)
class Model:
    """A policy network: what it reads, its weights, what it decides on."""

    columns: Int64s  # of the observation, those that the network reads
    actions: Int64s  # the ids of those that it knows: what its last numbers stand for
    network: Network
    card: Mapping[str, Any] = field(default_factory=dict)

    def logits(self, observations: Floats) -> Floats:
        """How much the network likes each action it knows, float32[n, len(actions)].

        ``observations`` float32[n, OBSERVATION_SIZE]; legality is not looked at.
        """
        return self.network.logits(observations[:, self.columns])


def with_facts(model: Model, facts: Mapping[str, Any]) -> Model:
    """The same model with more on its card."""
    return replace(model, card={**model.card, **facts})


def save_model(folder: Path, model: Model) -> None:
    """Write both files. The card holds a hash of the weights, so a mixed pair is noticed."""
    from safetensors.numpy import save

    weights = {name: np.ascontiguousarray(array) for name, array in model.network.tensors().items()}
    data = save({"columns": model.columns, "actions": model.actions, **weights})
    card = {
        "format": FORMAT,
        "observation_version": OBSERVATION_VERSION,
        "observation_size": OBSERVATION_SIZE,
        "actions_version": ACTIONS_VERSION,
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
    place = Path(path)
    if place.suffix == ".zip":
        return load_zip(place, trust)
    weights = place / WEIGHTS if place.is_dir() else place
    if not weights.is_file():
        what = f"holds no {WEIGHTS}" if place.is_dir() else "there is no such file or folder"
        fail(place, f"{what}; give the folder of a training run, such as runs/demo")
    card = read_card(weights.with_suffix(".json"))
    data = weights.read_bytes()
    if hashlib.sha256(data).hexdigest() != card.get("weights_sha256"):
        fail(weights, "is not the file that its card describes; save the model again")
    return Model(*unpack(weights, data, str(card.get("network"))), card)


def read_card(path: Path) -> dict[str, Any]:
    """The card of a model, if this version of the package can use it."""
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        fail(path, "is missing; a model is its weights and the card beside them")
    except (ValueError, RecursionError) as problem:
        fail(path, f"is no JSON: {problem}")
    if not isinstance(card, dict):
        fail(path, f"must be a mapping, not {show(card)}")
    for key in ("table", "config", "packages"):
        if not isinstance(card.get(key, {}), dict):
            fail(path, f"{key}: must be a mapping, not {show(card[key])}")
    needed = {
        "format": FORMAT,
        "observation_version": OBSERVATION_VERSION,
        "observation_size": OBSERVATION_SIZE,
        "actions_version": ACTIONS_VERSION,
    }
    for key, value in needed.items():
        if card.get(key) != value:
            fail(
                path,
                f"{key}: {show(card.get(key))} is not this version's {value}; "
                "train the model again, or use the version of monopoly-env that made it",
            )
    return card


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
        return DeedNetwork.of(tensors, columns, actions)
    if kind == Layers.kind:
        return Layers.of(tensors, len(columns), len(actions))
    raise ValueError(f"networks are of kind layers or deeds, not {kind}")


def are_ids(numbers: Int64s, end: int) -> bool:
    """Whether these are whole numbers from 0 up to ``end``, at least one."""
    if numbers.ndim != 1 or numbers.dtype != np.int64 or len(numbers) == 0:
        return False
    return bool(numbers.min() >= 0 and numbers.max() < end)


def load_zip(path: Path, trust: bool) -> Model:
    """The policy of a MaskablePPO saved by Stable-Baselines3."""
    if not path.is_file():
        fail(path, "there is no such file")
    if not trust:
        fail(path, "is a pickle, which can run any code; add --trust if you know who made it")
    from sb3_contrib import MaskablePPO

    try:
        learner = MaskablePPO.load(path, device="cpu")
    except Exception as problem:  # noqa: BLE001 - whatever unpickling may raise
        fail(path, f"is no MaskablePPO that can be loaded: {problem}")
    columns, actions = np.arange(OBSERVATION_SIZE), np.arange(N_ACTIONS)
    layers = policy_layers(learner.policy)
    if not fit(layers, OBSERVATION_SIZE, N_ACTIONS):
        fail(path, f"does not map {OBSERVATION_SIZE} numbers to {N_ACTIONS} actions")
    return Model(columns, actions, Layers(layers))


def policy_layers(policy: Any) -> tuple[Layer, ...]:
    """The layers of the acting half of a Stable-Baselines3 policy with an MLP."""
    from torch import nn

    modules = [*policy.mlp_extractor.policy_net, policy.action_net]
    return tuple(
        (module.weight.detach().numpy().copy(), module.bias.detach().numpy().copy())
        for module in modules
        if isinstance(module, nn.Linear)
    )


def fail(path: Path, problem: str) -> NoReturn:
    """Raise the one-line error for a model."""
    raise ModelError(one_line(f"{path}: {problem}"))
