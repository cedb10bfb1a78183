"""What an offer would do to everybody's chance to win."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from monopoly_env.engine.state import Float64s
from monopoly_env.errors import InputError
from monopoly_env.game import Game
from monopoly_env.negotiation.terms import Terms, answered, terms_of
from monopoly_env.notation import LETTERS
from monopoly_env.planning import rollouts
from monopoly_env.position.document import Source
from monopoly_env.value.chances import win_chances
from monopoly_env.value.weights import Value
from monopoly_env.view import View

MOST_SAMPLES = 10**7


@dataclass(frozen=True)
class DealValues:
    """Each seat's chance to win with an offer refused and accepted, float64[players] each.

    Attributes:
        terms: the offer.
        before: if it is refused.
        after: if it is accepted.
        change: the second less the first; sums to 0.
        standard_error: of each change; NaN for the learned value, which is no sample.
        samples: paired rollouts; 0 for the learned value.
    """

    terms: Terms
    before: Float64s
    after: Float64s
    change: Float64s
    standard_error: Float64s
    samples: int

    @property
    def joint(self) -> float:
        """What both sides gain together: what the others lose."""
        return float(self.change[self.terms.proposer] + self.change[self.terms.partner])

    def as_dict(self) -> dict[str, Any]:
        """As data, seats by letter."""
        rows = zip(self.before, self.after, self.change, self.standard_error, strict=True)
        return {
            "terms": self.terms.as_dict(),
            "samples": self.samples,
            "seats": {
                LETTERS[seat]: {
                    "before": float(before),
                    "after": float(after),
                    "change": float(change),
                    "standard_error": None if np.isnan(error) else float(error),
                }
                for seat, (before, after, change, error) in enumerate(rows)
            },
        }


def deal_values(
    position: Game | View | Source,
    offer: Terms | Mapping[str, Any] | None = None,
    *,
    samples: int = 0,
    policy: str = "veteran",
    horizon: int | None = 12,
    value: Value | None = None,
    seed: int = 0,
    threads: int = 1,
) -> DealValues:
    """Return how an offer would change each seat's chance to win, those of third parties too.

    By the learned value, in less than a millisecond; with ``samples``, by paired rollouts: sample k has
    the same dice and cards whether the offer is accepted or refused, and the standard errors are
    those of the differences.

    >>> import monopoly_env
    >>> ann = {"deeds": ["park_place"], "cash": 1500}
    >>> position = {"players": 3, "turn": "A", "A": ann, "B": {"deeds": ["boardwalk"], "cash": 1500}}
    >>> offer = {"from": "A", "to": "B", "ask": ["boardwalk"], "give_cash": 400}
    >>> values = monopoly_env.deal_values(position, offer)
    >>> bool(values.change[0] > 0), bool(values.change[2] < 0)
    (True, True)
    >>> sampled = monopoly_env.deal_values(position, offer, samples=50)
    >>> bool((sampled.standard_error > 0).all())
    True

    Args:
        position: a game, the View of a bot, or a position: a mapping, or the path of a YAML file. An
            offer that waits there for its answer is taken as refused, unless it is this one.
        offer: Terms, or a mapping: ``from`` and ``to`` (letters; ``from`` may be left out for the
            actor), ``give`` and ``ask`` (lists of deeds), ``give_cash`` or ``ask_cash``. Whose turn it is
            does not matter. None: the offer that waits for its answer.
        samples: rollouts of each; 0: the learned value.
        policy: the compiled bot that plays all seats in rollouts.
        horizon: player turns after which a rollout stops, and the value estimates; None: to the end.
        value: of :func:`monopoly_env.load_value`; None: the one that comes with the package.
        seed, threads: of the rollouts.

    Raises: InputError, one line: why the offer could not be made, or what does not fit.
    """
    if isinstance(position, View):
        game = position.game
    else:
        game = position if isinstance(position, Game) else Game.from_position(position, seed=0)
    samples = InputError.at("samples").index(samples, 0, MOST_SAMPLES)
    terms = terms_of(game, offer)
    asked = answered(game, terms)
    if samples:
        done = rollouts(
            [asked, asked],
            policy,
            actions=["reject", "accept"],
            samples=samples,
            horizon=horizon,
            value=value,
            seed=seed,
            threads=threads,
        )
        paired = done.win_shares[1].astype(np.float64) - done.win_shares[0]
        before, after = done.mean
        error = np.full(game.players, np.inf)
        if samples > 1:
            error = paired.std(axis=0, ddof=1) / np.sqrt(samples)
        return DealValues(terms, before, after, paired.mean(axis=0), error, samples)
    outcomes = []
    for answer in ("reject", "accept"):
        trial = asked.copy()
        trial.play(answer)
        outcomes.append(win_chances(trial, value))
    before, after = outcomes
    return DealValues(terms, before, after, after - before, np.full(game.players, np.nan), 0)
