"""Whom the learner meets: scripted bots and past selves, the more often the harder they are."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from stable_baselines3.common.logger import Logger

from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.state import Int8s, Int64s
from monopoly_env.envs.game_batch import GameBatch
from monopoly_env.envs.step_codes import EXTERNAL
from monopoly_training.common.bot_lists import bots_at
from monopoly_training.models.mlp import Floats
from monopoly_training.ppo.policy import MaskedPolicy
from monopoly_training.runs.config import PoolConfig

Counts = npt.NDArray[np.float64]
MEMORY = 0.98  # of earlier games, at each draw of the chances
LEAST = 0.05  # weight of an opponent that never comes in before the learner


class Tally:
    """How often each opponent comes in before the learner; what is long ago counts less."""

    def __init__(self, size: int) -> None:
        self.met: Counts = np.full(size, 2.0)
        self.lost: Counts = np.ones(size)

    def note(self, number: int, lost: bool) -> None:
        """The learner met an opponent once, and came in behind or not."""
        self.met[number] += 1
        self.lost[number] += lost

    def fade(self) -> None:
        """Let what was noted count a little less."""
        self.met = 2.0 + MEMORY * (self.met - 2.0)
        self.lost = 1.0 + MEMORY * (self.lost - 1.0)

    def rates(self) -> Counts:
        """How often each comes in before the learner, 0 to 1; one half for strangers."""
        rates: Counts = self.lost / self.met
        return rates

    def grow(self) -> None:
        """One more opponent."""
        self.met = np.append(self.met, 2.0)
        self.lost = np.append(self.lost, 1.0)

    def drop(self, number: int) -> None:
        """One opponent less."""
        self.met = np.delete(self.met, number)
        self.lost = np.delete(self.lost, number)


class PastSelves:
    """The learner as it was. One of them plays at a time, wherever a past self sits.

    So all their decisions, in all games, are one forward pass.
    """

    def __init__(self, policy: MaskedPolicy, columns: Int64s, actions: Int64s, keep: int) -> None:
        self._policy = copy.deepcopy(policy)
        self._columns = columns
        self._actions = actions
        self._keep = keep
        self.weights: list[dict[str, Any]] = []
        self.tally = Tally(0)
        self.playing = -1

    def add(self, policy: MaskedPolicy) -> None:
        """Keep the policy as it is now; beyond the limit, the one that is beaten most often goes."""
        self.weights.append(copy.deepcopy(policy.state_dict()))
        self.tally.grow()
        if len(self.weights) > self._keep:
            weakest = int(self.tally.rates()[:-1].argmin())
            del self.weights[weakest]
            self.tally.drop(weakest)
        self.seat(len(self.weights) - 1)

    def seat(self, number: int) -> None:
        """Let one of them play."""
        self.playing = number
        self._policy.load_state_dict(self.weights[number])

    def draw(self) -> None:
        """Let one of them play, drawn by how often each beats the learner."""
        weights = np.maximum(self.tally.rates(), LEAST)
        share = float(torch.rand(()))
        self.seat(int((weights.cumsum() / weights.sum() < share).sum()))

    def decide(self, observations: Floats, masks: Int8s) -> Int64s:
        """One legal action a row, by id, drawn from the policy of who plays."""
        with torch.no_grad():
            seen = torch.as_tensor(observations[:, self._columns])
            numbers, _, _ = self._policy(seen, action_masks=masks[:, self._actions])
        ids: Int64s = self._actions[numbers.numpy()]
        return ids


class Pool:
    """The opponents of a run, and the chances by which the environment draws them.

    ``names`` are bots, each drawn for one seat; or, if some have commas, whole tables, of which one
    is drawn a game. ``bots`` are the environment's, by number: among them may be one that only
    plays the learner's other phases.
    """

    def __init__(
        self, names: tuple[str, ...], config: PoolConfig, past: PastSelves, bots: Sequence[str]
    ) -> None:
        self.names = names
        self._bots = bots
        self._whole = any("," in name for name in names)
        self._places = [names.index(bot) if bot in names else NOBODY for bot in bots]
        self.past = past
        self.tally = Tally(len(names))
        self._config = config
        self.shares = self.chances()

    def note(self, ended: dict[str, Any]) -> None:
        """Note how a game ended, from its infos."""
        seat, ranks = ended["seat"], ended["ranks"]
        if self._whole:
            self.tally.note(
                self._table(np.roll(ended["line_up"], -seat)[1:]), bool(ranks[seat] > 1)
            )
            return
        for other, number in enumerate(ended["line_up"].tolist()):
            lost = bool(ranks[other] < ranks[seat])
            if other != seat and number != EXTERNAL:
                self.tally.note(self._places[number], lost)
            elif other != seat:
                self.past.tally.note(self.past.playing, lost)

    def _table(self, numbers: Int8s) -> int:
        """The number of a table by who sits at it, from the learner's left."""
        bots = [self._bots[number] for number in numbers.tolist()]
        return [bots_at(name, len(bots)) for name in self.names].index(tuple(bots))

    def chances(self) -> Counts:
        """How likely each entry is to be drawn, and last a past self; they sum to 1."""
        rates = np.maximum(self.tally.rates(), LEAST)
        weights = rates if self._config.weights == "beats" else np.ones(len(self.names))
        past = self._config.past if self.past.weights else 0.0
        return np.append((1 - past) * weights / weights.sum(), past)

    def renew(self) -> None:
        """Draw by what is known now from here on; let another past self play."""
        self.shares = self.chances()
        self.tally.fade()
        if self.past.weights:
            self.past.tally.fade()
            self.past.draw()

    def tell(self, batch: GameBatch) -> None:
        """Tell an environment's games the chances."""
        batch.set_pool_weights(self.shares[: batch.pool_size])

    def report(self, logger: Logger) -> None:
        """Log how often the learner comes in before each opponent."""
        for name, rate in zip(self.names, self.tally.rates().tolist(), strict=True):
            logger.record(f"beats/{name}", 1 - rate)
        if self.past.weights:
            logger.record("beats/past_selves", 1 - float(self.past.tally.rates().mean()))

    # --- going on after a kill ---

    def state(self) -> dict[str, Any]:
        """Everything that it is, in tensors and plain numbers."""
        return {
            "weights": self.past.weights,
            "playing": self.past.playing,
            "shares": torch.from_numpy(self.shares),
            **{
                f"{whose}_{what}": torch.from_numpy(getattr(tally, what))
                for whose, tally in (("bots", self.tally), ("past", self.past.tally))
                for what in ("met", "lost")
            },
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """The way back."""
        self.past.weights = list(state["weights"])
        self.shares = state["shares"].numpy()
        for whose, tally in (("bots", self.tally), ("past", self.past.tally)):
            tally.met = state[f"{whose}_met"].numpy()
            tally.lost = state[f"{whose}_lost"].numpy()
        if self.past.weights:
            self.past.seat(state["playing"])
