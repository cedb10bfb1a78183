"""The effect of an offer on each player's win probability."""

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
    """Each player's win probability if an offer is refused or accepted, float64[players] each.

    Attributes:
        terms: the offer.
        before: the win probabilities if it is refused.
        after: the win probabilities if it is accepted.
        change: ``after - before``; sums to 0.
        standard_error: the standard errors of ``change``; NaN for the value model.
        samples: the number of paired rollouts; 0 for the value model.
    """

    terms: Terms
    before: Float64s
    after: Float64s
    change: Float64s
    standard_error: Float64s
    samples: int

    @property
    def joint(self) -> float:
        """The joint gain of both sides, which the other players lose."""
        return float(self.change[self.terms.proposer] + self.change[self.terms.partner])

    def as_dict(self) -> dict[str, Any]:
        """Return the values as plain data, with seats by letter."""
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
    """Return how an offer would change the win probability of each player, including third parties.

    By default the value model estimates it in less than a millisecond. With ``samples``, paired
    rollouts do: sample k has the same dice and cards whether the offer is accepted or refused, and
    the standard errors are those of the differences.

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
        position: a game, the View of a bot, or a position: a mapping, or the path of a YAML file.
            An open offer in it counts as refused, unless it is this one.
        offer: Terms, or a mapping: ``from`` and ``to`` (letters; ``from`` defaults to the actor),
            ``give`` and ``ask`` (lists of deeds), ``give_cash`` or ``ask_cash``. Whose turn it is
            does not matter. None: the open offer of the position.
        samples: rollouts per answer; 0 uses the value model.
        policy: the compiled bot that plays all seats in rollouts.
        horizon: player turns after which a rollout stops and the value model estimates its outcome;
            None plays to the end.
        value: a model from :func:`monopoly_env.load_value`; None for the included one.
        seed, threads: for the rollouts.

    Raises: InputError, one line, with the reason if the offer is impossible.
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
