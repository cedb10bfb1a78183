"""The names of a generated edition, drawn from word lists, independent of its numbers."""

from __future__ import annotations

from typing import Any

from monopoly_env.editions.generated import words
from monopoly_env.editions.generated.draws import Draws
from monopoly_env.engine.board import (
    COLORS,
    GROUP_IDS,
    GROUP_SQUARES,
    PLAYERS,
    RAILROAD,
    SPACE_IDS,
    TAX_SQUARES,
    UTILITY,
)
from monopoly_env.engine.cards import CARD_IDS, CardKind

PILES = ("chance", "chest")
# The rules refer to these spaces, so they keep their names
CORNERS = {
    "go": "GO",
    "jail": "Jail / Just Visiting",
    "free_parking": "Free Parking",
    "go_to_jail": "Go To Jail",
}


def names_of(draws: Draws) -> dict[str, Any]:
    """Return the names in the form of an edition file."""
    currency, symbol = draws.pick("currency", words.CURRENCIES)
    house, hotel = draws.pick("buildings", words.BUILDINGS)
    stations, station = draws.pick("stations", words.STATIONS)
    quarters = draws.order("quarters", words.QUARTERS)
    groups = dict(zip(GROUP_IDS[:COLORS], quarters, strict=False))
    groups |= {
        GROUP_IDS[RAILROAD]: stations,
        GROUP_IDS[UTILITY]: draws.pick("utilities", words.UTILITY_GROUPS),
    }
    return {
        "currency": {"name": currency, "symbol": symbol},
        "house": list(house),
        "hotel": list(hotel),
        "jail_card": draws.pick("jail card", words.JAIL_CARDS),
        "decks": dict(zip(PILES, draws.pick("piles", words.PILES), strict=True)),
        "tokens": draws.order("tokens", words.TOKENS)[:PLAYERS],
        "groups": groups,
        "spaces": CORNERS | _streets(draws) | _others(draws, station),
    }


def _streets(draws: Draws) -> dict[str, str]:
    """Return the street names: the first word is unique, each group shares a last word."""
    firsts, lasts = draws.order("first words", words.FIRST), draws.order("streets", words.STREETS)
    return {
        SPACE_IDS[square]: f"{firsts.pop()} {lasts[group]}"
        for group, squares in enumerate(GROUP_SQUARES[:COLORS])
        for square in squares
    }


def _others(draws: Draws, station: str) -> dict[str, str]:
    """Return the names of railroads, utilities, taxes and card spaces."""
    firsts = draws.order("first words", words.FIRST)  # streets take theirs from the end
    utilities, taxes = draws.order("works", words.UTILITIES), draws.order("taxes", words.TAXES)
    railroads = [f"{first} {station}" for first in firsts]
    named: dict[str, str] = {}
    for squares, names in (
        (GROUP_SQUARES[RAILROAD], railroads),
        (GROUP_SQUARES[UTILITY], utilities),
        (TAX_SQUARES, taxes),
    ):
        named |= {SPACE_IDS[square]: name for square, name in zip(squares, names, strict=False)}
    decks = draws.pick("piles", words.PILES)
    for pile, deck in zip(PILES, decks, strict=True):
        named |= {space: deck for space in SPACE_IDS if space.startswith(f"{pile}_")}
    return named


def labels_of(draws: Draws, base: Any) -> dict[str, str]:
    """Return the card labels by id; the kinds are those of ``base``, a RULES record."""
    reasons = {
        kind: draws.order(f"reasons {kind.name}", texts)
        for kind, texts in (
            (CardKind.COLLECT, words.GAINS),
            (CardKind.PAY, words.COSTS),
            (CardKind.COLLECT_EACH, words.GAINS_OF_EACH),
            (CardKind.PAY_EACH, words.COSTS_OF_EACH),
            (CardKind.REPAIRS, words.REPAIRS),
        )
    }
    moves = draws.order("moves", words.MOVES)
    return {
        name: _label(CardKind(int(base["card_kind"][card])), reasons, moves[card % len(moves)])
        for card, name in enumerate(CARD_IDS)
    }


def _label(kind: CardKind, reasons: dict[CardKind, list[str]], move: str) -> str:
    """Return the label of a card; each reason is used once."""
    reason = reasons[kind].pop() if kind in reasons else ""
    return {
        CardKind.MOVE_TO: f"{move} {{space}}",
        CardKind.NEAREST_RAILROAD: (
            f"{move} the next of the {{railroads}}; an owner gets twice the rent"
        ),
        CardKind.NEAREST_UTILITY: (
            f"{move} the next of the {{utilities}}; an owner gets 10 × a fresh throw"
        ),
        CardKind.BACK: "Go back {number} spaces",
        CardKind.GO_TO_JAIL: "Straight to Jail, no salary",
        CardKind.KEEP: "{jail_card}: keep, play or sell it",
        CardKind.COLLECT: f"{reason}: collect {{amount}}",
        CardKind.PAY: f"{reason}: pay {{amount}}",
        CardKind.COLLECT_EACH: f"{reason}: {{amount}} from every other player",
        CardKind.PAY_EACH: f"{reason}: {{amount}} to every other player",
        CardKind.REPAIRS: f"{reason}: {{amount}} per {{house}}, {{hotel_amount}} per {{hotel}}",
    }[kind]
