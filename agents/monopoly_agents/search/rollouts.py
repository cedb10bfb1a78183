"""Compiled rollouts from each candidate action, and the choice of the best one.

One compiled policy plays all seats for some rounds; then the learned value function estimates the
actor's win probability. Sample k of every candidate uses the same random numbers, which reduces the
variance of comparisons. Everything runs in one compiled call without allocations in its loops.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from monopoly_agents.search.candidates import MAX_CANDIDATES, find_candidates
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.memory import copy_numbers
from monopoly_env.compiler.records import Records, new_records
from monopoly_env.engine.actions import N_KINDS
from monopoly_env.engine.board import NOBODY, PLAYERS
from monopoly_env.engine.deeds import alive_count
from monopoly_env.engine.dice import GAMMA
from monopoly_env.engine.flow import step
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.policy import Policy, new_views, policy_address, policy_at, weights_address
from monopoly_env.engine.policy_loop import LOOP, seat_players
from monopoly_env.engine.redraw import redraw
from monopoly_env.engine.state import Float64s, Int64s, new_games
from monopoly_env.planning.kernel import play_until
from monopoly_env.value.network import new_work, write_chances

HORIZON = 5  # rounds per rollout
MARGIN = 1.0  # standard errors by which another action must beat the policy's own choice
DECIDED = 3.0  # standard errors of difference at which two candidates need no more samples
MIN_SAMPLES = 16  # minimum samples per candidate before a decision
STRIDE = 4  # samples between checks
LEAST_BUDGET = 4  # rollouts, two of each of two candidates: one has no standard error


class Workspace(NamedTuple):
    """The working memory of rollouts, allocated once per bot."""

    games: Records  # GAME[2]: the position, and the game of the rollout
    rules: Records  # RULES[1]
    journals: Records  # JOURNAL[1], off
    own_view: Records  # VIEW[1]: the actor's view and memory
    views: Records  # VIEW[8]
    actions: Int64s  # [MAX_CANDIDATES]: the policy's own choice first
    values: Float64s  # [MAX_CANDIDATES, samples]
    bits: Int64s  # [N_KINDS]
    loops: Records  # LOOP[1]: one policy in all seats
    networks: Records  # NETWORK[1]: the learned value function
    works: Records  # WORK[1]
    chances: Float64s  # [8]
    address: int  # address of the policy that makes the default choice


class Player(NamedTuple):
    """A compiled policy and its weights. Keep a reference as long as it plays."""

    policy: Policy
    weights: Any  # None: the policy's default weights


def new_workspace(
    rules: Records, own: Player, other: Player, networks: Records, samples: int
) -> Workspace:
    """Allocate memory for ``samples`` samples per candidate.

    ``own`` makes the default choice, ``other`` plays the rollouts, and ``networks`` evaluate their
    ends.
    """
    loop = new_records(1, LOOP)
    loop["policies"] = policy_address(other.policy)
    loop["stop_seat"] = NOBODY
    loop["skip_forced"] = True
    own_view, views = new_views(1)[0, :1], new_views(1)[0]
    own_view["weights"] = weights_address(own.weights)
    views["weights"] = weights_address(other.weights)
    return Workspace(
        games=new_games(2),
        rules=rules.copy(),
        journals=new_journals(1, on=False),
        own_view=own_view,
        views=views,
        actions=np.zeros(MAX_CANDIDATES, np.int64),
        values=np.zeros((MAX_CANDIDATES, samples)),
        bits=np.zeros(N_KINDS, np.int64),
        loops=loop,
        networks=networks,
        works=new_work(),
        chances=np.zeros(PLAYERS),
        address=policy_address(own.policy),
    )


@jit
def roll_out(workspace: Workspace, count: int, first: int, last: int, seed: int) -> None:
    """Run rollouts from each of the first ``count`` candidates, with common random numbers.

    Writes the actor's win probability into ``workspace.values[candidate, first:last]``.
    """
    position, game = workspace.games[0], workspace.games[1]
    rules, log, views = workspace.rules[0], workspace.journals[0], workspace.views
    me = int(position.actor)
    until = int(position.turns) + HORIZON * alive_count(position) - 1
    for sample in range(first, last):
        for index in range(count):
            workspace.games[1] = position
            redraw(game, np.uint64(seed) * GAMMA + np.uint64(sample))
            seat_players(views, sample)
            copy_numbers(views[me].memory, workspace.own_view[0].memory)
            step(game, rules, log, workspace.actions[index])
            play_until(game, rules, log, views, workspace.loops[0], workspace.bits, until)
            write_chances(game, rules, workspace.networks[0], workspace.works[0], workspace.chances)
            workspace.values[index, sample] = workspace.chances[me]


@jit
def lead(workspace: Workspace, index: int, samples: int) -> tuple[float, float]:
    """Return a candidate's advantage over the policy's own choice: mean and standard error."""
    mean, mean_square = 0.0, 0.0
    for sample in range(samples):
        difference = workspace.values[index, sample] - workspace.values[0, sample]
        mean += difference / samples
        mean_square += difference * difference / samples
    return mean, math.sqrt(max(mean_square - mean * mean, 0.0) / max(samples - 1, 1))


@jit
def keep_best(workspace: Workspace, count: int, keep: int, samples: int) -> None:
    """Move the ``keep - 1`` best candidates next to the policy's own choice."""
    actions, values = workspace.actions, workspace.values
    for place in range(1, keep):
        best, best_mean = place, lead(workspace, place, samples)[0]
        for index in range(place + 1, count):
            mean, _ = lead(workspace, index, samples)
            if mean > best_mean:
                best, best_mean = index, mean
        actions[place], actions[best] = actions[best], actions[place]
        for sample in range(samples):
            value = values[place, sample]
            values[place, sample] = values[best, sample]
            values[best, sample] = value


@jit
def best_candidate(workspace: Workspace, count: int, samples: int) -> int:
    """Return the best candidate if it is significantly better, or else the policy's own choice."""
    keep_best(workspace, count, 2, samples)
    mean, error = lead(workspace, 1, samples)
    return int(workspace.actions[1] if mean > MARGIN * error else workspace.actions[0])


@jit
def is_decided(workspace: Workspace, count: int, samples: int) -> bool:
    """Return whether more samples are unlikely to change which of two candidates is better."""
    mean, error = lead(workspace, 1, samples)
    return bool(count == 2 and samples >= MIN_SAMPLES and abs(mean) >= DECIDED * error)


@jit
def stages_of(count: int) -> int:
    """Return in how many stages the candidates are halved, with two left in the last."""
    stages, left = 1, count
    while left > 2:
        left = (left + 1) // 2
        stages += 1
    return stages


@jit
def sequential_halving(workspace: Workspace, count: int, budget: int, seed: int) -> int:
    """Spend up to ``budget`` rollouts, LEAST_BUDGET or more, by sequential halving.

    Returns the best candidate. The policy's own choice is never dropped. Where the budget is too
    small for one rollout of every candidate in each stage, the last candidates are left out.

    Source: Karnin, Koren and Somekh 2013, Almost optimal exploration in multi-armed bandits.
    """
    left = count
    while left > 2 and budget < stages_of(left) * left:
        left -= 1
    stages, samples = stages_of(left), 0
    for _ in range(stages):
        end = min(samples + budget // (stages * left), workspace.values.shape[1])
        while samples < end and not is_decided(workspace, left, samples):
            after = min(samples + STRIDE, end)
            roll_out(workspace, left, samples, after, seed)
            samples = after
        if left > 2:
            keep_best(workspace, left, (left + 1) // 2, samples)
            left = (left + 1) // 2
    return best_candidate(workspace, left, samples)


@jit
def candidates_beside(workspace: Workspace, own: int) -> int:
    """Find the candidates beside a choice made elsewhere; return their number."""
    game, rules, view = workspace.games[0], workspace.rules[0], workspace.own_view[0]
    view.seat = game.actor
    return find_candidates(game, rules, view, own, workspace.actions)


@jit
def own_choice(workspace: Workspace) -> int:
    """Let the policy decide, and find the other candidates; return the number of candidates."""
    game, rules, view = workspace.games[0], workspace.rules[0], workspace.own_view[0]
    view.seat = game.actor
    return candidates_beside(workspace, int(policy_at(workspace.address)(game, rules, view)))
