"""The twin as something that can be played, and its position as plain facts."""

from __future__ import annotations

from typing import Any

from monopoly_env.engine.board import NOBODY, SPACES
from monopoly_env.engine.phases import AuctionLot, Phase

from . import deals, turns
from .spaces import final_worth
from .table import MOST_MONEY, EventTuple, GameOver, Table, seat_of

LOTS = {"deed": AuctionLot.DEED, "house": AuctionLot.HOUSE, "hotel": AuctionLot.HOTEL}


class Twin:
    """One game. ``rules`` is a RULES array of length 1; seats in texts are relative.

    With ``groups`` every group belongs to somebody from the start.
    """

    def __init__(self, rules: Any, players: int, seed: int, groups: bool = False) -> None:
        self.table = Table(rules, players, seed)
        self.table.groups_dealt = groups
        self.flow = turns.play_game(self.table)
        self.advance(None)

    def advance(self, text: str | None) -> None:
        """Run to the next decision."""
        try:
            self.table.decision = next(self.flow) if text is None else self.flow.send(text)
        except StopIteration:
            self.table.decision = None

    @property
    def over(self) -> bool:
        return self.table.over

    @property
    def actor(self) -> int:
        """The seat that decides."""
        decision = self.table.decision
        return NOBODY if decision is None else decision.player.seat

    @property
    def phase(self) -> Phase:
        """What is decided."""
        decision = self.table.decision
        return Phase.OVER if decision is None else decision.phase

    @property
    def events(self) -> list[EventTuple]:
        """What happened since the last decision."""
        return self.table.events

    def legal(self) -> frozenset[str]:
        """What the actor may do."""
        decision = self.table.decision
        return frozenset() if decision is None else decision.options

    def play(self, text: str) -> None:
        """Do it, and run to the next decision."""
        if text not in self.legal():
            raise ValueError(f"{text} is not legal")
        table = self.table
        table.events = []
        table.decisions += 1
        self.advance(text)
        too_many = table.decisions >= table.rules.max_decisions
        if not table.over and (too_many or table.bank < -MOST_MONEY):
            self.truncate()

    def truncate(self) -> None:
        """The limit on decisions, or on money, ends the game."""
        try:
            self.table.end(truncated=True)
        except GameOver:
            self.table.decision = None

    def standings(self) -> tuple[list[int], list[int]]:
        """Each seat's place and worth; those out are behind the others, first out last."""
        players = self.table.players
        worth = [final_worth(self.table, player) for player in players]
        keys = [(p.out == 0, p.out or worth[p.seat]) for p in players]
        return [1 + sum(other > key for other in keys) for key in keys], worth

    def state(self) -> dict[str, Any]:
        """The position in comparable facts."""
        table = self.table
        facts: dict[str, Any] = {
            "phase": self.phase.name,
            "actor": self.actor,
            "turn": table.turn.seat,
            "starter": table.starter.seat,
            "rng": table.random.state,
            "bank": table.bank,
            "pot": table.pot,
            "houses": table.houses,
            "hotels": table.hotels,
            "doubles": table.doubles,
            "again": table.again,
            "turns": table.turns,
            "rounds": table.rounds,
            "decisions": table.decisions,
            "truncated": int(table.truncated),
        }
        facts |= self.players_state()
        facts |= self.board_state()
        facts |= self.pending_state()
        return facts

    def players_state(self) -> dict[str, Any]:
        """What is told of each seat."""
        players = self.table.players
        return {
            "cash": [p.cash for p in players],
            "position": [p.position for p in players],
            "in_jail": [int(p.in_jail) for p in players],
            "jail_tries": [p.tries for p in players],
            "out": [p.out for p in players],
            "laps": [p.laps for p in players],
            "offers_left": [p.offers_left for p in players],
            "refused": [p.refused for p in players],
            "offers_made": [min(p.offers_made, 100) for p in players],
            "offers_accepted": [min(p.offers_accepted, 100) for p in players],
            "offers_rejected": [min(p.offers_rejected, 100) for p in players],
            "denied_houses": [p.seat for p in players if "house" in p.denied],
            "denied_hotels": [p.seat for p in players if "hotel" in p.denied],
        }

    def board_state(self) -> dict[str, Any]:
        """What is told of deeds and cards."""
        table = self.table
        deeds = table.deeds.values()
        owner = [NOBODY] * SPACES
        level = [0] * SPACES
        for deed in deeds:
            owner[deed.square] = seat_of(deed.owner)
            level[deed.square] = deed.level
        return {
            "owner": owner,
            "level": level,
            "mortgaged": [deed.square for deed in deeds if deed.mortgaged],
            "deck": [list(pile) for pile in table.piles],
            "unseen": list(table.unseen),
            "card_holder": [seat_of(holder) for holder in table.kept],
        }

    def pending_state(self) -> dict[str, Any]:
        """What is told of claims, of the auction and of the deal at hand."""
        table = self.table
        claims = [
            (c.owner.seat, c.debtor.seat, c.square, c.amount, c.times, c.followers)
            for c in table.claims
        ]
        facts: dict[str, Any] = {"claims": sorted(claims)}
        if table.auction is not None and self.phase == Phase.AUCTION:
            auction = table.auction
            facts["auction"] = {
                "lot": LOTS[auction.lot].name,
                "square": auction.square,
                "opening": auction.opening,
                "bid": auction.bid,
                "high": seat_of(auction.high),
                "bidders": sorted(player.seat for player in auction.queue),
            }
        if table.offer is not None and self.phase in (Phase.DEAL, Phase.ANSWER):
            offer = table.offer
            facts["offer"] = {
                "proposer": offer.proposer.seat,
                "partner": offer.partner.seat,
                "give": sorted(deals.squares_of(offer.give)),
                "ask": sorted(deals.squares_of(offer.ask)),
                "give_cash": offer.give_cash,
                "ask_cash": offer.ask_cash,
            }
        return facts
