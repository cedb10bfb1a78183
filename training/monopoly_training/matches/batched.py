"""Many games of one seating abreast: all waiting decisions of a trained policy are taken together.

It then costs one forward pass a round instead of one a decision. Compiled bots at the same table
play inside the environments' compiled loop.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from monopoly_env.agent import Agent, make_agent
from monopoly_env.encoding.observation import OBSERVATION_SIZE
from monopoly_env.engine import entry_points
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.state import Int64s
from monopoly_env.envs.game_batch import GameBatch
from monopoly_env.envs.options import EnvConfig, TableOptions
from monopoly_env.envs.step_codes import RUNNING, SKIP
from monopoly_env.view import View
from monopoly_training.matches.entrants import Entrant
from monopoly_training.matches.outcome import NO_FAULTS, Outcome
from monopoly_training.models.model_agent import ModelAgent

ABREAST = 512  # games at a time
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Finished:
    """A game that is over."""

    number: int  # which of the seeds it was
    seed: int
    outcome: Outcome
    answers: list[int]  # the actions of the seats outside, in order


class BatchedGames:
    """Games of one seating, at which some seats are trained policies."""

    def __init__(self, seated: Sequence[Entrant], options: TableOptions, n: int) -> None:
        self.seated = seated
        self.outside = [seat for seat, entrant in enumerate(seated) if entrant.policy is None]
        self.batch = GameBatch(self._config(options), n)
        self.sights = np.zeros((n, OBSERVATION_SIZE), np.float32)
        self.masks = np.zeros((n, N_ACTIONS), np.int8)
        self.match = np.full(n, -1)  # the number of the game at each table
        self.answers: list[list[int]] = [[] for _ in range(n)]  # of the game at each table
        self.rests: dict[tuple[int, int], Agent] = {}  # by table and seat: who plays other phases
        self.asked = np.zeros((n, len(seated)), np.int64)  # decisions of that game, by seat
        self.seconds = np.zeros((n, len(seated)))  # what they took

    @property
    def decides(self) -> int:
        """The phases that seats outside decide, as bits."""
        return self.batch.config.options.decided()

    @property
    def leaves(self) -> int:
        """The kinds of action that they leave to another bot even there, as bits."""
        return self.batch.config.options.left()

    def _config(self, options: TableOptions) -> EnvConfig:
        """A configuration in which compiled bots play by themselves and the others are asked."""
        config = EnvConfig(self._with_rest(options))
        first = self.outside[0]
        config.seat_learner(first, True)
        for left in range(1, len(self.seated)):
            seat = (first + left) % len(self.seated)
            if seat not in self.outside:
                config.seat_opponent(left, self.seated[seat].spec, "agents")
        return config

    def _with_rest(self, options: TableOptions) -> TableOptions:
        """If one policy alone is asked, the bot that plays its other phases plays compiled too."""
        model = self.seated[self.outside[0]].model
        if len(self.outside) > 1 or model is None or not model.has_fallback:
            return options
        table = model.table
        return replace(options, decides=table.decides, rest=table.fallback, leaves=table.leaves)

    def play(self, seeds: Int64s) -> Iterator[Finished]:
        """Play one game a seed. Games are handed out as they end."""
        waiting = iter(enumerate(seeds.tolist()))
        for row in range(self.batch.n):
            self._seat(row, next(waiting, None))
        while (self.batch.action != SKIP).any():
            self.batch.play(self.sights.reshape(-1), self.masks.reshape(-1))
            self.batch.check_stuck()
            going = (self.batch.action != SKIP) & (self.batch.ended == RUNNING)
            for row in np.flatnonzero(self.batch.ended != RUNNING).tolist():
                yield self._finished(row)
                self._seat(row, next(waiting, None))
            self._decide(np.flatnonzero(going))

    def _seat(self, row: int, match: tuple[int, int] | None) -> None:
        """Let the next game begin at a table, or leave the table empty."""
        if match is None:
            self.batch.action[row] = SKIP
            return
        self.match[row], seed = match
        self.batch.begin_at(row, seed)
        self.answers[row] = []
        self.asked[row] = self.seconds[row] = 0
        for seat in self.outside:
            if (row, seat) in self.rests:
                self.rests[row, seat].reset(seed)

    def _finished(self, row: int) -> Finished:
        """The game that has ended at a table."""
        game, seats = self.batch.games[row], len(self.seated)
        rank, worth = np.zeros(PLAYERS, np.int8), np.zeros(seats, np.int64)
        entry_points.standings(self.batch.games, row, self.batch.edition.rules, rank, worth)
        outcome = Outcome(
            ranks=tuple(rank[:seats].tolist()),
            worth=tuple(worth.tolist()),
            turns=int(game["turns"]),
            decisions=int(game["decisions"]),
            truncated=bool(game["truncated"]),
            faults=(NO_FAULTS,) * seats,
            asked=tuple(self.asked[row].tolist()),
            seconds=tuple(self.seconds[row].tolist()),
            wall=0.0,
        )
        seed = int(self.batch.game_seeds[row])
        return Finished(int(self.match[row]), seed, outcome, self.answers[row])

    # --- deciding ---

    def _decide(self, rows: Rows) -> None:
        """Put the next action of each of these tables into its slip."""
        actors = self.batch.games["actor"][rows]
        for row, seat in zip(rows.tolist(), actors.tolist(), strict=True):
            if seat != self.outside[0]:  # the compiled loop writes the first outside seat's view
                self.sights[row], _ = self.batch.observe(row, seat)
        for model, seats in self._models().items():
            mine = np.isin(actors, seats)
            if len(self.outside) > 1 and model.has_fallback:  # else that bot plays compiled
                for k in np.flatnonzero(mine).tolist():
                    mine[k] = not self._rest_decides(model, int(rows[k]), int(actors[k]))
            if mine.any():
                self._decide_together(model, rows[mine], actors[mine])
        for row, action in zip(rows.tolist(), self.batch.action[rows].tolist(), strict=True):
            self.answers[row].append(action)

    def _decide_together(self, model: ModelAgent, rows: Rows, seats: npt.NDArray[np.int8]) -> None:
        """One forward pass for all tables at which a policy has to decide."""
        began = time.perf_counter()
        self.batch.action[rows] = model.decide_many(self.sights[rows], self.masks[rows])
        self.asked[rows, seats] += 1
        self.seconds[rows, seats] += (time.perf_counter() - began) / len(rows)

    def _rest_decides(self, model: ModelAgent, row: int, seat: int) -> bool:
        """Whether the bot that a policy leaves it to has decided; it remembers this game alone."""
        if (row, seat) not in self.rests:
            self.rests[row, seat] = make_agent(model.table.fallback)
            self.rests[row, seat].reset(int(self.batch.episodes["seed"][row]))
        view = View(self.batch.games, row, self.batch.edition, self.masks[row])
        action, self.masks[row] = model.ask_fallback(self.rests[row, seat], view)
        if action is not None:
            self.batch.action[row] = action
        return action is not None

    def _models(self) -> dict[ModelAgent, list[int]]:
        """The trained policies at the table, each with its seats."""
        found: dict[ModelAgent, list[int]] = {}
        for seat in self.outside:
            model = self.seated[seat].model
            if model is not None:
                found.setdefault(model, []).append(seat)
        return found
