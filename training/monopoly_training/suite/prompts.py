"""Export the set as prompts for language models, and read files of their answers.

A prompt is a compact text of the position with numbered actions. An answer file has JSON lines
``{"id": "buy-001", "answer": "…"}``, where the answer is a number, or text that
:mod:`monopoly_env.text.answers` can parse.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from monopoly_env.errors import FileError, show
from monopoly_env.files import check_output, parse_json, read_lines
from monopoly_env.text.answers import read_answer
from monopoly_env.text.compact import position_lines, short_edition
from monopoly_env.text.numbered import Numbered
from monopoly_env.view import View
from monopoly_training.common.files import write_atomic
from monopoly_training.suite.ask_agent import Answer
from monopoly_training.suite.decisions import Decision

INSTRUCTIONS = """\
You play Monopoly. Your aim is to be the last player who is not bankrupt.
Below are the position and the actions to choose from.
Think briefly. End with one line of JSON that has the number of one action: {"action": 1}
"""


def numbered_of(decision: Decision) -> Numbered:
    """Number the actions of a decision: n is ``decision.actions[n - 1]``."""
    view = decision.view()
    return Numbered(View(view.games, 0, short_edition(view.edition), view.mask))


def prompt_of(decision: Decision) -> str:
    """Return a decision as text: the position, the question, and the actions numbered from 1.

    The text is deterministic.
    """
    numbered = numbered_of(decision)
    position = position_lines(numbered.view)
    return "\n".join([INSTRUCTIONS, *position, numbered.question(), *numbered.full_lines(), ""])


def write_prompts(path: Path, decisions: Sequence[Decision]) -> None:
    """Write a JSON line for each decision: its id, its kind and the prompt.

    Raises: FileError if the file cannot be written.
    """
    check_output(path, FileError.at(path))
    rows = ({"id": one.id, "kind": one.kind, "prompt": prompt_of(one)} for one in decisions)
    write_atomic(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def read_answers(path: Path, decisions: Sequence[Decision]) -> list[Answer]:
    """Read the answers to all decisions, in order; a missing one counts as no answer.

    Raises: FileError, one line, for an invalid file or an id that is not in the set.
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
            answers[name] = Answer(
                place_in(row["answer"], known[name]), _seconds(row.get("seconds", 0))
            )
        elif not re.fullmatch(r"[a-z_]+-\d+", name):
            here.fail(f"there is no decision {show(name)} in the set")
    if not answers:
        FileError.at(path).fail("answers no decision that is asked for")
    return [answers.get(decision.id, Answer(None)) for decision in decisions]


def _seconds(raw: object) -> float:
    return float(raw) if isinstance(raw, int | float) and 0 <= raw < 1e6 else 0.0


def place_in(answer: object, decision: Decision) -> int | None:
    """Return the index of the action that an answer names; None if it names none."""
    if isinstance(answer, bool) or not isinstance(answer, str | int):
        return None
    actions = read_answer(str(answer), numbered_of(decision), decision.game).actions
    return decision.actions.index(actions[0]) if actions else None
