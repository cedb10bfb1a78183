"""The layout that all the rule books share: forty spaces, 28 deeds, ten groups.

        20 free_parking   21 22 23 24 25 26 27 28 29   go_to_jail 30
        19                                                        31
        18   sets of squares are int64 bit masks: bit 37 is       32
        17   park_place, bit 39 boardwalk                         33
        16                                                        34
        15   bits 40 and 41 stand for the two kept cards          35
        14   where deeds and cards are spoken of together         36
        13                                                        37
        12                                                        38
        11                                                        39
        10 jail            9  8  7  6  5  4  3  2  1          go 0

Numbers (prices, rents) belong to an edition and are in the RULES record; displayed names
belong to an edition, too. The ids below are the same in all editions.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

PLAYERS = 8  # seats in a record; a game uses the first 2 to 8
SPACES = 40
NOBODY = -1  # also: the Bank as payer or payee
EVERYONE = -2  # as a creditor: every other player at once

HOTEL = 5  # the level of a hotel, also in the short game

GO = 0
JAIL = 10
FREE_PARKING = 20
GO_TO_JAIL = 30

SPACE_IDS: tuple[str, ...] = tuple(
    (
        "go mediterranean chest_1 baltic income_tax reading oriental chance_1 vermont connecticut "
        "jail st_charles electric states virginia pennsylvania_rr st_james chest_2 tennessee "
        "new_york free_parking kentucky chance_2 indiana illinois bno atlantic ventnor water "
        "marvin go_to_jail pacific north_carolina chest_3 pennsylvania short_line chance_3 "
        "park_place luxury_tax boardwalk"
    ).split()
)

GROUP_IDS: tuple[str, ...] = tuple(
    "brown light_blue pink orange red yellow green dark_blue railroad utility".split()
)
COLORS = 8  # the first eight groups are the color groups, which can be built on
RAILROAD = 8
UTILITY = 9
GROUPS = 10

GROUP_SQUARES: tuple[tuple[int, ...], ...] = (
    (1, 3),
    (6, 8, 9),
    (11, 13, 14),
    (16, 18, 19),
    (21, 23, 24),
    (26, 27, 29),
    (31, 32, 34),
    (37, 39),
    (5, 15, 25, 35),
    (12, 28),
)


class Space(IntEnum):
    """The kinds of spaces."""

    REST = 0  # GO, Jail as a visitor, Free Parking
    STREET = 1
    RAILROAD = 2
    UTILITY = 3
    CHANCE = 4
    CHEST = 5
    TAX = 6
    GO_TO_JAIL = 7


CHANCE_SQUARES = (7, 22, 36)
CHEST_SQUARES = (2, 17, 33)
TAX_SQUARES = (4, 38)

DEEDS: tuple[int, ...] = tuple(sorted(square for group in GROUP_SQUARES for square in group))
STREETS: tuple[int, ...] = tuple(sorted(s for group in GROUP_SQUARES[:COLORS] for s in group))
N_DEEDS = len(DEEDS)
CARD_CHANCE = 40  # the "square" of Chance's Jail card in deals
CARD_CHEST = 41


def _table(
    pairs: dict[int, int], missing: int = NOBODY
) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    table = np.full(SPACES, missing, np.int8)
    for square, value in pairs.items():
        table[square] = value
    return table


def _bits(squares: tuple[int, ...]) -> int:
    return sum(1 << square for square in squares)


GROUP = _table({s: g for g, squares in enumerate(GROUP_SQUARES) for s in squares})
GROUP_BITS = np.array([_bits(squares) for squares in GROUP_SQUARES], np.int64)
GROUP_SIZE = np.array([len(squares) for squares in GROUP_SQUARES], np.int8)
STREET_BITS = _bits(STREETS)
DEED_BITS = _bits(DEEDS)
RAILROAD_BITS = _bits(GROUP_SQUARES[RAILROAD])
UTILITY_BITS = _bits(GROUP_SQUARES[UTILITY])

SPACE = _table(
    {
        **dict.fromkeys(STREETS, int(Space.STREET)),
        **dict.fromkeys(GROUP_SQUARES[RAILROAD], int(Space.RAILROAD)),
        **dict.fromkeys(GROUP_SQUARES[UTILITY], int(Space.UTILITY)),
        **dict.fromkeys(CHANCE_SQUARES, int(Space.CHANCE)),
        **dict.fromkeys(CHEST_SQUARES, int(Space.CHEST)),
        **dict.fromkeys(TAX_SQUARES, int(Space.TAX)),
        GO_TO_JAIL: int(Space.GO_TO_JAIL),
    },
    missing=int(Space.REST),
)
