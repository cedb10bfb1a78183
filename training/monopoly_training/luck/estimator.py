"""Measure the luck of a game, from its seed and actions or from its record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from monopoly_agents.strategist.chances import SHARP
from monopoly_agents.strategist.weights import STRATEGIST, by_name

from monopoly_env.compiler.records import new_records
from monopoly_env.editions import Edition, EditionSet
from monopoly_env.engine import entry_points
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.state import Float64s, Int8s, Int64s, Uint16s, new_games
from monopoly_env.errors import InputError, suggest
from monopoly_env.files import digest_of
from monopoly_env.game import Game
from monopoly_env.replay import replay_steps
from monopoly_env.value.network import NETWORK
from monopoly_env.value.weights import shipped_value
from monopoly_training.luck.kernel import Judge, luck_of_game, new_luck_work
from monopoly_training.matches.runner import LuckMeter
from monopoly_training.stats.win_rates import Z95

JUDGES: dict[str, Judge] = {judge.name.lower(): judge for judge in Judge}


@dataclass(frozen=True)
class Luck:
    """The effect of luck on each seat's win probability in one game. Its mean over games is 0."""

    start: Float64s  # [players]: the random first player
    by_action: Float64s  # [actions, players]: the throw of each action, and its card
    throwers: Int8s  # [actions]: whose turn it was
    rounds: Int64s  # [actions]: rounds before the action

    @property
    def total(self) -> Float64s:
        """Luck of the whole game, float64[players]; subtract it from a seat's win to adjust it."""
        total: Float64s = self.start + self.by_action.sum(axis=0)
        return total


class LuckEstimator:
    """Measures how lucky each seat was.

    Args:
        judge: the value function: ``formula`` (normalized powers of the strategist's strengths;
            fast), ``value`` (the learned value function), or ``both`` (their mean, which gives the
            lowest variance).
        parameter: the parameter that errors name.

    Raises: InputError for another judge.
    """

    def __init__(self, judge: str, parameter: str = "luck_adjusted") -> None:
        if judge not in JUDGES:
            InputError.at(parameter).fail(f"there is no {judge!r}; {suggest(judge, JUDGES)}")
        self.judge = judge
        self._value = None if judge == "formula" else shipped_value()
        blank = new_records(1, NETWORK)
        self._networks = blank if self._value is None else self._value.networks
        self._work, self._journals = new_luck_work(), new_journals(1, on=False)

    @property
    def digest(self) -> str:
        """Digest that identifies the judge in reports; results depend on it."""
        return digest_of_judge(self.judge)

    def of_seed(self, edition: Edition, players: int, seed: int, actions: Uint16s) -> Luck:
        """Return the luck of a seed's game, given its actions."""
        games = new_games(1)
        entry_points.start(games, 0, edition.rules, self._journals, players, seed)
        return self._luck(games, edition, players, actions, begins=True)

    def meter(self, editions: EditionSet, players: int) -> LuckMeter:
        """Return a function that maps a game's seed and actions to each seat's luck."""

        def luck_of(seed: int, actions: Uint16s) -> Float64s:
            return self.of_seed(editions.for_seed(seed), players, seed, actions).total

        return luck_of

    def of_record(self, record: Mapping[str, Any]) -> Luck:
        """Return the luck of a record, which may start from a position. Raises: RecordError."""
        first: Game | None = None
        last: Game | None = None
        for game, _ in replay_steps(record):
            first, last = first or game.copy(), game
        assert first is not None
        assert last is not None
        actions = np.array([action for _, action in last.history], np.uint16)
        begins = first.seed is not None
        games = first.state.reshape(1).copy()
        return self._luck(games, first.edition, first.players, actions, begins)

    def _luck(
        self, games: Any, edition: Edition, players: int, actions: Uint16s, begins: bool
    ) -> Luck:
        start, luck = np.zeros(PLAYERS), np.zeros((len(actions), PLAYERS))
        throwers, rounds = np.zeros(len(actions), np.int8), np.zeros(len(actions), np.int64)
        luck_of_game(
            games, edition.rules, self._journals, actions, JUDGES[self.judge], self._networks,
            self._work, begins, start, luck, throwers, rounds,
        )  # fmt: skip
        return Luck(start[:players], luck[:, :players], throwers, rounds)


def digest_of_judge(judge: str) -> str:
    """Return the digest of the learned value's weights, the formula's parameters, or both."""
    if judge == "value":
        return shipped_value().digest
    formula = {"weights": by_name(STRATEGIST), "power": SHARP}
    return digest_of(formula if judge == "formula" else [formula, shipped_value().digest])


@dataclass(frozen=True)
class AdjustedRate:
    """A luck-adjusted win rate, beside the plain one. Errors are of means over seeds."""

    judge: str
    digest: str
    win_rate: float
    standard_error: float | None  # None if there is only one seed
    ci95: tuple[float, float] | None
    plain_win_rate: float
    plain_standard_error: float | None
    luck: float  # the mean luck that was subtracted; near 0

    @property
    def variance_ratio(self) -> float | None:
        """Factor by which fewer games give the same error; None if unknown."""
        if not self.standard_error or not self.plain_standard_error:
            return None
        return (self.plain_standard_error / self.standard_error) ** 2

    def as_json(self) -> dict[str, Any]:
        """Return the keys used in reports."""
        return {**asdict(self), "variance_ratio": self.variance_ratio}

    def __str__(self) -> str:
        ratio = self.variance_ratio
        fewer = "" if ratio is None else f", {ratio:.2f} times fewer games for the same error"
        return (
            f"without luck: {100 * self.win_rate:.1f}% ± {196 * (self.standard_error or 0):.1f} "
            f"(plain {100 * self.plain_win_rate:.1f}% ± "
            f"{196 * (self.plain_standard_error or 0):.1f}, by seeds{fewer}); "
            f"judged by the {self.judge} {self.digest}"
        )


def adjusted_rate(
    judge: str, wins: Float64s, luck: Float64s, seeds: Sequence[int] | Int64s
) -> AdjustedRate:
    """Compute an agent's adjusted win rate from the win share, luck and seed of each game.

    Games with the same seed count as one observation, because they share dice.
    """
    rate, error = mean_by_seed(wins - luck, seeds)
    plain, plain_error = mean_by_seed(wins, seeds)
    return AdjustedRate(
        judge=judge,
        digest=digest_of_judge(judge),
        win_rate=rate,
        standard_error=error,
        ci95=None if error is None else (rate - Z95 * error, rate + Z95 * error),
        plain_win_rate=plain,
        plain_standard_error=plain_error,
        luck=plain - rate,
    )


def mean_by_seed(values: Float64s, seeds: Sequence[int] | Int64s) -> tuple[float, float | None]:
    """Return the mean, and its standard error over seeds (None for a single seed)."""
    _, unit = np.unique(np.asarray(seeds), return_inverse=True)
    games = np.bincount(unit)
    mean, units = float(values.mean()), len(games)
    if units < 2:
        return mean, None
    residuals = np.bincount(unit, values) - mean * games
    error = np.sqrt(units / (units - 1) * (residuals**2).sum()) / games.sum()
    return mean, float(error)
