"""The learner's opponents: scripted bots and past selves, drawn more often if they are harder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.logger import Logger

from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.state import Int8s
from monopoly_env.envs.game_batch import GameBatch
from monopoly_env.envs.step_codes import EXTERNAL
from monopoly_training.common.bot_lists import bots_at
from monopoly_training.runs.config_schema import PoolConfig
from monopoly_training.runs.past_selves import PastSelves
from monopoly_training.runs.tally import LEAST_WEIGHT, Counts, Tally


class OpponentPool:
    """The opponents of a run and the probabilities with which the environment draws them.

    ``entries`` are bots, each drawn for one seat. If some contain commas, they are line-ups of all
    other seats, and one is drawn per game. ``bots`` are the environment's bots, by number; they may
    include a fallback bot that is not an opponent.
    """

    def __init__(
        self, entries: tuple[str, ...], config: PoolConfig, past: PastSelves, bots: Sequence[str]
    ) -> None:
        self.entries = entries
        self._bots = bots
        self._draws_line_ups = any("," in entry for entry in entries)
        self._entry_of = [entries.index(bot) if bot in entries else NOBODY for bot in bots]
        self.past = past
        self.tally = Tally(len(entries))
        self._config = config
        self.probabilities = self.probabilities_now()

    def record(self, info: Mapping[str, Any]) -> None:
        """Record the result of a game from its final info."""
        seat, ranks = info["seat"], info["ranks"]
        if self._draws_line_ups:
            others = np.roll(info["line_up"], -seat)[1:]
            self.tally.record(self._entry_of_line_up(others), bool(ranks[seat] > 1))
            return
        for other, number in enumerate(info["line_up"].tolist()):
            lost = bool(ranks[other] < ranks[seat])
            if other != seat and number != EXTERNAL:
                self.tally.record(self._entry_of[number], lost)
            elif other != seat:
                self.past.tally.record(self.past.playing, lost)

    def _entry_of_line_up(self, numbers: Int8s) -> int:
        """Return the entry of a line-up, given the bots' numbers from the learner's left."""
        bots = [self._bots[number] for number in numbers.tolist()]
        return [bots_at(entry, len(bots)) for entry in self.entries].index(tuple(bots))

    def probabilities_now(self) -> Counts:
        """Return the current draw probability of each entry and, last, of a past self.

        They sum to 1.
        """
        rates = np.maximum(self.tally.rates(), LEAST_WEIGHT)
        weights = rates if self._config.weights == "beats" else np.ones(len(self.entries))
        past = self._config.past if self.past.weights else 0.0
        return np.append((1 - past) * weights / weights.sum(), past)

    def redraw(self) -> None:
        """Update the draw probabilities from the results so far, and draw another past self."""
        self.probabilities = self.probabilities_now()
        self.tally.fade()
        if self.past.weights:
            self.past.tally.fade()
            self.past.draw()

    def apply_to(self, batch: GameBatch) -> None:
        """Set these draw probabilities in the games."""
        batch.set_pool_weights(self.probabilities[: batch.pool_size])

    def report(self, logger: Logger) -> None:
        """Log how often the learner finishes ahead of each opponent."""
        for entry, rate in zip(self.entries, self.tally.rates().tolist(), strict=True):
            logger.record(f"beats/{entry}", 1 - rate)
        if self.past.weights:
            logger.record("beats/past_selves", 1 - float(self.past.tally.rates().mean()))

    # --- checkpoints ---

    def state(self) -> dict[str, Any]:
        """Return all mutable state as tensors and plain numbers."""
        return {
            "weights": self.past.weights,
            "playing": self.past.playing,
            "shares": torch.from_numpy(self.probabilities),
            **{
                f"{whose}_{what}": torch.from_numpy(getattr(tally, what))
                for whose, tally in (("bots", self.tally), ("past", self.past.tally))
                for what in ("met", "lost")
            },
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Restore the state returned by :meth:`state`."""
        self.past.weights = list(state["weights"])
        self.probabilities = state["shares"].numpy()
        for whose, tally in (("bots", self.tally), ("past", self.past.tally)):
            tally.met = state[f"{whose}_met"].numpy()
            tally.lost = state[f"{whose}_lost"].numpy()
        if self.past.weights:
            self.past.select(state["playing"])
