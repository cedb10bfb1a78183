"""Landing on an unowned property: buy it at the printed price, or let it be auctioned."""

from __future__ import annotations

import pytest

from monopoly_env import Why
from monopoly_env.engine.journal import Reason
from monopoly_env.engine.phases import Phase
from tests.engine.positions import EDITIONS, payments, play, position


@pytest.mark.parametrize(
    ("start", "throw", "square", "price"),
    [
        ("go", (1, 2), "baltic", 60),
        ("go", (2, 3), "reading", 200),
        ("connecticut", (1, 2), "electric", 150),
        ("short_line", (1, 3), "boardwalk", 400),
    ],
)
def test_streets_railroads_and_utilities_are_bought_at_their_printed_prices(
    start: str, throw: tuple[int, int], square: str, price: int
) -> None:
    game = play(position(A={"at": start}, dice=[throw]), "A roll")
    assert (game.actor, game.phase) == ("A", Phase.BUY)
    play(game, "A buy")
    assert payments(game) == [("A", "bank", price, Reason.PRICE)]
    assert game.owner(square) == "A"
    assert game.cash == (1500 - price, 1500)


def test_the_price_must_be_there_in_cash() -> None:
    game = position(A={"cash": 59}, dice=[(1, 2)])
    assert play(game, "A roll").why("buy") is Why.NO_CASH
    game = position(A={"cash": 60}, dice=[(1, 2)])
    assert play(game, "A roll", "A buy").cash == (0, 1500)


def test_cash_may_be_raised_before_choosing() -> None:
    """Park Place brings 175."""
    game = position(A={"cash": 0, "deeds": ["park_place"]}, dice=[(1, 2)])
    play(game, "A roll", "A mortgage:park_place")
    assert game.phase is Phase.BUY
    assert play(game, "A buy").cash == (115, 1500)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_declined_property_is_auctioned(edition: str) -> None:
    """No book lets it stay with the Bank."""
    game = play(position(dice=[(1, 2)], edition=edition), "A roll")
    assert game.why("pass") is Why.AUCTIONED
    play(game, "A auction")
    assert (game.actor, game.phase) == ("B", Phase.AUCTION)
    play(game, "B pass", "A pass")
    assert (game.actor, game.phase) == ("B", Phase.TURN)  # A is not asked again


def test_without_auctions_a_declined_property_stays_with_the_bank() -> None:
    game = play(position(dice=[(1, 2)], rules={"auctions": False}), "A roll")
    assert game.why("auction") is Why.NO_AUCTIONS
    play(game, "A pass")
    assert game.owner("baltic") is None
    assert game.cash == (1500, 1500)
    assert (game.actor, game.phase) == ("B", Phase.TURN)


def test_a_double_leaves_another_throw_after_the_purchase() -> None:
    game = play(position(dice=[(3, 3)]), "A roll", "A buy")
    assert (game.actor, game.phase) == ("A", Phase.TURN)
