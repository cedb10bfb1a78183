"""The lay-out that all the rule books share."""

from __future__ import annotations

from collections import Counter

import pytest

from monopoly_env.engine import board
from monopoly_env.engine.board import GROUP_IDS, SPACE_IDS, Space


def test_forty_spaces_twenty_eight_deeds_ten_groups() -> None:
    assert len(SPACE_IDS) == len(set(SPACE_IDS)) == 40
    assert len(board.DEEDS) == 28
    assert len(board.STREETS) == 22
    assert len(GROUP_IDS) == len(board.GROUP_SQUARES) == 10


def test_how_many_spaces_there_are_of_each_kind() -> None:
    assert Counter(Space(kind) for kind in board.SPACE) == {
        Space.STREET: 22, Space.RAILROAD: 4, Space.UTILITY: 2, Space.CHANCE: 3, Space.CHEST: 3,
        Space.TAX: 2, Space.GO_TO_JAIL: 1, Space.REST: 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("square", "id_"),
    [(0, "go"), (10, "jail"), (20, "free_parking"), (30, "go_to_jail"), (4, "income_tax"),
     (38, "luxury_tax"), (1, "mediterranean"), (39, "boardwalk"), (12, "electric"), (28, "water")],
)  # fmt: skip
def test_where_spaces_lie(square: int, id_: str) -> None:
    assert SPACE_IDS[square] == id_


def test_railroads_lie_in_the_middle_of_each_side() -> None:
    assert board.GROUP_SQUARES[board.RAILROAD] == (5, 15, 25, 35)


def test_the_first_and_the_last_color_have_two_streets_the_others_three() -> None:
    assert board.GROUP_SIZE.tolist() == [2, 3, 3, 3, 3, 3, 3, 2, 4, 2]


def test_groups_and_masks_name_the_same_squares() -> None:
    for group, squares in enumerate(board.GROUP_SQUARES):
        assert int(board.GROUP_BITS[group]) == sum(1 << square for square in squares)
        assert {int(board.GROUP[square]) for square in squares} == {group}
    assert sum(1 for group in board.GROUP if group == board.NOBODY) == 12
    assert sum(1 << square for square in board.DEEDS) == board.DEED_BITS
    assert board.DEED_BITS == board.STREET_BITS | board.RAILROAD_BITS | board.UTILITY_BITS


def test_kept_cards_have_bits_beyond_the_board() -> None:
    assert (board.CARD_CHANCE, board.CARD_CHEST) == (40, 41)
