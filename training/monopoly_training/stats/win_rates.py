"""Win rates, ranks and their intervals from the ranks of games."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from monopoly_env.engine.state import Int8s

# half-width of the central 95% of a normal distribution, in standard deviations
Z95 = 1.959963984540054


def wilson(wins: float, games: float, z: float = Z95) -> tuple[float, float]:
    """Return the Wilson score interval of a win rate; (0, 1) without games.

    ``wins`` may be fractional because of shared wins.
    """
    if games <= 0:
        return 0.0, 1.0
    rate = wins / games
    middle = rate + z * z / (2 * games)
    spread = z * sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    low = (middle - spread) / scale if wins > 0 else 0.0
    high = (middle + spread) / scale if wins < games else 1.0
    return low, high


def shares_of_wins(ranks: Int8s) -> npt.NDArray[np.float64]:
    """Return each seat's share of the win: 1 for a sole winner, 1/k for each of k tied winners.

    ``ranks`` int8[games, seats]: 1 is best, 0 is an empty seat.
    """
    first = ranks == 1
    shares: npt.NDArray[np.float64] = first / np.maximum(first.sum(axis=1, keepdims=True), 1)
    return shares


def fractional_ranks(ranks: Int8s) -> npt.NDArray[np.float64]:
    """Return each seat's rank.

    Tied seats get the mean of their ranks, so two firsts are 1.5 each.
    """
    same = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    fractional: npt.NDArray[np.float64] = ranks + (same - 1) / 2
    return fractional


@dataclass(frozen=True)
class Score:
    """The results of an agent over a number of games."""

    games: int
    wins: float
    win_rate: float
    win_rate_finished: float | None  # over games that no limit ended; None if there are none
    ci95: tuple[float, float]  # Wilson interval of win_rate
    mean_rank: float
    truncated: int  # games ended by a limit and decided by standings


def score(
    wins: npt.NDArray[np.float64], ranks: npt.NDArray[np.float64], truncated: npt.NDArray[np.bool_]
) -> Score:
    """Compute a score from each game's share of the win, rank and truncation flag."""
    games, total = len(wins), float(wins.sum())
    finished = wins[~truncated]
    return Score(
        games=games,
        wins=total,
        win_rate=total / games if games else 0.0,
        win_rate_finished=float(finished.mean()) if len(finished) else None,
        ci95=wilson(total, games),
        mean_rank=float(ranks.mean()) if games else 0.0,
        truncated=int(truncated.sum()),
    )
