"""Policy networks as NumPy plays them: from observations to how much each action is liked."""

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

    def logits(self, seen: Floats) -> Floats:
        """How much each known action is liked, float32[n, actions], from float32[n, columns]."""

    def tensors(self) -> dict[str, Floats]:
        """The weights by name."""


@dataclass(frozen=True)
class Layers:
    """Fully connected layers with tanh between them."""

    layers: tuple[Layer, ...]
    kind: ClassVar[str] = "layers"

    def logits(self, seen: Floats) -> Floats:
        """How much each known action is liked."""
        values = seen
        for weights, biases in self.layers[:-1]:
            values = np.tanh(values @ weights.T + biases)
        weights, biases = self.layers[-1]
        liked: Floats = values @ weights.T + biases
        return liked

    def tensors(self) -> dict[str, Floats]:
        """``layer0.weight``, ``layer0.bias`` and so on."""
        found = {}
        for number, (weights, biases) in enumerate(self.layers):
            found[f"layer{number}.weight"] = weights
            found[f"layer{number}.bias"] = biases
        return found

    @classmethod
    def of(cls, tensors: Mapping[str, Floats], columns: int, actions: int) -> Layers:
        """The way back. Raises: ValueError if the shapes do not fit."""
        layers: list[Layer] = []
        while f"layer{len(layers)}.weight" in tensors:
            number = len(layers)
            layers.append((tensors[f"layer{number}.weight"], tensors[f"layer{number}.bias"]))
        if not fit(layers, columns, actions):
            raise ValueError(f"the layers do not lead from {columns} numbers to {actions}")
        return cls(tuple(layers))


def fit(layers: Sequence[Layer], columns: int, actions: int) -> bool:
    """Whether layers fit each other, the columns and the actions."""
    width = columns
    for weights, biases in layers:
        if weights.ndim != 2 or weights.shape[1] != width or biases.shape != weights.shape[:1]:
            return False
        width = weights.shape[0]
    return bool(layers) and width == actions
