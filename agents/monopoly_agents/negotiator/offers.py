"""What a negotiator offers: the goods that help both, and the cash that divides the gain."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from monopoly_env.engine.board import DEEDS, GROUP, GROUP_SIZE, GROUP_SQUARES
from monopoly_env.game import Game
from monopoly_env.negotiation.changes import changes, tradable_items
from monopoly_env.negotiation.terms import Terms, may_counter, may_offer

LEAST = 0.004  # chance to win that a deal must bring, or it is not worth the talk
EASY = 0.010  # what the other side gains where it accepts every other time,
SPREAD = 0.012  # and how much more or less changes that
ASKED = 24  # deals that are looked at, for each partner
CASH = (-1.5, -1.0, -0.6, -0.3, -0.1, 0.0, 0.1, 0.3, 0.6, 1.0, 1.5)  # of the worth that moves


@dataclass(frozen=True)
class Plan:
    """An offer with what it brings both sides, and the chance that it is accepted."""

    terms: Terms
    mine: float
    theirs: float

    @property
    def chance(self) -> float:
        """That the partner accepts, as the bot believes."""
        return round(acceptance(self.theirs), 3)


def acceptance(theirs: float) -> float:
    """The chance that a gain is accepted."""
    return 1 / (1 + math.exp(-(theirs - EASY) / SPREAD))


def wanted(game: Game, seat: int) -> set[int]:
    """The deeds of others whose groups a seat has a part of."""
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
    """Whether a deed would complete its group for a seat."""
    owner, group = game.state["owner"], int(GROUP[square])
    own = sum(int(owner[s] == seat) for s in GROUP_SQUARES[group])
    return own == int(GROUP_SIZE[group]) - 1


def goods(game: Game, seat: int, partner: int) -> list[Terms]:
    """What could change hands with a partner, cash aside; the most promising first."""
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
    """An exchange with several amounts of cash, around what evens the list prices out."""
    prices = game.edition.rules[0]["price"]
    even = sum(int(prices[s]) for s in terms.give if s in DEEDS)
    even -= sum(int(prices[s]) for s in terms.ask if s in DEEDS)
    worth = sum(int(prices[s]) for s in (*terms.give, *terms.ask) if s in DEEDS) or 100
    low, high = -game.cash[terms.proposer], game.cash[terms.partner]
    amounts = {min(max(10 * round((even + k * worth) / 10), low), high) for k in CASH}
    return [replace(terms, cash=amount) for amount in sorted(amounts)]


def plans(game: Game, offers: Sequence[Terms]) -> list[Plan]:
    """Offers with what they bring both sides."""
    values = changes(game, offers)
    return [
        Plan(terms, float(row[terms.proposer]), float(row[terms.partner]))
        for terms, row in zip(offers, values, strict=True)
    ]


def best_offer(
    game: Game, seat: int, partners: Iterable[int], least: dict[int, float]
) -> Plan | None:
    """The offer with the highest gain times the chance of acceptance, among those that gain both.

    ``least`` is what each partner must gain: more after each refusal.
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
    """The best counter-offer with the same goods and other cash; None if no price suits both."""
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
