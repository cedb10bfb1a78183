"""Offers in their chains: which offer answers which, counted from the first."""

from __future__ import annotations

from dataclasses import dataclass

from monopoly_env.negotiation.terms import Terms

OFFERED, ACCEPTED, REFUSED = "offered", "accepted", "refused"


@dataclass
class Chain:
    """The offers between two seats about the same things, one after the other.

    ``number`` counts the chains of a game from 1, ``steps`` the offers and counter-offers in this one.
    """

    number: int
    last: Terms
    turn: int  # of the game, when the last offer was made
    steps: int = 1
    status: str = OFFERED

    def goes_on_with(self, terms: Terms, turn: int, players: int) -> bool:
        """Return whether an offer continues this chain.

        The same two, about a deed or card of the last offer, which was refused at most one turn of
        everybody ago.
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
        """The chain of an offer that is made now."""
        for chain in reversed(self.chains):
            if chain.goes_on_with(terms, turn, players):
                chain.last, chain.turn, chain.status = terms, turn, OFFERED
                chain.steps += 1
                return chain
        self.chains.append(Chain(len(self.chains) + 1, terms, turn))
        return self.chains[-1]

    def waiting(self) -> Chain | None:
        """The chain whose last offer has no answer yet."""
        return next((one for one in reversed(self.chains) if one.status == OFFERED), None)

    def answer(self, accepted: bool) -> Chain | None:
        """Note the answer to the offer that waits for one; its chain."""
        chain = self.waiting()
        if chain is not None:
            chain.status = ACCEPTED if accepted else REFUSED
        return chain
