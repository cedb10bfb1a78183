"""Earlier versions of the learner's policy, as opponents."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import torch

from monopoly_env.engine.state import Int8s, Int64s
from monopoly_training.models.mlp import Floats
from monopoly_training.runs.tally import LEAST_WEIGHT, Tally, weights_of
from monopoly_training.sb3.masked_policy import MaskedPolicy


class PastSelves:
    """The pool of past policies. One at a time plays all seats of past selves.

    Their decisions in all games therefore take a single forward pass.
    """

    def __init__(self, policy: MaskedPolicy, columns: Int64s, actions: Int64s, keep: int) -> None:
        self._policy = copy.deepcopy(policy)
        self._columns = columns
        self._actions = actions
        self._keep = keep
        self.weights: list[dict[str, Any]] = []  # state dict of each policy
        self.tally = Tally(0)
        self.playing = -1  # number of the current policy
        # weighting of the draw by how often each finishes ahead of the learner
        self.priority = "linear"
        self.least = LEAST_WEIGHT

    def add(self, policy: MaskedPolicy) -> None:
        """Add a copy of the policy; beyond the limit, drop the one that loses most often."""
        self.weights.append(copy.deepcopy(policy.state_dict()))
        self.tally.grow()
        if len(self.weights) > self._keep:
            weakest = int(self.tally.rates()[:-1].argmin())
            del self.weights[weakest]
            self.tally.drop(weakest)
        self.select(len(self.weights) - 1)

    def join(self, weights: Mapping[str, Any], met: float, lost: float) -> None:
        """Add a policy of the same architecture with its known results against the learner."""
        self.weights.append(dict(weights))
        self.tally.grow(met, lost)

    def select(self, number: int) -> None:
        """Make one of the policies the current one."""
        self.playing = number
        self.play_as(self.weights[number])

    def play_as(self, weights: Mapping[str, Any]) -> None:
        """Load these weights into the policy that plays."""
        self._policy.load_state_dict(weights)

    def draw(self) -> None:
        """Draw the current policy, weighted by how often each finishes ahead of the learner."""
        weights = weights_of(self.tally.rates(), self.priority, self.least)
        uniform = float(torch.rand(()))
        self.select(int((weights.cumsum() / weights.sum() < uniform).sum()))

    def decide(self, observations: Floats, masks: Int8s) -> Int64s:
        """Sample one legal action id per row from the current policy.

        ``observations`` float32[n, OBSERVATION_SIZE], ``masks`` int8[n, N_ACTIONS].
        """
        with torch.no_grad():
            obs = torch.as_tensor(observations[:, self._columns])
            actions, _, _ = self._policy(obs, action_masks=masks[:, self._actions])
        ids: Int64s = self._actions[actions.numpy()]
        return ids
