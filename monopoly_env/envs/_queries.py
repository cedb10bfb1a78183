"""What is asked of many games between two steps: observations, masks, answers of a policy."""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.encoding.observation import write_observation
from monopoly_env.engine.masks import pick, write_mask
from monopoly_env.engine.policy import policy_at, wipe
from monopoly_env.engine.state import GAME, Float32s, Int8s, Int64s


@jit
def observe_actors(
    games: Records,
    episodes: Records,
    kernel_config: Records,
    rows: Int64s,
    observations: Float32s,
    masks: Int8s,
) -> None:
    """Write what the deciding seat of each of these games observes and may do, one row each.

    ``observations`` float32[len(rows), OBSERVATION_SIZE], ``masks`` int8[len(rows), N_ACTIONS].
    """
    for k in range(len(rows)):
        game = games[rows[k]]
        write_observation(game, kernel_config[0].rules, game.actor, observations[k])
        write_mask(episodes[rows[k]].bits, masks[k])


@jit
def ask_everywhere(
    games: Records,
    episodes: Records,
    kernel_config: Records,
    views: Records,
    address: int,
    actions: Int64s,
) -> None:
    """What the policy at ``address`` would do in each game; a random action if that is illegal."""
    wiped = np.zeros(1, GAME)
    for index in range(len(games)):
        game, bits = games[index], episodes[index].bits
        view = views[index][game.actor]
        wiped[0] = game
        wipe(wiped[0])
        view.seat = game.actor
        write_mask(bits, view.mask)
        action = policy_at(address)(wiped[0], kernel_config[0].rules, view)
        if action < 0 or action >= len(view.mask) or view.mask[action] == 0:
            action = pick(bits, view.rng)
        actions[index] = action
