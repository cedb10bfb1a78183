"""Deals as records: each side sees its own, and compiled code knows one type of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from monopoly_agents.strategist.deal_value import share_factors, strengths_after

from monopoly_env import Game
from monopoly_env.agent import make_agent
from monopoly_env.bots.deals import Deal, menu_deal, new_deal, offered_deal, with_cash
from monopoly_env.compiler.jit import JIT, jit
from monopoly_env.view import View
from tests.agents.positions import choose, offered, seated

MENU: dict[str, Any] = {
    "players": 2,
    "rules": {"deals": "menu"},
    "A": {"deeds": ["kentucky", "indiana", "baltic"]},
    "B": {"deeds": ["illinois", "reading"]},
}


@jit
def offered_to(games: Any, me: int) -> Deal:
    """The offer on the table, for a game that comes from Python."""
    return offered_deal(games[0], me)


@jit
def on_menu(games: Any, rules_: Any, me: int, number: int) -> Deal:
    """An offer of the menu, for a game that comes from Python."""
    return menu_deal(games[0], rules_[0], me, number)


def squares(deeds: tuple[int, ...]) -> int:
    return sum(1 << square for square in deeds)


def test_an_offer_is_seen_from_the_side_that_answers() -> None:
    theirs = {"cash": 900, "deeds": ["reading"]}
    position = offered({"deeds": ["baltic"]}, theirs, deal_ask=["baltic"], deal_give_cash=70)
    game = seated(position)
    baltic = 1 << 3
    assert offered_to(game.state.reshape(1), 0) == Deal(0, 1, give=baltic, ask=0, cash=70)
    position = offered({}, theirs, deal_give=["reading"], deal_ask_cash=250)
    game = seated(position)
    reading = 1 << 5
    assert offered_to(game.state.reshape(1), 0) == Deal(0, 1, give=0, ask=reading, cash=-250)


def test_an_offer_of_the_menu_is_seen_from_the_side_that_makes_it() -> None:
    view = View.of(Game.from_position(MENU, seed=1))
    assert len(view.menu) > 2
    for offer in view.menu:
        number = int(view.game.text(offer.action).partition(":")[2]) - 1
        deal = on_menu(view.games, view.edition.rules, view.seat, number)
        assert deal == Deal(0, offer.partner, squares(offer.give), squares(offer.ask), offer.cash)


def test_cash_is_all_that_another_price_changes() -> None:
    deal = new_deal(1, 2, 4, 8, 16)
    assert with_cash(deal, -5) == deal._replace(cash=-5)


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_what_takes_a_deal_is_compiled_once() -> None:
    game = seated(MENU)
    make_agent("strategist").decide(View.of(game))
    position = offered({"deeds": ["baltic"]}, {"cash": 900}, deal_ask=["baltic"], deal_give_cash=70)
    choose("strategist", position)
    offered_to(np.copy(game.state.reshape(1)), 0)
    for function in (share_factors, strengths_after):
        types = {arguments[-1] for arguments in function.callee.overloads}
        assert len(types) <= 1, types
