"""Save and restore the random generators that training uses."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch


def random_state() -> dict[str, Any]:
    """Return the states of Python's, NumPy's and PyTorch's generators, as tensors and numbers."""
    version, numbers, gauss = random.getstate()
    numpy_state: Any = np.random.get_state()  # noqa: NPY002 - the generator that SB3 draws from
    name, keys, *position = numpy_state
    return {
        "python": [version, list(numbers), gauss],
        "numpy": [name, torch.from_numpy(keys.astype(np.int64)), *position],
        "torch": torch.get_rng_state(),
    }


def set_random_state(state: Mapping[str, Any]) -> None:
    """Restore the state returned by :func:`random_state`."""
    version, numbers, gauss = state["python"]
    random.setstate((version, tuple(numbers), gauss))
    name, keys, *position = state["numpy"]
    np.random.set_state((name, keys.numpy().astype(np.uint32), *position))  # noqa: NPY002
    torch.set_rng_state(state["torch"])
