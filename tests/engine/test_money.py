"""Money changes hands; none is made and none is lost."""

from __future__ import annotations

import pytest

from monopoly_env import Game
from monopoly_env.engine.journal import Reason
from monopoly_env.engine.money import percent
from tests.engine.positions import payments, play, position

JACKPOT: dict[str, object] = {"free_parking_jackpot": True}


def total(game: Game) -> int:
    """All cash, what lies under Free Parking, and what the Bank has taken in."""
    return sum(game.cash) + int(game.state["pot"]) + int(game.state["bank"])


@pytest.mark.parametrize(
    ("amount", "rate", "share"),
    [
        (100, 10, 10),
        (175, 10, 18),  # Park Place: 17.50
        (75, 10, 8),  # a utility: 7.50
        (1501, 10, 151),
        (0, 10, 0),
        (200, 0, 0),
        (1, 1, 1),
    ],
)
def test_percentages_are_rounded_up(amount: int, rate: int, share: int) -> None:
    assert percent(amount, rate) == share


def test_what_one_pays_another_receives() -> None:
    game = position(B={"deeds": ["baltic"]}, dice=[(1, 2)])
    assert total(game) == 0
    play(game, "A roll")
    assert game.cash == (1496, 1504)
    assert total(game) == 0


def test_the_bank_takes_in_and_pays_out() -> None:
    game = position(A={"at": "boardwalk"}, dice=[(1, 2)], chest=["cc_bank_error"])
    bank = int(game.state["bank"])
    play(game, "A roll")
    assert int(game.state["bank"]) == bank - 400  # a salary and the error
    assert total(game) == 0


def test_nothing_moves_for_nothing() -> None:
    """An interest of 0 is no payment."""
    game = position(A={"deeds": ["water*"]}, rules={"deal_keep_percent": 0})
    play(game, "A deal:B", "A give:water", "A ask_cash:1", "A offer", "B accept", "B keep:water")
    assert payments(game) == []
    assert game.cash == (1501, 1499)


def test_taxes_fees_and_fines_go_to_the_bank() -> None:
    """Source: "All tax and penalty fees are payable to the Bank", 000 line 328."""
    game = play(position(dice=[(1, 3)]), "A roll")
    assert int(game.state["pot"]) == 0


@pytest.mark.parametrize(
    ("given", "line", "amount"),
    [
        ({"dice": [(1, 3)]}, "A roll", 200),
        ({"A": {"at": "electric"}, "dice": [(2, 3)], "chest": ["cc_doctor"]}, "A roll", 50),
        ({"A": {"jail": 0}}, "A jail_pay", 50),
    ],
)
def test_the_house_rule_puts_taxes_fees_and_fines_under_free_parking(
    given: dict[str, object], line: str, amount: int
) -> None:
    game = play(position(rules=JACKPOT, **given), line)
    assert int(game.state["pot"]) == amount
    assert game.cash == (1500 - amount, 1500)
    assert total(game) == 0


def test_prices_and_bids_stay_with_the_bank_even_so() -> None:
    game = play(position(dice=[(1, 2)], rules=JACKPOT), "A roll", "A buy")
    assert int(game.state["pot"]) == 0


def test_who_lands_on_free_parking_takes_what_lies_there() -> None:
    game = position(turn="A", B={"at": "jail"}, dice=[(1, 3), (4, 6)], rules=JACKPOT)
    play(game, "A roll", "B roll")
    assert payments(game) == [("bank", "B", 200, Reason.JACKPOT)]
    assert game.cash == (1300, 1700)
    assert int(game.state["pot"]) == 0
    assert total(game) == 0
