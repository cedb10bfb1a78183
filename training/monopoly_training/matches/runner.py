"""Plays games, each in the fastest way that its line-up allows: compiled, batched or sequential."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from monopoly_env import interrupts
from monopoly_env.agent import Agent
from monopoly_env.engine.state import Float64s, Int8s, Int64s, Uint16s
from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import BotError, in_words
from monopoly_env.notation import LETTERS
from monopoly_env.view import View
from monopoly_training.behavior.figures import COLUMNS
from monopoly_training.behavior.measure import BehaviorMeter
from monopoly_training.common.bot_lists import distinct_names
from monopoly_training.common.compile_notice import LoopKind
from monopoly_training.matches.batched import GAMES_AT_ONCE, BatchedGames
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.matches.compiled import CompiledGames
from monopoly_training.matches.entrants import Entrant
from monopoly_training.matches.outcome import FAULTS, Outcome
from monopoly_training.matches.schedule import Batch, Match, Seating, by_seating
from monopoly_training.matches.sequential import play_sequentially
from monopoly_training.matches.together import can_play_together, play_together

GameCounter = Callable[[int], None]  # takes how many games have ended since the last call
LuckMeter = Callable[[int, Uint16s], Float64s]  # takes a seed and actions, gives luck by seat


class Players:
    """The bots of a line-up, each made once, when it is first needed.

    Args:
        line_up: the bots. One that is named twice is told apart: ``random``, ``random#2``.
        errors: takes the errors of bots that Python asks.
    """

    def __init__(self, line_up: Sequence[Entrant], errors: ErrorLog | None = None) -> None:
        self.line_up = tuple(line_up)
        self.names = distinct_names([entrant.name for entrant in line_up])
        self.errors = errors or ErrorLog()
        self._agents: dict[int, Agent] = {}

    def seated(self, seating: Seating) -> list[Entrant]:
        """Who sits where."""
        return [self.line_up[number] for number in seating]

    def names_in(self, seating: Seating) -> list[str]:
        """What they are called."""
        return [self.names[number] for number in seating]

    def check(self) -> None:
        """Make the bots that Python asks. Raises: AgentError for one that cannot be had at all."""
        if loop_kind(self.line_up) == "sequential":
            self.agents(range(len(self.line_up)))

    def agents(self, seating: Sequence[int]) -> list[Agent]:
        """The objects that decide in Python, by seat.

        A bot whose own code fails while it is made is asked nothing in this game: each of its
        decisions counts as crashed. It is made anew for the next game.
        """
        return [self._agent(number) for number in seating]

    def _agent(self, number: int) -> Agent:
        """The bot of a place, made now if it was not."""
        if number in self._agents:
            return self._agents[number]
        try:
            agent = self.line_up[number].new_agent()
        except BotError as problem:
            return FailedAgent(problem)
        self._agents[number] = agent
        return agent

    def close(self) -> None:
        """No more games follow. What bots raise now is shown, and ends nothing."""
        for number, agent in self._agents.items():
            try:
                close = getattr(agent, "close", None)
                if callable(close):
                    close()
            except BaseException as problem:
                if interrupts.is_real(problem):
                    raise
                name = self.names[number]
                self.errors.note(name, "close", f"crashed: {in_words(problem)}", problem)
        self._agents.clear()


class FailedAgent:
    """Takes the place of a bot that could not be made: raises its error whenever it is asked."""

    def __init__(self, problem: BotError) -> None:
        self.problem = problem

    def reset(self, seed: int) -> None:
        """A new game begins."""

    def decide(self, view: View) -> int:  # noqa: ARG002 - what a bot takes
        """Raise the error again."""
        raise self.problem


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
    keep: Callable[[int], bool] = lambda _: False,
    behavior: bool = False,
) -> Iterator[tuple[int, Outcome]]:
    """Play one game a seed; its number among the seeds and how it went, as games end.

    The outcome of game k has its actions if ``keep(k)`` says so, and what its players did, in sums,
    if ``behavior``. The same arguments give the same games.
    """
    if behavior:
        meter = BehaviorMeter(options.editions())
        for number, outcome in play_seating(players, seating, seeds, options, lambda _: True):
            assert outcome.actions is not None  # all are kept
            sums = meter.measure(len(seating), int(seeds[number]), outcome.actions)
            actions = outcome.actions if keep(number) else None
            yield number, replace(outcome, behavior=sums, actions=actions)
        return
    options = replace(options, num_players=len(seating))
    seated = [entrant.at(options) for entrant in players.seated(seating)]
    kind = loop_kind(seated)
    if kind == "batched":
        for number, outcome in _play_batched(seated, seeds, options, keep):
            note_illegal(players, seating, int(seeds[number]), outcome)
            yield number, outcome
    elif kind == "compiled":
        compiled = CompiledGames(seated, options)
        for number, seed in enumerate(seeds.tolist()):
            outcome = compiled.play(seed, keep(number))
            note_illegal(players, seating, seed, outcome)
            yield number, outcome
    else:
        names = players.names_in(seating)
        for number, seed in enumerate(seeds.tolist()):
            agents = players.agents(seating)
            if number == 0 and len(seeds) > 1 and can_play_together(seated, agents):
                errors = players.errors
                yield from play_together(seated, agents, seeds, options, keep, names, errors)
                return
            yield (
                number,
                play_sequentially(agents, options, seed, keep(number), names, players.errors),
            )


def _play_batched(
    seated: Sequence[Entrant], seeds: Int64s, options: TableOptions, keep: Callable[[int], bool]
) -> Iterator[tuple[int, Outcome]]:
    """Play games side by side; those to be kept are played once more, to have all actions."""
    compiled = CompiledGames(seated, options)
    batched = BatchedGames(seated, options, min(GAMES_AT_ONCE, len(seeds)))
    for game in batched.play(seeds):
        outcome = game.outcome
        if keep(game.number) or game.illegal:
            again = compiled.play(game.seed, keep(game.number), game.external)
            outcome = replace(outcome, actions=again.actions, faults=again.faults)
        yield game.number, outcome


def note_illegal(players: Players, seating: Seating, seed: int, outcome: Outcome) -> None:
    """Show the first game in which a compiled policy answered what is not legal."""
    if not any(map(any, outcome.faults)):
        return
    for seat, (illegal, *_) in enumerate(outcome.faults):
        if illegal:
            players.errors.note(
                players.names[seating[seat]],
                f"seed {seed}, seat {LETTERS[seat]}",
                f"illegal: the compiled policy answered {illegal:,} times what is no id of a legal "
                "action; a random legal action was played each time",
            )


def play_batch(
    players: Players, batch: Batch, options: TableOptions, keep: int, behavior: bool = False
) -> list[Outcome]:
    """Play all games of a batch, in its order; the first ``keep`` with their actions.

    ``behavior``: with what their players did.
    """
    outcomes: dict[int, Outcome] = {}
    for seating, rows in by_seating(batch.matches).items():
        seeds = np.array([batch.matches[row].seed for row in rows], np.int64)
        kept = [row < keep for row in rows]
        playing = play_seating(players, seating, seeds, options, kept.__getitem__, behavior)
        for number, outcome in playing:
            outcomes[rows[number]] = outcome
    return [outcomes[row] for row in range(len(batch.matches))]


# A whole schedule at once, for evaluations


@dataclass(frozen=True)
class Results:
    """How each game of a schedule went; row ``g`` is match ``g``."""

    ranks: Int8s  # [games, seats]: 1 is best, ties share a rank
    turns: Int64s  # player turns
    decisions: Int64s  # actions of all players
    truncated: Int8s  # 1: a limit ended the game, standings decided it
    faults: Int64s  # [entrants, 3]: answers that a rule settled, in the order of FAULTS
    luck: Float64s  # [games, seats]: 0 unless it was measured
    behavior: Float64s | None = None  # [games, entrants, COLUMNS], if it was to be measured
    actions: dict[int, Uint16s] = field(default_factory=dict)  # by row, of games that were kept

    @classmethod
    def blank(cls, games: int, seats: int, behavior: bool = False) -> Results:
        """Room for the results of so many games."""
        return cls(
            ranks=np.zeros((games, seats), np.int8),
            turns=np.zeros(games, np.int64),
            decisions=np.zeros(games, np.int64),
            truncated=np.zeros(games, np.int8),
            faults=np.zeros((seats, len(FAULTS)), np.int64),
            behavior=np.zeros((games, seats, len(COLUMNS))) if behavior else None,
            luck=np.zeros((games, seats)),
        )

    def note(self, row: int, seating: Seating, outcome: Outcome) -> None:
        """Fill in a match that has been played."""
        self.ranks[row] = outcome.ranks
        self.turns[row] = outcome.turns
        self.decisions[row] = outcome.decisions
        self.truncated[row] = outcome.truncated
        for number, faults in zip(seating, outcome.faults, strict=True):
            self.faults[number] += faults
        if self.behavior is not None and outcome.behavior is not None:
            self.behavior[row, list(seating)] = outcome.behavior

    def by_entrant(self, matches: Sequence[Match]) -> Int8s:
        """The ranks by number in the line-up instead of by seat: int8[games, entrants]."""
        ranks: Int8s = by_number(self.ranks, matches)
        return ranks

    def luck_by_entrant(self, matches: Sequence[Match]) -> Float64s:
        """The luck by number in the line-up: float64[games, entrants]."""
        luck: Float64s = by_number(self.luck, matches)
        return luck


def by_number(values: Any, matches: Sequence[Match]) -> Any:
    """What matches have by seat, [games, seats], by number in the line-up instead."""
    seatings = np.array([match.seating for match in matches])
    ordered = np.zeros_like(values)
    np.put_along_axis(ordered, seatings, values, axis=1)
    return ordered


def play_matches(
    line_up: Sequence[Entrant],
    matches: Sequence[Match],
    options: TableOptions,
    progress: GameCounter = lambda _: None,
    errors: ErrorLog | None = None,
    behavior: bool = False,
    luck_of: LuckMeter | None = None,
    keep: int = 0,
) -> Results:
    """Play every match, with as many players as there are entrants.

    The same arguments give the same games. ``errors`` takes the first error of each bot; without
    it, they are shown on standard error. ``behavior``: measure what they do. ``luck_of``
    measures each seat's luck from a seed and the actions of its game. ``keep``: of how many
    matches, from the first, the results have the actions.
    """
    results = Results.blank(len(matches), len(line_up), behavior)
    with closing(Players(line_up, errors)) as players:
        players.check()
        for seating, rows in by_seating(matches).items():
            seeds = np.array([matches[row].seed for row in rows], np.int64)
            kept = [luck_of is not None or row < keep for row in rows]
            playing = play_seating(players, seating, seeds, options, kept.__getitem__, behavior)
            for number, outcome in playing:
                results.note(rows[number], seating, outcome)
                if rows[number] < keep and outcome.actions is not None:
                    results.actions[rows[number]] = outcome.actions
                if luck_of is not None and outcome.actions is not None:
                    results.luck[rows[number]] = luck_of(int(seeds[number]), outcome.actions)
                progress(1)
    return results
