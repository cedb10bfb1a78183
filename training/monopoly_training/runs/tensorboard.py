"""TensorBoard logging that leaves each step once, even after resuming from a checkpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stable_baselines3.common.logger import KVWriter
from torch.utils.tensorboard import SummaryWriter


class TensorBoardWriter(KVWriter):
    """Writes scalars, and removes those that an earlier process wrote after step ``steps``."""

    def __init__(self, folder: Path, steps: int) -> None:
        self._writer = SummaryWriter(str(folder), purge_step=steps + 1 if steps else None)

    def write(
        self,
        key_values: dict[str, Any],
        key_excluded: dict[str, tuple[str, ...]],
        step: int = 0,
    ) -> None:
        """Write every number that is not excluded from TensorBoard."""
        for key, value in key_values.items():
            if "tensorboard" not in (key_excluded.get(key) or ()) and is_number(value):
                self._writer.add_scalar(key, value, step)

    def close(self) -> None:
        """Flush and close the file."""
        self._writer.close()


def is_number(value: object) -> bool:
    """Return whether a value is a Python or NumPy number."""
    return hasattr(value, "__float__") and not isinstance(value, str | bool)
