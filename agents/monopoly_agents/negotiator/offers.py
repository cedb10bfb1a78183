"""The negotiator's offers: exchanges that benefit both sides, with cash to divide the gain."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from monopoly_env.engine.board import DEEDS, GROUP, GROUP_SIZE, GROUP_SQUARES
from monopoly_env.game import Game
from monopoly_env.negotiation.changes import changes, tradable_items
from monopoly_env.negotiation.terms import Terms, may_counter, may_offer

LEAST = 0.004  # minimum gain in win probability for a deal to be worthwhile
EASY = 0.010  # partner's gain at which the acceptance probability is one half
SPREAD = 0.012  # scale of the acceptance probability's logistic curve
ASKED = 24  # exchanges considered per partner
# relative to the worth exchanged
CASH = (-1.5, -1.0, -0.6, -0.3, -0.1, 0.0, 0.1, 0.3, 0.6, 1.0, 1.5)


@dataclass(frozen=True)
class Plan:
    """An offer with both sides' gains."""

    terms: Terms
    mine: float
    theirs: float

    @property
    def chance(self) -> float:
        """The estimated probability that the partner accepts."""
        return round(acceptance(self.theirs), 3)


def acceptance(theirs: float) -> float:
    """Return the acceptance probability for a gain of the partner."""
    return 1 / (1 + math.exp(-(theirs - EASY) / SPREAD))


def wanted(game: Game, seat: int) -> set[int]:
    """Return the deeds of others in groups of which a seat owns a part."""
    owner = game.state["owner"]
    groups = [
        g for g, squares in enumerate(GROUP_SQUARES) if any(owner[s] == seat for s in squares)
    ]
    return {
        square
        for group in groups
        for square in GROUP_SQUARES[group]
        if owner[square] not in (seat, -1)
    }


def completes(game: Game, seat: int, square: int) -> bool:
    """Return whether a deed would complete its group for a seat."""
    owner, group = game.state["owner"], int(GROUP[square])
    own = sum(int(owner[s] == seat) for s in GROUP_SQUARES[group])
    return own == int(GROUP_SIZE[group]) - 1


def goods(game: Game, seat: int, partner: int) -> list[Terms]:
    """Return possible exchanges with a partner, without cash, most promising first."""
    theirs = [item for item in tradable_items(game, partner) if item in wanted(game, seat)]
    mine = [item for item in tradable_items(game, seat) if item in wanted(game, partner)]
    pairs: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), (ask,)) for ask in theirs]
    pairs += [((give,), ()) for give in mine]
    pairs += [((give,), (ask,)) for give in mine for ask in theirs if GROUP[give] != GROUP[ask]]

    def promise(pair: tuple[tuple[int, ...], tuple[int, ...]]) -> int:
        give, ask = pair
        done = sum(completes(game, partner, s) for s in give)
        done += sum(completes(game, seat, s) for s in ask)
        return -2 * done - len(give) - len(ask)

    return [Terms(seat, partner, *pair) for pair in sorted(pairs, key=promise)[:ASKED]]


def with_cash(game: Game, terms: Terms) -> list[Terms]:
    """Return an exchange with several amounts of cash, around the difference in list prices."""
    prices = game.edition.rules[0]["price"]
    even = sum(int(prices[s]) for s in terms.give if s in DEEDS)
    even -= sum(int(prices[s]) for s in terms.ask if s in DEEDS)
    worth = sum(int(prices[s]) for s in (*terms.give, *terms.ask) if s in DEEDS) or 100
    low, high = -game.cash[terms.proposer], game.cash[terms.partner]
    amounts = {min(max(10 * round((even + k * worth) / 10), low), high) for k in CASH}
    return [replace(terms, cash=amount) for amount in sorted(amounts)]


def plans(game: Game, offers: Sequence[Terms]) -> list[Plan]:
    """Evaluate offers by both sides' gains."""
    values = changes(game, offers)
    return [
        Plan(terms, float(row[terms.proposer]), float(row[terms.partner]))
        for terms, row in zip(offers, values, strict=True)
    ]


def best_offer(
    game: Game, seat: int, partners: Iterable[int], least: dict[int, float]
) -> Plan | None:
    """Return the offer with the highest gain times acceptance probability, if both sides gain.

    ``least`` is the minimum gain of each partner, which rises after refusals.
    """
    offers = [
        priced
        for partner in partners
        for terms in goods(game, seat, partner)
        for priced in with_cash(game, terms)
        if (priced.give or priced.cash < 0) and (priced.ask or priced.cash > 0)
    ]
    good = [
        plan
        for plan in plans(game, offers)
        if plan.mine > LEAST and plan.theirs > least.get(plan.terms.partner, 0.0)
    ]
    for plan in sorted(good, key=lambda plan: -plan.mine * acceptance(plan.theirs)):
        if not may_offer(game, plan.terms):
            return plan
    return None


def best_counter(game: Game, waiting: Terms, least: float) -> Plan | None:
    """Return the best counteroffer with the same goods; None if no price suits both sides."""
    mirrored = waiting.mirrored()
    good = [
        plan
        for plan in plans(game, with_cash(game, replace(mirrored, cash=0)))
        if plan.mine > LEAST and plan.theirs > least
    ]
    for plan in sorted(good, key=lambda plan: -plan.mine * acceptance(plan.theirs)):
        if not may_counter(game, plan.terms):
            return plan
    return None
