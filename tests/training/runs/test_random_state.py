"""The random generators of a run: kept, and put back."""

from __future__ import annotations

import io
import random

import numpy as np
import pytest

torch = pytest.importorskip("torch")
random_state = pytest.importorskip("monopoly_training.runs.random_state")


def draws():
    return random.random(), np.random.rand(), torch.rand(1).item()  # noqa: NPY002 - SB3's


@pytest.mark.promise("determinism")
def test_the_same_numbers_come_again():
    draws()
    buffer = io.BytesIO()
    torch.save(random_state.random_state(), buffer)
    first = draws()
    buffer.seek(0)
    random_state.set_random_state(torch.load(buffer, weights_only=True))
    assert draws() == first
