"""Descriptions in words of what was done and of the better line."""

from __future__ import annotations

from typing import Any

from monopoly_env.bots.explain import Choice, choices
from monopoly_env.editions import Edition
from monopoly_env.engine.state import new_games
from monopoly_env.notation import LETTERS
from monopoly_env.render.decision import Decision, decision_of
from monopoly_env.view import View
from monopoly_training.review.judge import NO_DEAL, Judged

ENDING = " (more)"  # suffix of some meanings where cash is added to an offer


def what_was_done(one: Judged, states: list[Any], edition: Edition) -> str:
    """Return in words what a player did, such as ``buy Boardwalk``."""
    if one.phase == "DEAL":
        return f"make the offer: {_terms(_decision(states[one.moment + 1], edition))}"
    text = _meaning(one, one.chosen, states, edition)
    if one.actions > 1:
        return f"{text}, and {one.actions - 1} more in a row"
    if one.phase == "ANSWER":
        return f"{text}: {_terms(_decision(states[one.moment], edition))}"
    return text


def better_line(one: Judged, states: list[Any], edition: Edition) -> str:
    """Return the better line in words."""
    if one.best == NO_DEAL:
        return "make no such offer"
    return _meaning(one, one.best, states, edition)


def _decision(state: Any, edition: Edition) -> Decision:
    return decision_of(_games(state), edition)


def _games(state: Any) -> Any:
    games = new_games(1)
    games[0] = state
    return games


def _meaning(one: Judged, action: int, states: list[Any], edition: Edition) -> str:
    """Return the meaning of an action in its position: ``build on Boardwalk (pay $200)``."""
    view = View(_games(states[one.moment]), 0, edition)
    for choice in choices(view):
        if choice.action == action:
            return _plain(choice, one.phase, decision_of(view.games, edition), edition)
    raise ValueError(f"action {action} is not legal at {one.moment}")


def _plain(choice: Choice, phase: str, decision: Decision, edition: Edition) -> str:
    """Return a choice with its subject: ``bid $120 for Boardwalk``."""
    lot = "the building"
    if decision.square is not None:
        lot = edition.names.space(decision.square)
    if choice.kind in ("open", "raise"):
        return f"{choice.effect.removeprefix('a ').replace('bid of', 'bid')} for {lot}"
    special = {
        "buy": f"buy {lot}",
        "auction": f"leave {lot} to an auction",
        "end_turn": "end the turn",
        "pass": f"leave the auction of {lot}" if phase == "AUCTION" else "do nothing",
    }
    effect = f" ({choice.effect})" if choice.effect else ""
    return special.get(choice.kind, choice.meaning.replace(ENDING, "")) + effect


def _terms(decision: Decision) -> str:
    """Return both sides of an offer: ``A gives Virginia Avenue, $40; B gives Oriental Avenue``."""
    return "; ".join(
        f"{LETTERS[side.seat]} gives {', '.join(side.items) or 'nothing'}"
        for side in decision.sides
    )
