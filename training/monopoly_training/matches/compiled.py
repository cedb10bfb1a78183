"""Play whole games of compiled bots, one compiled call per game."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from monopoly_env.agent import find_agent
from monopoly_env.editions import EditionSet
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.policy import Policy, new_views, weights_address
from monopoly_env.engine.policy_loop import ALL_PHASES, new_loop
from monopoly_env.engine.state import new_games
from monopoly_env.envs.options import TableOptions
from monopoly_training.matches import compiled_loop
from monopoly_training.matches.entrants import Entrant
from monopoly_training.matches.outcome import NO_FAULTS, Outcome
from monopoly_training.models.card import FALLBACK

ROOM = 1 << 14  # buffer size in actions; a longer game is replayed with a larger buffer


@dataclass(frozen=True)
class ExternalActions:
    """The actions of seats that were asked outside the compiled loop, in order.

    The first of them decided in the phases of the bit mask ``decides``, except for the kinds of
    action in the bit mask ``leaves``, which its compiled bot chose.
    """

    seats: tuple[int, ...] = ()
    actions: Sequence[int] = ()
    decides: int = ALL_PHASES
    leaves: int = 0


NONE_EXTERNAL = ExternalActions()


class CompiledGames:
    """Plays games of a fixed seating of compiled bots, one per seed."""

    def __init__(self, seated: Sequence[Entrant], options: TableOptions) -> None:
        self.players = len(seated)
        self.editions: EditionSet = options.editions()
        self._policies = [policy_of(entrant) for entrant in seated]  # keeps the weights alive
        policies = [policy for policy, _ in self._policies]
        self._loop = new_loop(policies, skip_forced=options.skip_forced)
        self._games, self._views = new_games(1), new_views(1)
        for seat, (_, weights) in enumerate(self._policies):
            self._views["weights"][0, seat] = weights_address(weights)
        self._journals = new_journals(1, on=False)
        self._actions = np.zeros(ROOM, np.uint16)

    def play(self, seed: int, keep: bool, external: ExternalActions = NONE_EXTERNAL) -> Outcome:
        """Play the game of a seed; include its actions if ``keep``.

        ``external`` holds the decisions made outside the loop when the game was first played.
        """
        rank, worth = np.zeros(PLAYERS, np.int8), np.zeros(PLAYERS, np.int64)
        given, loop = np.array(external.actions, np.int64), self._loop
        loop["external"] = sum(1 << seat for seat in external.seats)
        loop["learners"] = 1 << external.seats[0] if external.seats else 0
        loop["decides"], loop["leaves"], loop["faults"] = external.decides, external.leaves, 0
        loop["has_rules"] = 0
        rules = self.editions.for_seed(seed).rules
        began = time.perf_counter()
        decisions = compiled_loop.play_game(
            self._games, rules, self._journals, self._views, loop, given,
            self.players, seed, rank, worth, self._actions,
        )  # fmt: skip
        if keep and decisions > len(self._actions):
            self._actions = np.zeros(2 * decisions, np.uint16)
            return self.play(seed, keep, external)
        wall, game = time.perf_counter() - began, self._games[0]
        illegal = loop["faults"][0, : self.players]
        faults = tuple((count, 0, 0) for count in illegal.tolist())
        return Outcome(
            ranks=tuple(rank[: self.players].tolist()),
            worth=tuple(worth[: self.players].tolist()),
            turns=int(game["turns"]),
            decisions=decisions,
            truncated=bool(game["truncated"]),
            faults=faults if illegal.any() else (NO_FAULTS,) * self.players,
            timed_decisions=(0,) * self.players,
            seconds=(0.0,) * self.players,
            wall=wall,
            actions=self._actions[:decisions].copy() if keep else None,
        )


def policy_of(entrant: Entrant) -> tuple[Policy, Any]:
    """Return a bot's compiled policy and weights.

    For a trained policy, those of its fallback bot.
    """
    if entrant.policy is not None:
        return entrant.policy, entrant.spec.weights
    name = FALLBACK if entrant.model is None else entrant.model.table.fallback
    fallback = find_agent(name)[0]
    assert fallback.policy is not None  # guaranteed by the check of the model's card
    return fallback.policy, fallback.weights
