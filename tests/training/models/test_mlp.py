"""The plain network against sums written out, and back from its tensors."""

from __future__ import annotations

import numpy as np
import pytest
from monopoly_training.models.mlp import MLP

RNG = np.random.default_rng(0)
LAYERS = (
    (RNG.normal(size=(3, 2)).astype(np.float32), RNG.normal(size=3).astype(np.float32)),
    (RNG.normal(size=(4, 3)).astype(np.float32), RNG.normal(size=4).astype(np.float32)),
)


def test_tanh_stands_between_the_layers_and_not_after_the_last():
    x = RNG.normal(size=(5, 2)).astype(np.float32)
    (w0, b0), (w1, b1) = LAYERS
    for row, logits in zip(x, MLP(LAYERS).logits(x), strict=True):
        hidden = [np.tanh(sum(w0[k] * row) + b0[k]) for k in range(3)]
        assert logits == pytest.approx([sum(w1[k] * hidden) + b1[k] for k in range(4)], rel=1e-5)


def test_it_comes_back_from_its_tensors():
    tensors = MLP(LAYERS).tensors()
    assert list(tensors) == ["layer0.weight", "layer0.bias", "layer1.weight", "layer1.bias"]
    columns, actions = np.arange(2), np.arange(4)
    assert MLP.from_tensors(tensors, columns, actions).layers == LAYERS
    with pytest.raises(ValueError, match="layer0 must lead from 3 numbers"):
        MLP.from_tensors(tensors, np.arange(3), actions)
    with pytest.raises(ValueError, match="the layers lead to 4 numbers, not to 5 actions"):
        MLP.from_tensors(tensors, columns, np.arange(5))
    for name in tensors:
        with pytest.raises(ValueError, match="layer"):
            MLP.from_tensors({k: v for k, v in tensors.items() if k != name}, columns, actions)
    with pytest.raises(ValueError, match="'more' is no part of it"):
        MLP.from_tensors({**tensors, "more": np.zeros(1, np.float32)}, columns, actions)
