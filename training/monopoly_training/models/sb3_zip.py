"""Policies of Stable-Baselines3: its networks of fully connected layers, and its zip files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces

from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.state import Int64s
from monopoly_env.extras import need
from monopoly_training.models.card import fail
from monopoly_training.models.from_torch import column_ids, ids_of, mlp_of
from monopoly_training.models.mlp import MLP, Network
from monopoly_training.models.model import FIRST_OF_MASK, Model

EXTRACTORS = ("FlattenExtractor", "CombinedExtractor")  # SB3's that hand on what they are given
RENEW = (
    "if an older version saved it, load it with MaskablePPO, set its observation_space and "
    "action_space to those of an environment made as the one that it was trained in, and save it "
    "again"
)


def load_zip(path: Path, trust: bool) -> Model:
    """The policy of a MaskablePPO that Stable-Baselines3 saved.

    Whatever form of observations it was trained on, with ``narrow`` or without: the spaces in the
    file say what they are.

    Raises: ModelError, one line; also if ``trust`` is false, as unpickling can run any code.
    """
    if not path.is_file():
        fail(path, "there is no such file")
    if not trust:
        fail(path, "is a pickle, which can run any code; if you know who made it, set trust")
    MaskablePPO = need(str(path), "sb3_contrib").MaskablePPO  # noqa: N806

    try:
        learner = MaskablePPO.load(path, device="cpu")
    except Exception as problem:  # noqa: BLE001 - whatever unpickling may raise
        fail(path, f"is not a MaskablePPO that can be loaded: {problem}")
    actions = actions_of(learner, path)
    columns = columns_of(learner.observation_space, actions, path)
    check_observed(learner, path)
    try:
        network = network_of(learner.policy)
        shapes = {name: array.shape for name, array in network.tensors().items()}
        type(network).check_shapes(shapes, columns, actions)
    except ValueError as problem:
        fail(path, f"cannot be played: {problem}")
    table = getattr(learner.action_space, "table", None)
    return Model(columns, actions, network, {"table": dict(table)} if table else {})


# What it reads and what it decides on


def columns_of(space: spaces.Space[Any], actions: Int64s, path: Path) -> Int64s:
    """The columns that a policy reads, those of its mask among them. Raises: ModelError."""
    if not isinstance(space, spaces.Dict):
        return column_ids(space, path, RENEW)
    if set(space) != {"observation", "action_mask"}:
        names = ", ".join(map(str, space))
        fail(path, f"reads {names}; the environments give observation and action_mask")
    if space["action_mask"].shape != actions.shape:
        fail(path, f"has masks of {space['action_mask'].shape}, but {len(actions)} actions")
    parts = {
        "observation": column_ids(space["observation"], path, RENEW),
        "action_mask": actions + FIRST_OF_MASK,
    }
    return np.concatenate([parts[name] for name in space])  # in the order of SB3's extractor


def actions_of(learner: Any, path: Path) -> Int64s:
    """The ids of the actions that a policy decides on. Raises: ModelError."""
    space = learner.action_space
    ids = getattr(space, "action_ids", None)
    if ids is None:
        ids = learner.policy_kwargs.get("action_ids")
    return ids_of(ids, int(getattr(space, "n", 0)), N_ACTIONS, "decides on {} actions", path, RENEW)


def check_observed(learner: Any, path: Path) -> None:
    """Raise ModelError for a policy whose observations were changed on their way to it.

    VecNormalize leaves the space as it is, and its statistics are not in the file; but the last
    observations are, which then lie outside of the space.
    """
    space, last = learner.observation_space, vars(learner).get("_last_obs")
    if isinstance(space, spaces.Dict) and isinstance(last, dict):
        space, last = space["observation"], last.get("observation")
    if not isinstance(space, spaces.Box) or not isinstance(last, np.ndarray):
        return
    if last.shape[1:] == space.shape and not ((last >= space.low) & (last <= space.high)).all():
        fail(
            path,
            "was trained on observations that a wrapper changed, such as VecNormalize, and cannot "
            "play without it; train with norm_obs=False, the numbers are of a size already",
        )


# Its network


def network_of(policy: Any) -> Network:
    """The actor of a policy, in NumPy. Raises: ValueError for one that is more than layers."""
    own = getattr(policy, "network", None)  # of ours, which may be of another kind
    return own() if callable(own) else layers_of(policy)


def layers_of(policy: Any) -> MLP:
    """The actor of a policy with an MLP, in NumPy. Raises: ValueError for any other."""
    extractor = type(policy.pi_features_extractor).__name__
    if extractor not in EXTRACTORS:
        raise ValueError(f"its features extractor is {extractor}, not {' or '.join(EXTRACTORS)}")
    return mlp_of([*policy.mlp_extractor.policy_net, policy.action_net])
