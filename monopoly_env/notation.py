"""Conversion between action ids, seats and their text.

An action is written ``name`` or ``name:argument``, as in the table of
:mod:`monopoly_env.engine.actions`. Ids name seats relative to the actor (``left1``). Text names
seats by letter, A to H, so that it reads the same for everybody.

>>> format_action(parse_action("deal:C", actor=1, players=4), actor=1, players=4)
'deal:C'
>>> parse_action("deal:C", actor=1, players=4) == parse_action("deal:B", actor=0, players=4)
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from monopoly_env.engine.actions import (
    ARGUMENTS,
    COLOR_GROUP,
    DEED,
    ITEM,
    KINDS,
    NONE,
    OFFER,
    SEAT,
    SPACE,
    STEP,
    STREET,
    TEXTS,
    Argument,
)
from monopoly_env.engine.board import GROUP_IDS, NOBODY, PLAYERS, SPACE_IDS
from monopoly_env.engine.why import Why
from monopoly_env.errors import InputError, NoSuchItem, show, suggest

LETTERS = "ABCDEFGH"


class NotAnAction(ValueError):  # noqa: N818  (the name says what it is)
    """Text that is not an action. ``reason`` says why it can never be legal."""

    def __init__(self, message: str, reason: Why = Why.NO_SUCH_ACTION) -> None:
        super().__init__(message)
        self.reason = reason


def letter_of(seat: int) -> str | None:
    """Return the letter of a seat; None for nobody."""
    return None if seat == NOBODY else LETTERS[seat]


def seat_of(letter: str, players: int = PLAYERS) -> int:
    """Return the seat of a letter. Raises: InputError if no player has that letter."""
    seat = LETTERS.find(letter) if len(letter) == 1 else -1
    if not 0 <= seat < players:
        InputError.at("player").fail(
            f"no player {show(letter)}; players are {', '.join(LETTERS[:players])}"
        )
    return seat


@lru_cache(maxsize=128)
def action_texts(actor: int, players: int) -> tuple[str, ...]:
    """Return the text of every action, by id, for one actor; empty seats stay relative."""
    first = TEXTS.index(f"{_SEAT_KIND}:{SEAT.labels[0]}")
    texts = list(TEXTS)
    for left in range(1, players):
        texts[first + left - 1] = f"{_SEAT_KIND}:{LETTERS[(actor + left) % players]}"
    return tuple(texts)


_SEAT_KIND = "deal"  # the one kind of action that names a seat


@lru_cache(maxsize=128)
def action_ids(actor: int, players: int) -> dict[str, int]:
    """Return a mapping from text to action id, for one actor."""
    return {text: action for action, text in enumerate(action_texts(actor, players))}


def format_action(action: int, actor: int, players: int) -> str:
    """Return an action id as text, seats as letters. Raises: NoSuchItem for an unknown id."""
    texts = action_texts(actor, players)
    if type(action) is int and 0 <= action < len(texts):
        return texts[action]
    return texts[NoSuchItem.at("action").index(action, 0, len(texts) - 1)]


def format_actions(actions: Iterable[int], actor: int, players: int) -> list[str]:
    """Return action ids as text."""
    texts = action_texts(actor, players)
    return [texts[action] for action in actions]


def parse_action(text: str, actor: int, players: int) -> int:
    """Return the id of an action given as text, with seats as letters.

    Raises: NotAnAction, with the reason why it can never be legal.
    """
    action = action_ids(actor, players).get(text)
    if action is None:
        reason, message = _why_never(text, actor)
        raise NotAnAction(message, reason)
    return action


def _why_never(text: str, actor: int) -> tuple[Why, str]:
    """Return the reason why text is not an action, and a sentence about it."""
    name, colon, label = text.partition(":")
    argument = ARGUMENTS.get(name)
    if argument is None:
        return Why.NO_SUCH_ACTION, f"no action {show(name)}; {suggest(name, KINDS)}"
    if argument is NONE or not colon:
        wants = "takes no argument" if argument is NONE else f"needs one, such as {_example(name)}"
        return Why.NO_SUCH_ACTION, f"{show(text)}: {name} {wants}"
    known, reason = _never(argument, label)
    if reason is None:
        return Why.NO_SUCH_ACTION, f"{show(text)}: no {argument.name} {show(label)}; {known}"
    if argument is SEAT and label == letter_of(actor):
        return reason, f"{show(text)}: {label} is the actor"
    return reason, f"{show(text)}: {reason}"


def _example(name: str) -> str:
    label = "B" if ARGUMENTS[name] is SEAT else ARGUMENTS[name].labels[-1]
    return f"{name}:{label}"


def _never(argument: Argument, label: str) -> tuple[str, Why | None]:
    """Return a remedy for an unknown argument, and a reason if the argument is meaningful."""
    reasons: dict[str, Why] = {
        STREET.name: Why.NOT_A_STREET,
        COLOR_GROUP.name: Why.NOT_A_STREET,
        DEED.name: Why.NOT_A_DEED,
        ITEM.name: Why.NOT_A_DEED,
        SPACE.name: Why.BARRED_SPACE,
        SEAT.name: Why.NO_SUCH_SEAT,
        STEP.name: Why.NOT_A_STEP,
        OFFER.name: Why.NO_MENU,
    }
    if argument is SEAT:
        fits, known = len(label) == 1 and label in LETTERS, "seats are letters, A to H"
    elif argument in (STEP, OFFER):
        fits, known = re.fullmatch("[0-9]{1,9}", label) is not None, "give a whole number"
    elif argument is COLOR_GROUP:
        fits, known = label in GROUP_IDS, suggest(label, GROUP_IDS)
    else:
        fits, known = label in SPACE_IDS, suggest(label, argument.labels)
    return known, reasons[argument.name] if fits else None
