"""The text of a decision and of the result, in full or in few tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from monopoly_env.bots.text_view import event_lines, head_lines
from monopoly_env.game import Game
from monopoly_env.text import compact
from monopoly_env.text.numbered import Numbered
from monopoly_env.view import View


def decision_text(numbered: Numbered, detail: str) -> str:
    """Return the position, the events since the last decision, and the numbered actions."""
    actions = numbered.full_lines() if detail == "full" else numbered.compact_lines()
    return "\n".join([position_text(numbered.view, detail), numbered.question(), *actions])


def position_text(view: View, detail: str) -> str:
    """Return the position, and the events since the last decision."""
    if detail == "full":
        return "\n".join([*head_lines(view), "", *event_lines(view), ""])
    return "\n".join([*compact.position_lines(view), *compact.event_lines(view.events, view.seat)])


def result_text(game: Game, results: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the result of a game for the seats that were asked."""
    won = f"{' and '.join(game.winners)} won" if game.over else "the others play on"
    limit = ", as a limit was reached" if game.truncated else ""
    places = ", ".join(f"{seat}: place {row['rank']}" for seat, row in results.items())
    return f"The game is over for you: {won}{limit}. {places}."
