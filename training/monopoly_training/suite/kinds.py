"""The kinds of decisions in the suite: when each comes up, and which actions it compares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from monopoly_env.engine.actions import KIND_OF, KINDS
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.movement import space_ahead
from monopoly_env.engine.phases import AuctionLot, Phase
from monopoly_env.engine.state import Int8s
from monopoly_env.value.features import rent_of

WINDOWS = frozenset({Phase.TURN, Phase.END, Phase.BETWEEN})
RAISING = frozenset({"sell", "sell_group", "mortgage"})
GOING_ON = frozenset({"roll", "end_turn", "pass"})
BUYING = frozenset({"buy", "auction", "pass"})
BIDDING = frozenset({"open", "raise", "pass"})
JAIL = frozenset({"roll", "jail_pay", "jail_card"})
OFFERS = GOING_ON | {"propose"}
COMPARED: dict[str, frozenset[str]] = {  # kinds of action, by kind of decision
    "buy": BUYING,
    "bid": BIDDING,
    "build": GOING_ON | {"build"},
    "raise_cash": RAISING | {"bankrupt"},
    "jail": JAIL,
    "answer": frozenset({"accept", "reject"}),
    "propose": OFFERS,
    "counter": OFFERS,
    "scarce": GOING_ON | BIDDING | {"build", "claim"},
    "liquidity": GOING_ON | BUYING | RAISING | {"build", "lift"},
    "endgame": GOING_ON | BUYING | BIDDING | JAIL | {"build", "lift"},
}
DEAL_KINDS = ("answer", "propose", "counter")
LATE_BID = 0.4  # as a fraction of the list price: below it, bidding on is obvious
FEW_HOUSES = 6  # few houses left in the Bank
LATE_TURNS = 30  # turns per player after which a two-player game counts as an endgame
MOST_ALIVE = 3  # most players in an endgame


@dataclass(frozen=True)
class Kind:
    """A kind of decision."""

    name: str
    count: int  # decisions in the full set
    phases: frozenset[Phase]
    about: str  # short description, for tables


ALL_KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("buy", 60, frozenset({Phase.BUY}), "buy the property, or leave it to an auction"),
        Kind("bid", 60, frozenset({Phase.AUCTION}), "how far to go in the auction of a deed"),
        Kind("build", 60, WINDOWS, "where to build, or not now"),
        Kind("raise_cash", 50, frozenset({Phase.DEBT}), "what to sell or mortgage in debt"),
        Kind("jail", 40, frozenset({Phase.TURN}), "throw, pay or play a card in Jail"),
        Kind("answer", 140, frozenset({Phase.ANSWER}), "accept or refuse an offer"),
        Kind("propose", 90, WINDOWS, "which whole offer to make, or none"),
        Kind("counter", 50, WINDOWS, "the same, right after refusing an offer"),
        Kind("scarce", 30, frozenset({*WINDOWS, Phase.CLAIM, Phase.AUCTION}),
             "claim, bid for or build the last buildings"),
        Kind("liquidity", 40, frozenset({Phase.END, Phase.BETWEEN, Phase.BUY}),
             "spend or keep cash under a threat"),
        Kind("endgame", 40, frozenset({*WINDOWS, Phase.BUY, Phase.AUCTION}),
             "buy, bid, build, lift or stay in Jail with few players left"),
    )
}  # fmt: skip


def kind_name(action: int) -> str:
    """Return the kind of an action, such as ``build``."""
    return KINDS[int(KIND_OF[action])]


def candidates(kind: str, mask: Int8s) -> list[int]:
    """Return the ids of the actions to compare, for a decision with this mask."""
    compared = COMPARED[kind]
    return [action for action in np.flatnonzero(mask).tolist() if kind_name(action) in compared]


def is_of_kind(kind: str, state: Any, rules: Any, mask: Int8s) -> bool:
    """Return whether a decision is of a kind; ``state`` is a GAME record, ``rules`` RULES.

    For ``counter``, it only checks that offers can be made; the caller knows who refused an offer.
    """
    names = [kind_name(action) for action in candidates(kind, mask)]
    if len(names) < 2:
        return False
    phase = Phase(int(state["phase"]))
    if kind == "buy":
        return "buy" in names
    if kind == "bid":
        price = int(rules["price"][int(state["lot_square"])])
        deed = int(state["lot"]) == AuctionLot.DEED
        return deed and {"open", "raise"} & {*names} != set() and state["bid"] >= LATE_BID * price
    if kind == "build":
        return "build" in names
    if kind == "raise_cash":
        return sum(name in RAISING for name in names) > 1
    if kind == "jail":
        return bool(state["in_jail"][int(state["actor"])])
    if kind in ("propose", "counter"):
        return names.count("propose") > 1
    if kind == "scarce":
        return _is_scarce(phase, state, names)
    if kind == "liquidity":
        return _is_threatened(state, rules, names)
    return kind == "answer" or _is_late(state)


def _is_scarce(phase: Phase, state: Any, names: Sequence[str]) -> bool:
    """Return whether the decision is about the last buildings."""
    if phase is Phase.AUCTION:
        return int(state["lot"]) != AuctionLot.DEED
    return phase is Phase.CLAIM or ("build" in names and int(state["houses"]) <= FEW_HOUSES)


def _is_threatened(state: Any, rules: Any, names: Sequence[str]) -> bool:
    """Return whether money can be spent while the highest rent in reach would take most of it."""
    spends = {"build", "lift", "buy"} & {*names} != set()
    return spends and highest_rent(state, rules) > 0.7 * int(state["cash"][int(state["actor"])])


def highest_rent(state: Any, rules: Any) -> int:
    """Return the highest rent that the actor may owe after a throw of two dice."""
    seat, highest = int(state["actor"]), 0
    for pips in range(2, 13):
        square = int(space_ahead(rules, int(state["position"][seat]), pips))
        if int(state["owner"][square]) not in (NOBODY, seat):
            highest = max(highest, int(rent_of(state, rules, square)))
    return highest


def _is_late(state: Any) -> bool:
    """Return whether few players are left and something has been built."""
    players = int(state["players"])
    alive = int((state["out"][:players] == 0).sum())
    few = alive <= MOST_ALIVE and (alive < players or int(state["turns"]) > LATE_TURNS * players)
    return few and int(state["built"]) != 0


def plan(size: int) -> list[str]:
    """Return the kinds of the first ``size`` decisions, which keep the kinds in proportion."""
    places = [
        ((number + 0.5) / kind.count, order, kind.name)
        for order, kind in enumerate(ALL_KINDS.values())
        for number in range(kind.count)
    ]
    return [name for _, _, name in sorted(places)[:size]]


SIZE = sum(kind.count for kind in ALL_KINDS.values())
