"""The kernel of every environment: steps many games in one compiled call.

:func:`play_batch` applies one action per game, plays compiled policies and forced moves up to the
next external decision, pays rewards, restarts finished games, and writes the next observations. All
arrays are preallocated.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.memory import borrowed, prefetch
from monopoly_env.compiler.records import Records
from monopoly_env.encoding.observation import (
    OBSERVATION_SIZE,
    rewrite_observation,
    write_observation,
)
from monopoly_env.encoding.packing import pack_observation, repack_observation
from monopoly_env.encoding.prefetching import fetch_changes, fetch_packed, fetch_row, fetch_shown
from monopoly_env.encoding.row_cache import changes_since
from monopoly_env.engine.actions import BASE, KIND_OF, N_ACTIONS
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.deeds import alive_count
from monopoly_env.engine.flow import step
from monopoly_env.engine.masks import write_mask
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy_loop import LOOP, LoopState, offers_some
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import Float32s, GameState, Int8s, Int64s
from monopoly_env.envs._boards import rules_of
from monopoly_env.envs._episodes import begin_episode
from monopoly_env.envs._policies import run_policies, set_loop
from monopoly_env.envs._queries import ANYTHING, random_action
from monopoly_env.envs._records import EpisodeState, KernelConfig, StepRecord
from monopoly_env.envs._rewards import forfeit, pay_rewards
from monopoly_env.envs._work_queue import CUTS, finish_chunk, linger, take_chunk
from monopoly_env.envs.step_codes import FORFEIT, PLAY, RAISE, RESET, RUNNING, SKIP

PREFETCH_GAMES = 128  # games stepped while their rows are prefetched


@jit
def play_batch(
    games: Records,
    episodes: Records,
    configs: Records,
    records: Records,
    views: Records,
    observations: Float32s,
    shown: Records,
    masks: Int8s,
    queue: Int64s,
    thread: int,
    packed: Any,
) -> bool:
    """Execute the commands in ``records``, STEP_RECORD[n]; return False if an action is refused.

    A refused action leaves all games unchanged.

    ``observations`` float32[2 n · OBSERVATION_SIZE] receives the observation of each next player
    and, in its second half, the final observation of games that ended. Without automatic resets,
    only the first half is needed. ``shown`` (n, SHOWN) describes what the rows already hold; if it
    is empty, rows are written in full. ``masks`` int8[n · N_ACTIONS]. ``observations`` and
    ``masks`` may be empty. ``packed`` is None, or records PACKED[2 n] that are written instead of
    ``observations``; each case is compiled separately.

    ``configs`` is one KERNEL_CONFIG, ``views`` (n, PLAYERS) holds the policies' memory. ``queue``
    is empty, or divides the games into chunks for several threads. Each thread calls this function
    with its own number, after :func:`first_illegal` has checked the actions.
    """
    games, episodes, records = borrowed(games), borrowed(episodes), borrowed(records)
    views, observations, masks = borrowed(views), borrowed(observations), borrowed(masks)
    shown, queue = borrowed(shown), borrowed(queue)
    config = borrowed(configs)[0]
    loops = np.zeros(1, LOOP)
    set_loop(loops[0], config)
    alone = len(queue) == 0
    if alone and first_illegal(games, episodes, configs, records) >= 0:
        return False
    first, last, chunk = 0, len(games), 0
    if not alone:
        chunk = take_chunk(queue, thread)
    while chunk >= 0:
        if not alone:
            first, last = queue[queue[CUTS] + chunk], queue[queue[CUTS] + chunk + 1]
        play_chunk(
            games,
            episodes,
            config,
            records,
            views,
            first,
            last,
            observations,
            shown,
            masks,
            loops,
            packed,
        )
        if alone:
            break
        finish_chunk(queue, thread)
        chunk = take_chunk(queue, thread)
    if not alone:
        linger(queue, thread)
    return True


@jit
def play_chunk(
    games: Records,
    episodes: Records,
    config: KernelConfig,
    records: Records,
    views: Records,
    first: int,
    last: int,
    observations: Float32s,
    shown: Records,
    masks: Int8s,
    loops: Records,
    packed: Any,
) -> None:
    """Step the games ``first`` to ``last`` in groups, and write observations and masks."""
    loop = loops[0]  # not in the caller: a record does not keep its array alive
    changes = np.zeros(min(last - first, PREFETCH_GAMES), np.int64)
    for start in range(first, last, PREFETCH_GAMES):
        stop = min(start + PREFETCH_GAMES, last)
        for index in range(start, stop):
            game, episode, record = games[index], episodes[index], records[index]
            if len(shown) > 0:
                fetch_shown(shown, index)
                fetch_either(observations, index, packed)
                prefetch(masks, index * N_ACTIONS, (index + 1) * N_ACTIONS)
            step_episode(
                games, index, episode, config, record, views[index], loop, observations, packed
            )
            if len(shown) > 0:
                seat = observer(episode, record)
                changes[index - start] = changes_since(shown[index], game, seat)
                if packed is None:
                    fetch_changes(observations, index, changes[index - start])
        for index in range(start, stop):
            episode, record = episodes[index], records[index]
            if record.command != SKIP:
                seat, changed = observer(episode, record), changes[index - start]
                rules = rules_of(episode, config)
                if config.boards != 0 and len(shown) > 0:
                    shown[index].filled = 0  # the row may show another edition
                write_row(games[index], rules, seat, index, observations, shown, changed, packed)
                if len(masks) > 0:
                    mask = masks[index * N_ACTIONS : (index + 1) * N_ACTIONS]
                    write_mask(episode.bits, mask)


@jit
def first_illegal(games: Records, episodes: Records, configs: Records, records: Records) -> int:
    """Return the first game that refuses its action; -1 if there is none."""
    config = configs[0]
    for index in range(len(episodes)):
        if not accepts(games[index], episodes[index], config, records[index]):
            return index
    return -1


@jit
def accepts(
    game: GameState, episode: EpisodeState, config: KernelConfig, record: StepRecord
) -> bool:
    """Return whether a game can execute its command; ``config.illegal`` may permit any action."""
    if record.command != PLAY or is_legal(game, episode, record.action):
        return True
    if config.illegal == RAISE or not offers_some(episode.bits, ANYTHING):
        return False
    return bool(episode.seat == NOBODY or game.actor == episode.seat)


@jit
def is_legal(game: GameState, episode: EpisodeState, action: int) -> bool:
    """Return whether an action (any number) is legal in the current decision."""
    if action < 0 or action >= N_ACTIONS or game.phase == Phase.OVER:
        return False
    kind = KIND_OF[action]
    return bool(episode.bits[kind] >> (action - BASE[kind]) & 1 != 0)


# Observations


@jit
def observer(episode: EpisodeState, record: StepRecord) -> int:
    """Return the observing seat: the learner's, or the actor's if every seat is external."""
    return int(episode.seat) if episode.seat != NOBODY else max(int(record.actor), 0)


@jit
def fetch_either(observations: Float32s, row: int, packed: Any) -> None:
    """Prefetch a row of either form."""
    if packed is None:
        fetch_row(observations, row)
    else:
        fetch_packed(packed, row)


@jit
def write_row(
    game: GameState,
    rules: RuleSet,
    seat: int,
    row: int,
    observations: Float32s,
    shown: Records,
    changes: int,
    packed: Any,
) -> None:
    """Write a seat's observation into a row; with ``shown``, only what has changed."""
    if len(shown) == 0:
        write_whole_row(game, rules, seat, row, observations, packed)
        return
    if packed is None:
        observation = observations[row * OBSERVATION_SIZE : (row + 1) * OBSERVATION_SIZE]
        rewrite_observation(game, rules, seat, observation, shown[row], changes)
    else:
        repack_observation(game, rules, seat, packed[row], shown[row], changes)


@jit
def write_whole_row(
    game: GameState,
    rules: RuleSet,
    seat: int,
    row: int,
    observations: Float32s,
    packed: Any,
) -> None:
    """Write a seat's observation into a row, whatever the row held before."""
    if packed is not None:
        pack_observation(game, rules, seat, packed[row])
    elif len(observations) > 0:
        observation = observations[row * OBSERVATION_SIZE : (row + 1) * OBSERVATION_SIZE]
        write_observation(game, rules, seat, observation)


@jit
def observe_learners(
    games: Records,
    episodes: Records,
    configs: Records,
    records: Records,
    rows: Int64s,
    observations: Float32s,
    masks: Int8s,
    packed: Any,
) -> None:
    """Write the observations and masks of the deciding seats of some games into their rows.

    ``observations`` float32[2 n · OBSERVATION_SIZE] or ``packed``, as in :func:`play_batch`;
    ``masks`` int8[n, N_ACTIONS].
    """
    for k in range(len(rows)):
        row = rows[k]
        seat = observer(episodes[row], records[row])
        rules = rules_of(episodes[row], configs[0])
        write_whole_row(games[row], rules, seat, row, observations, packed)
        write_mask(episodes[row].bits, masks[row])


# One game


@jit
def step_episode(
    games: Records,
    index: int,
    episode: EpisodeState,
    config: KernelConfig,
    record: StepRecord,
    views: Records,
    loop: LoopState,
    observations: Float32s,
    packed: Any,
) -> None:
    """Execute one game's command and play on; begin the next game if this one ends."""
    game = games[index]
    record.ended, record.eventful = RUNNING, 0
    if record.command == SKIP:
        return
    record.reward[:] = 0.0
    record.learner_reward = 0.0
    if record.command == RESET:
        record.command = PLAY
        record.eventful = 1
        begin_episode(games, index, episode, config, record, views, loop)
    else:
        take_action(game, episode, config, record, views, loop)
        if record.ended != RUNNING and config.autoreset != 0:
            seat = observer(episode, record)
            rules = rules_of(episode, config)
            write_whole_row(game, rules, seat, len(games) + index, observations, packed)
            begin_episode(games, index, episode, config, record, views, loop)
    record.actor = game.actor


@jit
def take_action(
    game: GameState,
    episode: EpisodeState,
    config: KernelConfig,
    record: StepRecord,
    views: Records,
    loop: LoopState,
) -> None:
    """Take an action, play to the next external decision, and pay rewards."""
    record.actor = game.actor
    if config.illegal != RAISE and not is_legal(game, episode, record.action):
        if config.illegal == FORFEIT:
            record.eventful = 1
            episode.steps += 1
            forfeit(game, episode, config, record)
            return
        record.action = random_action(episode, 0)
    episode.steps += 1
    alive = alive_count(game)
    step(game, rules_of(episode, config), config.log, record.action)
    run_policies(game, episode, config, views, loop)
    paid = pay_rewards(game, episode, config, record)
    if paid or alive_count(game) != alive:
        record.eventful = 1
