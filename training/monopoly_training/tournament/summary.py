"""Compute the results of a tournament from its games: standings, ratings and intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from monopoly_env.notation import LETTERS
from monopoly_training.behavior.summary import Behavior, all_as_json, behavior_of
from monopoly_training.luck.estimator import AdjustedRate, adjusted_rate
from monopoly_training.matches.outcome import FAULTS
from monopoly_training.stats.bootstrap import Float64s, Interval, intervals_of_ratio, sums_by_unit
from monopoly_training.stats.paired import Comparison, compare
from monopoly_training.stats.ratings import Against, Rating
from monopoly_training.stats.sprt import Trial
from monopoly_training.stats.who_beats_whom import WhoBeatsWhom, who_beats_whom
from monopoly_training.stats.win_rates import Score, score
from monopoly_training.tournament.config import TournamentConfig
from monopoly_training.tournament.game_table import GameTable

PERCENTILES = (5, 50, 95)


@dataclass(frozen=True)
class Standing:
    """The result of one entrant."""

    place: int  # its position in the line-up, from 1; a bot may enter twice
    agent: str
    score: Score
    win_rate_by_seed: Interval | None  # 95%, bootstrap over seeds; None: too few
    mean_rank_by_seed: Interval | None  # the same
    rating: Rating
    faults: dict[str, int]  # faults settled by the fallback rule
    microseconds: float  # per decision
    timed: str  # "own": time of the bot itself; "table": time of its games, per decision
    luck_adjusted: AdjustedRate | None = None  # the luck-adjusted win rate, if requested


@dataclass(frozen=True)
class SeatEffect:
    """The win rate of a seat, over all bots."""

    seat: str
    games: int
    wins: float
    win_rate: float
    by_seed: Interval | None  # 95%, bootstrap over seeds


@dataclass(frozen=True)
class TournamentResult:
    """The results of a finished tournament."""

    config: TournamentConfig
    standings: tuple[Standing, ...]  # best first
    against: tuple[tuple[Against, ...], ...]  # in the order of the standings
    seats: tuple[SeatEffect, ...]
    order: WhoBeatsWhom  # pairwise relations: Nash averaging, cycles
    games: GameTable
    trial: Trial | None
    behavior: dict[str, Behavior] | None = None  # by bot, in the order of the standings
    comparison: Comparison | None = None  # of the first two bots, in format paired

    @property
    def seeds(self) -> int:
        """Number of seeds played."""
        return len(np.unique(self.games.seed))

    @property
    def chance(self) -> float:
        """The win rate of a bot that is as good as the others."""
        return 1 / self.games.seats

    def as_json(self) -> dict[str, Any]:
        """Return the keys that ``tournament --json`` prints and results.json holds.

        All but ``time`` are reproducible.
        """
        games = self.games
        return {
            "format": self.config.format,
            "games": len(games),
            "rounds": self.config.all_rounds,
            "seats_a_table": games.seats,
            "seeds": {"first": self.config.seed, "count": self.seeds},
            "mean_turns": float(games.turns.mean()),
            "turns": percentiles(games.turns),
            "decisions": percentiles(games.decisions),
            "truncated": int(games.truncated.sum()),
            "illegal": self.illegal(),
            "anchor": self.anchor,
            "standings": [standing_as_json(row) for row in self.standings],
            "head_to_head": self._against_as_json(),
            "seats": [asdict(seat) for seat in self.seats],
            "nash": [
                {
                    "agent": place.bot,
                    "weight": place.nash_weight,
                    "skill": place.nash_skill,
                    "skill_ci95": place.nash_skill_ci95,
                }
                for place in self.order.places
            ],
            "cycles": [asdict(cycle) for cycle in self.order.cycles],
            "sprt": self._trial_as_json(),
            "behavior": all_as_json(self.behavior),
            "comparison": self.comparison.as_json() if self.comparison is not None else None,
            "time": [
                {
                    "agent": row.agent,
                    "place": row.place,
                    "timed": row.timed,
                    "microseconds_a_decision": row.microseconds,
                }
                for row in self.standings
            ],
        }

    def _trial_as_json(self) -> dict[str, Any] | None:
        """Return the sequential test, with its question."""
        if self.trial is None:
            return None
        return {"question": self.question, **self.trial.as_json()}

    @property
    def question(self) -> str:
        """The question that the sequential test answers."""
        p0, p1 = self.config.hypotheses
        first, second = self.games.agents[:2]
        if self.config.format == "paired":
            return (
                f"By how much of all games does {first} win more than {second}, p0 = {p0:.3f} or "
                f"p1 = {p1:.3f}?"
            )
        return f"Does {first} win a share p0 = {p0:.3f} or p1 = {p1:.3f} of its games?"

    @property
    def anchor(self) -> str:
        """The bot whose rating is 0."""
        return self.config.agents[self.config.anchor_place]

    def illegal(self) -> dict[str, int]:
        """Return the number of illegal answers by bot name."""
        return {row.agent: row.faults["illegal"] for row in self.by_place()}

    def by_place(self) -> list[Standing]:
        """Return the standings in the order of the line-up."""
        return sorted(self.standings, key=lambda row: row.place)

    @property
    def any_faults(self) -> bool:
        """Whether any answer of a bot was settled by the fallback rule."""
        return any(any(row.faults.values()) for row in self.standings)

    def _against_as_json(self) -> list[dict[str, Any]]:
        return [
            {
                "agent": row.agent,
                "place": row.place,
                "against": other.agent,
                "against_place": other.place,
                **asdict(cell),
            }
            for row, cells in zip(self.standings, self.against, strict=True)
            for other, cell in zip(self.standings, cells, strict=True)
            if cell.games
        ]


def standing_as_json(row: Standing) -> dict[str, Any]:
    """Return one entrant's result without the timings, which differ from run to run."""
    return {
        "agent": row.agent,
        "place": row.place,
        **asdict(row.score),
        "win_rate_by_seed": row.win_rate_by_seed,
        "mean_rank_by_seed": row.mean_rank_by_seed,
        "rating": asdict(row.rating),
        "faults": row.faults,
        **({} if row.luck_adjusted is None else {"luck_adjusted": row.luck_adjusted.as_json()}),
    }


def percentiles(values: Any) -> dict[str, float]:
    """Return the mean and a few percentiles."""
    by_name = {f"p{k}": float(np.percentile(values, k)) for k in PERCENTILES}
    return {"mean": float(np.mean(values)), **by_name}


def summary(config: TournamentConfig, games: GameTable, trial: Trial | None) -> TournamentResult:
    """Compute all results from the games, best bot first."""
    order = who_beats_whom(games.agents, games.ranked, config.anchor_place)
    at = {place.bot: row for row, place in enumerate(order.places)}
    places = [at[agent] for agent in games.agents]
    rows = standings(games, [order.places[row].rating for row in places], config.luck_adjusted)
    shown = [places[row.place - 1] for row in rows]
    return TournamentResult(
        config=config,
        standings=tuple(rows),
        against=tuple(tuple(order.against[one][other] for other in shown) for one in shown),
        order=order,
        seats=tuple(seat_effects(games)),
        games=games,
        trial=trial,
        behavior=behavior_by_bot(games, [row.place - 1 for row in rows]),
        comparison=paired_comparison(games) if config.format == "paired" else None,
    )


def behavior_by_bot(games: GameTable, numbers: Sequence[int]) -> dict[str, Behavior] | None:
    """Return the behavior statistics of these bots of the line-up, or None if not measured."""
    if games.behavior is None:
        return None
    found = {}
    for number in numbers:
        at = games.seating == number
        unit = np.broadcast_to(games.unit[:, None], at.shape)[at]
        found[games.agents[number]] = behavior_of(games.behavior[at], unit)
    return found


def paired_comparison(games: GameTable) -> Comparison | None:
    """Compare the first two bots of the line-up on the seeds that both have played."""
    flat, unit = games.seating.ravel(), np.repeat(games.unit, games.seats)
    count, wins, ranks = (
        sums_by_unit(unit, flat, values, len(games.agents))[:, :2]
        for values in (np.ones(flat.size), games.wins.ravel(), games.fractional_ranks.ravel())
    )
    both = (count > 0).all(axis=1)
    if not both.any():
        return None
    return compare(wins[both] / count[both], ranks[both] / count[both])


def standings(
    games: GameTable, ratings: Sequence[Rating], luck_judge: str | None = None
) -> list[Standing]:
    """Return the entrants' results, sorted by win rate and then by mean rank.

    ``ratings`` are by line-up number. ``luck_judge`` names the value function behind the games'
    luck, if measured.
    """
    seating, bots = games.seating.ravel(), len(games.agents)
    win_ends = ends_by_seed(games, games.wins, seating, bots)
    rank_ends = ends_by_seed(games, games.fractional_ranks, seating, bots)
    rows = []
    for number, agent in enumerate(games.agents):
        at = games.seating == number
        microseconds, timed = time_a_decision(games, at)
        rows.append(
            Standing(
                place=number + 1,
                agent=agent,
                score=score_of(games, number),
                win_rate_by_seed=win_ends[number],
                mean_rank_by_seed=rank_ends[number],
                rating=ratings[number],
                faults=dict(zip(FAULTS, games.faults[at].sum(axis=0).tolist(), strict=True)),
                microseconds=microseconds,
                timed=timed,
                luck_adjusted=without_luck(games, at, luck_judge),
            )
        )
    rows.sort(key=lambda row: (-row.score.win_rate, row.score.mean_rank, row.place))
    return rows


def score_of(games: GameTable, number: int) -> Score:
    """Return the score of one entrant, by its number in the line-up."""
    at = games.seating == number
    truncated = np.broadcast_to(games.truncated[:, None], at.shape)[at]
    return score(games.wins[at], games.fractional_ranks[at], truncated)


def without_luck(games: GameTable, at: Any, judge: str | None) -> AdjustedRate | None:
    """Return the luck-adjusted win rate of the bot in the seats ``at``, bool[G, S]."""
    if judge is None or games.luck is None:
        return None
    seeds = np.broadcast_to(games.seed[:, None], at.shape)[at]
    return adjusted_rate(judge, games.wins[at], games.luck[at], seeds)


def ends_by_seed(
    games: GameTable, values: Float64s, column: Any, columns: int
) -> list[Interval | None]:
    """Return bootstrap 95% intervals of the mean of ``values`` [G, S] for each column."""
    unit = np.repeat(games.unit, games.seats)
    above = sums_by_unit(unit, column, values.ravel(), columns)
    below = sums_by_unit(unit, column, np.ones(len(unit)), columns)
    return intervals_of_ratio(above, below)


def time_a_decision(games: GameTable, at: Any) -> tuple[float, str]:
    """Return microseconds per decision of the bot in seats ``at`` [G, S], and what was timed."""
    timed = int(games.timed_decisions[at].sum())
    if timed:
        return 1e6 * float(games.seconds[at].sum()) / timed, "own"
    here = at.any(axis=1)
    decisions = int(games.decisions[here].sum())
    return 1e6 * float(games.wall[here].sum()) / max(decisions, 1), "table"


def seat_effects(games: GameTable) -> list[SeatEffect]:
    """Return the win rate of each seat."""
    column = np.tile(np.arange(games.seats), len(games))
    ends = ends_by_seed(games, games.wins, column, games.seats)
    wins = games.wins.sum(axis=0)
    return [
        SeatEffect(LETTERS[seat], len(games), float(wins[seat]), float(wins[seat] / len(games)), e)
        for seat, e in enumerate(ends)
    ]


def names_of(rows: Sequence[Standing]) -> list[str]:
    """Return the entrants' labels; a second entry of a bot is ``name#2``."""
    return [row.agent for row in rows]
