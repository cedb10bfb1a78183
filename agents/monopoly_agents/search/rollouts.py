"""Rollouts: plays the position on many times from each candidate, and compares what comes of it.

All seats are played by one compiled policy for some rounds; then the actor's share of the winning
is estimated from what everybody has. Sample k of every candidate has the same random numbers, so
that luck cancels. Everything happens in one compiled call; nothing is allocated in its loops.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from monopoly_agents.search.candidates import MAX_CANDIDATES, find_candidates
from monopoly_agents.strategist.weights import STRATEGIST
from monopoly_agents.strategist.win_share import others_squared, strength, win_share
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.memory import copy_numbers
from monopoly_env.compiler.records import Records, new_records
from monopoly_env.engine.actions import N_KINDS
from monopoly_env.engine.board import NOBODY, PLAYERS
from monopoly_env.engine.deeds import alive_count
from monopoly_env.engine.dice import GAMMA
from monopoly_env.engine.ending import ranks
from monopoly_env.engine.flow import step
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy import new_views, policy_at
from monopoly_env.engine.policy_loop import LOOP, play_on, seat_players
from monopoly_env.engine.redraw import redraw
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import Float64s, GameState, Int8s, Int64s, new_games

HORIZON = 5  # rounds that a rollout plays
MARGIN = 1.0  # standard errors by which another action must be better than the policy's own
DECIDED = 3.0  # standard errors of difference at which two actions need no more samples
MIN_SAMPLES = 16  # samples of each candidate before which nothing is decided
STRIDE = 4  # samples between two looks


class Workspace(NamedTuple):
    """The memory that rollouts work in, made once a bot."""

    games: Records  # GAME[2]: the position, and the game that is played on
    rules: Records  # RULES[2]: those of the game, and those that stop it after HORIZON rounds
    journals: Records  # JOURNAL[1], off
    own_view: Records  # VIEW[1]: what the actor sees and remembers
    views: Records  # VIEW[8]
    actions: Int64s  # [MAX_CANDIDATES]: candidates, the policy's own first
    values: Float64s  # [MAX_CANDIDATES, samples]
    bits: Int64s  # [N_KINDS]
    loops: Records  # LOOP[1]: the policy in all seats
    rank: Int8s  # [8]
    address: int  # of the policy


def new_workspace(rules: Records, address: int, samples: int) -> Workspace:
    """Memory for so many samples of each candidate."""
    loop = new_records(1, LOOP)
    loop["policies"] = address
    loop["stop_seat"] = NOBODY
    loop["skip_forced"] = True
    return Workspace(
        games=new_games(2),
        rules=np.concatenate([rules, rules]),
        journals=new_journals(1, on=False),
        own_view=new_views(1)[0, :1],
        views=new_views(1)[0],
        actions=np.zeros(MAX_CANDIDATES, np.int64),
        values=np.zeros((MAX_CANDIDATES, samples)),
        bits=np.zeros(N_KINDS, np.int64),
        loops=loop,
        rank=np.zeros(PLAYERS, np.int8),
        address=address,
    )


@jit
def final_share(game: GameState, rules: RuleSet, me: int, rank: Int8s) -> float:
    """A player's share of the winning at the end of a rollout, from 0 to 1.

    An estimate where play was stopped; by ranks, for which ``rank`` int8[8] is needed as scratch
    memory, where the game is over.
    """
    if game.out[me] != 0:
        return 0.0
    if game.phase == Phase.OVER and (game.truncated == 0 or game.turns >= rules.max_turns):
        ranks(game, rules, rank)
        return 1.0 / np.sum(rank == 1) if rank[me] == 1 else 0.0
    own = strength(game, rules, STRATEGIST[0], game.owned[me], float(game.cash[me]))
    return win_share(own, 0.0, others_squared(game, rules, STRATEGIST[0], me, me))


@jit
def roll_out(workspace: Workspace, count: int, first: int, last: int, seed: int) -> None:
    """Play on from each of the first ``count`` candidates, with the same luck for all of them.

    Writes the actor's share of the winning into ``workspace.values[candidate, first:last]``.
    """
    position, game = workspace.games[0], workspace.games[1]
    rules, limited = workspace.rules[0], workspace.rules[1]
    me = int(position.actor)
    log, views = workspace.journals[0], workspace.views
    rounds = HORIZON * alive_count(position)
    limited.max_turns = min(int(rules.max_turns), int(position.turns) + rounds)
    for sample in range(first, last):
        for index in range(count):
            workspace.games[1] = position
            redraw(game, np.uint64(seed) * GAMMA + np.uint64(sample))
            seat_players(views, sample)
            copy_numbers(views[me].memory, workspace.own_view[0].memory)
            step(game, limited, log, workspace.actions[index])
            play_on(game, limited, log, views, workspace.loops[0], workspace.bits)
            workspace.values[index, sample] = final_share(game, rules, me, workspace.rank)


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
