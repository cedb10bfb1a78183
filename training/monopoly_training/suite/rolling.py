"""What each action of a decision is worth: rollouts with common random numbers, added up.

Every seat is played on by one compiled policy, deals included, and after the horizon the learned
value estimates each seat's chance. Sample k has the same dice and cards after every action.
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
TURNS = 12  # player turns that a rollout plays,
ROUNDS = 2  # and at least so many turns of everybody
AT_ONCE = 500  # samples of each action between two looks
PEEK = 64  # samples that choose a decision, and its actions
DECIDED = 0.03  # a chance so near to 0 or 1 leaves nothing to choose
PEEKS_FROM = 1 << 40  # their numbers: no sample is used for both
MOST_ACTIONS = 6
SURE = 0.003  # standard error of a loss, or a tenth of it: then no more samples are taken
MOST_TIMES = 3  # so many times the samples asked for are taken, where it is not as sure


def horizon(game: Game) -> int:
    """How many turns a rollout plays."""
    alive = int((game.state["out"][: game.players] == 0).sum())
    return max(TURNS, ROUNDS * alive)


def shares(game: Game, actions: list[int], first: int, samples: int, seed: int) -> Float64s:
    """Each seat's share of the win after each action: float64[actions, samples, players]."""
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
    """Sums over the samples of a decision, from which means and errors follow."""

    samples: int
    sums: Float64s  # [actions, players]
    squares: Float64s  # [actions, players]
    cross: Float64s  # [actions, actions] products of the mover's shares

    @classmethod
    def blank(cls, actions: int, players: int) -> Self:
        """Nothing yet."""
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
        """Each seat's mean share, float64[actions, players]."""
        means: Float64s = self.sums / self.samples
        return means

    def errors(self) -> Float64s:
        """Their standard errors, float64[actions, players]."""
        variance = np.maximum(self.squares / self.samples - self.means() ** 2, 0.0)
        errors: Float64s = np.sqrt(variance / (self.samples - 1))
        return errors

    def loss_errors(self, mover: int) -> Float64s:
        """The standard error of each action's loss against the best one, float64[actions]."""
        means = self.means()[:, mover]
        best, cross = int(means.argmax()), self.cross / self.samples
        square = np.diag(cross) - 2 * cross[best] + cross[best, best]
        variance = np.maximum(square - (means - means[best]) ** 2, 0.0)
        errors: Float64s = np.sqrt(variance / (self.samples - 1))
        return errors

    def is_enough(self, mover: int, wanted: int) -> bool:
        """Whether so many samples were taken, and more where it is not sure how much is lost."""
        if self.samples < wanted:
            return False
        means = self.means()[:, mover]
        enough = np.maximum(SURE, 0.1 * (means.max() - means))
        unsure = (self.loss_errors(mover) > enough).any()
        return bool(self.samples >= MOST_TIMES * wanted or not unsure)

    def as_dict(self) -> dict[str, Any]:
        """As plain data, exactly."""
        return {
            "samples": self.samples,
            "sums": self.sums.tolist(),
            "squares": self.squares.tolist(),
            "cross": self.cross.tolist(),
        }

    @classmethod
    def from_dict(cls, row: dict[str, Any]) -> Self:
        """What :meth:`as_dict` told."""
        return cls(
            int(row["samples"]), *(np.array(row[key]) for key in ("sums", "squares", "cross"))
        )


def take_samples(tally: Tally, game: Game, actions: list[int], seed: int, wanted: int) -> None:
    """Add samples until there are enough; where there are some, it goes on after them."""
    mover = game.actor_seat
    while not tally.is_enough(mover, wanted):
        tally.add(shares(game, actions, tally.samples, AT_ONCE, seed), mover)


def peek(game: Game, actions: list[int], seed: int) -> Float64s:
    """A look at a decision: the mover's share after each action, float64[actions, PEEK]."""
    own: Float64s = shares(game, actions, PEEKS_FROM, PEEK, seed)[:, :, game.actor_seat]
    return own


def at_stake(own: Float64s, actions: list[int]) -> float:
    """By how much the best of some actions is surely better than the worst, as a peek has it.

    To give up is not counted among the actions; a game that is all but decided has nothing at stake.
    """
    serious = own[[kind_name(action) != "bankrupt" for action in actions]]
    means = serious.mean(axis=1)
    if len(serious) < 2 or not DECIDED < means.max() < 1 - DECIDED:
        return 0.0
    gap = serious[means.argmax()] - serious[means.argmin()]
    return float(gap.mean() - 2 * gap.std(ddof=1) / np.sqrt(PEEK))


def thinned(actions: list[int], own: Float64s, rng: np.random.Generator) -> list[int]:
    """The places of at most MOST_ACTIONS: to go on, the best two, the worst, others at random."""
    if len(actions) <= MOST_ACTIONS:
        return list(range(len(actions)))
    going_on = [k for k, action in enumerate(actions) if kind_name(action) in GOING_ON]
    order = np.argsort(-own.mean(axis=1), kind="stable").tolist()
    order = [k for k in order if k not in going_on]
    kept = [*going_on, *order[:2], order[-1]]
    return sorted(kept + rng.choice(order[2:-1], MOST_ACTIONS - len(kept), replace=False).tolist())
