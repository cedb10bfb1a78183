"""Debts: paid the moment the cash is there, else a decision how to raise it."""

from __future__ import annotations

from monopoly_env import Why
from monopoly_env.engine import debt
from monopoly_env.engine.journal import Reason
from monopoly_env.engine.phases import Phase
from tests.engine.positions import BROWNS, DARK_BLUES, payments, play, position

# A throws a 4 from GO and owes 200 of income tax.
TAXED = [(1, 3)]


def test_a_debt_is_paid_at_once_where_the_cash_is_there() -> None:
    game = play(position(A={"cash": 200}, dice=TAXED), "A roll")
    assert payments(game) == [("A", "bank", 200, Reason.TAX)]
    assert game.cash == (0, 1500)


def test_a_dollar_short_the_debtor_decides() -> None:
    game = play(position(A={"cash": 199, "deeds": ["baltic"]}, dice=TAXED), "A roll")
    assert (game.actor, game.phase) == ("A", Phase.DEBT)
    assert game.cash == (199, 1500)


def test_the_debt_is_paid_as_soon_as_enough_has_been_raised() -> None:
    """Baltic brings 30, Reading 100: the second mortgage settles it."""
    game = position(A={"cash": 90, "deeds": ["baltic", "reading", "water"]}, dice=TAXED)
    play(game, "A roll", "A mortgage:baltic")
    assert game.phase is Phase.DEBT
    play(game, "A mortgage:reading")
    assert payments(game) == [("bank", "A", 100, Reason.MORTGAGE), ("A", "bank", 200, Reason.TAX)]
    assert game.cash == (20, 1500)
    assert game.phase is Phase.END


def test_buildings_may_be_sold_for_it() -> None:
    """Four houses of Boardwalk and Park Place at 100 each."""
    mine = {"cash": 150, "deeds": DARK_BLUES, "buildings": dict.fromkeys(DARK_BLUES, 2)}
    game = play(position(A=mine, dice=TAXED), "A roll", "A sell:boardwalk")
    assert game.cash == (50, 1500)


def test_a_debtor_may_not_give_up_what_could_still_be_paid() -> None:
    """Boardwalk brings 200, then nothing is missing."""
    game = play(position(A={"cash": 0, "deeds": ["boardwalk"]}, dice=TAXED), "A roll")
    assert game.why("bankrupt") is Why.CAN_PAY
    short = play(position(A={"cash": 0, "deeds": ["park_place"]}, dice=TAXED), "A roll")
    assert short.why("bankrupt") is Why.OK  # 175


def test_houses_count_at_half_their_price_in_what_could_be_raised() -> None:
    """30 + 30 of mortgages and half of 50 for each house: 60 + 25 n."""
    for houses, reason in ((5, Why.OK), (6, Why.CAN_PAY)):
        built = {"mediterranean": houses // 2, "baltic": houses - houses // 2}
        mine = {"cash": 0, "deeds": BROWNS, "buildings": built}
        assert play(position(A=mine, dice=TAXED), "A roll").why("bankrupt") is reason, houses


def test_mortgaged_deeds_raise_nothing_more() -> None:
    game = play(position(A={"cash": 0, "deeds": ["boardwalk*"]}, dice=TAXED), "A roll")
    assert game.why("bankrupt") is Why.OK


def test_rent_is_owed_to_the_owner() -> None:
    game = position(A={"cash": 10, "deeds": ["water"]}, B={"deeds": ["reading"]}, dice=[(2, 3)])
    play(game, "A roll", "A mortgage:water")
    assert game.cash == (60, 1525)


def test_the_debtor_decides_whoevers_turn_it_is() -> None:
    """B's birthday: A has 5 of the 10."""
    game = position(
        turn="B", A={"cash": 5, "deeds": ["baltic"]}, B={"at": "electric"}, dice=[(2, 3)],
        chest=["cc_birthday"],
    )  # fmt: skip
    play(game, "B roll")
    assert (game.turn, game.actor, game.phase) == ("B", "A", Phase.DEBT)
    play(game, "A mortgage:baltic")
    assert game.cash == (25, 1510)


def test_a_debt_to_everybody_is_paid_to_the_left_first() -> None:
    game = position(
        3, turn="B", B={"at": "new_york", "cash": 90, "deeds": ["baltic"]}, dice=[(1, 2)],
        chance=["ch_chairman"],
    )  # fmt: skip
    play(game, "B roll")
    assert game.phase is Phase.DEBT
    play(game, "B mortgage:baltic")
    assert payments(game)[1:] == [("B", "C", 50, Reason.CARD), ("B", "A", 50, Reason.CARD)]
    assert game.cash == (1550, 20, 1550)


def test_the_debt_that_is_paid_first_lies_innermost() -> None:
    """Below a deal that is to raise the money; nobody owes anything before."""
    game = position(A={"cash": 0, "deeds": ["oriental"]}, dice=TAXED)
    assert debt.innermost_debt(game.state) == 0
    play(game, "A roll")
    assert debt.innermost_debt(game.state) == 1
    play(game, "A deal:B")
    assert debt.innermost_debt(game.state) == 1
    birthday = position(3, A={"at": "electric"}, B={"cash": 0, "deeds": ["water"]},
                        dice=[(2, 3)], chest=["cc_birthday"])  # fmt: skip
    assert debt.innermost_debt(play(birthday, "A roll").state) == 2  # B's, on top of C's


def test_nothing_else_is_done_before_the_debt_is_settled() -> None:
    game = position(A={"cash": 0, "deeds": ["boardwalk"]}, dice=TAXED)
    play(game, "A roll")
    assert game.why("roll") is Why.WRONG_PHASE
    assert game.why("end_turn") is Why.WRONG_PHASE
    assert game.why("lift:boardwalk") is Why.WRONG_PHASE
