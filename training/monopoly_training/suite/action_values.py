"""Estimate action values by rollouts with common random numbers.

One compiled policy plays all seats, including deals, and at the horizon the learned value function
estimates each seat's win probability. Sample k uses the same dice and cards after every action.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from monopoly_env.engine.state import Float64s
from monopoly_env.game import Game
from monopoly_env.planning import rollouts
from monopoly_training.suite.kinds import GOING_ON, kind_name

POLICY = "veteran"  # the strongest bot that plays a rollout in less than a millisecond
TURNS = 12  # minimum length of a rollout in player turns
ROUNDS = 2  # minimum length in turns per remaining player
AT_ONCE = 500  # samples per action and batch
PEEK = 64  # samples used to select decisions and actions
DECIDED = 0.03  # decisions with win probabilities this close to 0 or 1 are skipped
PEEKS_FROM = 1 << 40  # first sample number of peeks, so that no sample is used twice
MOST_ACTIONS = 6
SURE = 0.003  # target standard error of a loss, or a tenth of the loss if that is larger
MOST_TIMES = 3  # sample limit, as a multiple of the requested number


def horizon(game: Game) -> int:
    """Return the length of a rollout in player turns."""
    alive = int((game.state["out"][: game.players] == 0).sum())
    return max(TURNS, ROUNDS * alive)


def shares(game: Game, actions: list[int], first: int, samples: int, seed: int) -> Float64s:
    """Return each seat's share of the win after each action: float64[actions, samples, players]."""
    done = rollouts(
        [game] * len(actions),
        POLICY,
        actions=actions,
        samples=samples,
        horizon=horizon(game),
        seed=seed,
        first_sample=first,
    )
    return done.win_shares.astype(np.float64)


@dataclass
class Tally:
    """Running sums over the samples of a decision, for means and standard errors."""

    samples: int
    sums: Float64s  # [actions, players]
    squares: Float64s  # [actions, players]
    cross: Float64s  # [actions, actions] products of the mover's shares

    @classmethod
    def blank(cls, actions: int, players: int) -> Self:
        """Return an empty tally."""
        shape = (actions, players)
        return cls(0, np.zeros(shape), np.zeros(shape), np.zeros((actions, actions)))

    def add(self, taken: Float64s, mover: int) -> None:
        """Add samples, float64[actions, samples, players]."""
        own = taken[:, :, mover]
        self.samples += taken.shape[1]
        self.sums += taken.sum(axis=1)
        self.squares += (taken * taken).sum(axis=1)
        self.cross += own @ own.T

    def means(self) -> Float64s:
        """Return each seat's mean share, float64[actions, players]."""
        means: Float64s = self.sums / self.samples
        return means

    def errors(self) -> Float64s:
        """Return the standard errors of the means, float64[actions, players]."""
        variance = np.maximum(self.squares / self.samples - self.means() ** 2, 0.0)
        errors: Float64s = np.sqrt(variance / (self.samples - 1))
        return errors

    def loss_errors(self, mover: int) -> Float64s:
        """Return the standard error of each action's loss, float64[actions]."""
        means = self.means()[:, mover]
        best, cross = int(means.argmax()), self.cross / self.samples
        square = np.diag(cross) - 2 * cross[best] + cross[best, best]
        variance = np.maximum(square - (means - means[best]) ** 2, 0.0)
        errors: Float64s = np.sqrt(variance / (self.samples - 1))
        return errors

    def is_enough(self, mover: int, wanted: int) -> bool:
        """Return whether ``wanted`` samples, or more while losses are uncertain, were taken."""
        if self.samples < wanted:
            return False
        means = self.means()[:, mover]
        enough = np.maximum(SURE, 0.1 * (means.max() - means))
        unsure = (self.loss_errors(mover) > enough).any()
        return bool(self.samples >= MOST_TIMES * wanted or not unsure)

    def as_dict(self) -> dict[str, Any]:
        """Return the sums as plain data, without rounding."""
        return {
            "samples": self.samples,
            "sums": self.sums.tolist(),
            "squares": self.squares.tolist(),
            "cross": self.cross.tolist(),
        }

    @classmethod
    def from_dict(cls, row: dict[str, Any]) -> Self:
        """Restore a tally from :meth:`as_dict`."""
        return cls(
            int(row["samples"]), *(np.array(row[key]) for key in ("sums", "squares", "cross"))
        )


def take_samples(tally: Tally, game: Game, actions: list[int], seed: int, wanted: int) -> None:
    """Add samples until there are enough, continuing after existing ones."""
    mover = game.actor_seat
    while not tally.is_enough(mover, wanted):
        tally.add(shares(game, actions, tally.samples, AT_ONCE, seed), mover)


def peek(game: Game, actions: list[int], seed: int) -> Float64s:
    """Return the mover's share after each action in a few samples, float64[actions, PEEK]."""
    own: Float64s = shares(game, actions, PEEKS_FROM, PEEK, seed)[:, :, game.actor_seat]
    return own


def at_stake(own: Float64s, actions: list[int]) -> float:
    """Return a lower bound on how much the best action beats the worst in a peek.

    Bankruptcy is not counted as an action. The result is 0 if the game is all but decided.
    """
    serious = own[[kind_name(action) != "bankrupt" for action in actions]]
    means = serious.mean(axis=1)
    if len(serious) < 2 or not DECIDED < means.max() < 1 - DECIDED:
        return 0.0
    gap = serious[means.argmax()] - serious[means.argmin()]
    return float(gap.mean() - 2 * gap.std(ddof=1) / np.sqrt(PEEK))


def thinned(actions: list[int], own: Float64s, rng: np.random.Generator) -> list[int]:
    """Return indices of at most MOST_ACTIONS actions to compare.

    They are the actions that go on (roll, end the turn, pass), the best two others, the worst, and
    random ones.
    """
    if len(actions) <= MOST_ACTIONS:
        return list(range(len(actions)))
    going_on = [k for k, action in enumerate(actions) if kind_name(action) in GOING_ON]
    order = np.argsort(-own.mean(axis=1), kind="stable").tolist()
    order = [k for k in order if k not in going_on]
    kept = [*going_on, *order[:2], order[-1]]
    return sorted(kept + rng.choice(order[2:-1], MOST_ACTIONS - len(kept), replace=False).tolist())
