"""Chances by rollouts: a position is played on many times by compiled bots, with fresh luck."""

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

AT_ONCE = 50  # rollouts between two looks at the clock
MOST_ROLLOUTS = 10_000_000


@dataclass(frozen=True)
class PlayedOut:
    """What came of playing a position on."""

    wins: Float64s  # [players]: shared wins count in part
    games: int
    truncated: int  # of them: a limit ended the game, standings decided it

    @property
    def chances(self) -> list[float]:
        """Each seat's part of the wins."""
        return [float(wins) / self.games for wins in self.wins]

    @property
    def intervals(self) -> list[tuple[float, float]]:
        """Wilson's at 95 %, of each seat."""
        return [wilson(float(wins), self.games) for wins in self.wins]


def play_out(
    game: Game,
    samples: int,
    policies: Sequence[str],
    seed: int = 0,
    progress: Progress | None = None,
) -> PlayedOut:
    """Play a position on to the end so many times; ``policies``: a bot for all seats, or one each.

    What nobody can see is drawn anew each time. The same arguments give the same games.

    Raises: InputError for bots that are not compiled, or not one a seat.
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
