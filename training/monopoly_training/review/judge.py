"""Judge how much each decision lost against the best known one, by short rollouts and the value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np

from monopoly_env.editions import Edition
from monopoly_env.engine.actions import IDS
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.state import Float64s
from monopoly_env.value.weights import Value
from monopoly_training.review.candidates import (
    BIDS,
    candidates,
    is_choice,
    kind_name,
    line_taken,
    raised_first,
)
from monopoly_training.review.kernel import LEAVES
from monopoly_training.review.line_rollouts import Line, LineTester

SAMPLES = (24, 48, 96, 192, 384)  # of each line; the next number only while the mark is unclear
MISTAKE = 0.01  # win probability lost; a smaller loss is not marked
FINE = 0.03  # gained by a deal, or by a move that veteran would not have found
EXACT = 0.0025  # a standard error that needs no more samples
SURE = 2.0  # standard errors
NO_DEAL = -1  # the better line was to make no offer
ACCEPT, REJECT = IDS["accept"], IDS["reject"]


@dataclass(frozen=True)
class Judged:
    """Judgment of one decision. Chances are win probabilities, from 0 to 1."""

    moment: int  # number of actions before it
    seat: int
    phase: str  # BUY, for example; DEAL for a whole offer
    chosen: int  # id of the action
    best: int  # id of the best known action: the chosen one if none is better, or NO_DEAL
    lost: float  # win probability lost against the best one, less one standard error
    error: float  # standard error of the difference
    gained: float  # win probability gained over the policy's own choice, or 0
    chance: float  # win probability after the best one
    actions: int = 1  # successive sales and mortgages are one decision


def judge_game(
    edition: Edition,
    value: Value,
    states: list[Any],
    history: list[tuple[int, int]],
    legal: list[list[int]],
    first: int = 0,
) -> Iterator[Judged | None]:
    """Judge every decision of a game; yield None for those without a choice.

    ``states`` are GAME records by moment, one more than ``history`` has actions; ``legal`` holds
    the legal ids of each moment; ``first`` is the moment to begin at. Successive sales and
    mortgages are one decision; an accepted offer is judged for both sides, the proposer's first.
    """
    tester, part_of = LineTester(edition, value), 0
    for moment in range(first, len(history)):
        _, chosen = history[moment]
        if moment < part_of or not is_choice(legal[moment], chosen):
            yield None
            continue
        tester.put(states[moment])
        taken = line_taken(states, history, moment)
        raised = raised_first(taken)
        part_of = max(part_of, moment + len(raised))
        yield from _judge(tester, states[moment], moment, chosen, legal[moment], taken, raised)


def _judge(
    tester: LineTester,
    state: Any,
    moment: int,
    chosen: int,
    legal: list[int],
    taken: Line,
    raised: Line,
) -> Iterator[Judged]:
    """Judge one decision, and the offer if the decision accepts one."""
    others = candidates(tester, state, legal, chosen)
    if not others:
        return
    if kind_name(chosen) in BIDS:  # a bid does not oblige to bid again
        taken = (chosen, LEAVES)
    mine = [(chosen,), taken] if taken and not raised else [taken or (chosen,)]
    lines: list[Line] = [*mine, *((a,) for a in others)]
    own, seat = len(mine), int(state["actor"])
    watched = [seat]
    if int(state["phase"]) == Phase.ANSWER and chosen == ACCEPT and moment > 0:
        watched.insert(0, int(state["proposer"]))
    values = tester.chances(lines, 0, SAMPLES[0])
    for before, more in pairwise(SAMPLES):
        if all(_is_clear(values[:, :, one], own) for one in watched):
            break
        values = np.concatenate([values, tester.chances(lines, before, more)], axis=1)
    phase = Phase(int(state["phase"])).name
    for one in watched:
        lead, error, best = _lead(values[:, :, one], own)
        chance = float(values[:, :, one].mean(axis=1)[[*range(own), own + best]].max())
        lost, gained = max(0.0, lead - error), max(0.0, -lead - error)
        if int(state["phase"]) == Phase.ANSWER:
            lost, gained = _agreed(tester, (chosen, others[0]), one, lost, gained)
        if one != seat:
            yield Judged(
                moment - 1,
                one,
                "DEAL",
                ACCEPT,
                NO_DEAL if lost else ACCEPT,
                lost,
                error,
                gained,
                chance,
            )
        else:
            action = others[best] if lost else chosen
            if chosen != ACCEPT:  # "fine" is what the policy would not have found
                policy = tester.own_choice()
                found = policy in others and int(state["phase"]) != Phase.ANSWER
                rows = [*range(own), own + others.index(policy)] if found else []
                lead, error, _ = _lead(values[rows][:, :, one], own) if found else (0.0, 0.0, 0)
                gained = max(0.0, -lead - error)
            count = max(len(raised), 1)
            yield Judged(moment, one, phase, chosen, action, lost, error, gained, chance, count)


def _agreed(
    tester: LineTester, answers: tuple[int, int], seat: int, lost: float, gained: float
) -> tuple[float, float]:
    """Return the smaller loss and gain of an answer by the value and the strategist's formula.

    Deals lead to positions that bots seldom reach, where either of the two can be far off.
    """
    after = tester.formula([(answers[0],), (answers[1],)])[:, seat]
    lead = float(after[1] - after[0])
    return min(lost, max(lead, 0.0)), min(gained, max(-lead, 0.0))


def _lead(values: Float64s, own: int) -> tuple[float, float, int]:
    """Return the mean lead of the best other line, its standard error, and its index.

    ``values`` is [lines, samples]; the first ``own`` lines are what was done, of which the better
    one counts.
    """
    mine = values[:own].mean(axis=1).argmax()
    differences = values[own:] - values[mine]
    means = differences.mean(axis=1)
    errors = differences.std(axis=1, ddof=1) / sqrt(values.shape[1])
    best = int((means - errors).argmax())
    return float(means[best]), float(errors[best]), best


def _is_clear(values: Float64s, own: int) -> bool:
    """Return whether more samples are unlikely to change the mark."""
    lead, error, _ = _lead(values, own)
    margin = SURE * error
    return error < EXACT or (lead + margin < MISTAKE and -lead + margin < FINE)
