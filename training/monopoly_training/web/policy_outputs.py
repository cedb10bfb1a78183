"""What a bot thought of its choices: probabilities of a policy, values of a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from monopoly_agents.search.agent import SearchAgent

from monopoly_env.agent import make_agent
from monopoly_env.engine.phases import Phase
from monopoly_env.errors import AgentError, InputError, one_line
from monopoly_env.view import View
from monopoly_training.models.card import ModelError
from monopoly_training.models.mlp import Floats
from monopoly_training.models.model_agent import Look, ModelAgent, is_model, model_agent
from monopoly_training.models.offer_composer import OfferComposer, first_step

SHOWN = 8  # most probable choices per decision
TIMED = 200  # rollouts per decision for a search with a time budget
Seen = Sequence[tuple[int, View]]  # moments and what the seat saw


@dataclass
class Thoughts:
    """Thoughts by moment, and the reasons why some are missing, by seat."""

    by_moment: dict[int, dict[str, Any]] = field(default_factory=dict)
    missing: dict[int, str] = field(default_factory=dict)


def thinking_seats(bots: Sequence[str], search: bool) -> frozenset[int]:
    """Return the seats whose bots can report thoughts; ``search`` includes searching bots."""
    return frozenset(
        seat
        for seat, bot in enumerate(bots)
        if is_model(_plain(bot)) or (search and is_search(_plain(bot)))
    )


def is_search(name: str) -> bool:
    """Return whether a name is that of a searching bot."""
    return name == "search" or name.startswith("search:")


def think(bots: Sequence[str], views: dict[int, list[tuple[int, View]]]) -> Thoughts:
    """Compute what the bots of the seats in ``views`` think of what they saw.

    A bot that cannot be loaded, such as a model whose file is gone, is named in ``missing``.
    """
    found = Thoughts()
    for seat, seen in views.items():
        name = _plain(bots[seat])
        try:
            thoughts = _search(name, seen) if is_search(name) else _policy(name, seen)
        except (AgentError, ModelError, InputError, OSError) as problem:
            found.missing[seat] = one_line(str(problem))
            continue
        found.by_moment.update(thoughts)
    return found


def _plain(bot: str) -> str:
    """Return the name without a line-up's repeat number, as in ``champion#2``."""
    name, _, number = bot.rpartition("#")
    return name if name and number.isdecimal() else bot


def _policy(name: str, seen: Seen) -> dict[int, dict[str, Any]]:
    """Return the probabilities of a trained policy, and its value if it has one."""
    agent = model_agent(name)
    thoughts: dict[int, dict[str, Any]] = {}
    rows: list[tuple[int, Look]] = []  # moments, and what the network saw
    begun = False  # the offer that is being composed was the network's choice
    for moment, view in seen:
        in_deal = int(view.record["phase"]) == Phase.DEAL
        own = begun or agent.fallback is None  # only the policy itself can have begun the offer
        if in_deal and own and agent.composes(view.edition):
            continue  # a step of an offer that was chosen before
        look = agent.look(view, OfferComposer(), agent.fallback)
        begun = look.action is None
        if look.action is not None:
            thoughts[moment] = {"kind": "left", "to": agent.table.fallback}
            continue
        rows.append((moment, look))
    if rows:
        thoughts |= _probabilities(agent, rows)
    return thoughts


def _probabilities(agent: ModelAgent, rows: list[tuple[int, Look]]) -> dict[int, Any]:
    observations = np.stack([look.view.observation for _, look in rows])
    masks = np.stack([look.mask for _, look in rows])
    probabilities = agent.probabilities(observations, masks)
    values = agent.model.values(observations, masks)
    thoughts = {}
    for k, (moment, look) in enumerate(rows):
        chances = probabilities[k]
        if look.is_menu:
            chances = _at_the_table(look.view, chances)
        best = np.argsort(-chances, kind="stable")[:SHOWN]
        thoughts[moment] = {
            "kind": "policy",
            "rows": [
                [int(action), round(float(chances[action]), 4)]
                for action in best
                if chances[action] >= 0.0005
            ],
            "value": None if values is None else round(float(values[k]), 3),
        }
    return thoughts


def _at_the_table(menu: View, chances: Floats) -> Floats:
    """Return probabilities in which offers of a menu count as the first steps of composing them."""
    summed = np.zeros_like(chances)
    for action in np.flatnonzero(chances).tolist():
        summed[first_step(menu, action)] += chances[action]
    return summed


def _search(name: str, seen: Seen) -> dict[int, dict[str, Any]]:
    """Return the candidates of a search, each with the same number of rollouts."""
    agent = make_agent(name)
    assert isinstance(agent, SearchAgent)  # is_search says so
    rollouts = agent.rollouts if agent.seconds is None else TIMED
    return {
        moment: {
            "kind": "search",
            "rows": [[one.action, round(one.mean, 4), round(one.error, 4)] for one in candidates],
            "samples": candidates[0].samples,
        }
        for moment, view in seen
        if len(candidates := agent.try_out(view, rollouts)) > 1
    }
