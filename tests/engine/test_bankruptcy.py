"""Bankruptcy: an estate is sold up and handed over."""

from __future__ import annotations

import pytest

from monopoly_env.engine.journal import Event, Reason
from monopoly_env.engine.phases import Phase
from tests.engine.positions import (
    BROWNS,
    SHARED_TEXT,
    events,
    payments,
    play,
    position,
)

# A throws a 5 from GO and owes B, who has all four of them, 200 for Reading Railroad.
TO_READING = [(2, 3)]
RAILWAY = {"deeds": ["reading", "pennsylvania_rr", "bno", "short_line"]}
# A throws a 4 from GO and owes the Bank 200 of income tax.
TAXED = [(1, 3)]


# --- to another player ---


def test_everything_goes_to_the_creditor() -> None:
    debtor = {"cash": 7, "deeds": ["baltic*", "oriental*"], "cards": ["card_chest"]}
    game = position(3, A=debtor, B=RAILWAY, dice=TO_READING)
    play(game, "A roll", "A bankrupt")
    assert game.hand("A").out
    assert game.hand("A").cash == 0
    assert game.hand("A").deeds == ()
    assert game.hand("B").cards == ("card_chest",)
    assert events(game, Event.KEEP_CARD) == [("B", "A", 1, 0)]
    assert game.hand("B").deeds[:2] == ("baltic", "reading")
    assert game.owner("oriental") == "B"
    assert game.cash == (0, 1507, 1500)


def test_buildings_go_back_at_half_price_and_the_creditor_gets_the_cash() -> None:
    """Boardwalk with a hotel earns 2,000; each hotel of the browns has cost 4 · 50 + 50."""
    debtor = {"at": "short_line", "cash": 0, "deeds": BROWNS, "buildings": dict.fromkeys(BROWNS, 5)}
    creditor = {
        "deeds": ["park_place", "boardwalk"],
        "buildings": {"park_place": 5, "boardwalk": 5},
    }
    game = position(3, A=debtor, B=creditor, dice=[(1, 3)], edition="pokemon1999")
    play(game, "A roll", "A bankrupt")
    sold = [payment for payment in payments(game) if payment[0] == "bank"]
    assert sold == [("bank", "A", 125, Reason.ESTATE), ("bank", "A", 125, Reason.ESTATE)]
    assert game.cash == (0, 1750, 1500)
    assert (int(game.state["houses"]), int(game.state["hotels"])) == (32, 10)


@pytest.mark.parametrize("edition", SHARED_TEXT)
def test_where_only_mortgaged_property_is_spoken_of_all_is_mortgaged_first(edition: str) -> None:
    """Source: 000 line 182. Baltic and Oriental bring 30 + 50 for B, who owes 3 + 5 to keep them."""
    debtor = {"cash": 7, "deeds": ["baltic", "oriental"]}
    game = position(3, A=debtor, B=RAILWAY, dice=TO_READING, edition=edition)
    play(game, "A roll", "A bankrupt")
    assert game.hand("B").mortgaged == ("baltic", "oriental")
    assert game.cash == (0, 1587, 1500)
    assert (game.actor, game.phase) == ("B", Phase.DEED)
    play(game, "B keep:baltic", "B keep:oriental")
    assert game.cash == (0, 1579, 1500)


@pytest.mark.parametrize("edition", ["pokemon1999", "pokemon_fr2000"])
def test_in_the_older_books_deeds_go_over_as_they_stand(edition: str) -> None:
    """Source: 001 line 230; 002 line 270. The mortgaged one alone costs interest."""
    debtor = {"cash": 7, "deeds": ["baltic", "oriental*"]}
    game = position(3, A=debtor, B=RAILWAY, dice=TO_READING, edition=edition)
    play(game, "A roll", "A bankrupt")
    assert game.hand("B").mortgaged == ("oriental",)
    assert game.phase is Phase.DEED
    play(game, "B keep:oriental")
    assert game.cash == (0, 1502, 1500)


def test_the_creditor_may_lift_a_mortgage_at_once() -> None:
    """55 for Oriental: 50 and a tenth."""
    game = position(3, A={"cash": 0, "deeds": ["oriental*"]}, B=RAILWAY, dice=TO_READING)
    play(game, "A roll", "A bankrupt", "B lift:oriental")
    assert game.hand("B").mortgaged == ()
    assert game.cash == (0, 1445, 1500)


def test_a_creditor_who_cannot_pay_the_interest_owes_it_to_the_bank() -> None:
    """20 for Boardwalk; B has 19 and may mortgage more or give up."""
    creditor = {"deeds": [f"{name}*" for name in RAILWAY["deeds"][1:]] + ["reading"], "cash": 19}
    game = position(
        3, A={"cash": 0, "deeds": ["boardwalk*"]}, B=creditor, dice=TO_READING,
        rules={"deals": "off"},
    )  # fmt: skip
    play(game, "A roll", "A bankrupt", "B keep:boardwalk")
    assert (game.actor, game.phase) == ("B", Phase.DEBT)
    play(game, "B mortgage:reading")
    assert game.cash == (0, 99, 1500)


def test_a_creditor_who_gives_up_over_the_interest_decides_nothing_more() -> None:
    """30 for Baltic covers the 15 of Pacific and not the 18 of Park Place; Boardwalk is not asked."""
    debtor = {"cash": 0, "deeds": ["pacific*", "park_place*", "boardwalk*"]}
    game = position(
        4, A=debtor, B={"cash": 0, "deeds": ["baltic"]}, dice=[(1, 2)], rules={"deals": "off"}
    )
    play(game, "A roll", "A bankrupt", "B keep:pacific", "B mortgage:baltic")
    play(game, "B keep:park_place", "B bankrupt")
    assert (game.actor, game.phase) == ("C", Phase.AUCTION)
    play(game, *["C pass", "D pass"] * 4)
    assert (game.actor, game.phase) == ("C", Phase.TURN)


def test_the_last_player_left_wins_at_once() -> None:
    """No interest is asked for any more."""
    game = position(A={"cash": 0, "deeds": ["oriental*"]}, B=RAILWAY, dice=TO_READING)
    play(game, "A roll", "A bankrupt")
    assert game.over
    assert game.winners == ("B",)
    assert game.cash == (0, 1500)


# --- to the Bank ---


def test_the_banks_auction_sells_the_deeds_unmortgaged_in_board_order() -> None:
    debtor = {"cash": 30, "deeds": ["boardwalk*", "oriental*"]}
    game = position(3, A=debtor, dice=TAXED, rules={"deals": "off"})
    play(game, "A roll", "A bankrupt")
    assert payments(game) == [("A", "bank", 30, Reason.ESTATE)]
    assert (game.actor, game.phase) == ("B", Phase.AUCTION)  # the bankrupt's left bids first
    assert int(game.state["lot_square"]) == 6
    play(game, "B raise:50", "C pass")
    assert int(game.state["lot_square"]) == 39
    play(game, "B pass", "C raise:20")
    assert game.hand("B").deeds == ("oriental",)
    assert game.hand("C").deeds == ("boardwalk",)
    assert int(game.state["mortgaged"]) == 0
    assert game.cash == (0, 1450, 1480)


def test_the_bank_puts_jail_cards_under_their_piles() -> None:
    debtor = {"cash": 0, "cards": ["card_chance", "card_chest"]}
    game = play(position(3, A=debtor, dice=TAXED), "A roll", "A bankrupt")
    assert [event[2] for event in events(game, Event.RETURN_CARD)] == [0, 1]
    hidden = game.position()["hidden"]
    assert (hidden["chance"][-1], hidden["chest"][-1]) == ("ch_goojf", "cc_goojf")


def test_without_auctions_the_bank_keeps_the_deeds() -> None:
    debtor = {"cash": 0, "deeds": ["oriental*"]}
    game = position(3, A=debtor, dice=TAXED, rules={"auctions": False})
    play(game, "A roll", "A bankrupt")
    assert game.owner("oriental") is None
    assert (game.actor, game.phase) == ("B", Phase.TURN)


# --- to several players at once ---


def test_several_creditors_share_the_cash_equally_and_the_bank_sells_the_deeds() -> None:
    """71 and 60 of a mortgage among three: odd dollars go to the left first."""
    debtor = {"at": "new_york", "cash": 71, "deeds": ["connecticut"]}
    game = position(4, turn="B", B=debtor, dice=[(1, 2)], chance=["ch_chairman"])
    play(game, "B roll", "B bankrupt")
    assert [(payment[1], payment[2]) for payment in payments(game) if payment[0] == "B"] == [
        ("C", 44), ("D", 44), ("A", 43),
    ]  # fmt: skip
    assert (game.actor, game.phase) == ("C", Phase.AUCTION)
    assert int(game.state["lot_square"]) == 9


# --- what else ends with a player ---


def test_who_leaves_is_passed_over_from_then_on() -> None:
    game = position(3, A={"cash": 0}, dice=[*TAXED, (4, 6), (4, 6), (1, 1)])
    play(game, "A roll", "A bankrupt", "B roll", "C roll")
    assert (game.turn, game.actor) == ("B", "B")


def test_a_double_thrown_before_gives_no_other_throw() -> None:
    game = position(3, A={"cash": 0}, dice=[(2, 2)])
    play(game, "A roll", "A bankrupt")
    assert (game.turn, game.phase) == ("B", Phase.TURN)


def test_debts_to_a_player_who_has_left_are_void() -> None:
    """A's birthday. B, bankrupt to A, leaves a mortgage whose interest A cannot pay."""
    game = position(
        4, A={"at": "electric", "cash": 0}, B={"cash": 0, "deeds": ["boardwalk*"]}, dice=[(2, 3)],
        chest=["cc_birthday"], rules={"deals": "off"},
    )  # fmt: skip
    play(game, "A roll", "B bankrupt", "A keep:boardwalk", "A bankrupt", "C pass", "D pass")
    assert (game.actor, game.phase) == ("C", Phase.TURN)
    assert game.cash == (0, 0, 1500, 1500)


def test_the_order_of_leaving_is_kept() -> None:
    game = position(4, A={"cash": 0}, B={"cash": 0}, dice=[*TAXED, *TAXED])
    play(game, "A roll", "A bankrupt", "B roll", "B bankrupt")
    assert game.state["out"][:4].tolist() == [1, 2, 0, 0]
