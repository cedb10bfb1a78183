"""Hints: what a bot would do in a person's place, and why."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from monopoly_env.agent import make_agent
from monopoly_env.bots.explain import choices
from monopoly_env.engine.phases import Phase
from monopoly_env.errors import AgentError
from monopoly_env.events import Happening
from monopoly_env.game import Game
from monopoly_env.playing import ask
from monopoly_env.render.decision import decision_of
from monopoly_env.value.weights import shipped_value
from monopoly_env.view import View
from monopoly_training.review.candidates import candidates
from monopoly_training.review.line_rollouts import LineTester

SAMPLES = 96  # of each line that is compared
MOST_STEPS = 60  # of an offer
NEAR = 0.005  # smaller differences in win probability are ignored


@dataclass(frozen=True)
class Hint:
    """A bot's advice."""

    actions: list[str]  # several for a whole offer
    text: str  # such as: veteran would buy Boardwalk (pay $400)
    because: str  # empty if there is no choice


def hint(bot: str, game: Game, events: list[Happening]) -> Hint:
    """Return what a bot would do in ``game``, which is not changed.

    Raises: AgentError for a bot that cannot be loaded; whatever the bot itself raises.
    """
    view = View.of(game, events)
    agent = make_agent(bot)
    try:
        agent.reset(0)
        first = ask(agent, view, view.game.play)
        trial, actions = view.game, [game.text(first)]
        trial.play(first)
        while trial.phase is Phase.DEAL and len(actions) < MOST_STEPS:
            step = ask(agent, View.of(trial), trial.play)
            actions.append(trial.text(step))
            trial.play(step)
    finally:
        close = getattr(agent, "close", None)
        if callable(close):
            close()
    return Hint(
        actions, f"{bot} would {_words(view, first, trial, len(actions))}", _why(view, first)
    )


def _words(view: View, first: int, after: Game, steps: int) -> str:
    """Return the advice in words."""
    if steps > 1:
        if after.phase is not Phase.ANSWER:
            return "make no offer after all"
        give, ask_ = decision_of(after.state.reshape(1), after.edition).sides
        given = ", ".join(give.items) or "nothing"
        wanted = ", ".join(ask_.items) or "nothing"
        return f"offer {'ABCDEFGH'[ask_.seat]}: {given} for {wanted}"
    row = next(one for one in choices(view) if one.action == first)
    effect = f" ({row.effect})" if row.effect else ""
    return row.meaning.replace(" (more)", "") + effect


def _why(view: View, first: int) -> str:
    """Compare the win probabilities after this and the next best action, by short rollouts."""
    legal: list[int] = np.flatnonzero(view.mask).tolist()
    tester = LineTester(view.edition, shipped_value())
    tester.put(view.record)
    others = candidates(tester, view.record, legal, first)
    values = tester.chances([(first,), *((one,) for one in others)], 0, SAMPLES)
    means = values[:, :, view.seat].mean(axis=1)
    own = f"your win probability is then about {100 * means[0]:.0f}%"
    if not others:
        return own
    best = int(means[1:].argmax())
    meanings = {one.action: one.meaning.replace(" (more)", "") for one in choices(view)}
    other, chance = meanings[others[best]], f"{100 * means[1 + best]:.0f}%"
    if means[0] < means[1 + best] - NEAR:
        return f"{own}; but simulations of two rounds prefer “{other}” ({chance})"
    return f"{own}; with the next best move, “{other}”, it is {chance}"


def check_hint_bot(bot: object, bots: list[str]) -> str:
    """Return the name of a bot that may be asked. Raises: AgentError."""
    location = AgentError.at("hint")
    name = location.text(bot)
    if name not in bots:
        location.fail_unknown(name, "bot", bots)
    return name
