"""Estimate winning chances by rollouts: compiled bots play a position to the end many times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from monopoly_env.engine.state import Float64s
from monopoly_env.errors import InputError
from monopoly_env.game import Game
from monopoly_env.planning import rollouts
from monopoly_training.common.progress import NoProgress, Progress
from monopoly_training.stats.win_rates import wilson

AT_ONCE = 50  # rollouts between progress updates
MOST_ROLLOUTS = 10_000_000


@dataclass(frozen=True)
class PlayedOut:
    """The results of the rollouts of a position."""

    wins: Float64s  # [players]; shared wins count as fractions
    games: int
    truncated: int  # games ended by a limit and decided by standings

    @property
    def chances(self) -> list[float]:
        """Each seat's share of the wins."""
        return [float(wins) / self.games for wins in self.wins]

    @property
    def intervals(self) -> list[tuple[float, float]]:
        """Wilson 95% interval of each seat."""
        return [wilson(float(wins), self.games) for wins in self.wins]


def play_out(
    game: Game,
    samples: int,
    policies: Sequence[str],
    seed: int = 0,
    progress: Progress | None = None,
) -> PlayedOut:
    """Play a position to the end ``samples`` times.

    ``policies`` is one bot for all seats, or one each. Hidden information is redrawn for each game.
    The same arguments give the same games.

    Raises: InputError for bots that are not compiled, or not one per seat.
    """
    if not 1 <= samples <= MOST_ROLLOUTS:
        InputError.at("rollouts").fail(f"must be from 1 to {MOST_ROLLOUTS:,}, not {samples}")
    shown = progress or NoProgress()
    shown.stage("playing on")
    wins, truncated = np.zeros(game.players), 0
    for first in range(0, samples, AT_ONCE):
        count = min(AT_ONCE, samples - first)
        done = rollouts(game, list(policies), samples=count, first_sample=first, seed=seed)
        wins += done.win_shares[0].sum(axis=0, dtype=np.float64)
        truncated += int(done.truncated.sum())
        shown.update((first + count) / samples, f"{first + count:,} of {samples:,} games")
    return PlayedOut(wins, samples, truncated)
