"""The set as prompts for language models, and files of their answers.

A prompt is the position in words and the actions by number. A file of answers has a JSON line for
each: ``{"id": "buy-001", "answer": "…"}``, where the answer may be a number, or text that ends in one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from monopoly_env.bots.explain import choices
from monopoly_env.bots.text_view import describe
from monopoly_env.errors import FileError, show
from monopoly_env.files import check_output, parse_json, read_lines
from monopoly_env.render.text import question
from monopoly_training.common.files import write_atomic
from monopoly_training.suite.asking import Answer
from monopoly_training.suite.decisions import Decision

INSTRUCTIONS = """\
You play Monopoly. Your aim is to be the last player who is not bankrupt.
Below are the position and the actions to choose from.
Think briefly. End with one line of JSON that has the number of one action, such as {"action": 1}
"""
MOST_TOLD = 3  # ids that an error names


def prompt_of(decision: Decision) -> str:
    """A decision as text: the position, what is decided, the actions by number from 1.

    Number n is ``decision.actions[n - 1]``. The same decision gives the same text.
    """
    view = decision.view()
    position = describe(view).partition("\n\n")[0]
    about = question(view.record, view.edition)
    explained = {choice.action: choice for choice in choices(view)}
    lines = []
    for number, action in enumerate(decision.ids, 1):
        choice = explained[action]
        effect = f" ({choice.effect})" if choice.effect else ""
        lines.append(f"{number}. {choice.meaning}{effect}")
    asked = f"You decide ({view.game.phase.name}){f': {about}' if about else ''}. Choose one:"
    return "\n".join([INSTRUCTIONS, position, "", asked, *lines, ""])


def write_prompts(path: Path, decisions: Sequence[Decision]) -> None:
    """Write a JSON line for each decision: its id, its kind, the prompt.

    Raises: FileError for a file that cannot be written.
    """
    check_output(path, FileError.at(path))
    rows = ({"id": one.id, "kind": one.kind, "prompt": prompt_of(one)} for one in decisions)
    write_atomic(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def read_answers(path: Path, decisions: Sequence[Decision]) -> list[Answer]:
    """The answers of a file to all decisions, in order; one that is missing is none.

    Raises: FileError, one line, for what is no such file, or an id that is not in the set.
    """
    known = {decision.id: decision for decision in decisions}
    answers: dict[str, Answer] = {}
    for number, line in enumerate(read_lines(path, FileError.at(path)), 1):
        if not line.strip():
            continue
        here = FileError.at(f"{path}: line {number}")
        row = parse_json(line, here)
        if (
            not isinstance(row, Mapping)
            or not isinstance(row.get("id"), str)
            or "answer" not in row
        ):
            here.fail('must be as {"id": "buy-001", "answer": "2"}')
        name = row["id"]
        if name in answers:
            here.fail(f"{show(name)} has been answered before; give one answer to each")
        if name in known:
            place = place_in(row["answer"], len(known[name].actions))
            answers[name] = Answer(place, _seconds(row.get("seconds", 0)))
        elif not re.fullmatch(r"[a-z_]+-\d+", name):
            here.fail(f"there is no decision {show(name)} in the set")
    if not answers:
        FileError.at(path).fail("answers no decision that is asked for")
    return [answers.get(decision.id, Answer(None)) for decision in decisions]


def _seconds(raw: object) -> float:
    return float(raw) if isinstance(raw, int | float) and 0 <= raw < 1e6 else 0.0


def place_in(answer: object, actions: int) -> int | None:
    """The place from 0 of the action that an answer names by its number from 1; None for none.

    >>> place_in('Dear, but {"action": 2}', 3), place_in("2", 3), place_in(7, 3)
    (1, 1, None)
    """
    if isinstance(answer, bool) or not isinstance(answer, str | int):
        return None
    numbers = list(_numbers(str(answer)))
    return numbers[-1] - 1 if numbers and 1 <= numbers[-1] <= actions else None


def _numbers(text: str) -> Iterator[int]:
    """The numbers that a text names: those of JSON, or else all whole ones that stand alone."""
    named = re.findall(r'"action"\s*:\s*"?(\d{1,3})\b', text)
    yield from map(int, named or re.findall(r"(?<![\w$€£.,])(\d{1,3})(?![\w%]|[.,]\d)", text))
