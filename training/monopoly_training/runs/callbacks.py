"""Hooks into a training run: for trackers, for pruning, for whatever else a user wants to know.

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
    """What a run calls; override what you need. An exception in it ends the run.

    A run that an exception ended goes on from its last checkpoint by ``train --resume``.
    """

    def on_start(self, run: Run) -> None:
        """The run begins, or goes on: ``run.config``, ``run.folder``, ``run.learner`` are there."""

    def on_log(self, steps: int, values: Mapping[str, float]) -> None:
        """Figures after an iteration or an evaluation, by the names that TensorBoard shows.

        ``steps``: decisions of the learner so far.
        """

    def on_evaluation(self, steps: int, points: Sequence[Point]) -> None:
        """The learner was evaluated: one point of its curve for each line-up of opponents."""

    def on_end(self, run: Run) -> None:
        """The run is over, and its model is saved. Not called where an exception ended it."""


class CallbackWriter(KVWriter):
    """Hands what SB3's logger writes to callbacks."""

    def __init__(self, callbacks: Iterable[TrainingCallback]) -> None:
        self._callbacks = tuple(callbacks)

    def write(
        self,
        key_values: dict[str, Any],
        key_excluded: dict[str, tuple[str, ...]],  # noqa: ARG002 - SB3's signature
        step: int = 0,
    ) -> None:
        """Hand on every number."""
        values = {key: float(value) for key, value in key_values.items() if is_number(value)}
        for callback in self._callbacks:
            callback.on_log(step, values)

    def close(self) -> None:
        """Nothing is held."""
