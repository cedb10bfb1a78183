"""The current decision in parts for a picture: headline, details, sides of a deal, bids."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from monopoly_env.editions import Edition, Names
from monopoly_env.engine.board import JAIL, NOBODY, SPACES
from monopoly_env.engine.journal import Reason
from monopoly_env.engine.phases import AuctionLot, Phase
from monopoly_env.events import REASONS
from monopoly_env.hands import winners_in
from monopoly_env.notation import LETTERS
from monopoly_env.position.public_state import members


@dataclass(frozen=True, slots=True)
class Side:
    """What one player gives in a deal. ``squares`` above 39 are Jail cards."""

    seat: int
    squares: tuple[int, ...]
    items: tuple[str, ...]  # names in the same order, then the cash


@dataclass(frozen=True, slots=True)
class Bidder:
    """One player in an auction."""

    seat: int
    bidding: bool
    bid: str  # the standing bid, if it is this player's


@dataclass(frozen=True, slots=True)
class Decision:
    """The current decision and its actor."""

    actor: int  # -1 when the game is over
    headline: str
    details: tuple[str, ...] = ()
    square: int | None = None  # the square in question
    sides: tuple[Side, ...] = ()
    bidders: tuple[Bidder, ...] = ()

    @property
    def squares(self) -> tuple[int, ...]:
        """The squares that the decision is about."""
        dealt = [square for side in self.sides for square in side.squares if square < SPACES]
        return (*([] if self.square is None else [self.square]), *dealt)


@dataclass(frozen=True, slots=True)
class _Facts:
    """The inputs of the functions below."""

    state: Any
    item: Any
    rules: Any
    names: Names
    actor: int

    @property
    def who(self) -> str:
        return LETTERS[self.actor]

    @property
    def square(self) -> int:
        return int(self.item["square"])

    def cash(self) -> str:
        """Return the actor's cash as text."""
        return f"{self.who} has {self.names.money(int(self.state['cash'][self.actor]))} in cash"


def decision_of(games: Any, edition: Edition) -> Decision:
    """Return the current decision of the first of ``games``."""
    state = games[0]
    phase = Phase(int(state["phase"]))
    if phase is Phase.OVER:
        won = " and ".join(winners_in(games, edition.rules))
        limit = ("a limit was reached",) if state["truncated"] else ()
        return Decision(NOBODY, f"{won} won the game", limit)
    item = state["agenda"][state["depth"] - 1]
    facts = _Facts(state, item, edition.rules[0], edition.names, int(state["actor"]))
    return _DECISIONS[phase](facts)


def _turn(f: _Facts) -> Decision:
    details = [f.cash()]
    if f.state["doubles"]:
        details.insert(0, f"doubles thrown in this turn: {f.state['doubles']}")
    if f.state["in_jail"][f.actor]:
        tries = int(f.state["jail_tries"][f.actor])
        failed = (f"failed throws: {tries}",) if tries else ()
        return Decision(
            f.actor, f"{f.who} is in Jail: how to leave?", (*failed, f.cash()), square=JAIL
        )
    return Decision(f.actor, f"{f.who} is about to throw", tuple(details))


def _buy(f: _Facts) -> Decision:
    price = f.names.money(int(f.rules["price"][f.square]))
    name = f.names.space(f.square)
    return Decision(f.actor, f"{f.who}: buy {name} for {price}?", (f.cash(),), f.square)


def _auction(f: _Facts) -> Decision:
    state, names = f.state, f.names
    lot = AuctionLot(int(state["lot"]))
    deed = lot is AuctionLot.DEED
    square = int(state["lot_square"])
    what = names.space(square) if deed else f"one {_building(names, lot)}"
    high = int(state["high_bidder"])
    standing = names.money(int(state["bid"]))
    opened = high != NOBODY
    said = (
        f"{LETTERS[high]} bids {standing}"
        if opened
        else f"no bid yet; bidding starts at {names.money(int(state['opening']))}"
    )
    alive = [seat for seat in range(int(state["players"])) if not state["out"][seat]]
    bidders = tuple(
        Bidder(seat, bool(int(state["bidders"]) >> seat & 1), standing if seat == high else "")
        for seat in alive
    )
    return Decision(
        f.actor,
        f"Auction of {what}",
        (said, f"{f.who} is to bid"),
        square if deed else None,
        (),
        bidders,
    )


def _rent(f: _Facts) -> Decision:
    debtor, where = LETTERS[f.item["other"]], f.names.space(f.square)
    return Decision(
        f.actor, f"{f.who}: ask {debtor} for rent?", (f"{debtor} is on {where}",), f.square
    )


def _tax(f: _Facts) -> Decision:
    name = f.names.space(f.square)
    return Decision(f.actor, f"{f.who} chooses how to pay {name}", (f.cash(),), f.square)


def _power(f: _Facts) -> Decision:
    return Decision(
        f.actor, f"{f.who} threw double {f.state['again']}", ("throw again, or use the power?",)
    )


def _teleport(f: _Facts) -> Decision:
    return Decision(f.actor, f"{f.who} chooses a space to move to")


def _attack(f: _Facts) -> Decision:
    return Decision(f.actor, f"{f.who} chooses a street to attack")


def _debt(f: _Facts) -> Decision:
    other = int(f.item["other"])
    creditor = (
        "the Bank" if other == NOBODY else LETTERS[other] if other >= 0 else "every other player"
    )
    amount = f.names.money(int(f.item["amount"]))
    reason = REASONS[Reason(int(f.item["flag"]))]
    raising = "sell, mortgage or deal to raise what is missing"
    return Decision(f.actor, f"{f.who} owes {creditor} {amount} ({reason})", (f.cash(), raising))


def _deed(f: _Facts) -> Decision:
    squares = int(f.item["squares"])
    square = (squares & -squares).bit_length() - 1
    name = f.names.space(square)
    return Decision(
        f.actor,
        f"{f.who} received {name}",
        ("it is mortgaged: lift that now, or pay interest?",),
        square,
    )


def _scarce(f: _Facts) -> Decision:
    lot = AuctionLot(int(f.item["flag"]))
    building = _building(f.names, lot)
    if Phase(int(f.state["phase"])) is Phase.PLACE:
        return Decision(f.actor, f"{f.who} places the {building}", ("won at auction",))
    asker = LETTERS[f.state["asker"]]
    return Decision(
        f.actor,
        f"{f.who}: want the last {building}?",
        (f"{asker} asked for it; if several do, it is auctioned",),
    )


def _deal(f: _Facts) -> Decision:
    proposer, partner = LETTERS[f.state["proposer"]], LETTERS[f.state["partner"]]
    composing = Phase(int(f.state["phase"])) is Phase.DEAL
    headline = (
        f"{proposer} composes an offer to {partner}"
        if composing
        else f"{partner}: accept {proposer}'s offer?"
    )
    sides = (_side(f, "proposer", "give"), _side(f, "partner", "ask"))
    return Decision(f.actor, headline, (), None, sides)


def _side(f: _Facts, seat: str, key: str) -> Side:
    squares = members(int(f.state[f"deal_{key}"]))
    cash = int(f.state[f"deal_{key}_cash"])
    items = [f.names.space(square) for square in squares]
    return Side(
        int(f.state[seat]), tuple(squares), (*items, *([f.names.money(cash)] if cash else []))
    )


def _end(f: _Facts) -> Decision:
    return Decision(f.actor, f"{f.who} may act before the turn ends", (f.cash(),))


def _between(f: _Facts) -> Decision:
    return Decision(f.actor, f"{f.who} may act between turns", (f.cash(),))


def _building(names: Names, lot: AuctionLot) -> str:
    return names.hotel if lot is AuctionLot.HOTEL else names.house


_DECISIONS: dict[Phase, Callable[[_Facts], Decision]] = {
    Phase.TURN: _turn,
    Phase.BUY: _buy,
    Phase.AUCTION: _auction,
    Phase.RENT: _rent,
    Phase.TAX: _tax,
    Phase.POWER: _power,
    Phase.TELEPORT: _teleport,
    Phase.ATTACK: _attack,
    Phase.DEBT: _debt,
    Phase.DEED: _deed,
    Phase.CLAIM: _scarce,
    Phase.PLACE: _scarce,
    Phase.DEAL: _deal,
    Phase.ANSWER: _deal,
    Phase.END: _end,
    Phase.BETWEEN: _between,
}
