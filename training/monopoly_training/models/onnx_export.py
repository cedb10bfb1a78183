"""Export trained policies to ONNX."""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.extras import require
from monopoly_training.common.files import write_atomic
from monopoly_training.models import deed_network
from monopoly_training.models.card import VERSIONS
from monopoly_training.models.deed_layout import layout_of
from monopoly_training.models.deed_network import DeedNetwork, backend_of
from monopoly_training.models.mlp import MLP, ReluMLP
from monopoly_training.models.model import Model

# logits of illegal actions, and of legal ones that the policy does not know
ILLEGAL, UNKNOWN = -1e30, -1e20
NEEDED = ("onnx", "onnxscript")
ACTIVATIONS = {MLP.kind: torch.tanh, ReluMLP.kind: torch.relu}
INPUTS, OUTPUT = ("observation", "action_mask"), "logits"


class TorchModel(nn.Module):
    """A trained policy in PyTorch: masked logits of all actions from full observations."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.model = model
        self.columns = torch.from_numpy(model.columns)
        known = np.isin(np.arange(N_ACTIONS), model.actions)
        self.known = torch.from_numpy(known)
        index = np.zeros(N_ACTIONS, np.int64)  # index of each action among the known ones
        index[model.actions] = np.arange(len(model.actions))
        self.index = torch.from_numpy(index)
        self.weights = {
            name: torch.from_numpy(np.array(weight))
            for name, weight in model.network.tensors().items()
        }
        if isinstance(model.network, DeedNetwork):
            layout = layout_of(model.columns, model.actions)
            self.backend = backend_of(layout, torch.as_tensor, torch.relu, torch.cat)

    def forward(self, observation: Tensor, action_mask: Tensor) -> Tensor:
        """Return masked logits, float32[n, N_ACTIONS]; parameters as for :meth:`Model.logits`."""
        seen = observation
        if self.model.reads_mask:
            seen = torch.cat([observation, action_mask.to(observation.dtype)], 1)
        known = self._logits(seen[:, self.columns])[:, self.index]
        legal = torch.where(self.known, known, UNKNOWN)
        return torch.where(action_mask != 0, legal, ILLEGAL)

    def _logits(self, obs: Tensor) -> Tensor:
        """Return the same as :meth:`Model.logits`."""
        network = self.model.network
        if isinstance(network, MLP):
            between = ACTIVATIONS[network.kind]
            return layers_forward(self.weights, len(network.layers), obs, between)
        deeds = deed_network.encode_deeds(self.weights, self.backend, obs)
        hidden = deed_network.trunk(self.weights, self.backend, obs, deeds)
        logits: Tensor = deed_network.policy_head(self.weights, self.backend, obs, deeds, hidden)
        return logits


def layers_forward(
    weights: Mapping[str, Tensor],
    layers: int,
    hidden: Tensor,
    between: Callable[[Tensor], Tensor],
) -> Tensor:
    """Apply fully connected layers with an activation between them."""
    for number in range(layers):
        if number:
            hidden = between(hidden)
        weight, bias = weights[f"layer{number}.weight"], weights[f"layer{number}.bias"]
        hidden = nn.functional.linear(hidden, weight, bias)
    return hidden


def export_onnx(model: Model, file: Path) -> None:
    """Write a policy as ONNX; docs/model_format.md describes its inputs and output.

    Raises: MissingExtra for a package of the extra ``onnx`` that is not installed.
    """
    require("export_onnx", *NEEDED, extra="onnx")
    proto = proto_of(TorchModel(model).eval())
    for key, value in metadata_of(model).items():
        entry = proto.metadata_props.add()
        entry.key, entry.value = key, value
    write_atomic(file, proto.SerializeToString())


def proto_of(network: TorchModel) -> Any:
    """Export the network to an ONNX model with a dynamic batch size."""
    batch = torch.export.Dim("n")
    example = torch.zeros(2, OBSERVATION_SIZE), torch.zeros(2, N_ACTIONS, dtype=torch.int8)
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)  # suppress its notes on optional packages
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program = torch.onnx.export(
                network,
                example,
                input_names=list(INPUTS),
                output_names=[OUTPUT],
                dynamic_shapes=({0: batch}, {0: batch}),
                dynamo=True,
                verbose=False,
            )
    finally:
        logger.setLevel(level)
    assert program is not None
    return program.model_proto


def metadata_of(model: Model) -> dict[str, str]:
    """Return the metadata of an ONNX file: versions, table, and whether actions are sampled."""
    card = {"table": {}, "sample": False, **model.card, **VERSIONS}
    kept = ("observation_version", "actions_version", "table", "sample", "name")
    return {key: json.dumps(card[key]) for key in kept if key in card}
