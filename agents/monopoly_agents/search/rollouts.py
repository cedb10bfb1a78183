"""Tries actions out: plays the position on many times from each, and compares what comes of it.

All seats are played by one compiled policy for some rounds; then each seat's share of the
winning is judged from what it has. Every candidate is tried with the same random numbers, so
that luck cancels. Everything happens in one compiled call; nothing is allocated in its loops.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from monopoly_agents.search.candidates import MOST, find_candidates
from monopoly_agents.strategist.weights import STRATEGIST
from monopoly_agents.strategist.win_share import others_squared, strength, win_share
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.memory import copy_numbers
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.deeds import alive_count
from monopoly_env.engine.dice import GAMMA, mix, shuffle
from monopoly_env.engine.dispatch import N_KINDS
from monopoly_env.engine.ending import ranks
from monopoly_env.engine.flow import step
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy import new_views, policy_at
from monopoly_env.engine.policy_loop import play_on, seat_players
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState, Int8s, Int64s, new_games

Floats = npt.NDArray[np.float64]
Records = Any

HORIZON = 5  # rounds that are played on
SURE = 1.0  # standard errors by which another action must be better than the policy's own
CLEAR = 3.0  # standard errors after which two actions need no further trial
FEW = 16  # tries before which nothing is clear
STRIDE = 4  # tries between two looks


class Room(NamedTuple):
    """What looking ahead works with, made once a bot."""

    games: Records  # GAME[2]: the position, and the game that is played on
    wiped: Records  # GAME[1]
    rules: Records  # RULES[2]: those of the game, and those that stop it after HORIZON rounds
    journals: Records  # JOURNAL[1], off
    mine: Records  # VIEW[1]: what the actor sees and remembers
    views: Records  # VIEW[8]
    actions: Int64s  # [MOST]: candidates, the policy's own first
    values: Floats  # [MOST, tries]
    bits: Int64s  # [N_KINDS]
    illegal: Int64s  # [8]
    rank: Int8s  # [8]
    address: int  # of the policy


def new_room(rules: Records, address: int, tries: int) -> Room:
    """Room for so many tries of each candidate."""
    return Room(
        games=new_games(2),
        wiped=new_games(1),
        rules=np.concatenate([rules, rules]),
        journals=new_journals(1, on=False),
        mine=new_views(1)[0, :1],
        views=new_views(1)[0],
        actions=np.zeros(MOST, np.int64),
        values=np.zeros((MOST, tries)),
        bits=np.zeros(N_KINDS, np.int64),
        illegal=np.zeros(PLAYERS, np.int64),
        rank=np.zeros(PLAYERS, np.int8),
        address=address,
    )


@jit
def redraw(game: GameState, seed: np.uint64) -> None:
    """Draw what nobody can see: the generator, and the order of the cards nobody has seen."""
    game.rng = mix(seed)
    for pile in range(2):
        shuffle(game, game.deck[pile], game.unseen[pile])


@jit
def worth(game: GameState, rules: RuleSet, me: int, rank: Int8s) -> float:
    """A player's share of the winning where play was stopped; who won, where the game is over.

    ``rank`` int8[8] is room to work in.
    """
    if game.out[me] != 0:
        return 0.0
    if game.phase == Phase.OVER and (game.truncated == 0 or game.turns >= rules.max_turns):
        ranks(game, rules, rank)
        return 1.0 / np.sum(rank == 1) if rank[me] == 1 else 0.0
    mine = strength(game, rules, STRATEGIST[0], game.owned[me], float(game.cash[me]))
    return win_share(mine, 0.0, others_squared(game, rules, STRATEGIST[0], me, me))


@jit
def try_out(room: Room, count: int, first: int, last: int, seed: int) -> None:
    """Play on from each of the first ``count`` candidates, with the same luck for all of them.

    Writes the actor's share of the winning into ``room.values[candidate, first:last]``.
    """
    position, game, rules, ahead = room.games[0], room.games[1], room.rules[0], room.rules[1]
    me = int(position.actor)
    log, views = room.journals[0], room.views
    one = policy_at(room.address)
    policies = (one, one, one, one, one, one, one, one)
    rounds = HORIZON * alive_count(position)
    ahead.max_turns = min(int(rules.max_turns), int(position.turns) + rounds)
    for number in range(first, last):
        for index in range(count):
            room.games[1] = position
            redraw(game, np.uint64(seed) * GAMMA + np.uint64(number))
            seat_players(views, number)
            copy_numbers(views[me].memory, room.mine[0].memory)
            step(game, ahead, log, room.actions[index])
            play_on(
                game, ahead, log, views, policies, 0, 0, True, room.wiped, room.bits, room.illegal
            )
            room.values[index, number] = worth(game, rules, me, room.rank)


@jit
def lead(room: Room, index: int, tries: int) -> tuple[float, float]:
    """How much better a candidate did than the policy's own choice: mean and standard error."""
    mean, squares = 0.0, 0.0
    for number in range(tries):
        difference = room.values[index, number] - room.values[0, number]
        mean += difference / tries
        squares += difference * difference / tries
    return mean, math.sqrt(max(squares - mean * mean, 0.0) / max(tries - 1, 1))


@jit
def narrow(room: Room, count: int, keep: int, tries: int) -> None:
    """Put the ``keep - 1`` candidates that did best next to the policy's own choice."""
    for place in range(1, keep):
        best, best_mean = place, lead(room, place, tries)[0]
        for index in range(place + 1, count):
            mean, _ = lead(room, index, tries)
            if mean > best_mean:
                best, best_mean = index, mean
        room.actions[place], room.actions[best] = room.actions[best], room.actions[place]
        for number in range(tries):
            kept = room.values[place, number]
            room.values[place, number] = room.values[best, number]
            room.values[best, number] = kept


@jit
def verdict(room: Room, count: int, tries: int) -> int:
    """The best candidate if it is surely better than the policy's own choice, else that."""
    narrow(room, count, 2, tries)
    mean, error = lead(room, 1, tries)
    return int(room.actions[1] if mean > SURE * error else room.actions[0])


@jit
def is_clear(room: Room, count: int, tries: int) -> bool:
    """Whether further tries could hardly change the verdict between two candidates."""
    mean, error = lead(room, 1, tries)
    return bool(count == 2 and tries >= FEW and abs(mean) >= CLEAR * error)


@jit
def halve(room: Room, count: int, budget: int, seed: int) -> int:
    """Spend up to ``budget`` rollouts, half of the candidates dropping out after each stage.

    Returns the verdict. The policy's own choice stays to the end.
    """
    stages, left = 1, count
    while left > 2:
        left = (left + 1) // 2
        stages += 1
    tries, left = 0, count
    for _ in range(stages):
        until = min(tries + max(budget // (stages * left), 1), room.values.shape[1])
        while tries < until and not is_clear(room, left, tries):
            after = min(tries + STRIDE, until)
            try_out(room, left, tries, after, seed)
            tries = after
        if left > 2:
            narrow(room, left, (left + 1) // 2, tries)
            left = (left + 1) // 2
    return verdict(room, left, tries)


@jit
def own_choice(room: Room) -> int:
    """Ask the policy about the position, and find what else is worth trying; how many in all."""
    game, rules, view = room.games[0], room.rules[0], room.mine[0]
    view.seat = game.actor
    own = int(policy_at(room.address)(game, rules, view))
    return find_candidates(game, rules, view, own, room.actions)
