"""human: a person at the terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from difflib import get_close_matches

from rich.console import Console

from monopoly_agents.terminal.tables import (
    new_console,
    players_table,
    show_board,
    show_decision,
    show_events,
)
from monopoly_env.bots.explain import Choice, choices
from monopoly_env.engine.actions import IDS, KINDS
from monopoly_env.engine.phases import Phase
from monopoly_env.errors import AgentError, show
from monopoly_env.view import View

HELP = """\
Type the number of an action, or the action itself, such as build:boardwalk.
Its name alone, or how it begins, is enough where only one action fits.
Several actions may stand in one line: deal:B ask:boardwalk give_cash:200 offer
Enter alone takes the action in brackets.

  list         the legal actions again
  board        every space, every player, the Bank
  why ACTION   why an action is not legal, such as why build:boardwalk
  skip         pass until it is your turn; auctions, offers, debts still come
  undo         back to your last decision; dice and cards stay as they were
  help, ?      this text
  quit, q      leave the game
"""
SHORT = {"?": "help", "h": "help", "q": "quit", "exit": "quit"}
OWN_WINDOWS = (Phase.TURN, Phase.END, Phase.BETWEEN)
PATIENCE = 100  # consecutive lines from a pipe without an action, before giving up
DEFAULTS = ("roll", "end_turn", "pass")  # default actions in a player's own windows


class PlayerLeft(AgentError):  # noqa: N818  (not an error of the program)
    """The person has quit, or the input has ended."""


class TakeBack(AgentError):  # noqa: N818  (a request)
    """The person wants to go back to the last decision."""


class HumanAgent:
    """A person who types. ``console`` shows the game and reads the input.

    Raises in ``decide``: PlayerLeft on ``quit`` and at the end of the input, TakeBack on ``undo``.
    """

    def __init__(self, console: Console | None = None) -> None:
        self.name = "human"
        self.console = console or new_console()
        self._commands: dict[str, Callable[[View, str], None]] = {
            "list": lambda view, _: show_decision(self.console, view, choices(view)),
            "board": lambda view, _: show_board(self.console, view.game),
            "why": self._why,
            "skip": self._skip,
            "undo": self._undo,
            "help": lambda *_: self.console.print(HELP),
            "quit": self._quit,
        }
        self._wasted = 0  # lines since the last action
        self.reset(0)

    def reset(self, seed: int) -> None:  # noqa: ARG002  (people are not seeded)
        """Start a new game."""
        self._queue: list[str] = []  # actions typed ahead
        self._skipping = False

    def decide(self, view: View) -> int:
        """Show what happened and the legal actions, and ask until an answer is an action."""
        self._skipping = self._skipping and view.game.phase is not Phase.TURN
        show_events(self.console, view.events)
        if self._skipping and view.game.phase is Phase.BETWEEN and view.mask[IDS["pass"]]:
            return IDS["pass"]
        explained = choices(view)
        action = self._typed_ahead(view, explained)
        if action is not None:
            return action
        if view.game.phase is Phase.TURN:
            self.console.print(players_table(view.game, view.seat))
        show_decision(self.console, view, explained)
        while action is None:
            action = self._answer(view, explained, self._read(explained, view))
        self._wasted = 0
        return action

    # --- reading ---

    def _read(self, explained: list[Choice], view: View) -> str:
        """Read a line of input."""
        default = _default(explained, view)
        hint = f"[{default.text}]> " if default else "> "
        try:
            line = self.console.input(hint, markup=False, emoji=False)
        except EOFError:
            raise PlayerLeft("human: the input has ended") from None
        except UnicodeDecodeError:
            line = "\ufffd"
        if not sys.stdin.isatty():
            self._note_piped(line)
        return line.strip() or (default.text if default else "")

    def _note_piped(self, line: str) -> None:
        """Echo a line from a pipe, and give up after too many without an action."""
        self.console.print(line)
        self._wasted += 1
        if self._wasted > PATIENCE:
            raise PlayerLeft(f"human: {PATIENCE} lines of the input were no action")

    def _answer(self, view: View, explained: list[Choice], line: str) -> int | None:
        """Return the action of a line; None for a command or a line without a match."""
        command, _, argument = line.partition(" ")
        if not line:
            self.console.print("Name an action, or its number.")
            return None
        command = SHORT.get(command, command)
        if command in self._commands:
            self._commands[command](view, argument.strip())
            return None if not self._skipping else self._typed_ahead(view, explained)
        words = re.split(r"[\s,]+", line)
        if any(word.isdecimal() for word in words[1:]):
            self.console.print("Numbers stand for themselves: name the actions that follow others.")
            return None
        self._queue = words
        return self._typed_ahead(view, explained)

    def _typed_ahead(self, view: View, explained: list[Choice]) -> int | None:
        """Return the next of the actions typed in one line.

        If it is illegal, say so and drop the rest.
        """
        if not self._queue:
            return None
        word = self._queue.pop(0)
        matched = match(word, explained)
        if isinstance(matched, Choice):
            return matched.action
        self._queue = []
        self.console.print(matched or f"{show(word)}: {self._reason(view, word)}")
        return None

    # --- commands ---

    def _why(self, view: View, action: str) -> None:
        if not action:
            self.console.print("Name an action, such as why build:boardwalk.")
            return
        self.console.print(f"{show(action)}: {self._reason(view, action)}")

    def _reason(self, view: View, action: str) -> str:
        """Return why an action is not legal; for an unknown word, suggest a similar one."""
        kind = action.partition(":")[0]
        if kind in KINDS or kind.isdecimal():
            return str(view.game.why(action))
        meant = get_close_matches(kind, [*KINDS, *self._commands], 1)
        remedy = f"did you mean {meant[0]}?" if meant else "help tells what can be typed"
        return f"there is no such action; {remedy}"

    def _skip(self, view: View, _: str) -> None:
        self._skipping = True
        if view.game.phase is Phase.BETWEEN:
            self._queue = ["pass"]
        else:
            self.console.print("You will pass in other players' turns.")

    def _undo(self, _: View, __: str) -> None:
        raise TakeBack("human: nothing can be taken back here")

    def _quit(self, _: View, __: str) -> None:
        raise PlayerLeft("human: the player has left the game")


def match(word: str, explained: list[Choice]) -> Choice | str:
    """Find the choice for a word: a number, an action, its name or its prefix.

    Otherwise, return a message: the possible matches, or "" if there are none.
    """
    if word.isdecimal():
        number = int(word) if len(word) < 5 else 0
        if 1 <= number <= len(explained):
            return explained[number - 1]
        return f"There is no number {show(word)}; numbers go to {len(explained)}."
    exact = [row for row in explained if word in (row.text, f"{row.kind}:{_slug(row.shown)}")]
    if exact:
        return exact[0]
    of_kind = [row for row in explained if row.kind == word]
    fitting = of_kind or [row for row in explained if word and row.text.startswith(word)]
    if len(fitting) == 1:
        return fitting[0]
    few = ", ".join(row.text for row in fitting[:8])
    return f"Which one: {few}{', …' if len(fitting) > 8 else ''}?" if fitting else ""


def _slug(name: str) -> str:
    """Return a name of the edition as one word: ``mr_mime``."""
    return "_".join(re.findall(r"\w+", name.lower()))


def _default(explained: list[Choice], view: View) -> Choice | None:
    """Return the action for Enter: the only one, or the one that ends the player's window."""
    if len(explained) == 1:
        return explained[0]
    if view.game.phase not in OWN_WINDOWS:
        return None
    return next((row for row in explained if row.kind in DEFAULTS), None)
