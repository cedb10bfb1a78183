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
    assert MLP.from_tensors(tensors, 2, 4).layers == LAYERS
    for columns, actions in ((3, 4), (2, 5)):
        with pytest.raises(ValueError, match=f"do not lead from {columns} numbers to {actions}"):
            MLP.from_tensors(tensors, columns, actions)
