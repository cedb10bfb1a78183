"""The numbers of a generated edition: classic's, varied as far as the dial allows.

=============================  ================  ====================================================
what                           range at dial 1   how
=============================  ================  ====================================================
values of the color groups     any order         colors swap prices and rents; at dial 0.5 a color
                                                 moves some places from its own
prices of a group              1/1.6 to 1.6      one factor per group, and one per deed up to 1.15
rents of a group               1/1.6 to 1.6      one factor per group; rents with buildings also
                                                 grow up to 1.3 times as steeply, or as flatly
prices of buildings            1/1.5 to 1.5      one factor per group
rents of railroads, utilities  1/1.6 to 1.6      one factor each, and one for their prices
starting cash                  1/1.35 to 1.35
GO, fine, houses, hotels       1/1.5 to 1.5      one factor each
taxes, amounts on cards        1/2 to 2          one factor each
cards that move                any deed          each with probability dial
cards in the decks             11 to 16 each     money cards are left out with probability 0.3 dial
=============================  ================  ====================================================

Switches, the cost of mortgages, and everything else are classic's.
"""

from __future__ import annotations

from typing import Any

from monopoly_env.editions.generated.draws import Draws
from monopoly_env.editions.values import FIELDS, Value
from monopoly_env.engine.board import (
    COLORS,
    DEEDS,
    GROUP_SQUARES,
    RAILROAD,
    SPACE_IDS,
    TAX_SQUARES,
    UTILITY,
)
from monopoly_env.engine.cards import CARD_IDS, CardKind

Values = list[tuple[str, Value]]
GROUP_RANGE, DEED_RANGE, STEEPNESS, BUILDING_RANGE = 1.6, 1.15, 1.3, 1.5
CASH_RANGE, RULE_RANGE, MONEY_RANGE = 1.35, 1.5, 2.0
LEFT_OUT = 0.3  # probability at dial 1
LEAST_CARDS = 11  # minimum size of a deck
STEPS_BACK = (2, 4, 5)  # classic's is 3
MONEY_KINDS = (CardKind.COLLECT, CardKind.PAY, CardKind.COLLECT_EACH, CardKind.PAY_EACH)
# Amounts are rounded to printable ones: below $50 to $1, below $200 to $5 …
ROUNDING = ((50, 1), (200, 5), (400, 10), (1300, 25), (4000, 50))
COARSEST = 100
MONEY_STEP = 5  # $, of all amounts except rents


def rounded(amount: float, finest: int = 1) -> int:
    """Return an amount rounded as on printed boards, in steps of at least ``finest``; never 0.

    Classic's own amounts do not change.
    """
    step = max(next((step for below, step in ROUNDING if amount < below), COARSEST), finest)
    return step * max(int(amount / step + 0.5), 1)


def numbers_of(draws: Draws, dial: float, base: Any) -> Values:
    """Return the rules that differ from ``base``, a RULES record of the classic edition."""
    return [
        *_colors(draws, dial, base),
        *_railroads_and_utilities(draws, dial, base),
        *_single_numbers(draws, dial, base),
        *_cards(draws, dial, base),
        *_piles(draws, dial, base),
    ]


# --- the board ---


def _colors(draws: Draws, dial: float, base: Any) -> Values:
    """Return prices, building prices and rents of the streets."""
    board: dict[str, dict[str, Any]] = {
        "price": {}, "mortgage": {}, "house_price": {}, "hotel_price": {}, "rent": {}
    }  # fmt: skip
    for group, source in enumerate(ranks_of_groups(draws, dial)):
        building = draws.factor(f"group {group} building", BUILDING_RANGE, dial)
        price_factor = draws.factor(f"group {group} price", GROUP_RANGE, dial)
        level = draws.factor(f"group {group} rent", GROUP_RANGE, dial)
        steep = draws.factor(f"group {group} steepness", STEEPNESS, dial)
        for place, square in enumerate(GROUP_SQUARES[group]):
            like = _counterpart(source, place, len(GROUP_SQUARES[group]))
            space = SPACE_IDS[square]
            own = draws.factor(f"{space} price", DEED_RANGE, dial)
            price = rounded(int(base["price"][like]) * price_factor * own, MONEY_STEP)
            house = rounded(int(base["house_price"][like]) * building, MONEY_STEP)
            board["price"][space], board["mortgage"][space] = price, price // 2
            board["house_price"][space] = board["hotel_price"][space] = house
            board["rent"][space] = _rents(base["rent"][like].tolist(), level, steep)
    return list(board.items())


def ranks_of_groups(draws: Draws, dial: float) -> list[int]:
    """Return the color group of classic from which each group takes its numbers."""
    keys = [group + COLORS * dial * draws.swing(f"group {group} rank") for group in range(COLORS)]
    by_key = sorted(range(COLORS), key=keys.__getitem__)
    return [by_key.index(group) for group in range(COLORS)]


def _counterpart(group: int, place: int, size: int) -> int:
    """Return the square whose numbers a street takes; groups of two use the first and last."""
    squares = GROUP_SQUARES[group]
    if len(squares) == size:
        return squares[place]
    return squares[-1] if place == size - 1 else squares[0]


def _rents(rents: list[int], level: float, steep: float) -> list[int]:
    """Return the rents of a street, bare to hotel, strictly increasing."""
    top = len(rents) - 1
    scaled = [rent * level * (1.0 + (steep - 1.0) * k / top) for k, rent in enumerate(rents)]
    found: list[int] = []
    for rent in scaled:
        found.append(max(rounded(rent), found[-1] + 1 if found else 1))
    return found


def _railroads_and_utilities(draws: Draws, dial: float, base: Any) -> Values:
    """Return the prices and rents of railroads and utilities."""
    prices, mortgages = {}, {}
    for group, name in ((RAILROAD, "railroads"), (UTILITY, "utilities")):
        factor = draws.factor(f"{name} price", GROUP_RANGE, dial)
        for square in GROUP_SQUARES[group]:
            price = rounded(int(base["price"][square]) * factor, MONEY_STEP)
            prices[SPACE_IDS[square]], mortgages[SPACE_IDS[square]] = price, price // 2
    level = draws.factor("railroads rent", GROUP_RANGE, dial)
    rents = [rounded(rent * level) for rent in base["railroad_rent"].tolist()]
    times = [
        rounded(number * draws.factor("utilities rent", GROUP_RANGE, dial))
        for number in base["utility_multiplier"].tolist()
    ]
    times[1] = max(times[1], times[0] + 1)
    return [
        ("price", prices),
        ("mortgage", mortgages),
        ("railroad_rent", rents),
        ("utility_multiplier", times),
    ]


# --- the other numbers ---


def _single_numbers(draws: Draws, dial: float, base: Any) -> Values:
    """Return starting cash, salary, fine, buildings and taxes."""
    values: Values = []
    for name in ("start_cash", "salary", "jail_fine", "houses", "hotels"):
        most = CASH_RANGE if name == "start_cash" else RULE_RANGE
        step = 1 if name in ("houses", "hotels") else MONEY_STEP
        values.append((name, rounded(int(base[name]) * draws.factor(name, most, dial), step)))
    taxes: dict[str, Any] = {
        SPACE_IDS[square]: rounded(
            int(base["tax"][square]) * draws.factor(f"tax {square}", MONEY_RANGE, dial), MONEY_STEP
        )
        for square in TAX_SQUARES
    }
    return [*values, ("tax", taxes)]


# --- the cards ---


def _cards(draws: Draws, dial: float, base: Any) -> Values:
    """Return the amounts and destinations of the cards."""
    amounts: dict[str, Any] = {}
    hotels: dict[str, Any] = {}
    squares: dict[str, Any] = {}
    free = [square for square in DEEDS if square not in base["card_square"].tolist()]
    for card, name in enumerate(CARD_IDS):
        kind, amount = int(base["card_kind"][card]), int(base["card_amount"][card])
        moves = draws.share(f"{name} moves") < dial
        if kind in (*MONEY_KINDS, CardKind.REPAIRS):
            factor = draws.factor(f"{name} amount", MONEY_RANGE, dial)
            amounts[name] = rounded(amount * factor, MONEY_STEP)
            if kind == CardKind.REPAIRS:
                hotels[name] = rounded(int(base["card_hotel"][card]) * factor, MONEY_STEP)
        elif kind == CardKind.BACK and moves:
            amounts[name] = draws.pick(f"{name} steps", STEPS_BACK)
        elif kind == CardKind.MOVE_TO and moves and int(base["card_square"][card]) in DEEDS:
            square = draws.pick(f"{name} square", free)
            free.remove(square)
            squares[name] = square
    return [("card_amount", amounts), ("card_hotel", hotels), ("card_square", squares)]


def _piles(draws: Draws, dial: float, base: Any) -> Values:
    """Return the cards of each deck; games shuffle them later."""
    most = FIELDS["deck"].shape[1]
    decks, sizes = {}, {}
    for pile, name in enumerate(("chance", "chest")):
        cards = base["deck"][pile][: int(base["deck_size"][pile])].tolist()
        money = [card for card in cards if int(base["card_kind"][card]) in MONEY_KINDS]
        out = [c for c in money if draws.share(f"{CARD_IDS[c]} left out") < LEFT_OUT * dial]
        out = out[: len(cards) - LEAST_CARDS]
        left = [card for card in cards if card not in out]
        decks[name], sizes[name] = left + [-1] * (most - len(left)), len(left)
    return [("deck", decks), ("deck_size", sizes)]
