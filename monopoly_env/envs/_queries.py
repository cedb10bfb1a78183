"""Queries between two steps: observations, masks, and the answers of a policy."""

from __future__ import annotations

from typing import Any

import numpy as np

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.encoding.observation import write_observation
from monopoly_env.encoding.packing import pack_observation
from monopoly_env.engine.dice import GAMMA, mix
from monopoly_env.engine.masks import pick, write_mask
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy_loop import LOOP, ask_policy, offers_some
from monopoly_env.engine.state import Float32s, Int8s, Int64s
from monopoly_env.envs._boards import rules_of, show_rules
from monopoly_env.envs._episodes import EPISODE_SALT, LINE_UP_SALT
from monopoly_env.envs._records import EpisodeState

ANYTHING = -1  # every kind of action
NO_ACTION = -1


@jit
def observe_seat(
    games: Records,
    episodes: Records,
    configs: Records,
    index: int,
    seat: int,
    observation: Float32s,
    mask: Int8s,
    packed: Any,
) -> None:
    """Write one seat's observation and mask; the mask is empty unless the seat decides.

    The observation goes to ``observation``, or to the first record of ``packed`` if that is not
    None.
    """
    game, rules = games[index], rules_of(episodes[index], configs[0])
    if packed is None:
        write_observation(game, rules, seat, observation)
    else:
        pack_observation(game, rules, seat, packed[0])
    if game.phase != Phase.OVER and game.actor == seat:
        write_mask(episodes[index].bits, mask)
    else:
        mask[:] = 0


@jit
def observe_actors(
    games: Records,
    episodes: Records,
    configs: Records,
    rows: Int64s,
    observations: Float32s,
    masks: Int8s,
) -> None:
    """Write the observation and mask of the deciding seat of each of these games, one row each.

    ``observations`` float32[len(rows), OBSERVATION_SIZE], ``masks`` int8[len(rows), N_ACTIONS].
    """
    for k in range(len(rows)):
        game, rules = games[rows[k]], rules_of(episodes[rows[k]], configs[0])
        write_observation(game, rules, game.actor, observations[k])
        write_mask(episodes[rows[k]].bits, masks[k])


@jit
def ask_everywhere(
    games: Records,
    episodes: Records,
    configs: Records,
    views: Records,
    address: int,
    actions: Int64s,
) -> None:
    """Write the action of the policy at ``address`` in each game; see :func:`ask_policy`."""
    loops = np.zeros(1, LOOP)
    for index in range(len(games)):
        game, bits = games[index], episodes[index].bits
        view = views[index][game.actor]
        rules = rules_of(episodes[index], configs[0])
        show_rules(loops[0], configs[0])
        actions[index] = ask_policy(game, rules, view, address, bits, loops[0])


@jit
def pick_actions(episodes: Records, key: int, actions: Int64s) -> None:
    """Draw a random legal action per game from ``key``; -1 where nothing is legal."""
    for index in range(len(episodes)):
        legal = offers_some(episodes[index].bits, ANYTHING)
        actions[index] = random_action(episodes[index], key) if legal else NO_ACTION


@jit
def random_action(episode: EpisodeState, key: int) -> int:
    """Draw a random legal action from ``key``; at least one must be legal."""
    state = np.uint64(episode.game_seed) * GAMMA + np.uint64(episode.steps) * EPISODE_SALT
    return int(pick(episode.bits, mix(state + np.uint64(key) * LINE_UP_SALT)))
