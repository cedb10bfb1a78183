"""Try lines of play in one position: memory for the kernel, and the results of each line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from monopoly_agents.registry import load_policy, weights_in
from monopoly_agents.strategist import VETERAN
from monopoly_agents.strategist.chances import SHARP, Worth, write_all_formulas

from monopoly_env.editions import Edition
from monopoly_env.engine import entry_points
from monopoly_env.engine.actions import N_KINDS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.policy import new_views, weights_address
from monopoly_env.engine.policy_loop import new_loop
from monopoly_env.engine.rules import Deals
from monopoly_env.engine.state import Float64s, new_games
from monopoly_env.value.network import new_work
from monopoly_env.value.weights import Value
from monopoly_training.review.kernel import own_choice, try_lines

POLICY = "veteran"  # plays on after a line
ROUNDS = 2  # of that policy before the value gives win probabilities
SEED = 20_260

Line = tuple[int, ...]  # the ids of a player's successive actions


class LineTester:
    """Runs lines under the rules of one edition. Raises: FileError for the policy's weights."""

    def __init__(self, edition: Edition, value: Value) -> None:
        policy = load_policy("strategist.policy", "strategist")
        self._kept = policy, weights_in(VETERAN)  # kept alive: the loop has their addresses
        self._views, self._loop = new_views(1), new_loop([policy], skip_forced=True)
        self._views["weights"][0, :] = weights_address(self._kept[1])
        self._rules = np.concatenate([edition.rules, edition.rules])
        self._rules["deals"][1] = Deals.OFF
        self._games, self._position = new_games(1), new_games(1)
        self._journals = new_journals(1, on=False)
        self._value, self._work = value, new_work()
        self._bits = np.zeros(N_KINDS, np.int64)

    def put(self, state: Any) -> None:
        """Set the position from a GAME record, with hidden information wiped."""
        self._position[0] = state
        entry_points.wipe_hidden(self._position, 0)

    def own_choice(self) -> int:
        """Return the policy's action here, without deals."""
        return int(own_choice(self._position, self._rules, self._views, self._loop, self._bits))

    def chances(
        self, lines: Sequence[Line], first: int, last: int, rounds: int = ROUNDS
    ) -> Float64s:
        """Return all win probabilities after samples ``first`` to ``last`` of each line.

        The result is float64[lines, samples, 8]. A sample has the same dice in all lines, which
        removes most of the luck from differences.
        """
        lengths = np.array([len(line) for line in lines], np.int64)
        actions = np.zeros((len(lines), int(lengths.max())), np.uint16)
        for row, line in enumerate(lines):
            actions[row, : len(line)] = line
        state = self._position[0]
        alive = int((state["out"][: state["players"]] == 0).sum())
        values = np.zeros((len(lines), last, 8))
        try_lines(
            self._position, self._games, self._rules, self._journals, self._views, self._loop,
            self._value.networks, self._work, actions, lengths, rounds * alive, SEED, first, last,
            self._bits, values,
        )  # fmt: skip
        return values[:, first:]

    def formula(self, lines: Sequence[Line]) -> Float64s:
        """Return win probabilities by the strategist's formula after each line, [lines, 8]."""
        out = np.zeros((len(lines), 8))
        for row, line in enumerate(lines):
            self.chances([line], 0, 1, rounds=0)  # leaves the final position in self._games
            write_all_formulas(
                self._games, self._rules, Worth.STRENGTH, SHARP, self._work, out[row : row + 1]
            )
        return out
