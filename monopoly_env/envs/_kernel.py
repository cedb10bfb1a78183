"""Many games in one compiled call: what every environment of this package runs on.

A table is a game with who sits there. :func:`play_tables` applies one action a table, lets
compiled policies and forced moves run on to the next outside decision, pays rewards, starts
finished games anew, and writes what the next player sees; all into arrays made once.
"""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.bits import bit, count
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.memory import borrowed, prefetch
from monopoly_env.compiler.records import Records
from monopoly_env.encoding.observation import (
    OBSERVATION_SIZE,
    rewrite_observation,
    write_observation,
)
from monopoly_env.encoding.prefetching import fetch_changes, fetch_row, fetch_shown
from monopoly_env.encoding.row_cache import changes_since
from monopoly_env.engine import new_game
from monopoly_env.engine.actions import BASE, KIND_OF, N_ACTIONS
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.deeds import alive_count
from monopoly_env.engine.dice import GAMMA, mix, shuffle
from monopoly_env.engine.dispatch import legal_bits
from monopoly_env.engine.flow import proceed, step
from monopoly_env.engine.masks import nth_set, pick, random_below, write_mask
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy import policy_at, wipe
from monopoly_env.engine.policy_loop import leave_out, offers_some, only_action, seat_players
from monopoly_env.engine.state import GAME, Float32s, GameState, Int8s, Int64s
from monopoly_env.envs._records import (
    ANY,
    NEW_GAME,
    SAME_TABLE,
    EpisodeState,
    KernelConfig,
    StepRecord,
)
from monopoly_env.envs._rewards import is_over, meet, settle
from monopoly_env.envs._work_queue import CUTS, finish_share, take_share
from monopoly_env.envs.step_codes import EXTERNAL, RESET, RUNNING, SKIP, STUCK

ATTEMPTS = 1000  # games begun in a row that end before an outside seat has anything to decide
SEED_BITS = np.uint64(11)  # seeds are 53 bits long, so that any file format can hold them
LINE_UP_SALT = np.uint64(0xA0761D6478BD642F)
WHOLE_SALT = np.uint64(0x8CB92BA72F3D8DD7)
EPISODE_SALT = np.uint64(0xE7037ED1A0B428DB)
TABLE_SALT = np.uint64(0x589965CC75374CC3)
POSITION_SALT = np.uint64(0x8EBC6AF09C88C6E3)
TOGETHER = 128  # tables stepped while the rows for their sights come near: few enough for caches
ANYTHING = -1  # every kind of action
CHANCE = 1.0 / (1 << 30)


@jit
def play_tables(
    games: Records,
    tables: Records,
    plan_: Records,
    slips: Records,
    views: Records,
    sights: Float32s,
    shown: Records,
    masks: Int8s,
    desk: Int64s,
    thread: int,
) -> int:
    """Take the actions in ``slips``; nothing if one is illegal.

    ``sights`` float32[2 n · OBSERVATION_SIZE] receives what each next player sees, and in its
    second half the last sight of games that ended; with automatic resets off it needs its first
    half only. ``shown`` (n, SHOWN) tells what the rows hold already; empty: they are written in
    full. ``masks`` int8[n · N_ACTIONS]. ``sights`` and ``masks`` may be empty. ``views``
    (n, PLAYERS) is what the policies remember. ``desk`` is empty, or has shares of the tables for
    several threads, all of which call this, each with its number, once the actions are checked.

    Returns -1 - i if the action at table i is illegal. Else the seat that decides at the last
    table, plus 16 for each table where somebody was paid, went bankrupt, or a game began or ended;
    with a desk, at the tables that this thread took.
    """
    games, tables, slips = borrowed(games), borrowed(tables), borrowed(slips)
    views, sights, masks = borrowed(views), borrowed(sights), borrowed(masks)
    shown, desk = borrowed(shown), borrowed(desk)
    plan = borrowed(plan_)[0]
    first, last, told, share = 0, len(games), 0, 0
    while True:
        if len(desk) > 0:
            share = take_share(desk, thread)
            if share < 0:
                break
            first, last = desk[desk[CUTS] + share], desk[desk[CUTS] + share + 1]
        else:
            bad = first_illegal(games, tables, slips)
            if bad >= 0:
                return -1 - bad
        more = play_run(games, tables, plan, slips, views, first, last, sights, shown, masks)
        told += more
        if len(desk) == 0:
            break
        finish_share(desk, thread, more)
    return 16 * told + max(int(slips[last - 1].actor), 0)


@jit
def play_run(
    games: Records,
    tables: Records,
    plan: KernelConfig,
    slips: Records,
    views: Records,
    first: int,
    last: int,
    sights: Float32s,
    shown: Records,
    masks: Int8s,
) -> int:
    """The same at tables ``first`` to ``last``; how many have more to tell."""
    wiped = np.zeros(1, GAME)
    changes = np.zeros(TOGETHER, np.int64)
    told = 0
    for start in range(first, last, TOGETHER):
        stop = min(start + TOGETHER, last)
        for index in range(start, stop):
            game, table, slip = games[index], tables[index], slips[index]
            if len(shown) > 0:
                fetch_shown(shown, index)
                fetch_row(sights, index)
                prefetch(masks, index * N_ACTIONS, (index + 1) * N_ACTIONS)
            told += play_table(games, index, table, plan, slip, views[index], wiped, sights)
            if len(shown) > 0:
                changes[index - start] = changes_since(shown[index], game, viewer(table, slip))
                fetch_changes(sights, index, changes[index - start])
        for index in range(start, stop):
            table, slip = tables[index], slips[index]
            if slip.action != SKIP:
                seat, changed = viewer(table, slip), changes[index - start]
                see(games[index], plan, seat, index, sights, shown, changed)
                if len(masks) > 0:
                    mask = masks[index * N_ACTIONS : (index + 1) * N_ACTIONS]
                    write_mask(table.bits, mask)
    return told


@jit
def first_illegal(games: Records, tables: Records, slips: Records) -> int:
    """The first table that cannot take its action; -1 if all can."""
    for index in range(len(tables)):
        if not accepts(games[index], tables[index], slips[index].action):
            return index
    return -1


@jit
def accepts(game: GameState, table: EpisodeState, action: int) -> bool:
    """Whether a table can take this action."""
    if action < 0:
        return bool(action >= SKIP)
    if action >= N_ACTIONS or game.phase == Phase.OVER:
        return False
    kind = KIND_OF[action]
    return bool(table.bits[kind] >> (action - BASE[kind]) & 1 != 0)


@jit
def see(
    game: GameState,
    plan: KernelConfig,
    seat: int,
    row: int,
    sights: Float32s,
    shown: Records,
    changes: int,
) -> None:
    """Write a row of ``sights``: what a seat sees."""
    if len(shown) > 0:
        sight = sights[row * OBSERVATION_SIZE : (row + 1) * OBSERVATION_SIZE]
        rewrite_observation(game, plan.rules, seat, sight, shown[row], changes)
    else:
        see_last(game, plan, seat, row, sights)


@jit
def see_last(game: GameState, plan: KernelConfig, seat: int, row: int, sights: Float32s) -> None:
    """The same in full, whatever the row held before."""
    if len(sights) > 0:
        sight = sights[row * OBSERVATION_SIZE : (row + 1) * OBSERVATION_SIZE]
        write_observation(game, plan.rules, seat, sight)


@jit
def viewer(table: EpisodeState, slip: StepRecord) -> int:
    """Whose view is written: the learner's, or, with every seat outside, the actor's."""
    return int(table.seat) if table.seat != NOBODY else max(int(slip.actor), 0)


@jit
def play_table(
    games: Records,
    index: int,
    table: EpisodeState,
    plan: KernelConfig,
    slip: StepRecord,
    views: Records,
    wiped: Records,
    sights: Float32s,
) -> int:
    """Take one action and play on. 1 if there is more to tell than who decides next."""
    game = games[index]
    slip.ended = RUNNING
    if slip.action == SKIP:
        return 0
    slip.reward[:] = 0.0
    slip.learner_reward = 0.0
    told = True
    if slip.action == RESET:
        begin(games, index, table, plan, slip, views, wiped)
    else:
        told = take(game, table, plan, slip, views, wiped)
        if slip.ended != RUNNING and plan.autoreset != 0:
            see_last(game, plan, viewer(table, slip), len(games) + index, sights)
            begin(games, index, table, plan, slip, views, wiped)
    slip.actor = game.actor
    return 1 if told else 0


@jit
def take(
    game: GameState,
    table: EpisodeState,
    plan: KernelConfig,
    slip: StepRecord,
    views: Records,
    wiped: Records,
) -> bool:
    """Take one action and play on. Whether there is more to tell than who decides next."""
    table.steps += 1
    slip.actor = game.actor
    alive = alive_count(game)
    step(game, plan.rules, plan.log, slip.action)
    play_until(game, table, plan, views, wiped)
    settled = settle(game, table, plan, slip)
    return bool(settled or alive_count(game) != alive)


# Beginning


@jit
def begin(
    games: Records,
    index: int,
    table: EpisodeState,
    plan: KernelConfig,
    slip: StepRecord,
    views: Records,
    wiped: Records,
) -> None:
    """The table's next game, up to its first outside decision."""
    game = games[index]
    for _ in range(ATTEMPTS):
        table.game_seed = seed_of(table.seed, table.episode)
        table.episode += 1
        if plan.start == NEW_GAME:
            new_game.new_game(game, plan.rules, plan.log, plan.players, table.game_seed)
            proceed(game, plan.rules, plan.log)
        else:
            games[index] = plan.position
            if plan.start == SAME_TABLE:
                draw_hidden(game, plan, table.game_seed)
        if open_table(game, table, plan, views, wiped):
            return
    slip.ended = STUCK


@jit
def draw_hidden(game: GameState, plan: KernelConfig, seed: int) -> None:
    """Draw what nobody can see from a seed: the throws to come, the order of undrawn cards."""
    game.rng = mix(np.uint64(seed) * GAMMA + POSITION_SALT)
    if plan.shuffles != 0:
        for pile in range(2):
            shuffle(game, game.deck[pile], game.unseen[pile])


@jit
def seed_of(seed: int, episode: int) -> int:
    """The seed of a table's game number ``episode``; the first one is the table's own."""
    if episode == 0:
        return int(seed)
    mixed = mix(mix(np.uint64(seed) * GAMMA + EPISODE_SALT) + np.uint64(episode) * GAMMA)
    return int(np.int64(mixed >> SEED_BITS))


@jit
def open_table(
    game: GameState, table: EpisodeState, plan: KernelConfig, views: Records, wiped: Records
) -> bool:
    """Seat everybody at a game and play on; whether an outside decision is waiting."""
    seat_players(views, table.game_seed)
    seat_line_up(game, table, plan)
    for seat in range(game.players):
        number = int(table.line_up[seat])
        views[seat].weights = plan.weights[number] if number != EXTERNAL else 0
    table.potential[:] = 0.0
    table.gain[:] = 0.0
    table.met = 0
    table.paid = seats_out(game)  # who left before the position is not paid for it
    table.steps = 0
    play_until(game, table, plan, views, wiped)
    if is_over(game, table, plan):
        return False
    meet(game, table, plan, int(game.actor))
    return True


@jit
def seats_out(game: GameState) -> int:
    """Who has left the game, as a bit mask."""
    seats = 0
    for player in range(game.players):
        if game.out[player] != 0:
            seats |= bit(player)
    return seats


@jit
def seat_line_up(game: GameState, table: EpisodeState, plan: KernelConfig) -> None:
    """Draw the learner's seat and the opponents, from the game's seed alone."""
    table.line_up[:] = plan.rest
    if plan.every_seat != 0:
        table.seat = NOBODY
        table.outside = bit(game.players) - 1
        return
    state = mix(np.uint64(table.game_seed) * GAMMA + LINE_UP_SALT)
    table.seat = plan.seat if plan.seat != ANY else seat_drawn(game, state)
    table.outside = bit(table.seat)
    drawn = 0
    if plan.whole != 0:
        drawn = draw(plan, random_below(state + WHOLE_SALT, 1 << 30) * CHANCE)
    for left in range(1, game.players):
        state += GAMMA
        seat = (table.seat + left) % game.players
        number = plan.opponents[left - 1]
        if plan.whole != 0:
            number = plan.line_ups[drawn, left - 1]
        elif plan.pool != 0:
            number = draw(plan, random_below(state, 1 << 30) * CHANCE)
            if plan.policies[number] == 0:  # no policy: whoever steps the games decides
                number = EXTERNAL
        table.line_up[seat] = number
        if number == EXTERNAL:
            table.outside |= bit(seat)


@jit
def seat_drawn(game: GameState, state: np.uint64) -> int:
    """A random seat among those still in the game."""
    seats = (bit(game.players) - 1) & ~seats_out(game)
    return nth_set(seats, random_below(state, count(seats)))


@jit
def draw(plan: KernelConfig, chance: float) -> int:
    """The policy or table of the pool that a random number from 0 to 1 stands for."""
    for number in range(plan.pool - 1):
        if chance < plan.chances[number]:
            return number
    return int(plan.pool) - 1


# Playing on


@jit
def play_until(
    game: GameState, table: EpisodeState, plan: KernelConfig, views: Records, wiped: Records
) -> None:
    """Policies and forced moves, until an outside seat must decide or the game is over."""
    while not is_over(game, table, plan):
        legal_bits(game, plan.rules, table.bits)
        action = only_action(table.bits) if plan.skip_forced != 0 else -1
        if action < 0:
            if decides(game, table, plan):
                action = leave(game, table, plan, views, wiped)
                if action < 0:
                    return
            else:
                action = ask(game, table, plan, views, wiped)
        step(game, plan.rules, plan.log, action)
    table.bits[:] = 0


@jit
def leave(
    game: GameState, table: EpisodeState, plan: KernelConfig, views: Records, wiped: Records
) -> int:
    """What the learner leaves to its policy, if that wants to do it; else -1.

    The policy is asked first. If it wants something else, the learner decides, among what it does
    not leave; a lone action is taken at once where forced moves are.
    """
    leaves = plan.leaves
    if leaves == 0 or (table.seat != NOBODY and game.actor != table.seat):
        return -1
    if not offers_some(table.bits, leaves):
        return -1
    action = ask(game, table, plan, views, wiped)
    if leaves >> KIND_OF[action] & 1 != 0 or not offers_some(table.bits, ~leaves):
        return action
    leave_out(table.bits, leaves)
    return int(only_action(table.bits)) if plan.skip_forced != 0 else -1


@jit
def decides(game: GameState, table: EpisodeState, plan: KernelConfig) -> bool:
    """Whether the decision at hand is made outside; the learner leaves some phases to a policy."""
    if table.outside >> game.actor & 1 == 0:
        return False
    if table.seat != NOBODY and game.actor != table.seat:
        return True
    return bool(plan.decides >> game.phase & 1 != 0)


@jit
def ask(
    game: GameState, table: EpisodeState, plan: KernelConfig, views: Records, wiped: Records
) -> int:
    """The actor's policy decides on a wiped copy; a random legal action if its own is illegal."""
    view = views[game.actor]
    wiped[0] = game
    wipe(wiped[0])
    view.seat = game.actor
    write_mask(table.bits, view.mask)
    address = plan.policies[table.line_up[game.actor]]
    action = policy_at(address)(wiped[0], plan.rules, view)
    if 0 <= action < N_ACTIONS and view.mask[action] != 0:
        return int(action)
    table.faults += 1
    view.rng = np.uint64(view.rng) + GAMMA + GAMMA
    return pick(table.bits, np.uint64(view.rng))


# Beside the steps


@jit
def look(
    games: Records,
    tables: Records,
    plan_: Records,
    index: int,
    seat: int,
    sight: Float32s,
    mask: Int8s,
) -> None:
    """What one seat sees; the mask is empty unless it decides."""
    game = games[index]
    write_observation(game, plan_[0].rules, seat, sight)
    if game.phase != Phase.OVER and game.actor == seat:
        write_mask(tables[index].bits, mask)
    else:
        mask[:] = 0


@jit
def spread_seeds(seed: int, seeds: Int64s) -> None:
    """A seed for each table from one; the first table's is the seed itself."""
    for index in range(len(seeds)):
        mixed = mix(mix(np.uint64(seed) * GAMMA + TABLE_SALT) + np.uint64(index) * GAMMA)
        seeds[index] = seed if index == 0 else int(np.int64(mixed >> SEED_BITS))


@jit
def pick_actions(tables: Records, key: int, actions: Int64s) -> None:
    """A random legal action for each table, -1 where nothing is legal; the same key, the same."""
    for index in range(len(tables)):
        table = tables[index]
        state = np.uint64(table.game_seed) * GAMMA + np.uint64(table.steps) * EPISODE_SALT
        state = mix(state + np.uint64(key) * LINE_UP_SALT)
        actions[index] = pick(table.bits, state) if offers_some(table.bits, ANYTHING) else RESET
