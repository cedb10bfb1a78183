"""Rollouts: plays the position on many times from each candidate, and compares what comes of it.

All seats are played by one compiled policy for some rounds; then the learned value says what the
actor's chance to win is. Sample k of every candidate has the same random numbers, so that luck
cancels. Everything happens in one compiled call; nothing is allocated in its loops.
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

HORIZON = 5  # rounds that a rollout plays
MARGIN = 1.0  # standard errors by which another action must be better than the policy's own
DECIDED = 3.0  # standard errors of difference at which two actions need no more samples
MIN_SAMPLES = 16  # samples of each candidate before which nothing is decided
STRIDE = 4  # samples between two looks


class Workspace(NamedTuple):
    """The memory that rollouts work in, made once a bot."""

    games: Records  # GAME[2]: the position, and the game that is played on
    rules: Records  # RULES[1]
    journals: Records  # JOURNAL[1], off
    own_view: Records  # VIEW[1]: what the actor sees and remembers
    views: Records  # VIEW[8]
    actions: Int64s  # [MAX_CANDIDATES]: candidates, the policy's own first
    values: Float64s  # [MAX_CANDIDATES, samples]
    bits: Int64s  # [N_KINDS]
    loops: Records  # LOOP[1]: one policy in all seats
    networks: Records  # NETWORK[1]: the learned value
    works: Records  # WORK[1]
    chances: Float64s  # [8]
    address: int  # of the policy that chooses


class Player(NamedTuple):
    """A compiled policy, and the weights that it plays by. Keep it alive as long as it plays."""

    policy: Policy
    weights: Any  # None: its own numbers


def new_workspace(
    rules: Records, own: Player, other: Player, networks: Records, samples: int
) -> Workspace:
    """Memory for so many samples of each candidate.

    ``own`` chooses, ``other`` plays the rollouts, ``networks`` judges where they stop.
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
    """Play on from each of the first ``count`` candidates, with the same luck for all of them.

    Writes the actor's chance to win into ``workspace.values[candidate, first:last]``.
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
    """How much better a candidate did than the policy's own choice: mean and standard error."""
    mean, mean_square = 0.0, 0.0
    for sample in range(samples):
        difference = workspace.values[index, sample] - workspace.values[0, sample]
        mean += difference / samples
        mean_square += difference * difference / samples
    return mean, math.sqrt(max(mean_square - mean * mean, 0.0) / max(samples - 1, 1))


@jit
def keep_best(workspace: Workspace, count: int, keep: int, samples: int) -> None:
    """Put the ``keep - 1`` candidates that did best next to the policy's own choice."""
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
    """The best candidate if it is surely better than the policy's own choice, else that."""
    keep_best(workspace, count, 2, samples)
    mean, error = lead(workspace, 1, samples)
    return int(workspace.actions[1] if mean > MARGIN * error else workspace.actions[0])


@jit
def is_decided(workspace: Workspace, count: int, samples: int) -> bool:
    """Whether more samples could hardly change which of two candidates is better."""
    mean, error = lead(workspace, 1, samples)
    return bool(count == 2 and samples >= MIN_SAMPLES and abs(mean) >= DECIDED * error)


@jit
def sequential_halving(workspace: Workspace, count: int, budget: int, seed: int) -> int:
    """Spend up to ``budget`` rollouts; half of the candidates drop out after each stage.

    Returns the best candidate. The policy's own choice stays to the end.

    Source: Karnin, Koren and Somekh 2013, Almost optimal exploration in multi-armed bandits.
    """
    stages, left = 1, count
    while left > 2:
        left = (left + 1) // 2
        stages += 1
    samples, left = 0, count
    for _ in range(stages):
        end = min(samples + max(budget // (stages * left), 1), workspace.values.shape[1])
        while samples < end and not is_decided(workspace, left, samples):
            after = min(samples + STRIDE, end)
            roll_out(workspace, left, samples, after, seed)
            samples = after
        if left > 2:
            keep_best(workspace, left, (left + 1) // 2, samples)
            left = (left + 1) // 2
    return best_candidate(workspace, left, samples)


@jit
def own_choice(workspace: Workspace) -> int:
    """Let the policy decide, and find what else is to be tried out; how many candidates in all."""
    game, rules, view = workspace.games[0], workspace.rules[0], workspace.own_view[0]
    view.seat = game.actor
    own = int(policy_at(workspace.address)(game, rules, view))
    return find_candidates(game, rules, view, own, workspace.actions)
