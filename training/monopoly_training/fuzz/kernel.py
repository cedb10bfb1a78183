"""Compiled functions that play games under one setting and check each decision."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from monopoly_env.compiler.bits import bit
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Field, Records, dtype_of, new_records
from monopoly_env.engine import flow, new_game
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.board import DEEDS, GROUP
from monopoly_env.engine.dice import GAMMA, mix
from monopoly_env.engine.journal import Log
from monopoly_env.engine.masks import random_below
from monopoly_env.engine.movement import on_route
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState, Int64s, Uint16s
from monopoly_training.fuzz.bookkeeping import open_books
from monopoly_training.fuzz.checks import (
    Fault,
    check_action,
    check_closely,
    check_position,
    take,
)
from monopoly_training.fuzz.styles import weighted_pick

CLOSELY = 16  # one of this many positions gets the slower checks
ALL_DEEDS = np.array(DEEDS, np.int64)


class RunState:
    """The progress of a run under one setting."""

    rng: Annotated[np.uint64, Field("u8", (), "", "random state of the players")]
    seed: Annotated[int, Field("i8", (), "", "of the current game")]
    riches: Annotated[int, Field("i8", (), "$", "extra starting cash of each player")]
    groups: Annotated[int, Field("i8", (), "yes/no", "all groups are owned from the start")]
    players: Annotated[int, Field("i8", (), "seats", "at the table")]
    games: Annotated[int, Field("i8", (), "games", "begun")]
    length: Annotated[int, Field("i8", (), "actions", "taken in the current game")]
    fault: Annotated[int, Field("i8", (), "Fault", "what went wrong")]


RUN = dtype_of(RunState)


def new_run(seed: int, players: int, riches: int, groups: bool) -> Any:
    """Return a run before its first game, as an array of one RUN record."""
    runs = new_records(1, RUN)
    runs["rng"] = seed
    runs["players"], runs["riches"], runs["groups"] = players, riches, groups
    return runs


@jit
def begin(game: GameState, rules: RuleSet, log: Log, run: RunState) -> None:
    """Start the next game of a run."""
    run.rng += GAMMA
    run.seed = int(mix(run.rng) >> np.uint64(1))
    run.games += 1
    run.length = 0
    log.length = 0
    new_game.new_game(game, rules, log, run.players, run.seed)
    if run.groups != 0:
        deal_groups(game, rules)
    if run.riches != 0:
        for player in range(game.players):
            game.cash[player] += run.riches
            game.bank -= run.riches
    flow.proceed(game, rules, log)


@jit
def deal_groups(game: GameState, rules: RuleSet) -> None:
    """Give every group on the board to one player, regardless of the deal."""
    game.owned[:] = 0
    for index in range(len(ALL_DEEDS)):
        square = ALL_DEEDS[index]
        if not on_route(rules, square):
            continue
        owner = GROUP[square] % game.players
        game.owner[square] = owner
        game.owned[owner] |= bit(square)


@jit
def play(
    games: Records,
    rules_: Records,
    journals: Records,
    books_: Records,
    desks: Records,
    runs: Records,
    liking: Int64s,
    actions: Uint16s,
    decisions: int,
) -> int:
    """Continue a run, with new games as needed; return the number of decisions taken.

    ``games[0]`` is the current position and ``games[1]`` the one with which its game began;
    ``actions`` (uint16, with room for all decisions of the run) holds the actions since. Stops at a
    fault, reported in ``runs.fault`` and ``desks.detail``.
    """
    game, rules, log, books = games[0], rules_[0], journals[0], books_[0]
    desk, run = desks[0], runs[0]
    taken = 0
    while True:
        if run.games == 0 or game.phase == Phase.OVER:
            begin(game, rules, log, run)
            games[1] = games[0]
            open_books(books, game)
        run.fault = check_at_random(game, rules, desk, run)
        if run.fault != Fault.NONE or taken >= decisions:
            return taken
        if game.phase == Phase.OVER:
            continue
        run.rng += GAMMA + GAMMA
        action = weighted_pick(desk.bits, liking, run.rng)
        actions[run.length] = action
        run.length += 1
        taken += 1
        run.fault = take(game, rules, log, books, desk, action)
        if run.fault != Fault.NONE:
            return taken


@jit
def check_at_random(game: GameState, rules: RuleSet, desk: Any, run: RunState) -> int:
    """Check the position and one random action; at random, or at the end of a game, check all."""
    fault = check_position(game, rules, desk)
    if fault != Fault.NONE:
        return fault
    run.rng += GAMMA
    if game.phase == Phase.OVER or random_below(run.rng, CLOSELY) == 0:
        return check_closely(game, rules, desk)
    return check_action(game, rules, desk, random_below(run.rng + GAMMA, N_ACTIONS))


@jit
def start_over(games: Records, books_: Records) -> None:
    """Return to the initial position of the current game."""
    games[0] = games[1]
    open_books(books_[0], games[0])


@jit
def follow(
    games: Records,
    rules_: Records,
    journals: Records,
    books_: Records,
    desks: Records,
    actions: Uint16s,
    runs: Records,
) -> int:
    """Take actions from the current position with all checks; return the number taken.

    Stops at the first fault, reported in ``runs.fault``.
    """
    game, rules, log, books = games[0], rules_[0], journals[0], books_[0]
    desk, run = desks[0], runs[0]
    for taken in range(len(actions) + 1):
        run.fault = check_position(game, rules, desk)
        if run.fault == Fault.NONE:
            run.fault = check_closely(game, rules, desk)
        if run.fault != Fault.NONE or taken == len(actions):
            return taken
        run.fault = take(game, rules, log, books, desk, int(actions[taken]))
        if run.fault != Fault.NONE:
            return taken + 1
    return len(actions)
