"""Deeds and kept cards change hands; the bit masks that follow from them stay in step."""

from __future__ import annotations

import pytest

from monopoly_env import Game
from monopoly_env.engine import deeds
from monopoly_env.engine.board import CARD_CHANCE, CARD_CHEST, DEEDS, GROUP_IDS, SPACE_IDS
from monopoly_env.engine.journal import Event
from tests.engine.positions import ORANGES, events, play, position

ORANGE, BROWN = GROUP_IDS.index("orange"), GROUP_IDS.index("brown")


def squares(*ids: str) -> int:
    """A bit mask of spaces."""
    return sum(1 << SPACE_IDS.index(id_) for id_ in ids)


def owned(game: Game, seat: int) -> int:
    return int(game.state["owned"][seat])


# --- bits ---


def test_bit_k_of_deeds_is_the_kth_deed_of_the_board() -> None:
    for number, square in enumerate(DEEDS):
        assert deeds.deed_bits(1 << square) == 1 << number
    assert deeds.deed_bits(squares("mediterranean", "reading", "boardwalk")) == 0b101 | 1 << 27
    assert deeds.deed_bits(squares("go", "chance_1", "jail", "luxury_tax")) == 0


def test_kept_cards_follow_the_deeds() -> None:
    assert deeds.item_bits(1 << CARD_CHANCE) == 1 << 28
    assert deeds.item_bits(1 << CARD_CHEST | squares("mediterranean")) == 1 << 29 | 1


# --- changing hands ---


def test_a_deed_bought_is_the_buyers() -> None:
    game = play(position(dice=[(1, 2)]), "A roll", "A buy")
    assert events(game, Event.DEED) == [("A", "bank", 3, 0)]
    assert owned(game, 0) == squares("baltic")
    assert game.owner("baltic") == "A"


def test_a_deed_traded_leaves_its_owner_and_takes_its_mortgage_along() -> None:
    game = position(A={"deeds": ["reading*", "water"]})
    play(game, "A deal:B", "A give:reading", "A ask_cash:50", "A offer", "B accept")
    assert (owned(game, 0), owned(game, 1)) == (squares("water"), squares("reading"))
    assert int(game.state["mortgaged"]) == squares("reading")


def test_a_deed_of_the_bank_is_not_mortgaged() -> None:
    game = position(3, A={"cash": 0, "deeds": ["reading*"]}, dice=[(1, 3)])
    play(game, "A roll", "A bankrupt")
    assert events(game, Event.BANK_DEED) == [("A", "bank", 5, 0)]
    assert game.owner("reading") is None
    assert owned(game, 0) == int(game.state["mortgaged"]) == 0


# --- questions about them ---


@pytest.mark.parametrize(
    ("held", "complete"),
    [
        (ORANGES, True),
        (["st_james*", "tennessee*", "new_york*"], True),  # mortgaged or not
        (ORANGES[:2], False),
        ([], False),
    ],
)
def test_a_group_is_complete_when_one_player_has_all_of_it(held: list[str], complete: bool) -> None:
    game = position(A={"deeds": held}, B={"deeds": ["baltic"]})
    assert deeds.owns_group(game.state, 0, ORANGE) is complete
    assert deeds.owns_group(game.state, 1, BROWN) is False


def test_a_group_is_open_while_none_of_it_is_mortgaged() -> None:
    game = position(A={"deeds": ["st_james*", "baltic"]})
    assert deeds.group_open(game.state, ORANGE) is False
    assert deeds.group_open(game.state, BROWN) is True


def test_one_building_closes_its_whole_group() -> None:
    game = position(A={"deeds": [*ORANGES, "reading"], "buildings": {"new_york": 1}})
    assert deeds.squares_of_built_groups(game.state) == squares(*ORANGES)
    assert deeds.squares_of_built_groups(position().state) == 0


def test_mortgaged_deeds_are_pending_until_their_receiver_has_chosen() -> None:
    game = position(A={"deeds": ["reading*", "water*"]})
    play(game, "A deal:B", "A give:reading", "A give:water", "A ask_cash:50", "A offer", "B accept")
    assert deeds.squares_pending(game.state) == squares("reading", "water")
    play(game, "B keep:reading")
    assert deeds.squares_pending(game.state) == squares("water")
    play(game, "B lift:water")
    assert deeds.squares_pending(game.state) == 0


def test_kept_cards_are_bits_forty_and_forty_one() -> None:
    game = position(A={"cards": ["card_chance"]}, B={"cards": ["card_chest"]})
    assert deeds.kept_cards(game.state, 0) == 1 << 40
    assert deeds.kept_cards(game.state, 1) == 1 << 41


def test_the_next_player_is_the_next_seat_that_is_in_the_game() -> None:
    game = position(4, B={"out": True}, D={"out": True})
    assert [deeds.next_alive(game.state, seat) for seat in range(4)] == [2, 2, 0, 0]
    assert deeds.alive_count(game.state) == 2
