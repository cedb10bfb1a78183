"""Lets a policy trained with the deal menu play where deals are composed in steps.

The policy sees the menu and chooses from it; its offer is then composed step by step. A composed
offer has the menu's deeds and cash, so it is one that the menu would have allowed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from monopoly_env.compiler.records import copy_records
from monopoly_env.editions import Edition
from monopoly_env.engine.actions import BASE, IDS, ITEM_INDEX, KIND_OF, KINDS, VALUE_OF
from monopoly_env.engine.deal_menu import menu_offer
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.rules import Deals, set_switches
from monopoly_env.position.public_state import members
from monopoly_env.view import View

FIRST = {kind: int(BASE[KINDS.index(kind)]) for kind in ("deal", "give", "ask")}
CASH_STEPS = {
    kind: np.flatnonzero(KINDS.index(kind) == KIND_OF) for kind in ("give_cash", "ask_cash")
}
PROPOSE = KINDS.index("propose")
COMPOSING = ("deal", "give", "ask", "give_cash", "ask_cash", "offer", "cancel")  # kinds of action
EDITIONS = 1024  # of which the variant with the menu is kept: a whole set of generated ones


class Plan(NamedTuple):
    """A whole offer: sets of deeds and cards as bit masks of squares, and the cash received."""

    seat: int
    partner: int
    give: int
    ask: int
    cash: int


NO_PLAN = Plan(-1, -1, 0, 0, 0)
SIZE_OF_STATE = 8 * len(NO_PLAN)  # bytes


class OfferComposer:
    """Composes the menu's offers step by step, in one game.

    >>> from monopoly_env import Game
    >>> view = View.of(Game(players=3, seed=7))
    >>> OfferComposer().next_step(view) is None  # nothing is planned
    True
    """

    def __init__(self) -> None:
        self.plan: Plan | None = None

    def reset(self) -> None:
        """Forget the offer that is being composed."""
        self.plan = None

    def clone_state(self) -> bytes:
        """Return the plan, for :meth:`restore_state`."""
        return np.array(self.plan or NO_PLAN, np.int64).tobytes()

    def restore_state(self, state: bytes) -> bytes:
        """Restore the plan that :meth:`clone_state` returned; return the bytes after it."""
        plan = Plan(*np.frombuffer(state, np.int64, len(NO_PLAN)).tolist())
        self.plan = None if plan == NO_PLAN else plan
        return state[SIZE_OF_STATE:]

    def begin(self, menu: View, action: int) -> int:
        """Return the action to take for a choice from the view that :func:`menu_view` returned.

        ``propose:K`` becomes the plan, and its first step is returned. All other actions are the
        same at both tables.
        """
        if KIND_OF[action] != PROPOSE:
            return action
        self.plan = plan_of(menu, action)
        return first_step(menu, action)

    def next_step(self, view: View) -> int | None:
        """Return the next action that composes the planned offer, or None if there is no plan.

        An offer that cannot be composed as planned is canceled.
        """
        if int(view.record["phase"]) != Phase.DEAL:
            self.plan = None
        if self.plan is None:
            return None
        action = _step(view, self.plan)
        return action if action is not None and view.mask[action] else IDS["cancel"]


def _step(view: View, plan: Plan) -> int | None:
    """Add deeds and cards, then cash, then make the offer; None if the plan does not fit."""
    game = view.record
    if (view.seat, int(game["partner"])) != (plan.seat, plan.partner):
        return None
    for kind, planned, included in (
        ("ask", plan.ask, int(game["deal_ask"])),
        ("give", plan.give, int(game["deal_give"])),
    ):
        for square in members(planned & ~included):
            return FIRST[kind] + int(ITEM_INDEX[square])
    for kind, planned, included in (
        ("ask_cash", max(plan.cash, 0), int(game["deal_ask_cash"])),
        ("give_cash", max(-plan.cash, 0), int(game["deal_give_cash"])),
    ):
        if planned != included:
            return _largest(view, kind, planned - included)
    return IDS["offer"]


def _largest(view: View, kind: str, missing: int) -> int | None:
    """Return the largest legal step of cash up to the missing amount, or None."""
    steps = CASH_STEPS[kind]
    possible = steps[(view.mask[steps] != 0) & (VALUE_OF[steps] <= missing)]
    return int(possible[VALUE_OF[possible].argmax()]) if len(possible) else None


# The menu


def menu_view(view: View) -> View:
    """Return the same position as it is seen at a table with the deal menu."""
    return View(view.games, 0, menu_edition(view.edition), events=view.events)


def plan_of(menu: View, action: int) -> Plan:
    """Return the offer that ``propose:K`` makes."""
    return Plan(menu.seat, *map(int, menu_offer(menu.record, menu.rules, int(VALUE_OF[action]))))


def first_step(menu: View, action: int) -> int:
    """Return the action at the table that a choice from a view with the menu begins with."""
    if KIND_OF[action] != PROPOSE:
        return action
    partner = plan_of(menu, action).partner
    return FIRST["deal"] + (partner - menu.seat) % int(menu.record["players"]) - 1


@lru_cache(maxsize=EDITIONS)
def menu_edition(edition: Edition) -> Edition:
    """Return an edition with the deal menu instead of its own form of deals."""
    rules = copy_records(edition.rules)
    rules["deals"] = Deals.MENU
    set_switches(rules)
    return replace(edition, rules=rules)
