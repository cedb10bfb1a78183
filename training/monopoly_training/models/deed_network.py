"""A network that shares weights across deeds.

Every deed is encoded by the same weights from its features: its owner and group, its state, its
part in the pending deal, and each player's distance to it. The trunk reads all encodings and the
other columns. Logits of actions on a deed (build, sell, mortgage, offer) are computed from that
deed's encoding; logits of the menu's offers from the offer's features and the encoding of its
group; all other logits, and the value, from the trunk.

The code runs on NumPy arrays and on PyTorch tensors. Weights have the same names as in files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from monopoly_env.encoding.blocks import OFFER_SIZE
from monopoly_env.engine.actions import OFFERS
from monopoly_env.engine.board import GROUPS, N_DEEDS, SPACES
from monopoly_env.engine.state import Int64s
from monopoly_env.errors import show
from monopoly_training.models.deed_layout import (
    DEED_GROUPS,
    DEED_SQUARES,
    Layout,
    layout_of,
)
from monopoly_training.models.mlp import Floats

# GROUPS stands for an offer without a group
OFFER_GROUPS = np.minimum(np.arange(OFFERS) // 3, GROUPS)
OFFER_WIDTH = 16

Tensor = Any  # a NumPy array or a PyTorch tensor
Weights = Mapping[str, Tensor]
Shapes = Mapping[str, tuple[int, ...]]


def shapes_of(layout: Layout, width: int, trunk_width: int) -> Shapes:
    """Return the shape of each weight: ``width`` is the size of a deed encoding."""
    shapes: dict[str, tuple[int, ...]] = {
        "deed.facts": (layout.deed_features, width),
        "deed.ways": (len(layout.positions), width),
        "deed.each": (N_DEEDS, width),
        "deed.out": (width, width // 2),
        "trunk.deeds": (N_DEEDS * (width // 2), trunk_width),
        "trunk.rest": (len(layout.others), trunk_width),
        "trunk.bias": (trunk_width,),
        "act.weight": (trunk_width, trunk_width),
        "act.bias": (trunk_width,),
        "judge.weight": (trunk_width, trunk_width),
        "judge.bias": (trunk_width,),
        "value.weight": (trunk_width, 1),
        "value.bias": (1,),
        "others.weight": (trunk_width, layout.other_actions),
        "lot.deed": (width, width),
        "lot.trunk": (trunk_width, width),
        "lot.out": (width, len(layout.deed_kinds)),
        "bias": (len(layout.order),),
    }
    if len(layout.offers):
        shapes["offer.facts"] = (OFFER_SIZE, OFFER_WIDTH)
        shapes["offer.group"] = (width, OFFER_WIDTH)
        shapes["offer.each"] = (OFFERS, OFFER_WIDTH)
        shapes["offer.trunk"] = (trunk_width, OFFER_WIDTH)
        shapes["offer.out"] = (OFFER_WIDTH, 1)
    return shapes


def group_means() -> Floats:
    """Return the matrix that averages deed encodings over groups, float32[GROUPS + 1, 28]."""
    means = np.zeros((GROUPS + 1, N_DEEDS), np.float32)
    means[DEED_GROUPS, np.arange(N_DEEDS)] = 1
    means /= np.maximum(means.sum(axis=1, keepdims=True), 1)
    return means


@dataclass(frozen=True)
class Backend:
    """The network's constants and operations in NumPy or PyTorch."""

    deeds: Tensor
    positions: Tensor
    others: Tensor
    offers: Tensor
    order: Tensor
    squares: Tensor  # float32[28, 1]
    offer_groups: Tensor  # float32[32, 28]: averages over the deeds of each offer's group
    relu: Callable[[Tensor], Tensor]
    concatenate: Callable[..., Tensor]


def backend_of(layout: Layout, convert: Any, relu: Any, concatenate: Any) -> Backend:
    """Create the backend for a layout; ``convert`` turns NumPy arrays into the library's arrays."""
    return Backend(
        deeds=convert(layout.deeds),
        positions=convert(layout.positions),
        others=convert(layout.others),
        offers=convert(layout.offers),
        order=convert(layout.order),
        squares=convert(DEED_SQUARES.astype(np.float32)[:, None]),
        offer_groups=convert(group_means()[OFFER_GROUPS]),
        relu=relu,
        concatenate=concatenate,
    )


def encode_deeds(weights: Weights, backend: Backend, obs: Tensor) -> Tensor:
    """Return an encoding of every deed, (n · 28, width), from the columns read, (n, columns)."""
    n = obs.shape[0]
    own = obs[:, backend.deeds].reshape(n * N_DEEDS, -1) @ weights["deed.facts"]
    steps = (backend.squares - 39.0 * obs[:, None, backend.positions]) % SPACES / SPACES
    distances = steps.reshape(n * N_DEEDS, -1) @ weights["deed.ways"]
    encoded = (own + distances).reshape(n, N_DEEDS, -1) + weights["deed.each"]
    return backend.relu(encoded).reshape(n * N_DEEDS, -1)


def trunk(weights: Weights, backend: Backend, obs: Tensor, deeds: Tensor) -> Tensor:
    """Return the hidden layer that both heads read, (n, trunk)."""
    short = backend.relu(deeds @ weights["deed.out"]).reshape(obs.shape[0], -1)
    others = obs[:, backend.others] @ weights["trunk.rest"]
    return backend.relu(short @ weights["trunk.deeds"] + others + weights["trunk.bias"])


def value_head(weights: Weights, backend: Backend, hidden: Tensor) -> Tensor:
    """Return values, (n, 1)."""
    inner = backend.relu(hidden @ weights["judge.weight"] + weights["judge.bias"])
    return inner @ weights["value.weight"] + weights["value.bias"]


def policy_head(
    weights: Weights, backend: Backend, obs: Tensor, deeds: Tensor, hidden: Tensor
) -> Tensor:
    """Return logits, (n, actions)."""
    n = obs.shape[0]
    inner = backend.relu(hidden @ weights["act.weight"] + weights["act.bias"])
    own = (deeds @ weights["lot.deed"]).reshape(n, N_DEEDS, -1)
    own = backend.relu(own + (inner @ weights["lot.trunk"])[:, None])
    parts = [
        inner @ weights["others.weight"],
        (own.reshape(n * N_DEEDS, -1) @ weights["lot.out"]).reshape(n, -1),
    ]
    if "offer.facts" in weights:
        parts.append(offer_logits(weights, backend, obs, deeds, inner))
    return backend.concatenate(parts, axis=1)[:, backend.order] + weights["bias"]


def offer_logits(
    weights: Weights, backend: Backend, obs: Tensor, deeds: Tensor, inner: Tensor
) -> Tensor:
    """Return the logits of the menu's offers, (n, 32)."""
    n = obs.shape[0]
    features = obs[:, backend.offers].reshape(n * OFFERS, OFFER_SIZE) @ weights["offer.facts"]
    groups = (deeds @ weights["offer.group"]).reshape(n, N_DEEDS, -1)
    offers = features.reshape(n, OFFERS, -1) + backend.offer_groups @ groups + weights["offer.each"]
    offers = backend.relu(offers + (inner @ weights["offer.trunk"])[:, None])
    return (offers.reshape(n * OFFERS, -1) @ weights["offer.out"]).reshape(n, -1)


def relu(values: Floats) -> Floats:
    """Apply ReLU to a NumPy array."""
    rectified: Floats = np.maximum(values, 0)
    return rectified


class DeedNetwork:
    """The deed network in NumPy, for inference."""

    kind: ClassVar[str] = "deeds"

    def __init__(self, layout: Layout, weights: Mapping[str, Floats]) -> None:
        self.weights = weights
        self._backend = backend_of(layout, np.asarray, relu, np.concatenate)

    def logits(self, observations: Floats) -> Floats:
        """Return logits of the known actions, float32[n, actions], from float32[n, columns]."""
        deeds = encode_deeds(self.weights, self._backend, observations)
        hidden = trunk(self.weights, self._backend, observations, deeds)
        logits: Floats = policy_head(self.weights, self._backend, observations, deeds, hidden)
        return logits

    def values(self, observations: Floats) -> Floats:
        """Return the value estimates, float32[n], from float32[n, columns]."""
        deeds = encode_deeds(self.weights, self._backend, observations)
        hidden = trunk(self.weights, self._backend, observations, deeds)
        values: Floats = value_head(self.weights, self._backend, hidden)[:, 0]
        return values

    def tensors(self) -> dict[str, Floats]:
        """Return the weights by their names in files."""
        return dict(self.weights)

    @classmethod
    def check_shapes(cls, shapes: Shapes, columns: Int64s, actions: Int64s) -> None:
        """Check the shapes of :meth:`tensors`. Raises: ValueError that names the mismatch."""
        width, trunk_width = (shapes.get(name, (0,))[-1] for name in ("deed.each", "trunk.bias"))
        expected = shapes_of(layout_of(columns, actions), width, trunk_width)
        for name, shape in expected.items():
            if shapes.get(name) != shape:
                raise ValueError(f"{name} must be there with the shape {shape}")
        if shapes.keys() - expected:
            raise ValueError(f"{show(min(shapes.keys() - expected))} is no part of it")

    @classmethod
    def from_tensors(
        cls, tensors: Mapping[str, Floats], columns: Int64s, actions: Int64s
    ) -> DeedNetwork:
        """Create the network from :meth:`tensors`. Raises: ValueError if the shapes do not fit."""
        cls.check_shapes({name: array.shape for name, array in tensors.items()}, columns, actions)
        layout = layout_of(columns, actions)
        width, trunk_width = (tensors[name].shape[-1] for name in ("deed.each", "trunk.bias"))
        # in this order, whatever the order in the file
        names = shapes_of(layout, width, trunk_width)
        return cls(layout, {name: tensors[name] for name in names})
