"""ACTIONS: the table of everything a player can do.

Action ids, the length of the mask, ``dispatch.py``, the documentation, the notation of actions and
its parser are all derived from this table. A row is a rule: its phases, its argument, the function
that returns why the action is illegal (``legal``), and the one that performs it (``apply``). Rows
with the same name share their ids; ``pass`` has a different meaning in each phase.

``python -m monopoly_env.engine.write_dispatch`` regenerates ``dispatch.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from monopoly_env.engine.board import (
    CARD_CHANCE,
    CARD_CHEST,
    COLORS,
    DEEDS,
    GROUP_IDS,
    GROUPS,
    PLAYERS,
    SPACE_IDS,
    SPACES,
    STREETS,
)
from monopoly_env.engine.phases import Phase

P = Phase
WINDOWS = (P.TURN, P.END, P.BETWEEN)  # players may manage property here
RAISING = (*WINDOWS, P.BUY, P.AUCTION, P.DEBT)  # cash may also be raised before answering
CASH_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
GROUP_OFFERS = 3 * GROUPS  # offers of the deal menu: three for each group,
OFFERS = GROUP_OFFERS + 2  # plus two that sell a deed


@dataclass(frozen=True)
class Argument:
    """The argument of an action: its possible values, and their notation."""

    name: str
    values: tuple[int, ...]
    labels: tuple[str, ...]


NONE = Argument("none", (0,), ("",))
STEP = Argument("step", CASH_STEPS, tuple(str(step) for step in CASH_STEPS))
SPACE = Argument("space", tuple(range(SPACES)), SPACE_IDS)
STREET = Argument("street", STREETS, tuple(SPACE_IDS[square] for square in STREETS))
DEED = Argument("deed", DEEDS, tuple(SPACE_IDS[square] for square in DEEDS))
COLOR_GROUP = Argument("group", tuple(range(COLORS)), GROUP_IDS[:COLORS])
SEAT = Argument(
    "seat", tuple(range(1, PLAYERS)), tuple(f"left{offset}" for offset in range(1, PLAYERS))
)
ITEM = Argument(
    "item", (*DEEDS, CARD_CHANCE, CARD_CHEST), (*DEED.labels, "card_chance", "card_chest")
)
OFFER = Argument(
    "offer", tuple(range(OFFERS)), tuple(str(number) for number in range(1, OFFERS + 1))
)


@dataclass(frozen=True)
class Action:
    """One row: what a player can do under this name in these phases."""

    name: str
    phases: tuple[Phase, ...]
    argument: Argument
    legal: str  # module:function in this package, (game, rules, value) -> Why
    apply: str  # module:function, (game, rules, log, value)
    text: str  # description; {} is the argument
    source: str
    candidates: str = ""  # module:function, (game, rules) -> bit mask of values to check
    exactly: str = ""  # alternative: bit mask of exactly the legal values


ACTIONS: tuple[Action, ...] = (
    Action("roll", (P.TURN, P.POWER), NONE, "turn:may_roll", "turn:roll",
           "throw the dice", "000 line 115"),
    Action("jail_pay", (P.TURN,), NONE, "jail:may_jail_pay", "jail:jail_pay",
           "pay the fine and leave Jail", "000 line 290; 001 line 184"),
    Action("jail_card", (P.TURN,), NONE, "jail:may_jail_card", "jail:jail_card",
           "play a Get Out of Jail Free card", "000 line 291; 001 line 184"),
    Action("end_turn", (P.END,), NONE, "turn:may_end_turn", "turn:end_turn",
           "hand the dice on", "000 line 159"),
    Action("pass", (P.BETWEEN, P.RENT), NONE, "turn:may_pass", "turn:pass_window",
           "do nothing (more) now", "000 line 202"),
    Action("pass", (P.AUCTION,), NONE, "auction:may_pass_auction", "auction:pass_auction",
           "leave this auction for good", "000 line 218"),
    Action("pass", (P.CLAIM,), NONE, "scarcity:may_claim", "scarcity:pass_claim",
           "do not want the building", "000 line 260"),
    Action("pass", (P.BUY,), NONE, "buying:may_decline", "buying:decline",
           "leave the property with the Bank (house rule without auctions)", "house rule"),
    Action("buy", (P.BUY,), NONE, "buying:may_buy", "buying:buy",
           "buy the property at its printed price", "000 line 142; 001 line 148"),
    Action("auction", (P.BUY,), NONE, "buying:may_auction", "buying:auction",
           "do not buy: the property is auctioned", "000 line 144; 001 line 150"),
    Action("open", (P.AUCTION,), NONE, "auction:may_open", "auction:open_bid",
           "bid the opening price", "000 line 218; 002 line 252"),
    Action("raise", (P.AUCTION,), STEP, "auction:may_raise", "auction:raise_bid",
           "bid {} over the standing bid", "000 line 218; 001 line 150"),
    Action("ask_rent", (P.RENT,), NONE, "rent:may_ask_rent", "rent:ask_rent",
           "ask for the rent", "000 line 167; 001 line 164"),
    Action("tax_flat", (P.TAX,), NONE, "tax:may_tax", "tax:tax_flat",
           "pay the fixed tax", "001 line 170"),
    Action("tax_percent", (P.TAX,), NONE, "tax:may_tax", "tax:tax_percent",
           "pay a share of the total worth", "001 line 170"),
    Action("power", (P.POWER,), NONE, "powers:may_power", "powers:power",
           "use the power of the double", "001 line 56"),
    Action("to", (P.TELEPORT,), SPACE, "powers:may_teleport", "powers:teleport",
           "teleport to {}", "001 line 91"),
    Action("attack", (P.ATTACK,), STREET, "powers:may_attack", "powers:attack",
           "attack {}", "001 line 106", "powers:attack_candidates"),
    Action("bankrupt", (P.DEBT,), NONE, "debt:may_bankrupt", "debt:bankrupt",
           "give up and leave the game", "000 line 179; 001 line 230"),
    Action("build", (*WINDOWS, P.PLACE), STREET, "building:may_build", "building:build",
           "build on {}", "000 line 222; 001 line 192", "building:build_candidates"),
    Action("sell", RAISING, STREET, "selling:may_sell", "selling:sell",
           "sell a building of {}", "000 line 264; 001 line 212", "selling:sell_candidates"),
    Action("sell_group", RAISING, COLOR_GROUP, "selling:may_sell_group", "selling:sell_group",
           "sell all buildings of the {} group at once", "001 line 216; 002 line 256",
           "selling:sell_group_candidates"),
    Action("mortgage", RAISING, DEED, "mortgage:may_mortgage", "mortgage:mortgage",
           "mortgage {}", "000 line 268; 001 line 218", exactly="mortgage:mortgageable"),
    Action("lift", (*WINDOWS, P.DEED), DEED, "mortgage:may_lift", "mortgage:lift",
           "lift the mortgage on {}", "000 line 272; 001 line 222", "mortgage:lift_candidates"),
    Action("keep", (P.DEED,), DEED, "mortgage:may_keep", "mortgage:keep",
           "keep the mortgage on {} and pay the interest", "000 line 280; 001 line 228",
           "mortgage:keep_candidates"),
    Action("claim", (P.CLAIM,), NONE, "scarcity:may_claim", "scarcity:claim",
           "want the building too", "000 line 260; 001 line 208"),
    Action("deal", (*WINDOWS, P.DEBT), SEAT, "trade:may_deal", "trade:deal",
           "compose an offer to {}", "000 line 276; 001 line 210", exactly="trade:partners"),
    Action("give", (P.DEAL,), ITEM, "trade:may_give", "trade:give",
           "offer {}", "000 line 278; 001 line 210", exactly="trade:to_give"),
    Action("ask", (P.DEAL,), ITEM, "trade:may_ask", "trade:ask",
           "ask for {}", "000 line 278; 001 line 210", exactly="trade:to_ask"),
    Action("give_cash", (P.DEAL,), STEP, "trade:may_give_cash", "trade:give_cash",
           "offer {} (more) in cash", "000 line 278"),
    Action("ask_cash", (P.DEAL,), STEP, "trade:may_ask_cash", "trade:ask_cash",
           "ask for {} (more) in cash", "000 line 278"),
    Action("offer", (P.DEAL,), NONE, "trade:may_offer", "trade:offer",
           "put the offer to the other side", "000 line 276"),
    Action("cancel", (P.DEAL,), NONE, "trade:may_cancel", "trade:cancel",
           "drop the offer", "000 line 276"),
    Action("accept", (P.ANSWER,), NONE, "trade:may_answer", "trade:accept",
           "accept the offer", "000 line 276"),
    Action("reject", (P.ANSWER,), NONE, "trade:may_answer", "trade:reject",
           "refuse the offer", "000 line 276"),
    Action("propose", (*WINDOWS, P.DEBT), OFFER, "deal_menu:may_propose", "deal_menu:propose",
           "make offer {} of the deal menu", "000 line 276", "deal_menu:propose_candidates"),
)  # fmt: skip


def kinds() -> tuple[str, ...]:
    """Return the names of the actions, without duplicates, in the order of their ids."""
    return tuple(dict.fromkeys(action.name for action in ACTIONS))


KINDS: tuple[str, ...] = kinds()
ARGUMENTS: dict[str, Argument] = {action.name: action.argument for action in ACTIONS}


def texts() -> tuple[str, ...]:
    """Return the notation of every action by id: ``roll``, ``build:boardwalk``; relative seats."""
    return tuple(
        f"{name}:{label}" if label else name for name in KINDS for label in ARGUMENTS[name].labels
    )


TEXTS: tuple[str, ...] = texts()
N_ACTIONS: int = len(TEXTS)
IDS: dict[str, int] = {text: action for action, text in enumerate(TEXTS)}

# Tables by id. The ids of a kind are consecutive; seats are relative to the actor.
N_KINDS: int = len(KINDS)
SIZE = np.array([len(ARGUMENTS[name].values) for name in KINDS], np.int64)  # ids of each kind
BASE = np.cumsum(SIZE) - SIZE  # first id of each kind
KIND_OF = np.repeat(np.arange(N_KINDS, dtype=np.int8), SIZE)  # by id
VALUE_OF = np.array([value for name in KINDS for value in ARGUMENTS[name].values], np.int32)


def _index_by_square(argument: Argument) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    """Return the index of each square or Jail card in an argument's values, or -1."""
    index = np.full(CARD_CHEST + 1, -1, np.int8)
    index[list(argument.values)] = np.arange(len(argument.values))
    return index


STREET_INDEX = _index_by_square(STREET)
DEED_INDEX = _index_by_square(DEED)
ITEM_INDEX = _index_by_square(ITEM)
