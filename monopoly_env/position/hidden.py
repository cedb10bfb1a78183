"""The hidden information of a position: random numbers and the order of the decks."""

from __future__ import annotations

from typing import Any

import numpy as np

from monopoly_env.editions.values import PILES
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.cards import CARD_IDS
from monopoly_env.engine.decks import kept_card
from monopoly_env.engine.state import FORCED
from monopoly_env.errors import Location
from monopoly_env.notation import LETTERS
from monopoly_env.position.public_state import CARDS, Record, Rules, flag

HIDDEN_KEYS = ("rng", *PILES, "dice", "dice_used", "dice_only")


def set_hidden(game: Record, rules: Rules, raw: object, location: Location) -> None:
    """Write the given hidden information; cards that are not given follow in the edition's order.

    A Get Out of Jail Free card that a player holds is not in its deck.
    """
    given = location.mapping(raw, "key", HIDDEN_KEYS)
    game["rng"] = (location / "rng").whole(given.get("rng", 0), 0, 2**64 - 1)
    for name, pile in PILES.items():
        named = given.get(name)
        cards = [] if named is None else (location / name).texts(named)
        set_pile(game, rules, pile, cards, location / name)
    set_dice(game, given.get("dice"), location / "dice")
    used = (location / "dice_used").whole(given.get("dice_used", 0), 0, int(game["forced_count"]))
    game["forced_next"] = used
    game["forced_only"] = flag(given.get("dice_only", False), location / "dice_only")


def set_pile(game: Record, rules: Rules, pile: int, named: list[str], location: Location) -> None:
    """Put the named cards on top of a deck, and the others below them."""
    whole = [int(card) for card in rules["deck"][pile][: rules["deck_size"][pile]]]
    holder = int(game["card_holder"][pile])
    kept = kept_card(rules, pile)
    if holder != NOBODY and kept == NOBODY:
        location.fail(f"this edition's deck has no {CARDS[pile]} that {LETTERS[holder]} could hold")
    cards: list[int] = []
    for id_ in named:
        card = CARD_IDS.index(id_) if id_ in CARD_IDS else NOBODY
        if card not in whole:
            location.fail_unknown(id_, "card in this edition's deck", [CARD_IDS[c] for c in whole])
        if card in cards:
            location.fail(f"{id_} occurs twice")
        if holder != NOBODY and card == kept:
            location.fail(f"{id_} is held by {LETTERS[holder]}")
        cards.append(card)
    cards += [card for card in whole if card not in cards and (holder == NOBODY or card != kept)]
    game["deck"][pile] = NOBODY
    game["deck"][pile][: len(cards)] = cards
    game["deck_size"][pile] = game["unseen"][pile] = len(cards)


def set_dice(game: Record, raw: object, location: Location) -> None:
    """Write future throws, given as pairs."""
    if raw is None:
        return
    if not isinstance(raw, list) or len(raw) > FORCED:
        location.fail(f"must be a list of up to {FORCED} throws such as [[2, 4], [6, 6]]")
    for index, pair in enumerate(raw):
        here = location / str(index + 1)
        if not isinstance(pair, list) or len(pair) != 2:
            here.fail(f"must be a throw such as [2, 4], not {pair!r}")
        game["forced"][index] = [here.whole(pips, 1, 6) for pips in pair]
    game["forced_count"] = len(raw)


def describe_hidden(game: Record) -> dict[str, Any]:
    """Return the keys that :func:`set_hidden` reads; decks in full, top card first."""
    document: dict[str, Any] = {"rng": int(game["rng"])}
    for name, pile in PILES.items():
        cards = game["deck"][pile][: game["deck_size"][pile]]
        document[name] = [CARD_IDS[card] for card in cards]
    if game["forced_count"]:
        document["dice"] = game["forced"][: game["forced_count"]].tolist()
        document["dice_used"] = int(game["forced_next"])
    if game["forced_only"]:
        document["dice_only"] = True
    return document


def redraw(game: Record, random: np.random.Generator, keep: tuple[int, int] = (0, 0)) -> None:
    """Redraw hidden information: random numbers, and the order of the cards that nobody has seen.

    The ``keep`` top cards of each deck stay in place.
    """
    game["rng"] = random.integers(0, 2**64, dtype=np.uint64)
    for pile in range(2):
        cards = game["deck"][pile]
        unseen = slice(keep[pile], int(game["unseen"][pile]))
        cards[unseen] = random.permutation(cards[unseen])
