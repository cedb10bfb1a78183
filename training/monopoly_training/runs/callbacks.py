"""Callbacks for training runs, for trackers, pruning or custom logging.

>>> class PrintWinRates(TrainingCallback):
...     def on_evaluation(self, steps, points):
...         for point in points:
...             print(steps, point.against, point.win_rate)
>>> # train(config, folder, callbacks=[PrintWinRates()])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from stable_baselines3.common.logger import KVWriter

from monopoly_training.evaluation.learning_curve import Point
from monopoly_training.runs.tensorboard import is_number

if TYPE_CHECKING:
    from monopoly_training.runs.run import Run


class TrainingCallback:
    """Base class of callbacks; override the hooks that you need.

    An exception in a hook ends the run; ``train --resume`` continues it from its last checkpoint.
    """

    def on_start(self, run: Run) -> None:
        """Called when the run starts or resumes.

        ``run.config``, ``.folder`` and ``.learner`` are set.
        """

    def on_log(self, steps: int, values: Mapping[str, float]) -> None:
        """Called with the figures of an iteration or evaluation, named as in TensorBoard.

        ``steps``: decisions of the learner so far.
        """

    def on_evaluation(self, steps: int, points: Sequence[Point]) -> None:
        """Called after an evaluation, with one point of the curve per line-up of opponents."""

    def on_end(self, run: Run) -> None:
        """Called when the run is over and its model saved, but not if an exception ended it."""


class CallbackWriter(KVWriter):
    """An SB3 log writer that passes the figures to callbacks."""

    def __init__(self, callbacks: Iterable[TrainingCallback]) -> None:
        self._callbacks = tuple(callbacks)

    def write(
        self,
        key_values: dict[str, Any],
        key_excluded: dict[str, tuple[str, ...]],  # noqa: ARG002 - SB3's signature
        step: int = 0,
    ) -> None:
        """Pass every number on."""
        values = {key: float(value) for key, value in key_values.items() if is_number(value)}
        for callback in self._callbacks:
            callback.on_log(step, values)

    def close(self) -> None:
        """Do nothing; there is nothing to close."""
