"""What a model answers, read back: an action, a question, or what is wrong with the answer."""

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
WORD = re.compile(r"[a-z_]+(?::[A-Za-z0-9_]+)?")
AROUND = " \t*`_\"'.!)(>-"  # what stands around an answer and means nothing


@dataclass(frozen=True)
class Answer:
    """One of the three: an ``action`` by id, a question (``why``), or neither; ``note`` says what.

    ``fault`` is ``illegal`` or ``unreadable`` where there is neither.
    """

    action: int | None = None
    why: str | None = None
    fault: str = ""
    note: str = ""


def read_answer(text: str, numbered: Numbered, game: Game) -> Answer:
    """What an answer comes to. JSON goes first, the last object; then the last line; then words.

    ``{"action": 3}``, ``{"action": "buy"}``, ``{"why": "build:boardwalk"}``; a last line that is a
    number or ``why build Boardwalk``; else the last legal action that stands in the text.
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
            return Answer(numbered.by_text[word].action)
    for word in reversed(words):
        if word.partition(":")[0] in KINDS and (":" in word or word == last):
            return _of_word(word, numbered, game)
    return Answer(fault="unreadable", note=f"the answer names no action; {_remedy(numbered)}")


def _of_object(text: str, numbered: Numbered, game: Game) -> Answer | None:
    """What a JSON object says; None if it says nothing here."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(said.get("why"), str | int):
        return Answer(why=str(said["why"]))
    action = said.get("action")
    if isinstance(action, bool) or not isinstance(action, str | int):
        return None
    return _of_word(str(action).strip(), numbered, game)


def _of_word(word: str, numbered: Numbered, game: Game) -> Answer:
    """An action by its number or its text."""
    if re.fullmatch(r"-?\d{1,18}", word):
        choice = numbered.choice(int(word))
        if choice is not None:
            return Answer(choice.action)
        return Answer(fault="illegal", note=f"there is no action {word}; {_remedy(numbered)}")
    text = action_text(word, game.edition.names)
    if text in numbered.by_text:
        return Answer(numbered.by_text[text].action)
    return Answer(fault="illegal", note=f"{_reason(text, game)}; {_remedy(numbered)}")


def _remedy(numbered: Numbered) -> str:
    return f"answer with a number from 1 to {len(numbered)}"


def explain(words: str, numbered: Numbered, game: Game) -> str:
    """The answer to a question: why an action is not legal, or what a legal one does."""
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
    """Why an action is not to be had."""
    why = game.why(text)
    if why is Why.OK:
        return f"{text}: a bot decides that for you here"
    if why is Why.NO_SUCH_ACTION:
        return f"{show(text)} is no action"
    return f"{text}: {why}"


def action_text(words: str, names: Names) -> str:
    """An action as people write it, as text: ``build Boardwalk`` is ``build:boardwalk``.

    What means nothing stays as it is.
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
    """A name in small letters, its words joined by one sign."""
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")
