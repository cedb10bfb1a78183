"""Candidate actions of a review: the alternatives that are tried against what was done."""

from __future__ import annotations

from typing import Any

import numpy as np

from monopoly_env.engine.actions import IDS, KIND_OF, KINDS, VALUE_OF
from monopoly_env.engine.phases import Phase
from monopoly_training.review.line_rollouts import Line, LineTester

COMPOSING = frozenset("deal give ask give_cash ask_cash offer cancel propose".split())
RAISING = frozenset("sell sell_group mortgage".split())
WORK = RAISING | frozenset("build lift".split())  # done before going on
RANKED = WORK | frozenset("to attack".split())  # the best few of these by the value are tried
BIDS = frozenset({"open", "raise"})
GOING_ON = frozenset("roll end_turn pass".split())
WINDOWS = (Phase.TURN, Phase.END, Phase.BETWEEN, Phase.BUY, Phase.AUCTION)
TRIED = 3  # of the ranked actions
SMALL_RAISE = 1  # $ of the raise that is tried
JUMP = 50  # $ from which a raise is also compared with a small one
MOST_STEPS = 60  # of a line
PEEKS = 4  # samples for ranking actions


def kind_name(action: int) -> str:
    """Return the kind of an action, such as ``build``."""
    return KINDS[int(KIND_OF[action])]


def is_choice(legal: list[int], chosen: int) -> bool:
    """Return whether a decision has alternatives worth judging.

    It has none if only one action is legal, while an offer is composed, or if the only alternative
    is to raise cash that nobody needs.
    """
    others = [a for a in legal if a != chosen and kind_name(a) not in COMPOSING]
    if not others or kind_name(chosen) in COMPOSING:
        return False
    return kind_name(chosen) not in GOING_ON or any(kind_name(a) not in RAISING for a in others)


def line_taken(states: list[Any], history: list[tuple[int, int]], moment: int) -> Line:
    """Return the player's actions from a moment on, up to the first that is not work on its deeds.

    A deed may be mortgaged to buy another one, and whoever judges the mortgage must see the
    purchase. The result is empty if the line would be the single action.
    """
    start, (seat, action) = states[moment], history[moment]
    line = [action]
    at = moment + 1
    while (
        kind_name(line[-1]) in WORK
        and len(line) < MOST_STEPS
        and at < len(history)
        and history[at][0] == seat
        and int(start["phase"]) in WINDOWS
        and all(states[at][key] == start[key] for key in ("phase", "turns", "rng"))
        and kind_name(history[at][1]) not in COMPOSING
    ):
        line.append(history[at][1])
        at += 1
    return tuple(line) if len(line) > 1 else ()


def raised_first(taken: Line) -> Line:
    """Return the sales and mortgages at the start of a line; empty if there are none."""
    for length, action in enumerate(taken):
        if kind_name(action) not in RAISING:
            return taken[:length]
    return taken


def candidates(tester: LineTester, state: Any, legal: list[int], chosen: int) -> list[int]:
    """Return the actions to try against the chosen one, without that one."""
    if int(state["phase"]) == Phase.ANSWER:
        return [IDS["reject"] if chosen == IDS["accept"] else IDS["accept"]]
    found = {tester.own_choice()}
    ranked = []
    for action in legal:
        kind = kind_name(action)
        if kind in RANKED:
            ranked.append(action)
        elif kind == "raise":
            if int(VALUE_OF[action]) == SMALL_RAISE:
                found.add(action)
        elif kind not in COMPOSING:
            found.add(action)
    if len(ranked) > TRIED:
        seat = int(state["actor"])
        peeks = tester.chances([(a,) for a in ranked], 0, PEEKS, rounds=0)[:, :, seat].mean(axis=1)
        ranked = [ranked[k] for k in np.argsort(-peeks, kind="stable")[:TRIED]]
    found |= set(ranked)
    if kind_name(chosen) not in RAISING and int(state["phase"]) != Phase.DEBT:
        # cash can be raised when needed: having more of it is no better line by itself
        found = {action for action in found if kind_name(action) not in RAISING}
    if kind_name(chosen) in BIDS and (chosen == IDS["open"] or VALUE_OF[chosen] < JUMP):
        # whose bid is last depends on a dollar or two of the others' limits, which nobody can know
        found = {action for action in found if kind_name(action) not in BIDS}
    return sorted(found & set(legal) - {chosen})
