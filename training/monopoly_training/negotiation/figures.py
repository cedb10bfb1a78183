"""Statistics of negotiations: gains, efficiency, and the cost to other players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from monopoly_env.negotiation.changes import changes, packages
from monopoly_env.negotiation.ledger import Outcome, Status
from monopoly_env.negotiation.values import DealValues, deal_values
from monopoly_env.notation import LETTERS
from monopoly_training.negotiation.beliefs import Belief, calibration
from monopoly_training.negotiation.retracing import Exchange, Offer, Retraced

LEAST = 0.005  # minimum joint gain in win probability: below it, a share is meaningless


@dataclass(frozen=True)
class Struck:
    """A completed deal.

    ``share`` is the proposer's part of the joint gain, ``efficiency`` the joint gain relative to
    the best one among swaps of one deed each; both are None if their denominator is at most LEAST.
    ``others`` is the total gain of the other players.
    """

    players: tuple[str, str]  # proposer and partner
    values: DealValues
    share: float | None
    efficiency: float | None
    others: float


def struck(retraced: Retraced, exchange: Exchange, samples: int, seed: int) -> Struck:
    """Evaluate the deal in which an exchange ended."""
    offer = exchange.offers[-1]
    terms = offer.terms
    values = deal_values(offer.game, terms, samples=samples, seed=seed)
    gain, joint = float(values.change[terms.proposer]), values.joint
    best = best_joint(exchange)
    return Struck(
        (retraced.player(terms.proposer), retraced.player(terms.partner)),
        values,
        gain / joint if joint > LEAST else None,
        quick_joint(offer) / best if best > LEAST else None,
        -joint,
    )


def quick_joint(offer: Offer) -> float:
    """Return the joint gain of both sides of an offer, by the learned value function."""
    (row,) = changes(offer.game, [offer.terms])
    return float(row[offer.terms.proposer] + row[offer.terms.partner])


def best_joint(exchange: Exchange) -> float:
    """Return the largest joint gain of a swap of one deed each, or of any of their own offers."""
    last = exchange.offers[-1]
    one, other = last.terms.proposer, last.terms.partner
    offers = [*packages(last.game, one, other), *(offer.terms for offer in exchange.offers)]
    rows = changes(last.game, offers)
    return float((rows[:, one] + rows[:, other]).max())


# The report


def report(games: Iterable[Retraced], samples: int = 0, seed: int = 0) -> dict[str, Any]:
    """Return the statistics of some games; players are named as in the record, or by seat letter.

    Args:
        games: negotiations, as read by :func:`monopoly_training.negotiation.retracing.retrace`.
        samples: paired rollouts to value each deal; 0: use the learned value function.
        seed: of the rollouts.
    """
    played = list(games)
    deals, exchanges = [], []
    for retraced in played:
        for exchange in retraced.exchanges.values():
            exchanges.append((retraced, exchange))
            if exchange.is_struck:
                deals.append(struck(retraced, exchange, samples, seed))
    offers = [offer for _, exchange in exchanges for offer in exchange.offers]
    answered = [offer for offer in offers if offer.accepted is not None]
    missed = [best_joint(one) for _, one in exchanges if one.offers and not one.is_struck]
    rows = [deal.efficiency for deal in deals if deal.efficiency is not None]
    rows += [0.0 for best in missed if best > LEAST]
    return {
        "games": len(played),
        "samples": samples,
        "exchanges": len(exchanges),
        "deals": len(deals),
        "deal_rate": _rate(len(deals), len(exchanges)),
        "offers": len(offers),
        "accepted": _rate(sum(offer.accepted is True for offer in answered), len(answered)),
        "efficiency": spread([deal.efficiency for deal in deals]),
        "efficiency_with_failures": spread(rows),
        "third_parties": spread([deal.others for deal in deals]),
        "concessions": concessions([exchange for _, exchange in exchanges]),
        "beliefs": calibration(_beliefs(exchanges)),
        "players": players(played, deals, exchanges),
    }


def _beliefs(exchanges: Sequence[tuple[Retraced, Exchange]]) -> list[Belief]:
    return [
        Belief(retraced.player(offer.terms.proposer), offer.chance, offer.accepted)
        for retraced, exchange in exchanges
        for offer in exchange.offers
        if offer.chance is not None and offer.accepted is not None
    ]


def _rate(count: int, total: int) -> float | None:
    return count / total if total else None


def spread(values: Iterable[float | None]) -> dict[str, Any]:
    """Return the mean of the known values with its standard error (None for fewer than two)."""
    known = np.array([value for value in values if value is not None])
    error = float(known.std(ddof=1) / np.sqrt(len(known))) if len(known) > 1 else None
    mean = float(known.mean()) if len(known) else None
    return {"n": len(known), "mean": mean, "standard_error": error}


def concessions(exchanges: Iterable[Exchange], most: int = 8) -> list[dict[str, Any]]:
    """Return how the proposers' demands fall from step to step of an exchange.

    ``own`` is the proposer's gain from an offer and ``other`` the other side's, both by the learned
    value function. ``conceded`` is the decrease of ``own`` since the same player's first offer of
    the exchange.
    """
    steps: dict[int, list[tuple[float, float, float]]] = defaultdict(list)
    for exchange in exchanges:
        if len(exchange.offers) < 2:
            continue
        first: dict[int, float] = {}
        for place, offer in enumerate(exchange.offers[:most], 1):
            (row,) = changes(offer.game, [offer.terms])
            own, other = float(row[offer.terms.proposer]), float(row[offer.terms.partner])
            began = first.setdefault(offer.terms.proposer, own)
            steps[place].append((own, other, began - own))
    return [
        {
            "step": step,
            "n": len(rows),
            "own": float(np.mean([row[0] for row in rows])),
            "other": float(np.mean([row[1] for row in rows])),
            "conceded": float(np.mean([row[2] for row in rows])),
        }
        for step, rows in sorted(steps.items())
    ]


def players(
    played: Sequence[Retraced],
    deals: Sequence[Struck],
    exchanges: Sequence[tuple[Retraced, Exchange]],
) -> dict[str, dict[str, Any]]:
    """Return the statistics of each player."""
    names = sorted({one.player(seat) for one in played for seat in range(one.record["players"])})
    return {name: _player(name, played, deals, exchanges) for name in names}


def _player(
    name: str,
    played: Sequence[Retraced],
    deals: Sequence[Struck],
    exchanges: Sequence[tuple[Retraced, Exchange]],
) -> dict[str, Any]:
    gains, shares, outside = [], [], []
    for deal in deals:
        terms = deal.values.terms
        for place, seat in enumerate((terms.proposer, terms.partner)):
            if deal.players[place] == name:
                gains.append(float(deal.values.change[seat]))
                if deal.share is not None:
                    shares.append(deal.share if place == 0 else 1 - deal.share)
        if name not in deal.players:
            outside.append(deal.others)
    offers = [
        offer
        for retraced, exchange in exchanges
        for offer in exchange.offers
        if retraced.player(offer.terms.proposer) == name
    ]
    answered = [offer for offer in offers if offer.accepted is not None]
    return {
        "offers": len(offers),
        "accepted": _rate(sum(offer.accepted is True for offer in answered), len(answered)),
        "deals": len(gains),
        "gain_a_deal": spread(gains),
        "surplus_share": spread(shares),
        "deals_of_others": spread(outside),
        "promises": _promises(name, played),
        **_words(name, played),
    }


def _promises(name: str, played: Sequence[Retraced]) -> dict[str, Any]:
    own: list[Outcome] = [
        outcome
        for retraced in played
        for outcome in retraced.outcomes
        if retraced.player(outcome.promise.by) == name
    ]
    counts = {str(status): sum(one.status is status for one in own) for status in Status}
    decided = counts["kept"] + counts["broken"]
    return {**counts, "kept_rate": _rate(counts["kept"], decided)}


def _words(name: str, played: Sequence[Retraced]) -> dict[str, int]:
    said = [
        entry["text"]
        for retraced in played
        for entry in retraced.entries
        if entry["kind"] == "say" and retraced.player(LETTERS.index(entry["by"])) == name
    ]
    return {"messages": len(said), "words": sum(len(text.split()) for text in said)}
