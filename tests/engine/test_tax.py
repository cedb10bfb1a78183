"""Tax spaces, and the choice that one rule book gives."""

from __future__ import annotations

import pytest

from monopoly_env.engine.journal import Reason
from monopoly_env.engine.phases import Phase
from tests.engine.positions import BROWNS, EDITIONS, payments, play, position

ON_INCOME_TAX = [(1, 3)]  # from GO
ON_LUXURY_TAX = {"A": {"at": "water"}, "dice": [(4, 6)]}


@pytest.mark.parametrize("edition", [edition for edition in EDITIONS if edition != "pokemon1999"])
def test_income_tax_takes_two_hundred(edition: str) -> None:
    game = play(position(dice=ON_INCOME_TAX, edition=edition), "A roll")
    assert payments(game) == [("A", "bank", 200, Reason.TAX)]


@pytest.mark.parametrize(
    ("edition", "amount"),
    [(edition, 75 if edition == "pokemon1999" else 100) for edition in EDITIONS],
)
def test_luxury_tax_takes_what_its_board_says(edition: str, amount: int) -> None:
    game = play(position(**ON_LUXURY_TAX, edition=edition), "A roll")
    assert payments(game) == [("A", "bank", amount, Reason.TAX)]


# --- the choice of the US book, 001 lines 170 to 172 ---


def test_the_us_book_lets_the_payer_choose() -> None:
    game = play(position(dice=ON_INCOME_TAX, edition="pokemon1999"), "A roll")
    assert (game.actor, game.phase) == ("A", Phase.TAX)
    assert game.legal_actions() == ["tax_flat", "tax_percent"]


@pytest.mark.parametrize(("choice", "amount"), [("tax_flat", 200), ("tax_percent", 150)])
def test_the_fixed_tax_or_a_tenth_of_the_total_worth(choice: str, amount: int) -> None:
    game = play(position(dice=ON_INCOME_TAX, edition="pokemon1999"), "A roll", f"A {choice}")
    assert payments(game) == [("A", "bank", amount, Reason.TAX)]
    assert (game.actor, game.phase) == ("B", Phase.TURN)  # it is asked once


def test_worth_is_cash_printed_prices_mortgaged_or_not_and_buildings_at_cost() -> None:
    """100 in cash, 400 of Boardwalk though mortgaged, 120 of browns, a hotel and four houses of 450."""
    mine = {
        "cash": 100, "deeds": ["boardwalk*", *BROWNS],
        "buildings": {"mediterranean": 5, "baltic": 4},
    }  # fmt: skip
    game = position(A=mine, dice=ON_INCOME_TAX, edition="pokemon1999")
    play(game, "A roll", "A tax_percent")
    assert game.phase is Phase.DEBT
    play(game, "A sell:mediterranean")
    assert payments(game)[1] == ("A", "bank", 107, Reason.TAX)


def test_the_tenth_is_rounded_up() -> None:
    game = position(A={"cash": 1501}, dice=ON_INCOME_TAX, edition="pokemon1999")
    assert play(game, "A roll", "A tax_percent").cash == (1350, 1500)


def test_both_choices_are_open_even_to_who_cannot_pay() -> None:
    game = play(position(A={"cash": 0}, dice=ON_INCOME_TAX, edition="pokemon1999"), "A roll")
    assert game.legal_actions() == ["tax_flat", "tax_percent"]
    assert play(game.copy(), "A tax_percent").cash == (0, 1500)  # a tenth of nothing
    assert play(game, "A tax_flat").phase is Phase.DEBT


def test_the_short_game_of_the_us_book_has_a_flat_tax() -> None:
    game = position(dice=ON_INCOME_TAX, edition="pokemon1999", mode="short")
    assert play(game, "A roll").cash == (1300, 1500)
