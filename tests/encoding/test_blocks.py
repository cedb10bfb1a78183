"""The layout of the observation, written once and used by whoever reads it."""

from __future__ import annotations

import pytest

from monopoly_env import Game
from monopoly_env.agent import make_agent
from monopoly_env.encoding import blocks
from monopoly_env.encoding.blocks import BLOCKS, OFFSETS
from monopoly_env.engine.actions import IDS, OFFERS
from monopoly_env.view import View

FIRST = IDS["propose:1"]
BY_NAME = {block.name: block for block in BLOCKS}
MONEY = {
    "cash": blocks.CASH_SCALE,
    "worth": blocks.WORTH_SCALE,
    "rent": blocks.PRICE_SCALE,
    "pot": blocks.CASH_SCALE,
    "bid": blocks.PRICE_SCALE,
    "debt": blocks.DEBT_SCALE,
    "deal_get_cash": blocks.DEBT_SCALE,
}


@pytest.mark.parametrize("name", MONEY)
def test_units_of_money_name_the_scale(name: str) -> None:
    assert BY_NAME[name].unit == f"$ as x / (x + {MONEY[name]})"


def test_an_offer_of_the_menu_has_a_column_for_each_of_its_facts() -> None:
    assert BY_NAME["menu"].size == OFFERS * blocks.OFFER_SIZE
    names = [name for name in vars(blocks) if name.startswith("OFFER_")]
    columns = [vars(blocks)[name] for name in names if name not in ("OFFER_FACTS", "OFFER_SIZE")]
    assert sorted(columns) == list(range(blocks.OFFER_SIZE))
    assert "cash" in blocks.OFFER_FACTS[blocks.OFFER_CASH]
    assert "partner, seats" in blocks.OFFER_FACTS[blocks.OFFER_PARTNER]


def test_offers_stand_where_the_layout_says() -> None:
    """Partner and cash of every offer, against the offers as a bot is shown them."""
    game, seen = Game(players=3, seed=3, rules={"deals": "menu"}, journal=False), 0
    bots = [make_agent("fixed_a") for _ in range(3)]
    for bot in bots:
        bot.reset(3)
    while not game.over and seen < 40:
        view = View.of(game)
        for offer in view.menu:
            at = OFFSETS["menu"] + blocks.OFFER_SIZE * (offer.action - FIRST)
            row = view.observation[at : at + blocks.OFFER_SIZE]
            assert row[blocks.OFFER_EXISTS] == 1
            left = (offer.partner - view.seat) % 3
            assert row[blocks.OFFER_PARTNER] == pytest.approx(left / 7)
            cash = offer.cash / (abs(offer.cash) + blocks.PRICE_SCALE)
            assert row[blocks.OFFER_CASH] == pytest.approx(cash)
            seen += 1
        game.play(bots[game.actor_seat].decide(view))
    assert seen >= 40
