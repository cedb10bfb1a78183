"""Calibration of players' stated probabilities that an offer is accepted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

BINS = 5
# probabilities are clipped to [LEAST, 1 - LEAST], so that one mistake is not infinitely bad
LEAST = 1e-6


@dataclass(frozen=True)
class Belief:
    """A stated probability that an offer is accepted, and whether it was."""

    player: str
    chance: float
    accepted: bool


def calibration(beliefs: Sequence[Belief]) -> dict[str, Any]:
    """Return the scores of all beliefs, and of each player's."""
    names = sorted({belief.player for belief in beliefs})
    return {
        "all": scores(beliefs),
        "players": {
            name: scores([belief for belief in beliefs if belief.player == name]) for name in names
        },
    }


def scores(beliefs: Sequence[Belief]) -> dict[str, Any]:
    """Return Brier score and log loss (lower is better), next to those of the base rate.

    >>> row = scores([Belief("A", 0.8, True), Belief("A", 0.4, False)])
    >>> round(row["brier"], 3), round(row["log_loss"], 3), row["base_rate"]
    (0.1, 0.367, 0.5)
    """
    if not beliefs:
        return {"n": 0}
    stated = np.array([belief.chance for belief in beliefs])
    happened = np.array([belief.accepted for belief in beliefs], float)
    rate = float(happened.mean())
    return {
        "n": len(beliefs),
        "base_rate": rate,
        "mean_stated": float(stated.mean()),
        "brier": _brier(stated, happened),
        "brier_of_base_rate": _brier(np.full_like(stated, rate), happened),
        "log_loss": _log_loss(stated, happened),
        "log_loss_of_base_rate": _log_loss(np.full_like(stated, rate), happened),
        "bins": _bins(stated, happened),
    }


def _brier(stated: Any, happened: Any) -> float:
    return float(((stated - happened) ** 2).mean())


def _log_loss(stated: Any, happened: Any) -> float:
    near = np.clip(stated, LEAST, 1 - LEAST)
    return float(-(happened * np.log(near) + (1 - happened) * np.log(1 - near)).mean())


def _bins(stated: Any, happened: Any) -> list[dict[str, Any]]:
    """Return stated probabilities against outcomes, by bins of the stated probability."""
    place = np.minimum((stated * BINS).astype(int), BINS - 1)
    return [
        {
            "from": number / BINS,
            "to": (number + 1) / BINS,
            "n": int((place == number).sum()),
            "stated": float(stated[place == number].mean()),
            "accepted": float(happened[place == number].mean()),
        }
        for number in range(BINS)
        if (place == number).any()
    ]
