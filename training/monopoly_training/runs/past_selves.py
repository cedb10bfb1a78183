"""Policies that the learner had before, as opponents."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import torch

from monopoly_env.engine.state import Int8s, Int64s
from monopoly_training.models.mlp import Floats
from monopoly_training.runs.tally import Tally
from monopoly_training.sb3.masked_policy import MaskedPolicy

LEAST_WEIGHT = 0.05  # of an opponent that never comes in before the learner


class PastSelves:
    """The learner as it was. One of them plays at a time, in all seats of past selves.

    So all their decisions, in all games, are one forward pass.
    """

    def __init__(self, policy: MaskedPolicy, columns: Int64s, actions: Int64s, keep: int) -> None:
        self._policy = copy.deepcopy(policy)
        self._columns = columns
        self._actions = actions
        self._keep = keep
        self.weights: list[dict[str, Any]] = []  # the state of each policy
        self.tally = Tally(0)
        self.playing = -1  # its number

    def add(self, policy: MaskedPolicy) -> None:
        """Keep the policy as it is now; beyond the limit, the one that loses most often goes."""
        self.weights.append(copy.deepcopy(policy.state_dict()))
        self.tally.grow()
        if len(self.weights) > self._keep:
            weakest = int(self.tally.rates()[:-1].argmin())
            del self.weights[weakest]
            self.tally.drop(weakest)
        self.let_play(len(self.weights) - 1)

    def let_play(self, number: int) -> None:
        """Let one of them play from here on."""
        self.playing = number
        self._policy.load_state_dict(self.weights[number])

    def draw(self) -> None:
        """Let one of them play, drawn by how often each comes in before the learner."""
        weights = np.maximum(self.tally.rates(), LEAST_WEIGHT)
        uniform = float(torch.rand(()))
        self.let_play(int((weights.cumsum() / weights.sum() < uniform).sum()))

    def decide(self, observations: Floats, masks: Int8s) -> Int64s:
        """One legal action a row, by id, drawn from the policy that plays.

        ``observations`` float32[n, OBSERVATION_SIZE], ``masks`` int8[n, N_ACTIONS].
        """
        with torch.no_grad():
            obs = torch.as_tensor(observations[:, self._columns])
            actions, _, _ = self._policy(obs, action_masks=masks[:, self._actions])
        ids: Int64s = self._actions[actions.numpy()]
        return ids
