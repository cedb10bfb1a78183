"""Money changes hands; none is made and none is lost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from monopoly_env import Game
from monopoly_env.editions.values import FIELDS
from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.encoding.observation import HIGH, LOW, observe
from monopoly_env.engine.board import DEEDS, PLAYERS, STREETS
from monopoly_env.engine.journal import Reason
from monopoly_env.engine.money import MOST_MONEY, percent
from monopoly_env.engine.state import new_games
from monopoly_env.replay import replay
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


# --- the most money that a game holds ---


def most_in_one_decision() -> int:
    """No decision brings in more: cards that lead past GO, an estate that is sold up, a power."""
    high = {name: rule.high for name, rule in FIELDS.items()}
    draws = 1 + 2 * 16  # each card goes under its pile, and one in each pile ends the move
    moves = draws * (high["salary"] + high["landing_bonus"] + high["card_amount"])
    buildings = len(STREETS) * (4 * high["house_price"] + high["hotel_price"]) // 2
    return moves + buildings + len(DEEDS) * high["mortgage"] + high["power_rest"]


def test_no_decision_can_bring_in_more_than_an_int32_has_left() -> None:
    property_ = len(DEEDS) * (FIELDS["price"].high + 5 * FIELDS["house_price"].high)
    assert MOST_MONEY + most_in_one_decision() + property_ < 2**31
    assert PLAYERS * FIELDS["start_cash"].high < MOST_MONEY


def test_with_more_money_than_a_game_holds_it_is_truncated() -> None:
    rich = {"at": "boardwalk", "cash": MOST_MONEY - 1699}
    game = play(position(A=rich, dice=[(1, 3)]), "A roll")  # 200 at GO: one dollar too many
    assert game.over
    assert game.truncated
    assert game.winners == ("A",)
    assert total(game) == 0
    assert Game.from_yaml(game.to_yaml()) == game
    game = play(position(A={**rich, "cash": MOST_MONEY - 1700}, dice=[(1, 3)]), "A roll")
    assert not game.over


RICHES: dict[str, object] = {
    "salary": 100_000, "landing_bonus": 100_000, "start_cash": 1_000_000, "max_turns": 10**9,
    "max_decisions": 2 * 10**9, "free_parking_jackpot": True, "trade_limit": 1,
}  # fmt: skip


@pytest.mark.promise("limits")
@pytest.mark.parametrize("deals", ["steps", "menu"])
@pytest.mark.parametrize("edition", ["classic", "pokemon1999"])
def test_a_game_near_the_bound_is_sound_to_its_last_decision(edition: str, deals: str) -> None:
    """Played at random from a few salaries below; saved, shown and observed on the way."""
    rows = {letter: {"cash": MOST_MONEY // 4 - 500_000} for letter in "ABCD"}
    rules = {**RICHES, "deals": deals}
    chance, row = np.random.default_rng(1), np.zeros(OBSERVATION_SIZE, np.float32)
    game = Game.from_position({"players": 4, **rows}, edition=edition, rules=rules, seed=1)
    games = new_games(1)
    while not game.over:
        game.play(int(chance.choice(game.legal_ids())))
        assert game.status() == 0
        if len(game.history) % 200 == 0 or game.over:
            assert Game.from_yaml(game.to_yaml()) == game
            assert max(game.cash) > 10**8
            assert str(game)
            games[0] = game.state
            for seat in range(4):
                observe(games, 0, game.edition.rules, seat, row)
                assert (row >= LOW).all()
                assert (row <= HIGH).all()
    assert game.truncated
    assert replay(game.record()) == game


@pytest.mark.promise("limits")
def test_a_bid_and_an_offer_reach_the_bound() -> None:
    """The numbers that follow cash: a standing bid, cash in an offer, a tax on all that one has."""
    rows: dict[str, Any] = {"A": {"at": "go", "cash": MOST_MONEY - 5000, "deeds": ["water"]}}
    offer = {"deal_give_cash": MOST_MONEY - 5000, "proposer": "A", "partner": "B"}
    deal = [
        {"task": "TURN", "player": "A", "step": 1},
        {"task": "DEAL", "player": "A", "other": "B"},
    ]
    engine = {**offer, "deal_give": ["water"], "deal_ask": ["reading"], "agenda": deal}
    game = Game.from_position(
        {"players": 2, **rows, "B": {"cash": 1, "deeds": ["reading"]}, "engine": engine}
    )
    assert Game.from_yaml(game.to_yaml()) == game
    assert f"{MOST_MONEY - 5000:,}" in str(game)
    play(game, "A offer", "B accept")
    assert game.cash == (0, MOST_MONEY - 4999)
    taxed = position(edition="pokemon1999", dice=[(1, 3)], rules={"tax_percent": {"income_tax": 100}},
                     A={"cash": MOST_MONEY - 5000}, B={"cash": 0})  # fmt: skip
    assert play(taxed, "A roll", "A tax_percent").cash == (0, 0)
