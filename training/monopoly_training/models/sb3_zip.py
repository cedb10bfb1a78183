"""Policies of Stable-Baselines3: its networks of fully connected layers, and its zip files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_training.models.card import fail
from monopoly_training.models.mlp import MLP, Layer
from monopoly_training.models.model import Model


def load_zip(path: Path, trust: bool) -> Model:
    """The policy of a MaskablePPO that Stable-Baselines3 saved.

    Raises: ModelError, one line; also if ``trust`` is false, as unpickling can run any code.
    """
    if not path.is_file():
        fail(path, "there is no such file")
    if not trust:
        fail(path, "is a pickle, which can run any code; if you know who made it, set trust")
    from sb3_contrib import MaskablePPO

    try:
        learner = MaskablePPO.load(path, device="cpu")
    except Exception as problem:  # noqa: BLE001 - whatever unpickling may raise
        fail(path, f"is no MaskablePPO that can be loaded: {problem}")
    columns, actions = np.arange(OBSERVATION_SIZE), np.arange(N_ACTIONS)
    network = MLP(policy_layers(learner.policy))
    shapes = {name: array.shape for name, array in network.tensors().items()}
    try:
        MLP.check_shapes(shapes, columns, actions)
    except ValueError as problem:
        fail(path, f"does not map {OBSERVATION_SIZE} numbers to {N_ACTIONS} actions: {problem}")
    return Model(columns, actions, network)


def policy_layers(policy: Any) -> tuple[Layer, ...]:
    """The layers from observations to logits of an actor-critic policy with an MLP."""
    from torch import nn

    modules = [*policy.mlp_extractor.policy_net, policy.action_net]
    return tuple(
        (module.weight.detach().numpy().copy(), module.bias.detach().numpy().copy())
        for module in modules
        if isinstance(module, nn.Linear)
    )
