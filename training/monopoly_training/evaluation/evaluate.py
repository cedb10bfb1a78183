"""Evaluate an agent: play games against given opponents and summarize the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import InputError, show
from monopoly_training.behavior.figures import COLUMNS
from monopoly_training.behavior.summary import Behavior, all_as_json, behavior_of
from monopoly_training.common.bot_lists import distinct_names
from monopoly_training.common.memory import check_jobs, check_memory
from monopoly_training.luck.estimator import AdjustedRate, LuckEstimator, adjusted_rate
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.matches.entrants import Entrant
from monopoly_training.matches.outcome import FAULTS
from monopoly_training.matches.parallel_runner import play_matches_in_parallel
from monopoly_training.matches.recording import record_line
from monopoly_training.matches.runner import GameCounter, play_matches
from monopoly_training.matches.schedule import SEATS
from monopoly_training.matches.workers import DEFAULTS, RAY, WorkOptions
from monopoly_training.stats.bootstrap import Interval, means_by_seed
from monopoly_training.stats.win_rates import Score, fractional_ranks, score, shares_of_wins

MOST_GAMES = 10_000_000
MOST_SEED = 2**63 - 2**40  # later games have higher seeds, which must stay below 2**63
MATCH = 400  # bytes of memory per game: schedule and outcome


@dataclass(frozen=True)
class EvaluationSpec:
    """The games of an evaluation. Equal specs give equal games.

    ``seats``: ``rotate`` plays each seed in every rotation of the seats, ``random`` gives each game
    its own seed and order of seats.

    Raises: InputError for invalid values.
    """

    games: int
    seats: str = "rotate"
    seed: int = 0  # the first seed; the others count up from it

    def __post_init__(self) -> None:
        if not 1 <= self.games <= MOST_GAMES:
            InputError.at("games").fail(f"must be from 1 to {MOST_GAMES}, not {self.games}")
        if self.seats not in SEATS:
            InputError.at("seats").fail(
                f"must be one of {', '.join(SEATS)}, not {show(self.seats)}"
            )
        if not 0 <= self.seed <= MOST_SEED:
            InputError.at("seed").fail(f"must be from 0 to {MOST_SEED}, not {self.seed}")


@dataclass(frozen=True)
class Evaluation:
    """An agent's results, and what is needed to play the same games again."""

    agent: str
    against: tuple[str, ...]
    seats: str
    seed: int
    seeds: int  # number of seeds, counting up from ``seed``
    mean_turns: float
    score: Score
    # 95%, bootstrap over seeds; None if there are too few, or seats are random
    win_rate_by_seed: Interval | None
    mean_rank_by_seed: Interval | None  # the same
    behavior: dict[str, Behavior] | None  # by bot, if measured
    faults: dict[str, dict[str, int]]  # faults settled by the fallback rule, by bot and kind
    luck_adjusted: AdjustedRate | None = None  # the luck-adjusted win rate, if requested
    records: tuple[str, ...] = ()  # record lines of the games to be kept

    @property
    def any_faults(self) -> bool:
        """Whether any bot had faults."""
        return any(any(counts.values()) for counts in self.faults.values())

    def as_json(self) -> dict[str, Any]:
        """Return the keys that ``evaluate --json`` prints."""
        return {
            "agent": self.agent,
            **asdict(self.score),
            "win_rate_by_seed": self.win_rate_by_seed,
            "mean_rank_by_seed": self.mean_rank_by_seed,
            "seeds": {"first": self.seed, "count": self.seeds},
            "faults": self.faults,
            "behavior": all_as_json(self.behavior),
            **(
                {}
                if self.luck_adjusted is None
                else {"luck_adjusted": self.luck_adjusted.as_json()}
            ),
        }


def evaluate(
    agent: Entrant,
    against: Sequence[Entrant],
    spec: EvaluationSpec,
    options: TableOptions,
    progress: GameCounter = lambda _: None,
    errors: ErrorLog | None = None,
    behavior: bool = False,
    luck_adjusted: str | None = None,
    work: WorkOptions = DEFAULTS,
    keep: int = 0,
) -> Evaluation:
    """Play an agent's games against a line-up and return its results.

    Args:
        agent: the agent to evaluate.
        against: the bots in the other seats.
        spec: the games to play.
        options: the game and the environment options.
        progress: called with the number of finished games.
        errors: receives each bot's first error; by default they are shown on standard error.
        behavior: measure the behavior of all bots (about 2 ms per game).
        luck_adjusted: the value function for luck adjustment, ``formula`` or ``value``.
        work: the number of processes, or a Ray cluster.
        keep: number of games, from the first, to record.
    """
    line_up = [agent, *against]
    sums = 8 * len(COLUMNS) * len(line_up) if behavior else 0
    check_memory("games", {"for the games": spec.games * (MATCH + sums)})
    matches = SEATS[spec.seats](len(line_up), spec.games, spec.seed)
    taker = None if luck_adjusted is None else LuckEstimator(luck_adjusted)
    editions = options.editions()
    meter = None if taker is None else taker.meter(editions, len(line_up))
    if work.backend == RAY or work.jobs > 1:
        check_jobs(work.jobs, spec.games)
        results = play_matches_in_parallel(
            line_up, matches, options, work, progress, errors, behavior, meter, keep
        )
    else:
        results = play_matches(line_up, matches, options, progress, errors, behavior, meter, keep)
    ranks = results.by_entrant(matches)
    wins, places = shares_of_wins(ranks)[:, 0], fractional_ranks(ranks)[:, 0]
    seeds = np.array([match.seed for match in matches])
    by_seed: list[Interval | None] = [None, None]
    if spec.seats == "rotate":
        by_seed = means_by_seed(seeds, wins, places)
    names = distinct_names([entrant.name for entrant in line_up])
    return Evaluation(
        agent=agent.name,
        against=tuple(entrant.name for entrant in against),
        seats=spec.seats,
        seed=spec.seed,
        seeds=len({match.seed for match in matches}),
        mean_turns=float(np.mean(results.turns)),
        score=score(wins, places, results.truncated.astype(bool)),
        win_rate_by_seed=by_seed[0],
        mean_rank_by_seed=by_seed[1],
        behavior=None
        if results.behavior is None
        else {
            name: behavior_of(results.behavior[:, number], seeds - spec.seed)
            for number, name in enumerate(names)
        },
        faults={
            name: dict(zip(FAULTS, counts, strict=True))
            for name, counts in zip(names, results.faults.tolist(), strict=True)
        },
        luck_adjusted=None
        if luck_adjusted is None
        else adjusted_rate(
            luck_adjusted,
            shares_of_wins(ranks)[:, 0],
            results.luck_by_entrant(matches)[:, 0],
            [match.seed for match in matches],
        ),
        records=tuple(
            record_line(editions.for_seed(matches[row].seed), matches[row], actions, names)
            for row, actions in sorted(results.actions.items())
        ),
    )
