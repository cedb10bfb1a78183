"""Play many games of one seating in parallel, with batched decisions of trained policies.

A trained policy makes one forward pass per step instead of one per decision. Compiled bots in the
same games play inside the environments' compiled loop.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from monopoly_env.agent import Agent, make_agent
from monopoly_env.bot_seeds import bot_seed
from monopoly_env.encoding.observation import OBSERVATION_SIZE
from monopoly_env.engine import entry_points
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.state import Int64s
from monopoly_env.envs.config import EnvConfig
from monopoly_env.envs.game_batch import GameBatch
from monopoly_env.envs.options import TableOptions
from monopoly_env.envs.step_codes import RUNNING, SKIP
from monopoly_env.view import View
from monopoly_training.matches.compiled import ExternalActions
from monopoly_training.matches.entrants import Entrant
from monopoly_training.matches.outcome import NO_FAULTS, Outcome
from monopoly_training.models.model_agent import Look, ModelAgent, is_choice
from monopoly_training.models.offer_composer import OfferComposer

GAMES_AT_ONCE = 512
Rows = npt.NDArray[np.intp]  # row numbers of games in the batch


@dataclass(frozen=True)
class FinishedGame:
    """A game that is over."""

    number: int  # index of its seed
    seed: int
    outcome: Outcome
    external: ExternalActions
    illegal: int  # illegal answers of compiled policies, all seats together


class BatchedGames:
    """A batch of games of one seating in which trained policies hold the external seats."""

    def __init__(self, seated: Sequence[Entrant], options: TableOptions, n: int) -> None:
        self.seated = seated
        self.external = [seat for seat, entrant in enumerate(seated) if entrant.policy is None]
        self._compiled_fallback = self._is_fallback_compiled(options)
        config = self._config(options)
        self.batch = GameBatch(config, n)
        self._models = self._seats_of_models()
        # policies of which some decisions are settled, or seen, in another way
        self._look_first = {model for model in self._models if self._looks_first(model, options)}
        self._left_to_policy = config.options.decided_phases(), config.options.left_kinds()
        self.observations = np.zeros((n, OBSERVATION_SIZE), np.float32)
        self.masks = np.zeros((n, N_ACTIONS), np.int8)
        self.numbers = np.full(n, -1)  # index of the seed that each row plays
        self.actions: list[list[int]] = [[] for _ in range(n)]  # actions of external seats, by row
        self.fallbacks: dict[tuple[int, int], Agent] = {}  # fallback bots, by row and seat
        # what makes the offers of policies that know the deal menu only, by row and seat
        self.composers: defaultdict[tuple[int, int], OfferComposer] = defaultdict(OfferComposer)
        self.seeds = np.zeros((n, len(seated)), np.uint64)  # seeds of the bots, by row and seat
        # choices of trained policies, by row and seat
        self.choices = np.zeros((n, len(seated)), np.int64)
        # decisions of trained policies, by row and seat
        self.decisions = np.zeros((n, len(seated)), np.int64)
        self.seconds = np.zeros((n, len(seated)))  # time spent on those decisions
        # illegal answers of compiled policies before this game, by row
        self.illegal = np.zeros(n, np.int64)

    def _config(self, options: TableOptions) -> EnvConfig:
        """Return an environment configuration in which compiled bots play by themselves."""
        config = EnvConfig(self._with_fallback(options))
        first = self.external[0]
        config.seat_learner(first, True)
        for left in range(1, len(self.seated)):
            seat = (first + left) % len(self.seated)
            if seat not in self.external:
                config.seat_opponent(left, self.seated[seat].spec, "agents")
        return config

    def _is_fallback_compiled(self, options: TableOptions) -> bool:
        """Return whether the policy's fallback bot plays in the compiled loop.

        It does if there is only one external seat, and the policy itself plays in every edition
        and composes no offers, as these are not the fallback bot's.
        """
        model = self.seated[self.external[0]].model
        if len(self.external) > 1 or model is None or not model.has_fallback:
            return False
        if model.composes(options.editions().first):
            return False
        return model.table.where.holds_for(options.editions(), len(self.seated)) is True

    def _with_fallback(self, options: TableOptions) -> TableOptions:
        """Return the options, with the fallback bot if it plays in the compiled loop."""
        model = self.seated[self.external[0]].model
        if model is None or not self._compiled_fallback:
            return options
        table = model.table
        leaves = model.left_kinds(options.editions().first)
        return replace(options, decides=table.decides, rest=table.fallback, leaves=leaves)

    def _looks_first(self, model: ModelAgent, options: TableOptions) -> bool:
        """Return whether a policy leaves decisions to a bot in this process, or composes offers."""
        if model.has_fallback and not self._compiled_fallback:
            return True
        return model.composes(options.editions().first)  # the same in all editions of a set

    def play(self, seeds: Int64s) -> Iterator[FinishedGame]:
        """Play one game per seed and yield games as they end."""
        waiting = iter(enumerate(seeds.tolist()))
        for row in range(self.batch.n):
            self._begin(row, next(waiting, None))
        while (self.batch.command != SKIP).any():
            if not self.batch.play(self.observations.reshape(-1), self.masks.reshape(-1)):
                row = self.batch.first_illegal()  # no game was stepped
                self.batch.refuse(row, int(self.batch.action[row]))
            self.batch.check_stuck()
            running = (self.batch.command != SKIP) & (self.batch.ended == RUNNING)
            for row in np.flatnonzero(self.batch.ended != RUNNING).tolist():
                yield self._finished(row)
                self._begin(row, next(waiting, None))
            self._decide(np.flatnonzero(running))

    def _begin(self, row: int, numbered_seed: tuple[int, int] | None) -> None:
        """Start the next game in a row, or leave the row empty."""
        if numbered_seed is None:
            self.batch.command[row] = SKIP
            return
        self.numbers[row], seed = numbered_seed
        self.batch.begin_at(row, seed)
        self.actions[row] = []
        self.seeds[row] = [bot_seed(seed, seat) for seat in range(len(self.seated))]
        self.choices[row] = 0
        self.decisions[row] = self.seconds[row] = 0
        for seat in self.external:
            self.composers.pop((row, seat), None)
            if (row, seat) in self.fallbacks:
                self.fallbacks[row, seat].reset(int(self.seeds[row, seat]))

    def _finished(self, row: int) -> FinishedGame:
        """Return the game that has ended in a row."""
        game, seats = self.batch.games[row], len(self.seated)
        rank, worth = np.zeros(PLAYERS, np.int8), np.zeros(seats, np.int64)
        rules = self.batch.edition_of(row).rules
        entry_points.standings(self.batch.games, row, rules, rank, worth)
        outcome = Outcome(
            ranks=tuple(rank[:seats].tolist()),
            worth=tuple(worth.tolist()),
            turns=int(game["turns"]),
            decisions=int(game["decisions"]),
            truncated=bool(game["truncated"]),
            faults=(NO_FAULTS,) * seats,
            timed_decisions=tuple(self.decisions[row].tolist()),
            seconds=tuple(self.seconds[row].tolist()),
            wall=0.0,
        )
        external = ExternalActions(tuple(self.external), self.actions[row], *self._left_to_policy)
        seed = int(self.batch.game_seeds[row])
        illegal = int(self.batch.episodes["faults"][row] - self.illegal[row])
        self.illegal[row] += illegal
        return FinishedGame(int(self.numbers[row]), seed, outcome, external, illegal)

    # --- deciding ---

    def _decide(self, rows: Rows) -> None:
        """Choose the next action in each of these rows."""
        actors = self.batch.games["actor"][rows]
        for row, seat in zip(rows.tolist(), actors.tolist(), strict=True):
            # the compiled loop writes the observation of the first external seat
            if seat != self.external[0]:
                self.observations[row], _ = self.batch.observe(row, seat)
        for model, seats in self._models.items():
            mine = np.isin(actors, seats)
            menus: dict[int, View] = {}  # where the network sees a menu that the table lacks
            for k in np.flatnonzero(mine).tolist() if model in self._look_first else []:
                row, seat = int(rows[k]), int(actors[k])
                seen = self._look(model, row, seat)
                mine[k] = seen.action is None
                if seen.action is not None:
                    self.batch.action[row] = seen.action
                elif seen.is_menu:
                    menus[row] = seen.view
            if mine.any():
                self._decide_together(model, rows[mine], actors[mine])
            for row, menu in menus.items():
                composer = self.composers[row, menu.seat]
                self.batch.action[row] = composer.begin(menu, int(self.batch.action[row]))
        for row, action in zip(rows.tolist(), self.batch.action[rows].tolist(), strict=True):
            self.actions[row].append(action)

    def _decide_together(self, model: ModelAgent, rows: Rows, seats: npt.NDArray[np.int8]) -> None:
        """Make one forward pass for all rows in which a policy has to decide."""
        began = time.perf_counter()
        masks, draws = self.masks[rows], None
        if model.sample:
            draws = model.draw(
                self.seeds[rows, seats], seats.astype(np.int64), self.choices[rows, seats]
            )
            self.choices[rows, seats] += is_choice(masks)
        self.batch.action[rows] = model.decide_rows(self.observations[rows], masks, draws)
        self.decisions[rows, seats] += 1
        self.seconds[rows, seats] += (time.perf_counter() - began) / len(rows)

    def _look(self, model: ModelAgent, row: int, seat: int) -> Look:
        """Return the action if it is settled without the network; otherwise what the network sees.

        Each row and seat has its own fallback bot and its own composer of offers.
        """
        began, fallback = time.perf_counter(), None
        if model.has_fallback and not self._compiled_fallback:
            fallback = self._fallback(model, row, seat)
        view = View(self.batch.games, row, self.batch.edition_of(row), self.masks[row])
        seen = model.look(view, self.composers[row, seat], fallback)
        self.masks[row] = seen.mask
        if seen.is_menu:
            self.observations[row] = seen.view.observation
        self.decisions[row, seat] += seen.action is not None
        self.seconds[row, seat] += time.perf_counter() - began
        return seen

    def _fallback(self, model: ModelAgent, row: int, seat: int) -> Agent:
        """Return the fallback bot of a row and seat."""
        if (row, seat) not in self.fallbacks:
            self.fallbacks[row, seat] = make_agent(model.table.fallback)
            self.fallbacks[row, seat].reset(int(self.seeds[row, seat]))
        return self.fallbacks[row, seat]

    def _seats_of_models(self) -> dict[ModelAgent, list[int]]:
        """Return the trained policies of the games, each with its seats."""
        seats_of: dict[ModelAgent, list[int]] = {}
        for seat in self.external:
            model = self.seated[seat].model
            if model is not None:
                seats_of.setdefault(model, []).append(seat)
        return seats_of
