"""Play games in the fastest way that the line-up allows: compiled, batched or sequential."""

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

GameCounter = Callable[[int], None]  # receives the number of games finished since the last call
LuckMeter = Callable[[int, Uint16s], Float64s]  # (seed, actions) -> luck by seat


class Players:
    """The bots of a line-up, each created when it is first needed.

    Args:
        line_up: the bots. Repeated names are made unique: ``random``, ``random#2``.
        errors: receives the errors of bots that run in Python.
    """

    def __init__(self, line_up: Sequence[Entrant], errors: ErrorLog | None = None) -> None:
        self.line_up = tuple(line_up)
        self.names = distinct_names([entrant.name for entrant in line_up])
        self.errors = errors or ErrorLog()
        self._agents: dict[int, Agent] = {}

    def seated(self, seating: Seating) -> list[Entrant]:
        """Return the entrants by seat."""
        return [self.line_up[number] for number in seating]

    def names_in(self, seating: Seating) -> list[str]:
        """Return their names by seat."""
        return [self.names[number] for number in seating]

    def check(self) -> None:
        """Create the Python bots of the line-up. Raises: AgentError if one cannot be created."""
        if loop_kind(self.line_up) == "sequential":
            self.agents(range(len(self.line_up)))

    def agents(self, seating: Sequence[int]) -> list[Agent]:
        """Return the agents that decide in Python, by seat.

        A bot whose constructor fails is replaced for this game, and each of its decisions counts as
        crashed. Its creation is tried again for the next game.
        """
        return [self._agent(number) for number in seating]

    def _agent(self, number: int) -> Agent:
        """Return the agent of a place in the line-up, created on first use."""
        if number in self._agents:
            return self._agents[number]
        try:
            agent = self.line_up[number].new_agent()
        except BotError as problem:
            return FailedAgent(problem)
        self._agents[number] = agent
        return agent

    def close(self) -> None:
        """Close all bots. Errors that they raise are logged and otherwise ignored."""
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
    """Stands in for a bot that could not be created, and raises its error at every decision."""

    def __init__(self, problem: BotError) -> None:
        self.problem = problem

    def reset(self, seed: int) -> None:
        """Start a new game."""

    def decide(self, view: View) -> int:  # noqa: ARG002 - the signature of a bot
        """Raise the error again."""
        raise self.problem


def loop_kind(line_up: Sequence[Entrant]) -> LoopKind:
    """Return how games of these bots are played: ``compiled``, ``batched`` or ``sequential``."""
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
    """Play one game per seed; yield each seed's index and the game's outcome, as games end.

    The outcome of game k includes its actions if ``keep(k)``, and the players' behavior statistics
    if ``behavior``. The same arguments give the same games.
    """
    if behavior:
        meter = BehaviorMeter(options.editions())
        for number, outcome in play_seating(players, seating, seeds, options, lambda _: True):
            assert outcome.actions is not None  # the recursive call keeps all
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
    """Play games in parallel; replay those whose actions are needed."""
    compiled = CompiledGames(seated, options)
    batched = BatchedGames(seated, options, min(GAMES_AT_ONCE, len(seeds)))
    for game in batched.play(seeds):
        outcome = game.outcome
        if keep(game.number) or game.illegal:
            again = compiled.play(game.seed, keep(game.number), game.external)
            outcome = replace(outcome, actions=again.actions, faults=again.faults)
        yield game.number, outcome


def note_illegal(players: Players, seating: Seating, seed: int, outcome: Outcome) -> None:
    """Log the first game in which a compiled policy returned an illegal action."""
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
    """Play all games of a batch; return outcomes in its order, the first ``keep`` with actions.

    ``behavior``: include the players' behavior statistics.
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
    """The results of a schedule; row ``g`` is match ``g``."""

    ranks: Int8s  # [games, seats]: 1 is best, ties share a rank
    turns: Int64s  # player turns
    decisions: Int64s  # actions of all players
    truncated: Int8s  # 1 if a limit ended the game; standings then decided it
    faults: Int64s  # [entrants, 3]: faults settled by the fallback rule, in the order of FAULTS
    luck: Float64s  # [games, seats]: 0 unless measured
    behavior: Float64s | None = None  # [games, entrants, COLUMNS], if measured
    # by row, for games whose actions were kept
    actions: dict[int, Uint16s] = field(default_factory=dict)

    @classmethod
    def blank(cls, games: int, seats: int, behavior: bool = False) -> Results:
        """Allocate results for a number of games."""
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
        """Fill in the result of a match."""
        self.ranks[row] = outcome.ranks
        self.turns[row] = outcome.turns
        self.decisions[row] = outcome.decisions
        self.truncated[row] = outcome.truncated
        for number, faults in zip(seating, outcome.faults, strict=True):
            self.faults[number] += faults
        if self.behavior is not None and outcome.behavior is not None:
            self.behavior[row, list(seating)] = outcome.behavior

    def by_entrant(self, matches: Sequence[Match]) -> Int8s:
        """Return the ranks by number in the line-up instead of by seat: int8[games, entrants]."""
        ranks: Int8s = by_number(self.ranks, matches)
        return ranks

    def luck_by_entrant(self, matches: Sequence[Match]) -> Float64s:
        """Return the luck by number in the line-up: float64[games, entrants]."""
        luck: Float64s = by_number(self.luck, matches)
        return luck


def by_number(values: Any, matches: Sequence[Match]) -> Any:
    """Reorder per-seat values, [games, seats], by number in the line-up."""
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

    The same arguments give the same games. ``errors`` receives each bot's first error; without it,
    they are shown on standard error. ``behavior``: collect behavior statistics. ``luck_of``
    computes each seat's luck from a game's seed and actions. ``keep``: include the actions of this
    many matches, from the first.
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
