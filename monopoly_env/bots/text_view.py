"""Decisions as text for language models, and parsing of their answers.

>>> from monopoly_env import Game
>>> from monopoly_env.view import View
>>> view = View.of(Game(players=2, seed=7))
>>> print(describe(view).splitlines()[0])
Monopoly: turn 1, round 1. You are A (car).
>>> view.game.text(parse_choice("I'd say: **roll**!", view))
'roll'
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from monopoly_env.bots.explain import Choice, by_kind, choices
from monopoly_env.bots.fallback import safe_action
from monopoly_env.engine.actions import ARGUMENTS
from monopoly_env.engine.board import DEEDS, GROUP_SQUARES, NOBODY, SPACE_IDS
from monopoly_env.errors import show
from monopoly_env.events import buildings_text
from monopoly_env.notation import LETTERS
from monopoly_env.render.text import head_text, question
from monopoly_env.view import View

RECENT = 30  # number of events shown

INSTRUCTIONS = """\
You play Monopoly. Your aim is to be the last player who is not bankrupt.
Below are the position, what happened since your last decision, and the legal actions.
Think briefly. End with one line of JSON that names one legal action, letter by letter:
{"action": "roll"}
"""


# --- the decision as text ---


def describe(view: View) -> str:
    """Return the position, the events since the last decision, and every legal action explained.

    The same view gives the same text: about 400 to 1,500 tokens with four players.
    """
    lines = [*head_lines(view), "", *event_lines(view), "", *_decision(view)]
    return "\n".join(lines)


def prompt(view: View) -> str:
    """Return the complete prompt: the task and the decision."""
    return f"{INSTRUCTIONS}\n{describe(view)}\n"


def head_lines(view: View) -> Iterator[str]:
    """Yield the holdings of all players; names are followed by the ids used in actions."""
    names, state = view.edition.names, view.record
    yield f"{head_text(view.record, view.edition)}. You are {LETTERS[view.seat]} ({names.token(view.seat)})."
    for seat in range(int(state["players"])):
        yield from _player(view, seat)
    unowned = " ".join(
        SPACE_IDS[square]
        for square in view.edition.route
        if square in DEEDS and state["owner"][square] == NOBODY
    )
    yield (
        f"Bank: {state['houses']} {names.houses}, {state['hotels']} {names.hotels}; "
        f"unowned: {unowned or 'nothing'}"
    )
    if state["pot"]:
        yield f"{names.money(state['pot'])} lie under {names.space(20)}"


def _player(view: View, seat: int) -> Iterator[str]:
    hand, names = view.game.hand(seat), view.edition.names
    you = ", you" if seat == view.seat else ""
    who = f"{hand.player} ({names.token(seat)}{you})"
    if hand.out:
        yield f"{who}: bankrupt"
        return
    where = names.space(int(view.record["position"][seat]))
    jail = ", in Jail" if hand.in_jail else ""
    turn = ", to move" if hand.player == view.game.turn else ""
    yield f"{who}: {names.money(hand.cash)}, net worth {names.money(hand.worth)}, at {where}{jail}{turn}"
    held = [*_groups(view, seat), *(f"{names.jail_card} [{card}]" for card in hand.cards)]
    if held:
        yield f"  {'; '.join(held)}"


def _groups(view: View, seat: int) -> Iterator[str]:
    """Yield a player's deeds by group: ``orange 2/3: St. James Place [st_james] 1 house, …``."""
    state, names = view.record, view.edition.names
    for group, squares in enumerate(GROUP_SQUARES):
        deeds = [_deed(view, square) for square in squares if state["owner"][square] == seat]
        if deeds:
            yield f"{names.group(group)} {len(deeds)}/{len(squares)}: {', '.join(deeds)}"


def _deed(view: View, square: int) -> str:
    state, names = view.record, view.edition.names
    level = int(state["level"][square])
    text = f"{names.space(square)} [{SPACE_IDS[square]}]"
    if level:
        return f"{text} {buildings_text(names, level)}"
    return f"{text} mortgaged" if int(state["mortgaged"]) >> square & 1 else text


def event_lines(view: View) -> Iterator[str]:
    """Yield the latest events in order."""
    if not view.events:
        yield "Nothing has happened since your last decision."
        return
    yield "Since your last decision:"
    if len(view.events) > RECENT:
        yield f"- ({len(view.events) - RECENT} earlier events)"
    for event in view.events[-RECENT:]:
        yield f"- {event}"


def _decision(view: View) -> Iterator[str]:
    """Yield the question, and the legal actions, one line per kind."""
    about = question(view.record, view.edition)
    yield f"You decide ({view.game.phase.name}){': ' + about if about else ''}. Legal actions:"
    for kind, rows in by_kind(choices(view)):
        yield _single(rows[0]) if ARGUMENTS[kind].name == "none" else _listed(kind, rows)


def _single(row: Choice) -> str:
    effect = f" ({row.effect})" if row.effect else ""
    return f"- {row.text}: {row.meaning}{effect}"


def _listed(kind: str, rows: list[Choice]) -> str:
    """Return the actions of one kind: ``- mortgage:X (mortgage X): reading (receive $100), …``."""
    if kind == "propose":
        offers = "; ".join(f"{row.label} = {row.shown}" for row in rows)
        return f"- propose:N (make whole offer N): {offers}"
    meaning = rows[0].meaning.replace(rows[0].shown, "X")
    return f"- {kind}:X ({meaning}): {', '.join(_item(row) for row in rows)}"


def _item(row: Choice) -> str:
    """Return an argument, with its cost or gain if there is one."""
    return f"{row.label} ({row.effect})" if row.effect else row.label


# --- the answer ---


def parse_choice(answer: str, view: View) -> int | None:
    """Return the legal action in an answer; None if there is none.

    The last JSON object with a legal ``action`` counts; otherwise the last legal action that occurs
    in the text as a separate word.
    """
    legal = dict(zip(view.legal_actions, view.mask.nonzero()[0].tolist(), strict=True))
    for text in reversed(re.findall(r"\{[^{}]*\}", answer)):
        named = _named(text)
        if named in legal:
            return int(legal[named])
    words = re.findall(r"[a-z_]+(?::[A-Za-z0-9_]+)?", answer)
    found = next((word for word in reversed(words) if word in legal), None)
    return None if found is None else int(legal[found])


def _named(text: str) -> str | None:
    """Return the action named in a JSON object, or None."""
    try:
        action = json.loads(text).get("action")
    except ValueError:
        return None
    return action.strip() if isinstance(action, str) else None


class TextBot:
    """A bot from a function that maps a prompt to an answer, such as a language model.

    Args:
        complete: takes the prompt, returns the answer as text.
        name: the name in tables.

    ``faults["illegal"]`` counts answers without a legal action; for these,
    :func:`monopoly_env.bots.fallback.safe_action` is played.
    """

    def __init__(self, complete: Callable[[str], str], name: str = "text") -> None:
        self.name = name
        self.complete = complete
        self.faults: dict[str, int] = {"illegal": 0, "timed_out": 0, "crashed": 0}
        self.on_fault: Callable[[str, str], object] | None = None  # takes kind and description

    def reset(self, seed: int) -> None:
        """Start a new game; every prompt is self-contained."""

    def decide(self, view: View) -> int:
        """Return the action in the answer."""
        answer = self.complete(prompt(view))
        action = parse_choice(answer, view)
        if action is None:
            self.faults["illegal"] += 1
            if self.on_fault is not None:
                self.on_fault("illegal", f"the answer names no legal action: {show(answer)}")
            return safe_action(view.mask)
        return action
