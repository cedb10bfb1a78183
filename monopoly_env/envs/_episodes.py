"""Begins episodes: draws the game's seed and line-up, and plays to the first external decision."""

from __future__ import annotations

import numpy as np

from monopoly_env.bot_seeds import seat_bots
from monopoly_env.compiler.bits import bit, count
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.pointers import record_at
from monopoly_env.compiler.records import Records
from monopoly_env.engine import new_game
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.dice import GAMMA, mix, shuffle
from monopoly_env.engine.flow import proceed
from monopoly_env.engine.masks import nth_set, random_below
from monopoly_env.engine.policy_loop import LoopState, is_over
from monopoly_env.engine.state import GameState, Int64s
from monopoly_env.envs._boards import draw_board, rules_of
from monopoly_env.envs._policies import run_policies, stop_seat
from monopoly_env.envs._records import (
    ANY,
    NEW_GAME,
    SAME_GAME,
    START,
    EpisodeState,
    KernelConfig,
    StartState,
    StepRecord,
)
from monopoly_env.envs._rewards import start_shaping
from monopoly_env.envs.step_codes import EXTERNAL, STUCK

ATTEMPTS = 1000  # games in a row that may end without an external decision
SEED_BITS = np.uint64(11)  # keeps 53 bits, which any file format can hold
LINE_UP_SALT = np.uint64(0xA0761D6478BD642F)
WHOLE_SALT = np.uint64(0x8CB92BA72F3D8DD7)
EPISODE_SALT = np.uint64(0xE7037ED1A0B428DB)
TABLE_SALT = np.uint64(0x589965CC75374CC3)
POSITION_SALT = np.uint64(0x8EBC6AF09C88C6E3)
CHANCE = 1.0 / (1 << 30)
START_SIZE = START.itemsize

start_at = record_at(START)


@jit
def begin_episode(
    games: Records,
    index: int,
    episode: EpisodeState,
    config: KernelConfig,
    record: StepRecord,
    views: Records,
    loop: LoopState,
) -> None:
    """Begin the next game at ``index`` and play to its first external decision."""
    game = games[index]
    for _ in range(ATTEMPTS):
        episode.game_seed = nth_seed(episode.seed, episode.begun)
        how = NEW_GAME
        if config.starts != 0:
            start = start_at(config.starts + index * START_SIZE)
            how = int(start.how)
            begin_at_position(games, index, episode, start)
        if how == NEW_GAME:
            draw_board(episode, config)
            rules = rules_of(episode, config)
            new_game.new_game(game, rules, config.log, config.players, episode.game_seed)
            proceed(game, rules, config.log)
        episode.begun += 1
        if open_episode(game, episode, config, views, loop):
            return
    record.ended = STUCK


@jit
def begin_at_position(games: Records, index: int, episode: EpisodeState, start: StartState) -> None:
    """Copy the starting position into the game, if there is one."""
    if start.how == NEW_GAME:
        return
    games[index] = start.position
    if start.how == SAME_GAME:
        episode.game_seed = nth_seed(start.seed, episode.begun - start.begun)
    else:
        draw_hidden(games[index], start, episode.game_seed)


@jit
def draw_hidden(game: GameState, start: StartState, seed: int) -> None:
    """Draw the hidden information of a position from a seed: future rolls and card order."""
    game.rng = mix(np.uint64(seed) * GAMMA + POSITION_SALT)
    if start.shuffles != 0:
        for pile in range(2):
            shuffle(game, game.deck[pile], game.unseen[pile])


@jit
def nth_seed(seed: int, number: int) -> int:
    """Return the seed of game ``number`` in a slot; the first is the slot's own seed."""
    if number == 0:
        return int(seed)
    mixed = mix(mix(np.uint64(seed) * GAMMA + EPISODE_SALT) + np.uint64(number) * GAMMA)
    return int(np.int64(mixed >> SEED_BITS))


@jit
def spread_seeds(seed: int, seeds: Int64s) -> None:
    """Derive a seed for each slot from one seed; the first slot gets that seed itself."""
    for index in range(len(seeds)):
        mixed = mix(mix(np.uint64(seed) * GAMMA + TABLE_SALT) + np.uint64(index) * GAMMA)
        seeds[index] = seed if index == 0 else int(np.int64(mixed >> SEED_BITS))


@jit
def open_episode(
    game: GameState, episode: EpisodeState, config: KernelConfig, views: Records, loop: LoopState
) -> bool:
    """Seat the players and play to the first external decision; return whether there is one."""
    seat_bots(views, episode.game_seed)
    draw_line_up(game, episode, config)
    for seat in range(game.players):
        number = int(episode.line_up[seat])
        views[seat].weights = config.weights[number] if number != EXTERNAL else 0
    episode.potential[:] = 0.0
    episode.gain[:] = 0.0
    episode.shaped = 0
    episode.paid = seats_out(game)  # seats that left before the position are not paid
    episode.steps = 0
    run_policies(game, episode, config, views, loop)
    if is_over(game, stop_seat(episode, config)):
        return False
    start_shaping(game, episode, config, int(game.actor))
    return True


@jit
def seats_out(game: GameState) -> int:
    """Return the seats that have left the game, as a bit mask."""
    seats = 0
    for player in range(game.players):
        if game.out[player] != 0:
            seats |= bit(player)
    return seats


@jit
def draw_line_up(game: GameState, episode: EpisodeState, config: KernelConfig) -> None:
    """Draw the learner's seat and the opponents, from the game's seed only."""
    episode.line_up[:] = config.fallback
    if config.every_seat != 0:
        episode.seat = NOBODY
        episode.external = bit(game.players) - 1
        return
    state = mix(np.uint64(episode.game_seed) * GAMMA + LINE_UP_SALT)
    episode.seat = config.seat if config.seat != ANY else draw_seat(game, state)
    episode.external = bit(episode.seat)
    entry = 0
    if config.whole != 0:
        entry = draw_entry(config, random_below(state + WHOLE_SALT, 1 << 30) * CHANCE)
    for left in range(1, game.players):
        state += GAMMA
        seat = (episode.seat + left) % game.players
        number = config.opponents[left - 1]
        if config.whole != 0:
            number = config.line_ups[entry, left - 1]
        elif config.pool != 0:
            number = draw_entry(config, random_below(state, 1 << 30) * CHANCE)
            if config.policies[number] == 0:  # the external opponent
                number = EXTERNAL
        episode.line_up[seat] = number
        if number == EXTERNAL:
            episode.external |= bit(seat)


@jit
def draw_seat(game: GameState, state: np.uint64) -> int:
    """Return a random seat among those still in the game."""
    seats = (bit(game.players) - 1) & ~seats_out(game)
    return nth_set(seats, random_below(state, count(seats)))


@jit
def draw_entry(config: KernelConfig, chance: float) -> int:
    """Return the pool entry selected by a random number from 0 to 1."""
    for number in range(config.pool - 1):
        if chance < config.chances[number]:
            return number
    return int(config.pool) - 1
