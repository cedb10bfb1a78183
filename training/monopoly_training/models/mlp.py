"""A plain network of fully connected layers, as NumPy computes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Layer = tuple[Floats, Floats]  # weights (out, in), biases (out)


class Network(Protocol):
    """What a model needs of its network."""

    kind: ClassVar[str]  # by which a card names it

    def logits(self, observations: Floats) -> Floats:
        """Logits of the known actions, float32[n, actions], from float32[n, columns]."""

    def tensors(self) -> dict[str, Floats]:
        """The weights by the names that they have in files."""


@dataclass(frozen=True)
class MLP:
    """Fully connected layers with tanh between them."""

    layers: tuple[Layer, ...]
    kind: ClassVar[str] = "layers"

    def logits(self, observations: Floats) -> Floats:
        """Logits of the known actions, float32[n, actions], from float32[n, columns]."""
        hidden = observations
        for weights, biases in self.layers[:-1]:
            hidden = np.tanh(hidden @ weights.T + biases)
        weights, biases = self.layers[-1]
        logits: Floats = hidden @ weights.T + biases
        return logits

    def tensors(self) -> dict[str, Floats]:
        """``layer0.weight``, ``layer0.bias`` and so on."""
        tensors = {}
        for number, (weights, biases) in enumerate(self.layers):
            tensors[f"layer{number}.weight"] = weights
            tensors[f"layer{number}.bias"] = biases
        return tensors

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, Floats], columns: int, actions: int) -> MLP:
        """The network of :meth:`tensors`. Raises: ValueError if the shapes do not fit."""
        layers: list[Layer] = []
        while f"layer{len(layers)}.weight" in tensors:
            number = len(layers)
            layers.append((tensors[f"layer{number}.weight"], tensors[f"layer{number}.bias"]))
        if not shapes_fit(layers, columns, actions):
            raise ValueError(f"the layers do not lead from {columns} numbers to {actions}")
        return cls(tuple(layers))


def shapes_fit(layers: Sequence[Layer], columns: int, actions: int) -> bool:
    """Whether the layers lead from so many columns to so many actions."""
    width = columns
    for weights, biases in layers:
        if weights.ndim != 2 or weights.shape[1] != width or biases.shape != weights.shape[:1]:
            return False
        width = weights.shape[0]
    return bool(layers) and width == actions
