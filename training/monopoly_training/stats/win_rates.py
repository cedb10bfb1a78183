"""From ranks to rates and intervals. Plain numbers in, plain numbers out."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from monopoly_env.engine.state import Int8s

Z95 = 1.959963984540054  # 95 % of a normal distribution lie within so many standard deviations


def wilson(wins: float, games: float, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval of a win rate; (0, 1) without games.

    ``wins`` may be a fraction, for shared wins.
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
    """Each seat's share of the win: 1 for who came first alone, 1/k for k who share it.

    ``ranks`` int8[games, seats]: 1 is best, 0 for empty seats.
    """
    first = ranks == 1
    shares: npt.NDArray[np.float64] = first / np.maximum(first.sum(axis=1, keepdims=True), 1)
    return shares


def fractional_ranks(ranks: Int8s) -> npt.NDArray[np.float64]:
    """Each seat's rank; those who share some get their mean: two firsts are 1.5 each."""
    same = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    fractional: npt.NDArray[np.float64] = ranks + (same - 1) / 2
    return fractional


@dataclass(frozen=True)
class Score:
    """How an agent did over a number of games."""

    games: int
    wins: float
    win_rate: float
    win_rate_finished: float | None  # of the games that no limit ended; None if there are none
    ci95: tuple[float, float]  # Wilson interval of win_rate
    mean_rank: float
    truncated: int  # games that a limit ended; standings decided them


def score(
    wins: npt.NDArray[np.float64], ranks: npt.NDArray[np.float64], truncated: npt.NDArray[np.bool_]
) -> Score:
    """The score from a share of the win, a rank and a truncation flag a game."""
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
