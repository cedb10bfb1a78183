"""Fully connected networks in NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol, Self

import numpy as np
import numpy.typing as npt

from monopoly_env.engine.state import Int64s
from monopoly_env.errors import show

Floats = npt.NDArray[np.float32]
Layer = tuple[Floats, Floats]  # weights (out, in), biases (out)


class Network(Protocol):
    """The interface of a model's network."""

    kind: ClassVar[str]  # name of the kind in a card

    def logits(self, observations: Floats) -> Floats:
        """Return logits of the known actions, float32[n, actions], from float32[n, columns]."""

    def tensors(self) -> dict[str, Floats]:
        """Return the weights by their names in files."""

    @classmethod
    def check_shapes(
        cls, shapes: Mapping[str, tuple[int, ...]], columns: Int64s, actions: Int64s
    ) -> None:
        """Check the shapes of :meth:`tensors`. Raises: ValueError that names the mismatch."""


@dataclass(frozen=True)
class MLP:
    """Fully connected layers with tanh between them."""

    layers: tuple[Layer, ...]
    kind: ClassVar[str] = "layers"

    def logits(self, observations: Floats) -> Floats:
        """Return logits of the known actions, float32[n, actions], from float32[n, columns]."""
        hidden = observations
        for weights, biases in self.layers[:-1]:
            hidden = self.activate(hidden @ weights.T + biases)
        weights, biases = self.layers[-1]
        logits: Floats = hidden @ weights.T + biases
        return logits

    @staticmethod
    def activate(hidden: Floats) -> Floats:
        """Apply the activation between two layers."""
        active: Floats = np.tanh(hidden)
        return active

    def tensors(self) -> dict[str, Floats]:
        """Return the weights as ``layer0.weight``, ``layer0.bias`` and so on."""
        tensors = {}
        for number, (weights, biases) in enumerate(self.layers):
            tensors[f"layer{number}.weight"] = weights
            tensors[f"layer{number}.bias"] = biases
        return tensors

    @classmethod
    def check_shapes(
        cls, shapes: Mapping[str, tuple[int, ...]], columns: Int64s, actions: Int64s
    ) -> None:
        """Check the shapes of :meth:`tensors`. Raises: ValueError that names the mismatch."""
        width, number = len(columns), 0
        while shapes.keys() & {f"layer{number}.weight", f"layer{number}.bias"}:
            weight, bias = (shapes.get(f"layer{number}.{part}") for part in ("weight", "bias"))
            if weight is None or len(weight) != 2 or weight[1] != width or bias != weight[:1]:
                raise ValueError(f"layer{number} must lead from {width} numbers, with a bias each")
            width, number = weight[0], number + 1
        if number == 0 or width != len(actions):
            raise ValueError(f"the layers lead to {width} numbers, not to {len(actions)} actions")
        if len(shapes) > 2 * number:
            known = {f"layer{k}.{part}" for k in range(number) for part in ("weight", "bias")}
            raise ValueError(f"{show(min(shapes.keys() - known))} is no part of it")

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, Floats], columns: Int64s, actions: Int64s) -> Self:
        """Create the network from :meth:`tensors`. Raises: ValueError if the shapes do not fit."""
        cls.check_shapes({name: array.shape for name, array in tensors.items()}, columns, actions)
        return cls(
            tuple(
                (tensors[f"layer{number}.weight"], tensors[f"layer{number}.bias"])
                for number in range(len(tensors) // 2)
            )
        )


@dataclass(frozen=True)
class ReluMLP(MLP):
    """Fully connected layers with ReLU between them."""

    kind: ClassVar[str] = "relu_layers"

    @staticmethod
    def activate(hidden: Floats) -> Floats:
        """Apply the activation between two layers."""
        return np.maximum(hidden, np.float32(0))
