"""Parses a model's answer: an action, a question, or what is wrong with the answer."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from monopoly_env.editions import Names
from monopoly_env.engine.actions import ARGUMENTS, COLOR_GROUP, KINDS
from monopoly_env.engine.board import GROUP_IDS, SPACE_IDS
from monopoly_env.engine.why import Why
from monopoly_env.errors import show
from monopoly_env.game import Game
from monopoly_env.text.numbered import Numbered

OBJECT = re.compile(r"\{[^{}]*\}")
ALONE = re.compile(
    r"(?:action|answer|choice|number)?\s*(?:is\b)?\s*[:=#]?\s*(\d{1,4})", re.IGNORECASE
)
ASKED = re.compile(r"why(?: not)?:?\s+(.+)", re.IGNORECASE)
NUMBER = re.compile(r"-?\d{1,18}")
WORD = re.compile(r"[a-z_]+(?::[A-Za-z0-9_]+)?")
MOST = 40  # actions per answer
AROUND = " \t*`_\"'.!)(>-"  # characters around an answer that are ignored


@dataclass(frozen=True)
class Answer:
    """A parsed answer: ``actions`` as text, a question (``why``), or neither.

    The first action is legal; the others are played after it as long as they are legal. If there is
    neither, ``fault`` is ``illegal`` or ``unreadable``, and ``note`` explains it.
    """

    actions: tuple[str, ...] = ()
    why: str | None = None
    fault: str = ""
    note: str = ""


def read_answer(text: str, numbered: Numbered, game: Game) -> Answer:
    """Parse an answer: the last JSON object, else the last line, else a legal action in the text.

    JSON may be ``{"action": 3}``, ``{"action": "buy"}``, ``{"actions": [4, 5, 1]}`` or ``{"why":
    "build:boardwalk"}``. The last line may be a number or ``why build Boardwalk``. Otherwise the
    last legal action that occurs in the text counts.
    """
    refused = None
    for found in reversed(OBJECT.findall(text)):
        answer = _of_object(found, numbered, game)
        if answer is not None and not answer.fault:
            return answer
        refused = refused or answer
    if refused is not None:
        return refused
    lines = [line.strip(AROUND) for line in text.splitlines() if line.strip(AROUND)]
    last = lines[-1] if lines else ""
    if asked := ASKED.fullmatch(last):
        return Answer(why=asked[1])
    if number := ALONE.fullmatch(last):
        return _of_word(number[1], numbered, game)
    words = WORD.findall(text)
    for word in reversed(words):
        if word in numbered.by_text:
            return Answer((word,))
    for word in reversed(words):
        if word.partition(":")[0] in KINDS and (":" in word or word == last):
            return _of_word(word, numbered, game)
    return Answer(fault="unreadable", note=f"the answer names no action; {_remedy(numbered)}")


def _of_object(text: str, numbered: Numbered, game: Game) -> Answer | None:
    """Parse a JSON object; None if it has none of the known keys."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(said.get("why"), str | int):
        return Answer(why=str(said["why"]))
    listed = said.get("actions", said.get("action"))
    words = listed if isinstance(listed, list) else [listed]
    if not words or not all(isinstance(one, str | int) and one is not True for one in words):
        return None
    first, *others = (str(one).strip() for one in words[:MOST])
    answer = _of_word(first, numbered, game)
    return (
        Answer((*answer.actions, *(_text_of(one, numbered, game) for one in others)))
        if answer.actions
        else answer
    )


def _of_word(word: str, numbered: Numbered, game: Game) -> Answer:
    """Parse one action, given by number or text."""
    text = _text_of(word, numbered, game)
    if text in numbered.by_text:
        return Answer((text,))
    wrong = f"there is no action {word}" if NUMBER.fullmatch(word) else _reason(text, game)
    return Answer(fault="illegal", note=f"{wrong}; {_remedy(numbered)}")


def _text_of(word: str, numbered: Numbered, game: Game) -> str:
    """Return the text of an action given by number or text."""
    choice = numbered.choice(int(word)) if NUMBER.fullmatch(word) else None
    return choice.text if choice else action_text(word, game.edition.names)


def _remedy(numbered: Numbered) -> str:
    return f"answer with a number from 1 to {len(numbered)}"


def explain(words: str, numbered: Numbered, game: Game) -> str:
    """Answer a question: why an action is illegal, or what a legal one does."""
    choice = None
    if words.strip(AROUND + "#").isdecimal():
        choice = numbered.choice(int(words.strip(AROUND + "#")))
        if choice is None:
            return f"there is no action {show(words)}; {_remedy(numbered)}"
    text = choice.text if choice else action_text(words, game.edition.names)
    choice = choice or numbered.by_text.get(text)
    if choice is None:
        return _reason(text, game)
    effect = f" ({choice.effect})" if choice.effect else ""
    return f"{choice.text} is legal: {choice.meaning}{effect}"


def _reason(text: str, game: Game) -> str:
    """Return why an action is not available."""
    why = game.why(text)
    if why is Why.OK:
        return f"{text}: a bot decides that for you here"
    if why is Why.NO_SUCH_ACTION:
        return f"{show(text)} is not an action"
    return f"{text}: {why}"


def action_text(words: str, names: Names) -> str:
    """Return the text of an action written in words: ``build:boardwalk`` for ``build Boardwalk``.

    Unknown words are returned as they are.
    """
    kind, _, label = words.strip(AROUND).replace(":", " ").partition(" ")
    kind, label = kind.lower(), _plain(label)
    if kind not in ARGUMENTS:
        return words.strip()
    if not label:
        return kind
    argument = ARGUMENTS[kind]
    called = names.groups if argument is COLOR_GROUP else names.spaces
    ids = GROUP_IDS if argument is COLOR_GROUP else SPACE_IDS
    known = dict(zip(map(_plain, called), ids, strict=True)) | {one: one for one in ids}
    return f"{kind}:{known.get(label, label.upper() if argument.name == 'seat' else label)}"


def _plain(name: str) -> str:
    """Return a name in lower case, with its words joined by underscores."""
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")
