"""Models with random weights, for tests."""

from __future__ import annotations

import numpy as np
from monopoly_training.models.mlp import MLP
from monopoly_training.models.model import Model

from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.engine.actions import N_ACTIONS

RANDOM = np.random.default_rng(0)


def random_model(card=None, actions=None):
    """A plain network that reads every third column; it knows all actions, or those given."""
    columns = np.arange(0, OBSERVATION_SIZE, 3)
    actions = np.arange(N_ACTIONS) if actions is None else np.array(actions)
    n = len(actions)
    layers = (
        (RANDOM.normal(size=(6, len(columns))).astype(np.float32), np.ones(6, np.float32)),
        (RANDOM.normal(size=(n, 6)).astype(np.float32), np.zeros(n, np.float32)),
    )
    return Model(columns, actions, MLP(layers), card or {})


def random_observations(n):
    """Numbers from 0 to 1, float32[n, OBSERVATION_SIZE]."""
    return RANDOM.random((n, OBSERVATION_SIZE)).astype(np.float32)
