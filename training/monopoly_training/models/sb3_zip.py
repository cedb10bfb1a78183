"""Load policies from Stable-Baselines3 zip files, if their networks are fully connected."""

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

# SB3 extractors that pass their input on unchanged
EXTRACTORS = ("FlattenExtractor", "CombinedExtractor")
RENEW = (
    "if an older version saved it, load it with MaskablePPO, set its observation_space and "
    "action_space to those of an environment made as the one that it was trained in, and save it "
    "again"
)


def load_zip(path: Path, trust: bool) -> Model:
    """Load the policy of a MaskablePPO saved by Stable-Baselines3.

    It may have been trained on any form of observations, with or without ``narrow``: the spaces in
    the file describe them.

    Raises: ModelError, one line; also if ``trust`` is false, as unpickling can run arbitrary code.
    """
    if not path.is_file():
        fail(path, "there is no such file")
    if not trust:
        fail(path, "is a pickle, which can run any code; if you know who made it, set trust")
    MaskablePPO = need(str(path), "sb3_contrib").MaskablePPO  # noqa: N806

    try:
        learner = MaskablePPO.load(path, device="cpu")
    except Exception as problem:  # noqa: BLE001 - unpickling may raise anything
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


# Columns and actions


def columns_of(space: spaces.Space[Any], actions: Int64s, path: Path) -> Int64s:
    """Return the columns that a policy reads, including those of the mask. Raises: ModelError."""
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
    """Return the ids of the actions that a policy decides on. Raises: ModelError."""
    space = learner.action_space
    ids = getattr(space, "action_ids", None)
    if ids is None:
        ids = learner.policy_kwargs.get("action_ids")
    return ids_of(ids, int(getattr(space, "n", 0)), N_ACTIONS, "decides on {} actions", path, RENEW)


def check_observed(learner: Any, path: Path) -> None:
    """Raise ModelError for a policy whose observations were transformed by a wrapper.

    VecNormalize does not change the space, and its statistics are not in the file. The last
    observations are, and they lie outside of the space then.
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


# The network


def network_of(policy: Any) -> Network:
    """Convert a policy's actor to NumPy. Raises: ValueError if it is not fully connected."""
    # our own policies provide this, and may have other kinds of networks
    own = getattr(policy, "network", None)
    return own() if callable(own) else layers_of(policy)


def layers_of(policy: Any) -> MLP:
    """Convert a policy's MLP actor to NumPy. Raises: ValueError for any other."""
    extractor = type(policy.pi_features_extractor).__name__
    if extractor not in EXTRACTORS:
        raise ValueError(f"its features extractor is {extractor}, not {' or '.join(EXTRACTORS)}")
    return mlp_of([*policy.mlp_extractor.policy_net, policy.action_net])
