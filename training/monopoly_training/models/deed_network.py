"""A network that knows what a deed is: what holds for one lot holds for all.

Every deed is encoded by the same weights, from what concerns it: who owns it and its group, its
state, its place in the deal at hand, how far each player has to go to it. The trunk reads these
encodings and everything else. Whether to build on a lot, to sell, mortgage or offer it is read
from the lot's own encoding; what an offer of the menu is worth, from that offer's content and the
encoding of its group; all other actions, and the value, from the trunk.

The same lines compute with NumPy arrays and with PyTorch tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from monopoly_env.engine.actions import OFFERS
from monopoly_env.engine.board import GROUPS, SPACES
from monopoly_env.engine.state import Int64s
from monopoly_training.models.deed_layout import (
    DEED_GROUPS,
    DEED_SQUARES,
    FACTS,
    N_DEEDS,
    Layout,
    layout_of,
)
from monopoly_training.models.mlp import Floats

OFFER_GROUPS = np.minimum(np.arange(OFFERS) // 3, GROUPS)  # GROUPS: an offer of no group
OFFER_WIDTH = 16

Tensor = Any  # a NumPy array or a PyTorch tensor
Shapes = dict[str, tuple[int, ...]]


def shapes_of(layout: Layout, width: int, trunk: int) -> Shapes:
    """The shape of each weight: ``width`` numbers encode a deed, ``trunk`` the whole position."""
    found: Shapes = {
        "deed.facts": (layout.facts, width),
        "deed.ways": (len(layout.positions), width),
        "deed.each": (N_DEEDS, width),
        "deed.out": (width, width // 2),
        "trunk.deeds": (N_DEEDS * (width // 2), trunk),
        "trunk.rest": (len(layout.rest), trunk),
        "trunk.bias": (trunk,),
        "act.weight": (trunk, trunk),
        "act.bias": (trunk,),
        "judge.weight": (trunk, trunk),
        "judge.bias": (trunk,),
        "value.weight": (trunk, 1),
        "value.bias": (1,),
        "others.weight": (trunk, layout.others),
        "lot.deed": (width, width),
        "lot.trunk": (trunk, width),
        "lot.out": (width, len(layout.kinds)),
        "bias": (len(layout.order),),
    }
    if len(layout.offers):
        found["offer.facts"] = (FACTS, OFFER_WIDTH)
        found["offer.group"] = (width, OFFER_WIDTH)
        found["offer.each"] = (OFFERS, OFFER_WIDTH)
        found["offer.trunk"] = (trunk, OFFER_WIDTH)
        found["offer.out"] = (OFFER_WIDTH, 1)
    return found


def group_means() -> Floats:
    """What makes a group's encoding of those of its deeds, float32[GROUPS + 1, 28]."""
    means = np.zeros((GROUPS + 1, N_DEEDS), np.float32)
    means[DEED_GROUPS, np.arange(N_DEEDS)] = 1
    means /= np.maximum(means.sum(axis=1, keepdims=True), 1)
    return means


@dataclass(frozen=True)
class Arrays:
    """The constants of the network, and how to join, for NumPy or for PyTorch."""

    deeds: Tensor
    positions: Tensor
    rest: Tensor
    offers: Tensor
    order: Tensor
    squares: Tensor  # float32[28, 1]
    of_offers: Tensor  # float32[32, 28]: means over the deeds of each offer's group
    relu: Callable[[Tensor], Tensor]
    join: Callable[..., Tensor]


def arrays_of(layout: Layout, convert: Any, relu: Any, join: Any) -> Arrays:
    """The constants for a layout, and the functions in which the libraries differ."""
    return Arrays(
        deeds=convert(layout.deeds),
        positions=convert(layout.positions),
        rest=convert(layout.rest),
        offers=convert(layout.offers),
        order=convert(layout.order),
        squares=convert(DEED_SQUARES.astype(np.float32)[:, None]),
        of_offers=convert(group_means()[OFFER_GROUPS]),
        relu=relu,
        join=join,
    )


def encode(weights: Mapping[str, Tensor], arrays: Arrays, seen: Tensor) -> Tensor:
    """Every deed in numbers, (n · 28, width), from what is seen, (n, columns)."""
    n, facts = len(seen), weights["deed.facts"]
    own = seen[:, arrays.deeds].reshape(n * N_DEEDS, -1) @ facts
    steps = (arrays.squares - 39.0 * seen[:, None, arrays.positions]) % SPACES / SPACES
    ways = steps.reshape(n * N_DEEDS, -1) @ weights["deed.ways"]
    each = (own + ways).reshape(n, N_DEEDS, -1) + weights["deed.each"]
    return arrays.relu(each).reshape(n * N_DEEDS, -1)


def take_in(weights: Mapping[str, Tensor], arrays: Arrays, seen: Tensor, deeds: Tensor) -> Tensor:
    """The whole position in numbers, (n, trunk)."""
    short = arrays.relu(deeds @ weights["deed.out"]).reshape(len(seen), -1)
    rest = seen[:, arrays.rest] @ weights["trunk.rest"]
    return arrays.relu(short @ weights["trunk.deeds"] + rest + weights["trunk.bias"])


def judge(weights: Mapping[str, Tensor], arrays: Arrays, trunk: Tensor) -> Tensor:
    """What the position is worth, (n, 1)."""
    inner = arrays.relu(trunk @ weights["judge.weight"] + weights["judge.bias"])
    return inner @ weights["value.weight"] + weights["value.bias"]


def like(
    weights: Mapping[str, Tensor], arrays: Arrays, seen: Tensor, deeds: Tensor, trunk: Tensor
) -> Tensor:
    """How much each action is liked, (n, actions)."""
    n = len(seen)
    inner = arrays.relu(trunk @ weights["act.weight"] + weights["act.bias"])
    lots = (deeds @ weights["lot.deed"]).reshape(n, N_DEEDS, -1)
    lots = arrays.relu(lots + (inner @ weights["lot.trunk"])[:, None])
    parts = [
        inner @ weights["others.weight"],
        (lots.reshape(n * N_DEEDS, -1) @ weights["lot.out"]).reshape(n, -1),
    ]
    if "offer.facts" in weights:
        parts.append(like_offers(weights, arrays, seen, deeds, inner))
    return arrays.join(parts, axis=1)[:, arrays.order] + weights["bias"]


def like_offers(
    weights: Mapping[str, Tensor], arrays: Arrays, seen: Tensor, deeds: Tensor, inner: Tensor
) -> Tensor:
    """How much each offer of the menu is liked, (n, 32)."""
    n = len(seen)
    facts = seen[:, arrays.offers].reshape(n * OFFERS, FACTS) @ weights["offer.facts"]
    groups = (deeds @ weights["offer.group"]).reshape(n, N_DEEDS, -1)
    offers = facts.reshape(n, OFFERS, -1) + arrays.of_offers @ groups + weights["offer.each"]
    offers = arrays.relu(offers + (inner @ weights["offer.trunk"])[:, None])
    return (offers.reshape(n * OFFERS, -1) @ weights["offer.out"]).reshape(n, -1)


def rectify(values: Floats) -> Floats:
    """Negative numbers become 0."""
    found: Floats = np.maximum(values, 0)
    return found


class DeedNetwork:
    """The network in NumPy, for play."""

    kind: ClassVar[str] = "deeds"

    def __init__(self, layout: Layout, weights: Mapping[str, Floats]) -> None:
        self.weights = weights
        self._arrays = arrays_of(layout, np.asarray, rectify, np.concatenate)

    def logits(self, seen: Floats) -> Floats:
        """How much each known action is liked."""
        deeds = encode(self.weights, self._arrays, seen)
        trunk = take_in(self.weights, self._arrays, seen, deeds)
        liked: Floats = like(self.weights, self._arrays, seen, deeds, trunk)
        return liked

    def tensors(self) -> dict[str, Floats]:
        """The weights by name."""
        return dict(self.weights)

    @classmethod
    def of(cls, tensors: Mapping[str, Floats], columns: Int64s, actions: Int64s) -> DeedNetwork:
        """The way back. Raises: ValueError if the shapes do not fit."""
        layout = layout_of(columns, actions)
        sizes = (tensors[name].shape for name in ("deed.each", "trunk.bias"))
        wanted = shapes_of(layout, *(size[-1] for size in sizes))
        for name, shape in wanted.items():
            if name not in tensors or tensors[name].shape != shape:
                raise ValueError(f"{name} must be there with the shape {shape}")
        return cls(layout, {name: tensors[name] for name in wanted})
