"""Chance outcomes: enumerate the dice and cards that an action may bring, and play chosen ones.

Probabilities use public information only: all rolls of two dice are equally likely, and so are
all cards of a deck that nobody has seen since it was shuffled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from monopoly_env.compiler.records import Records, copy_records
from monopoly_env.engine import entry_points
from monopoly_env.engine.cards import CARD_IDS
from monopoly_env.engine.journal import Event, new_journals
from monopoly_env.engine.state import FORCED
from monopoly_env.errors import InputError, Location, show, suggest

Throw = tuple[int, int]
THROWS: tuple[Throw, ...] = tuple((one, other) for one in range(1, 7) for other in range(1, 7))
HELD = ("forced", "forced_count", "forced_next", "forced_only", "dice_missing")  # restored


@dataclass(frozen=True, slots=True)
class ChanceOutcome:
    """The dice and cards of one action, in order, and their probability.

    ``dice`` holds rolls of two dice, ``cards`` the ids of cards. Either may be empty.
    """

    dice: tuple[Throw, ...]
    cards: tuple[str, ...]
    probability: float


@dataclass(frozen=True, slots=True)
class Played:
    """A position after an action, its journal, and the rolls and cards that occurred, in order."""

    games: Records
    journals: Records
    came: tuple[Throw | int, ...]  # cards by number


def play_with(
    games: Records, rules: Records, action: int, dice: Sequence[Throw], cards: Sequence[int]
) -> Played:
    """Play a legal action on a copy of GAME[1], with the given first rolls and cards.

    Each card must be one of :func:`cards_to_come`.
    """
    tried, journals = copy_records(games), new_journals(1)
    _stack(tried[0], cards)
    tried["forced"][0, : len(dice)] = list(dice) or 0
    tried["forced_count"], tried["forced_next"], tried["forced_only"] = len(dice), 0, 0
    entry_points.step(tried, 0, rules, journals, action)
    for name in HELD:
        tried[name] = games[name]
    events = journals[0]["events"][: journals[0]["length"]]
    came = tuple(
        (int(e["square"]), int(e["amount"])) if e["kind"] == Event.THROW else int(e["square"])
        for e in events
        if e["kind"] in (Event.THROW, Event.CARD)
    )
    return Played(tried, journals, came)


def _stack(game: Any, cards: Sequence[int]) -> None:
    """Move cards to the top of their decks, in order; the other cards keep their order."""
    placed = [0, 0]
    for card in cards:
        pile = pile_of(game, card)
        row = game["deck"][pile].tolist()
        at = row.index(card)
        row.insert(placed[pile], row.pop(at))
        game["deck"][pile] = row
        placed[pile] += 1


def pile_of(game: Any, card: int) -> int:
    """Return the deck that holds a card: 0 Chance, 1 Community Chest; -1 if a player holds it."""
    for pile in range(2):
        if card in game["deck"][pile][: game["deck_size"][pile]].tolist():
            return pile
    return -1


def cards_to_come(game: Any, pile: int, drawn: Sequence[int]) -> list[int]:
    """Return the cards that may be drawn next from a deck, after ``drawn`` in the same action.

    They are equally likely. A single card means that the next card is publicly known.
    """
    gone = [card for card in drawn if pile_of(game, card) == pile]
    row = game["deck"][pile][: game["deck_size"][pile]].tolist()
    unseen = int(game["unseen"][pile])
    if len(gone) < unseen:
        return [card for card in row[:unseen] if card not in gone]
    rest = [card for card in row[unseen:] if card not in gone]
    return rest[:1] or gone[:1]


def outcomes(games: Records, rules: Records, action: int) -> Iterator[ChanceOutcome]:
    """Yield every chance outcome of a legal action; the probabilities sum to 1."""
    seen = copy_records(games)
    entry_points.wipe_hidden(seen, 0)
    yield from _outcomes(seen, rules, action, (), (), 1.0)


def _outcomes(
    games: Records,
    rules: Records,
    action: int,
    dice: tuple[Throw, ...],
    cards: tuple[int, ...],
    probability: float,
) -> Iterator[ChanceOutcome]:
    """Yield the outcomes that begin with these rolls and cards, by branching on the next one."""
    came = play_with(games, rules, action, dice, cards).came
    throws, drawn = len(dice), len(cards)
    for one in came:
        if isinstance(one, tuple):
            if throws == 0:
                for throw in THROWS:
                    ways = (*dice, throw)
                    yield from _outcomes(games, rules, action, ways, cards, probability / 36)
                return
            throws -= 1
        elif drawn == 0:
            known = cards_to_come(games[0], pile_of(games[0], one), cards)
            share = probability / len(known)
            for card in known:
                yield from _outcomes(games, rules, action, dice, (*cards, card), share)
            return
        else:
            drawn -= 1
    yield ChanceOutcome(dice, tuple(CARD_IDS[card] for card in cards), probability)


# Validate dice and cards from callers


def read_dice(given: object) -> tuple[Throw, ...]:
    """Return the rolls that a caller passed: one, or a list. Raises: InputError."""
    location = InputError.at("dice")
    if given is None:
        return ()
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) > FORCED:
        location.fail(f"must be a throw, such as (3, 4), or a list of throws, not {show(given)}")
    throws = [given] if len(given) == 2 and not isinstance(given[0], Sequence) else list(given)
    return tuple(_read_throw(throw, location) for throw in throws)


def _read_throw(throw: object, location: Location) -> Throw:
    if not isinstance(throw, Sequence) or isinstance(throw, str) or len(throw) != 2:
        location.fail(f"must be two dice, such as (3, 4), not {show(throw)}")
    return location.index(throw[0], 1, 6), location.index(throw[1], 1, 6)


def read_cards(given: object, game: Any) -> tuple[int, ...]:
    """Return the numbers of cards passed by id; each must be drawable. Raises: InputError."""
    location = InputError.at("card")
    if given is None:
        return ()
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, Sequence):
        location.fail(
            f"must be the id of a card, such as ch_go, or a list of ids, not {show(given)}"
        )
    cards: list[int] = []
    for name in names:
        if not isinstance(name, str) or name not in CARD_IDS:
            location.fail(f"there is no card {show(name)}; {suggest(str(name)[:50], CARD_IDS)}")
        card = CARD_IDS.index(name)
        pile = pile_of(game, card)
        if pile < 0 or card not in cards_to_come(game, pile, cards):
            location.fail(
                f"{name} cannot be drawn next: it is kept, or has been drawn since the shuffle"
            )
        cards.append(card)
    return tuple(cards)


def check_used(played: Played, dice: Sequence[Throw], cards: Sequence[int]) -> None:
    """Refuse rolls and cards that the action did not use. Raises: InputError."""
    throws = sum(isinstance(one, tuple) for one in played.came)
    drawn = len(played.came) - throws
    if throws < len(dice):
        InputError.at("dice").fail(
            f"this action makes {throws} throws, not {len(dice)}; give fewer"
        )
    if drawn < len(cards):
        InputError.at("card").fail(f"this action draws {drawn} cards, not {len(cards)}; give fewer")
