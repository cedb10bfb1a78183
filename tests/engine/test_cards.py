"""Chance and Community Chest: what each card makes its drawer do."""

from __future__ import annotations

from typing import Any

import pytest

from monopoly_env import Game
from monopoly_env.editions import load_edition
from monopoly_env.engine.decks import CARD_IDS
from monopoly_env.engine.journal import Event, Reason
from monopoly_env.engine.phases import Phase
from tests.engine.positions import (
    BROWNS,
    DARK_BLUES,
    EDITIONS,
    ORANGES,
    events,
    payments,
    play,
    position,
)

Given = dict[str, Any]

# A comes from GO to the first Chance space (7), from New York to the second (22), from the B. & O.
# (25) to the third (36), and from the Electric Company (12) to the Community Chest beyond it (17).
TO_CHANCE_1: Given = {"A": {"at": "go"}, "dice": [(3, 4)]}
TO_CHANCE_2: Given = {"A": {"at": "new_york"}, "dice": [(1, 2)]}
TO_CHANCE_3: Given = {"A": {"at": "bno"}, "dice": [(5, 6)]}
TO_CHEST: Given = {"A": {"at": "electric"}, "dice": [(2, 3)]}


# --- money ---

FROM_THE_BANK = {
    "ch_dividend": 50, "ch_loan": 150, "cc_bank_error": 200, "cc_inherit": 100,
    "cc_life_insurance": 100, "cc_holiday_fund": 100, "cc_tax_refund": 20, "cc_services": 25,
    "cc_beauty": 10, "cc_stock": 50,
}  # fmt: skip
TO_THE_BANK = {
    "ch_small_fine": 15, "cc_doctor": 50, "cc_hospital": 100, "cc_school": 50,
}  # fmt: skip


def drawn(card: str, edition: str = "classic", **more: Any) -> Game:
    """The game right after A has drawn a card on a Chance or Community Chest space."""
    of_chance = card.startswith("ch_")
    start = TO_CHANCE_2 if of_chance else TO_CHEST
    pile = {"chance" if of_chance else "chest": [card]}
    return play(position(edition=edition, **{**start, **pile, **more}), "A roll")


@pytest.mark.parametrize("card", FROM_THE_BANK)
def test_the_bank_pays_what_the_card_says(card: str) -> None:
    game = drawn(card)
    assert payments(game) == [("bank", "A", FROM_THE_BANK[card], Reason.CARD)]


@pytest.mark.parametrize("card", TO_THE_BANK)
def test_the_drawer_pays_what_the_card_says(card: str) -> None:
    assert payments(drawn(card)) == [("A", "bank", TO_THE_BANK[card], Reason.CARD)]


@pytest.mark.parametrize("edition", ["pokemon1999", "pokemon_fr2000"])
@pytest.mark.parametrize(("card", "cash"), [("cc_stock", 1545), ("cc_school", 1350)])
def test_the_decks_before_2008_have_other_amounts(edition: str, card: str, cash: int) -> None:
    assert drawn(card, edition).cash == (cash, 1500)


def test_every_other_player_pays_for_a_birthday() -> None:
    game = drawn("cc_birthday", players=4, C={"out": True})
    assert payments(game) == [("B", "A", 10, Reason.CARD), ("D", "A", 10, Reason.CARD)]


def test_every_other_player_pays_for_a_night_at_the_opera() -> None:
    assert drawn("cc_opera", "pokemon1999", players=3).cash == (1600, 1450, 1450)


def test_who_cannot_pay_for_a_birthday_is_asked_before_the_next_pays() -> None:
    game = drawn("cc_birthday", players=3, B={"cash": 5, "deeds": ["baltic"]})
    assert (game.actor, game.phase) == ("B", Phase.DEBT)
    assert game.cash == (1500, 5, 1500)
    play(game, "B mortgage:baltic")
    assert game.cash == (1520, 25, 1490)


def test_the_chair_of_the_board_pays_every_other_player() -> None:
    assert drawn("ch_chairman", players=4, C={"out": True}).cash == (1400, 1550, 0, 1550)


def test_the_chair_owes_all_at_once_or_one_after_the_other() -> None:
    """Has 60 and owes 50 to each of two."""
    poor = {"A": {"at": "new_york", "cash": 60, "deeds": ["boardwalk"]}, "players": 3}
    assert drawn("ch_chairman", **poor).cash == (60, 1500, 1500)
    in_turn = drawn("ch_chairman", **poor, rules={"creditors_in_turn": True})
    assert in_turn.cash == (10, 1550, 1500)
    assert (in_turn.actor, in_turn.phase) == ("A", Phase.DEBT)
    play(in_turn, "A mortgage:boardwalk")
    assert (in_turn.cash, in_turn.phase) == ((160, 1550, 1550), Phase.END)


@pytest.mark.parametrize(
    ("card", "due"), [("ch_repairs", 3 * 25 + 2 * 100), ("cc_street_repairs", 3 * 40 + 2 * 115)]
)
def test_repairs_count_the_drawers_houses_and_hotels(card: str, due: int) -> None:
    mine = {
        "deeds": [*ORANGES, *BROWNS],
        "buildings": {**dict.fromkeys(ORANGES, 1), **dict.fromkeys(BROWNS, 5)},
    }
    theirs = {"deeds": DARK_BLUES, "buildings": {"boardwalk": 1}}
    at = "new_york" if card == "ch_repairs" else "electric"
    game = drawn(card, A={"at": at, **mine}, B=theirs)
    assert payments(game) == [("A", "bank", due, Reason.CARD)]


def test_without_buildings_repairs_cost_nothing() -> None:
    assert drawn("ch_repairs").cash == (1500, 1500)


# --- moves ---


@pytest.mark.parametrize(
    ("card", "square", "salary"),
    [
        ("ch_go", "go", 200),
        ("ch_illinois", "illinois", 0),  # from Chance on 22, two spaces on
        ("ch_st_charles", "st_charles", 200),
        ("ch_reading", "reading", 200),
        ("ch_boardwalk", "boardwalk", 0),
        ("ch_utility", "water", 0),
        ("ch_rail_1", "bno", 0),
        ("ch_rail_2", "bno", 0),
        ("ch_back3", "new_york", 0),
    ],
)
def test_a_move_goes_forward_and_pays_at_go(card: str, square: str, salary: int) -> None:
    game = drawn(card)
    assert game.hand("A").at == square
    assert game.cash == (1500 + salary, 1500)


def test_advance_to_go_of_the_chest_pays_the_salary() -> None:
    game = drawn("cc_go")
    assert (game.hand("A").at, game.cash) == ("go", (1700, 1500))


@pytest.mark.parametrize(
    ("start", "railroad", "utility", "pay_at_go"),
    [(TO_CHANCE_1, "pennsylvania_rr", "electric", 0), (TO_CHANCE_3, "reading", "electric", 200)],
)
def test_the_nearest_is_the_next_one_ahead(
    start: Given, railroad: str, utility: str, pay_at_go: int
) -> None:
    """From the last Chance space both lie beyond GO."""
    for card, square in (("ch_rail_1", railroad), ("ch_utility", utility)):
        game = play(position(**start, chance=[card]), "A roll")
        assert (game.hand("A").at, game.cash[0]) == (square, 1500 + pay_at_go)


def test_the_space_a_card_leads_to_is_resolved_in_full() -> None:
    """An unowned one can be bought, three back from 7 is the income tax, from 36 another card."""
    assert drawn("ch_illinois").phase is Phase.BUY
    taxed = play(position(**TO_CHANCE_1, chance=["ch_back3"]), "A roll")
    assert (taxed.hand("A").at, taxed.cash) == ("income_tax", (1300, 1500))
    again = position(**TO_CHANCE_3, chance=["ch_back3"], chest=["cc_inherit"])
    play(again, "A roll")
    assert (again.hand("A").at, again.cash) == ("chest_3", (1600, 1500))


@pytest.mark.parametrize("card", ["ch_jail", "cc_jail"])
def test_go_to_jail_passes_no_go(card: str) -> None:
    game = drawn(card)
    assert game.hand("A").in_jail
    assert game.hand("A").at == "jail"
    assert game.cash == (1500, 1500)
    assert game.actor == "B"


@pytest.mark.parametrize(
    ("card", "kept"), [("ch_goojf", "card_chance"), ("cc_goojf", "card_chest")]
)
def test_get_out_of_jail_free_is_kept(card: str, kept: str) -> None:
    game = drawn(card)
    assert game.hand("A").cards == (kept,)
    assert [event[0] for event in events(game, Event.KEEP_CARD)] == ["A"]


# --- the decks ---


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_card_of_any_edition_is_left_untested(edition: str) -> None:
    tested = {
        *FROM_THE_BANK, *TO_THE_BANK, "cc_birthday", "cc_opera", "ch_chairman", "ch_repairs",
        "cc_street_repairs", "ch_go", "ch_illinois", "ch_st_charles", "ch_reading",
        "ch_boardwalk", "ch_utility", "ch_rail_1", "ch_rail_2", "ch_back3", "cc_go", "ch_jail",
        "cc_jail", "ch_goojf", "cc_goojf",
    }  # fmt: skip
    rules = load_edition(edition).rules[0]
    assert rules["deck_size"].tolist() == [16, 16]
    assert {CARD_IDS[card] for pile in rules["deck"] for card in pile} <= tested
