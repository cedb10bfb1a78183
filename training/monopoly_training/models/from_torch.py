"""Convert PyTorch policies to NumPy, with columns and actions from their spaces."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.engine.state import Int64s
from monopoly_training.models.card import fail
from monopoly_training.models.mlp import MLP, Layer, ReluMLP

if TYPE_CHECKING:
    from torch import nn

NETWORKS = {"Tanh": MLP, "ReLU": ReluMLP}  # by the class name of PyTorch's activation


def column_ids(space: Any, path: Path, remedy: str) -> Int64s:
    """Return the columns of an observation box. Raises: ModelError if they are unknown."""
    size = int(np.prod(space.shape or ()))
    ids = getattr(space, "columns", None)
    return ids_of(ids, size, OBSERVATION_SIZE, "reads {} numbers", path, remedy)


def ids_of(ids: Any, size: int, whole: int, does: str, path: Path, remedy: str) -> Int64s:
    """Return ``size`` ids: those given, or all of them. Raises: ModelError if neither fits."""
    if ids is not None and len(ids) == size:
        return np.asarray(ids, np.int64)
    if size != whole:
        fail(
            path,
            f"{does.format(size)} of {whole}, and its spaces do not say which; if a wrapper "
            f"changed them, train without it; {remedy}",
        )
    return np.arange(whole)


def mlp_of(modules: Sequence[nn.Module]) -> MLP:
    """Convert PyTorch layers, from input to logits, to NumPy.

    Raises: ValueError for other modules.
    """
    from torch import nn

    linear = [module for module in modules if isinstance(module, nn.Linear)]
    between = [module for module in modules if not isinstance(module, nn.Linear)]
    names = {type(module).__name__ for module in between} or {"Tanh"}
    if len(names) > 1 or not names <= set(NETWORKS) or len(between) != len(linear) - 1:
        found = " and ".join(sorted(names))
        raise ValueError(f"between its layers is {found}, not {' or '.join(NETWORKS)} everywhere")
    return NETWORKS[names.pop()](tuple(map(layer_of, linear)))


def layer_of(linear: nn.Linear) -> Layer:
    """Return copies of the weights and biases in NumPy."""
    weights = linear.weight.detach().cpu().numpy().copy()
    bias: Any = linear.bias  # None without one
    if bias is None:
        return weights, np.zeros(len(weights), np.float32)
    return weights, bias.detach().cpu().numpy().copy()
