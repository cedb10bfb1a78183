"""Lets a policy trained with the deal menu play where deals are composed in steps.

The policy sees the menu and chooses from it; its offer is then composed step by step. A composed
offer has the menu's deeds and cash, so it is one that the menu would have allowed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from monopoly_env.compiler.records import copy_records
from monopoly_env.editions import Edition
from monopoly_env.engine.actions import IDS, KIND_OF, KINDS, VALUE_OF
from monopoly_env.engine.deal_menu import menu_offer
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.rules import Deals, set_switches
from monopoly_env.negotiation.terms import Terms, terms_in
from monopoly_env.notation import parse_action
from monopoly_env.position.public_state import members
from monopoly_env.view import View

PROPOSE = KINDS.index("propose")
COMPOSING = ("deal", "give", "ask", "give_cash", "ask_cash", "offer", "cancel")  # kinds of action
EDITIONS = 1024  # of which the variant with the menu is kept: a whole set of generated ones
NO_PLAN = (-1, -1, 0, 0, 0)
SIZE_OF_STATE = 8 * len(NO_PLAN)  # bytes


class OfferComposer:
    """Composes the menu's offers step by step, in one game.

    >>> from monopoly_env import Game
    >>> view = View.of(Game(players=3, seed=7))
    >>> OfferComposer().next_step(view) is None  # nothing is planned
    True
    """

    def __init__(self) -> None:
        self.plan: Terms | None = None

    def reset(self) -> None:
        """Forget the offer that is being composed."""
        self.plan = None

    def clone_state(self) -> bytes:
        """Return the plan, for :meth:`restore_state`."""
        plan, numbers = self.plan, NO_PLAN
        if plan is not None:
            give, ask = (sum(1 << item for item in items) for items in (plan.give, plan.ask))
            numbers = (plan.proposer, plan.partner, give, ask, plan.cash)
        return np.array(numbers, np.int64).tobytes()

    def restore_state(self, state: bytes) -> bytes:
        """Restore the plan that :meth:`clone_state` returned; return the bytes after it."""
        numbers = tuple(np.frombuffer(state, np.int64, len(NO_PLAN)).tolist())
        self.plan = None if numbers == NO_PLAN else terms_of(*numbers)
        return state[SIZE_OF_STATE:]

    def begin(self, menu: View, action: int) -> int:
        """Return the action to take for a choice from the view that :func:`menu_view` returned.

        ``propose:K`` becomes the plan, and its first step is returned. All other actions are the
        same at both tables.
        """
        if KIND_OF[action] != PROPOSE:
            return action
        self.plan = offer_of(menu, action)
        return first_step(menu, action)

    def next_step(self, view: View) -> int | None:
        """Return the next action that composes the planned offer, or None if there is no plan.

        An offer that cannot be composed as planned is canceled.
        """
        if int(view.record["phase"]) != Phase.DEAL:
            self.plan = None
        if self.plan is None:
            return None
        begun = terms_in(view.record)
        if (begun.proposer, begun.partner) != (self.plan.proposer, self.plan.partner):
            return IDS["cancel"]
        action = IDS[self.plan.actions(begun)[0]]
        return action if view.mask[action] else IDS["cancel"]


def terms_of(proposer: int, partner: int, give: int, ask: int, cash: int) -> Terms:
    """Return an offer from sets of deeds and cards as bit masks of squares."""
    return Terms(proposer, partner, members(give), members(ask), cash)


# The menu


def menu_view(view: View) -> View:
    """Return the same position as it is seen at a table with the deal menu."""
    return View(view.games, 0, menu_edition(view.edition), events=view.events)


def offer_of(menu: View, action: int) -> Terms:
    """Return the offer that ``propose:K`` makes."""
    offer = menu_offer(menu.record, menu.rules, int(VALUE_OF[action]))
    return terms_of(menu.seat, *map(int, offer))


def first_step(menu: View, action: int) -> int:
    """Return the action at the table that a choice from a view with the menu begins with."""
    if KIND_OF[action] != PROPOSE:
        return action
    first = offer_of(menu, action).actions()[0]
    return parse_action(first, menu.seat, int(menu.record["players"]))


@lru_cache(maxsize=EDITIONS)
def menu_edition(edition: Edition) -> Edition:
    """Return an edition with the deal menu instead of its own form of deals."""
    rules = copy_records(edition.rules)
    rules["deals"] = Deals.MENU
    set_switches(rules)
    return replace(edition, rules=rules)
