"""Estimate a training run's memory use from its config."""

from __future__ import annotations

from math import prod

from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.encoding.features import used_actions, used_columns
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.policy import VIEW
from monopoly_env.engine.state import GAME
from monopoly_env.errors import Location
from monopoly_training.common.memory import check_memory
from monopoly_training.models.deed_layout import layout_of
from monopoly_training.models.deed_network import shapes_of
from monopoly_training.runs.config_schema import TrainConfig

NUMBER = 4  # bytes of a float32
BUFFERS = 2  # copies of observations and masks in the environment
SMALL = 64  # bytes per decision: value, advantage, return, action, …
COPIES = 5  # copies of the weights: model, gradients, two Adam moments, the evaluated bot


def check_training_memory(config: TrainConfig, location: Location) -> None:
    """Refuse a run that does not fit in memory. Raises: the location's error, one line."""
    ppo, imitation = config.ppo, config.imitation
    editions = config.table.options().editions()
    columns = used_columns(config.table.players, editions)
    actions = used_actions(editions)
    weights = count_weights(config, len(columns), len(actions))
    decisions = ppo.envs * ppo.n_steps
    reference = len(actions) * NUMBER if config.kl_penalty.weight > 0 else 0
    decision = 2 * len(columns) * NUMBER + len(actions) * (1 + NUMBER) + 2 * reference + SMALL
    row = (2 * OBSERVATION_SIZE * NUMBER + N_ACTIONS) * BUFFERS
    game = GAME.itemsize + PLAYERS * VIEW.itemsize + row + len(columns) * NUMBER
    batch = max(ppo.batch_size, imitation.batch_size if imitation.steps else 0)
    copies = (
        COPIES + (config.kl_penalty.weight > 0) + (config.pool.keep if config.pool.past > 0 else 0)
    )
    activations = 3 * (len(columns) + 2 * sum(ppo.layers) + 4 * len(actions)) * NUMBER
    keys = (
        f"ppo.envs={ppo.envs}, ppo.n_steps={ppo.n_steps}, ppo.batch_size={ppo.batch_size}, "
        f"ppo.layers={shown(ppo.layers)}"
    )
    needs = {
        "for the decisions of a rollout": decisions * decision,
        "for the games": ppo.envs * game,
        f"for a network of {weights:,} weights": weights * copies * NUMBER,
        "for a minibatch": min(batch, max(decisions, imitation.batch_size)) * activations,
    }
    check_memory(keys, needs, location)


def count_weights(config: TrainConfig, columns: int, actions: int) -> int:
    """Return the number of weights of the config's network."""
    layers = config.ppo.layers
    if config.ppo.network != "deeds":
        sizes = (columns, *layers)
        body = sum((one + 1) * other for one, other in zip(sizes, layers, strict=False))
        bodies = 1 if config.ppo.network == "shared" else 2
        return bodies * body + (layers[-1] if layers else columns) * (actions + 1)
    editions = config.table.options().editions()
    layout = layout_of(used_columns(config.table.players, editions), used_actions(editions))
    return sum(prod(shape) for shape in shapes_of(layout, *layers).values())


def shown(layers: tuple[int, ...]) -> str:
    """Format layer sizes, shortened if there are many."""
    few = ", ".join(map(str, layers[:4]))
    return f"[{few}, … {len(layers)} layers]" if len(layers) > 4 else f"[{few}]"
