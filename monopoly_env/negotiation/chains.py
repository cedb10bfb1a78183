"""Chains of offers: groups each offer with the counter-offers that follow it."""

from __future__ import annotations

from dataclasses import dataclass

from monopoly_env.negotiation.terms import Terms

OFFERED, ACCEPTED, REFUSED = "offered", "accepted", "refused"


@dataclass
class Chain:
    """A sequence of offers between two players about the same items.

    ``number`` counts the chains of a game from 1, ``steps`` the offers and counter-offers in this
    one.
    """

    number: int
    last: Terms
    turn: int  # turn of the last offer
    steps: int = 1
    status: str = OFFERED

    def goes_on_with(self, terms: Terms, turn: int, players: int) -> bool:
        """Return whether an offer continues this chain.

        It does if the two players are the same, it shares a deed or card with the last offer, and
        that offer was refused within the last round.
        """
        same = {terms.proposer, terms.partner} == {self.last.proposer, self.last.partner}
        shared = {*terms.give, *terms.ask} & {*self.last.give, *self.last.ask}
        recent = turn - self.turn <= players
        return self.status == REFUSED and same and bool(shared) and recent


class Chains:
    """The chains of a game."""

    def __init__(self) -> None:
        self.chains: list[Chain] = []

    def offer(self, terms: Terms, turn: int, players: int) -> Chain:
        """Return the chain of a new offer; starts one if none is continued."""
        for chain in reversed(self.chains):
            if chain.goes_on_with(terms, turn, players):
                chain.last, chain.turn, chain.status = terms, turn, OFFERED
                chain.steps += 1
                return chain
        self.chains.append(Chain(len(self.chains) + 1, terms, turn))
        return self.chains[-1]

    def waiting(self) -> Chain | None:
        """Return the chain whose last offer is unanswered, or None."""
        return next((one for one in reversed(self.chains) if one.status == OFFERED), None)

    def answer(self, accepted: bool) -> Chain | None:
        """Record the answer to the open offer; return its chain, or None."""
        chain = self.waiting()
        if chain is not None:
            chain.status = ACCEPTED if accepted else REFUSED
        return chain
