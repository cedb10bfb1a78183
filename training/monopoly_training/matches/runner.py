"""Plays games: compiled line-ups wholly compiled, trained policies abreast, others one by one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from monopoly_env.agent import Agent, find_agent
from monopoly_env.editions import Edition
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.policy import Policy, new_views, policy_address, weights_address
from monopoly_env.engine.policy_loop import ALL_PHASES
from monopoly_env.engine.state import Int8s, Int64s, new_games
from monopoly_env.envs.options import TableOptions
from monopoly_training.common.compile_notice import LoopKind
from monopoly_training.matches import compiled_loop
from monopoly_training.matches.batched import ABREAST, BatchedGames
from monopoly_training.matches.entrants import Entrant
from monopoly_training.matches.outcome import NO_FAULTS, Outcome
from monopoly_training.matches.schedule import Batch, Match, Seating, by_seating
from monopoly_training.matches.sequential import play_sequentially
from monopoly_training.models.card import FALLBACK

Progress = Callable[[int], None]  # told how many games were finished since the last call
ROOM = 1 << 14  # actions; a longer game is played once more with more room


class Players:
    """The bots that take part, each made once, when it is first asked."""

    def __init__(self, line_up: Sequence[Entrant]) -> None:
        self.line_up = tuple(line_up)
        self._agents: dict[int, Agent] = {}

    def seated(self, seating: Seating) -> list[Entrant]:
        """Who sits where."""
        return [self.line_up[number] for number in seating]

    def agents(self, seating: Seating) -> list[Agent]:
        """Whom Python asks, by seat."""
        for number in seating:
            if number not in self._agents:
                self._agents[number] = self.line_up[number].new_agent()
        return [self._agents[number] for number in seating]

    def close(self) -> None:
        """No more games follow."""
        for agent in self._agents.values():
            close = getattr(agent, "close", None)
            if callable(close):
                close()
        self._agents.clear()


def loop_kind(line_up: Sequence[Entrant]) -> LoopKind:
    """How games of these bots are played: ``compiled``, ``batched`` or ``sequential``."""
    if all(entrant.policy is not None for entrant in line_up):
        return "compiled"
    if all(entrant.policy is not None or entrant.model is not None for entrant in line_up):
        return "batched"
    return "sequential"


def play_seating(
    players: Players,
    seating: Seating,
    seeds: Int64s,
    options: TableOptions,
    kept: Callable[[int], bool] = lambda _: False,
) -> Iterator[tuple[int, Outcome]]:
    """Play one game a seed; its number among the seeds and how it went, as games end.

    The actions of game k are kept if ``kept(k)`` says so. The same arguments give the same games.
    """
    options = replace(options, num_players=len(seating))
    seated = players.seated(seating)
    kind = loop_kind(seated)
    if kind == "sequential":
        agents = players.agents(seating)
        journal = any(entrant.policy is None for entrant in seated)  # others hear of nothing
        for number, seed in enumerate(seeds.tolist()):
            yield (
                number,
                play_sequentially(agents, options, seed, journal=journal, keep=kept(number)),
            )
        return
    compiled = Compiled(seated, options)
    if kind == "compiled":
        for number, seed in enumerate(seeds.tolist()):
            yield number, compiled.play(seed, kept(number))
        return
    tables = BatchedGames(seated, options, min(ABREAST, len(seeds)))
    for done in tables.play(seeds):
        outcome = done.outcome
        if kept(done.number):
            again = compiled.play(
                done.seed, True, tables.outside, done.answers, tables.decides, tables.leaves
            )
            outcome = replace(outcome, actions=again.actions)
        yield done.number, outcome


def play_batch(players: Players, batch: Batch, options: TableOptions, keep: int) -> list[Outcome]:
    """Play all games of a batch, in its order; the first ``keep`` with their actions."""
    outcomes: dict[int, Outcome] = {}
    for seating, rows in by_seating(batch.matches).items():
        seeds = np.array([batch.matches[row].seed for row in rows], np.int64)
        kept = [row < keep for row in rows]
        for number, outcome in play_seating(players, seating, seeds, options, kept.__getitem__):
            outcomes[rows[number]] = outcome
    return [outcomes[row] for row in range(len(batch.matches))]


class Compiled:
    """Games at one table, played from the first throw to the last in one compiled call each."""

    def __init__(self, seated: Sequence[Entrant], options: TableOptions) -> None:
        self.players = len(seated)
        self.skip_forced = options.skip_forced
        self.edition: Edition = options.load()
        self._policies = [policy_of(entrant) for entrant in seated]  # kept alive
        address = [policy_address(policy) for policy, _ in self._policies]
        self._line_up = np.array(address + address[-1:] * (PLAYERS - len(address)), np.int64)
        self._games, self._views = new_games(1), new_views(1)
        for seat, (_, weights) in enumerate(self._policies):
            self._views["weights"][0, seat] = weights_address(weights)
        self._journals = new_journals(1, on=False)
        self._log = np.zeros(ROOM, np.uint16)

    def play(
        self,
        seed: int,
        keep: bool,
        outside: Sequence[int] = (),
        answers: Sequence[int] = (),
        decides: int = ALL_PHASES,
        leaves: int = 0,
    ) -> Outcome:
        """The game of a seed. Seats ``outside`` take ``answers`` where they decided themselves."""
        rank, worth = np.zeros(PLAYERS, np.int8), np.zeros(PLAYERS, np.int64)
        illegal = np.zeros(PLAYERS, np.int64)
        seats, given = sum(1 << seat for seat in outside), np.array(answers, np.int64)
        began = time.perf_counter()
        decisions = compiled_loop.play_game(
            self._games, self.edition.rules, self._journals, self._views, self._line_up, seats,
            decides, leaves, given, self.players, seed, self.skip_forced, rank, worth, illegal, self._log,
        )  # fmt: skip
        if keep and decisions > len(self._log):
            self._log = np.zeros(2 * decisions, np.uint16)
            return self.play(seed, keep, outside, answers, decides, leaves)
        return self._outcome(rank, worth, illegal, decisions, keep, time.perf_counter() - began)

    def _outcome(
        self,
        rank: Int8s,
        worth: Int64s,
        illegal: Int64s,
        decisions: int,
        keep: bool,
        wall: float,
    ) -> Outcome:
        """What the compiled call has left behind, as plain numbers."""
        game, players = self._games, self.players
        faults = tuple((count, 0, 0) for count in illegal[:players].tolist())
        return Outcome(
            ranks=tuple(rank[:players].tolist()),
            worth=tuple(worth[:players].tolist()),
            turns=int(game["turns"][0]),
            decisions=decisions,
            truncated=bool(game["truncated"][0]),
            faults=faults if illegal.any() else (NO_FAULTS,) * players,
            asked=(0,) * players,
            seconds=(0.0,) * players,
            wall=wall,
            actions=self._log[:decisions].copy() if keep else None,
        )


def policy_of(entrant: Entrant) -> tuple[Policy, Any]:
    """A bot's compiled policy and its weights; of a trained one, those of the bot beside it."""
    if entrant.policy is not None:
        return entrant.policy, entrant.spec.weights
    rest = find_agent(FALLBACK if entrant.model is None else entrant.model.table.fallback)[0]
    assert rest.policy is not None  # model_agent has checked it
    return rest.policy, rest.weights


# A whole schedule at once, for evaluations


@dataclass(frozen=True)
class Results:
    """How each game of a schedule went; row ``g`` is match ``g``."""

    ranks: Int8s  # [games, seats]: the place of each seat, ties share it
    turns: Int64s  # player turns
    decisions: Int64s  # actions of all players
    truncated: Int8s  # 1: a limit ended the game, standings decided it
    illegal: Int64s  # [entrants]: illegal answers, settled by a rule

    @classmethod
    def blank(cls, games: int, seats: int) -> Results:
        """Room for the results of so many games."""
        return cls(
            ranks=np.zeros((games, seats), np.int8),
            turns=np.zeros(games, np.int64),
            decisions=np.zeros(games, np.int64),
            truncated=np.zeros(games, np.int8),
            illegal=np.zeros(seats, np.int64),
        )

    def by_entrant(self, matches: Sequence[Match]) -> Int8s:
        """The places by number in the line-up instead of by seat: int8[games, entrants]."""
        seatings = np.array([match.seating for match in matches])
        places = np.zeros_like(self.ranks)
        np.put_along_axis(places, seatings, self.ranks, axis=1)
        return places


def play_matches(
    line_up: Sequence[Entrant],
    matches: Sequence[Match],
    options: TableOptions,
    progress: Progress = lambda _: None,
) -> Results:
    """Play every match, with as many players as there are entrants.

    The same arguments give the same games.
    """
    results = Results.blank(len(matches), len(line_up))
    players = Players(line_up)
    for seating, rows in by_seating(matches).items():
        seeds = np.array([matches[row].seed for row in rows], np.int64)
        for number, outcome in play_seating(players, seating, seeds, options):
            row = rows[number]
            results.ranks[row] = outcome.ranks
            results.turns[row] = outcome.turns
            results.decisions[row] = outcome.decisions
            results.truncated[row] = outcome.truncated
            for seat, number_in_line_up in enumerate(seating):
                results.illegal[number_in_line_up] += outcome.faults[seat][0]
            progress(1)
    players.close()
    return results
