"""Chances by rollouts: a position is played on many times by compiled bots, with fresh luck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from monopoly_agents.search.rollouts import redraw

from monopoly_env.agent import find_agent
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.engine import entry_points
from monopoly_env.engine.actions import N_KINDS
from monopoly_env.engine.dice import GAMMA
from monopoly_env.engine.ending import ranks
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.policy import Policy, new_views, weights_address
from monopoly_env.engine.policy_loop import new_loop, play_on, seat_players
from monopoly_env.engine.state import Float64s, Int8s, Int64s, new_games
from monopoly_env.errors import InputError
from monopoly_env.game import Game
from monopoly_training.common.progress import NoProgress, Progress
from monopoly_training.stats.win_rates import wilson

AT_ONCE = 50  # rollouts between two looks at the clock
MOST_ROLLOUTS = 10_000_000


@dataclass(frozen=True)
class Rollouts:
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


@jit
def roll_out(
    position: Records,
    games: Records,
    rules_: Records,
    journals: Records,
    views: Records,
    loops: Records,
    seed: int,
    first: int,
    count: int,
    bits: Int64s,
    rank: Int8s,
    wins: Float64s,
) -> int:
    """Play ``position[0]`` on ``count`` times, with random numbers from ``first`` on.

    Adds each seat's share of the wins to ``wins`` float64[8]; returns how many were truncated.
    """
    truncated = 0
    for number in range(first, first + count):
        games[0] = position[0]
        game = games[0]
        redraw(game, np.uint64(seed) * GAMMA + np.uint64(number))
        seat_players(views[0], number)
        play_on(game, rules_[0], journals[0], views[0], loops[0], bits)
        ranks(game, rules_[0], rank)
        truncated += int(game.truncated)
        winners = 0
        for seat in range(game.players):
            winners += 1 if rank[seat] == 1 else 0
        for seat in range(game.players):
            if rank[seat] == 1:
                wins[seat] += 1.0 / winners
    return truncated


def play_out(
    game: Game,
    rollouts: int,
    policies: Sequence[str],
    seed: int = 0,
    progress: Progress | None = None,
) -> Rollouts:
    """Play a position on to the end so many times; ``policies``: a bot for all seats, or one each.

    What nobody can see is drawn anew each time. The same arguments give the same games.

    Raises: InputError for bots that are not compiled, or not one a seat.
    """
    if not 1 <= rollouts <= MOST_ROLLOUTS:
        InputError.at("rollouts").fail(f"must be from 1 to {MOST_ROLLOUTS:,}, not {rollouts}")
    names = list(policies) * game.players if len(policies) == 1 else list(policies)
    if len(names) != game.players:
        InputError.at("policy").fail(
            f"must name one bot, or {game.players}, one a seat, not {len(names)}"
        )
    shown, views = progress or NoProgress(), new_views(1)
    shown.stage("playing on")
    compiled, held = [], []
    for seat, name in enumerate(names):
        policy, weights = _compiled(name)
        compiled.append(policy)
        held.append(weights)
        views["weights"][0, seat] = weights_address(weights)
    position = game.state.reshape(1).copy()
    entry_points.wipe_hidden(position, 0)  # what is drawn anew must not depend on what was
    loop, journals = new_loop(compiled, skip_forced=True), new_journals(1, on=False)
    wins, rank, bits = np.zeros(8), np.zeros(8, np.int8), np.zeros(N_KINDS, np.int64)
    games, truncated = new_games(1), 0
    for first in range(0, rollouts, AT_ONCE):
        count = min(AT_ONCE, rollouts - first)
        truncated += roll_out(
            position, games, game.edition.rules, journals, views, loop, seed, first, count,
            bits, rank, wins,
        )  # fmt: skip
        shown.update((first + count) / rollouts, f"{first + count:,} of {rollouts:,} games")
    return Rollouts(wins[: game.players], rollouts, truncated)


def _compiled(name: str) -> tuple[Policy, object]:
    """A compiled bot and its weights."""
    spec = find_agent(name)[0]
    if spec.policy is None:
        InputError.at("policy").fail(
            f"{name} is not compiled, and rollouts are; use veteran or another bot that "
            "`monopoly-env agents` calls compiled"
        )
    return spec.policy, spec.weights
