"""Behavior cloning and discrete CQL of d3rlpy, with masks, from the games of a bot.

d3rlpy knows no masks: they are the last columns of its observations. Hooks on its networks give
illegal actions no probability and the lowest value, in training and in play. Run it as
``python offline.py``, after ``monopoly-env generate --agents veteran,background,background,background
--bots veteran --rule deals=off --rule windows=own --games 1000 --out data``.
"""

import d3rlpy
import numpy as np
import torch
from d3rlpy.models.torch.q_functions import QFunctionOutput
from monopoly_training.dataset.d3rlpy_export import to_d3rlpy
from torch.distributions import Categorical

from monopoly_env import VectorEnv

ILLEGAL = -1e4
TABLE = {"rules": {"deals": "off"}, "windows": "own", "narrow": True, "reward": "win"}


def make_bc(buffer, layers=(256, 256)):
    """Behavior cloning that chooses among legal actions."""
    encoder = d3rlpy.models.VectorEncoderFactory(list(layers))
    config = d3rlpy.algos.DiscreteBCConfig(
        batch_size=512, learning_rate=1e-3, beta=0.0, encoder_factory=encoder
    )
    algo = config.create(device="cpu:0")
    algo.build_with_dataset(buffer)
    size = algo.impl.action_size

    def mask_policy(_, inputs, policy):
        return Categorical(logits=legal(inputs[0], policy.logits, size))

    algo.impl.modules.imitator.register_forward_hook(mask_policy)
    return algo


def make_cql(buffer, layers=(256, 256), alpha=1.0):
    """Conservative Q-learning whose maxima and sums are over legal actions."""
    encoder = d3rlpy.models.VectorEncoderFactory(list(layers))
    config = d3rlpy.algos.DiscreteCQLConfig(
        batch_size=512,
        learning_rate=3e-4,
        gamma=0.997,
        target_update_interval=500,
        alpha=alpha,
        encoder_factory=encoder,
    )
    algo = config.create(device="cpu:0")
    algo.build_with_dataset(buffer)
    size = algo.impl.action_size

    def mask_values(_, inputs, output):
        return QFunctionOutput(legal(inputs[0], output.q_value, size), None, None)

    modules = algo.impl.modules
    for q_func in [*modules.q_funcs, *modules.targ_q_funcs]:
        q_func.register_forward_hook(mask_values)
    return algo


def legal(observations, values, actions):
    """``values`` with those of illegal actions at ILLEGAL; the masks end the observations."""
    return values.masked_fill(observations[:, -actions:] < 0.5, ILLEGAL)


def learn(algo, buffer, steps, seed=0):
    """Train quietly; the losses, one dictionary for each tenth of the steps."""
    d3rlpy.seed(seed)
    losses = []
    for _ in range(10):
        parts = [algo.update(buffer.sample_transition_batch(512)) for _ in range(steps // 10)]
        losses.append({name: np.mean([part[name] for part in parts]) for name in parts[0]})
    return losses


def share_won(algo, games=200, opponents=("background",) * 3, seed=10_000, **options):
    """The share of games won, of the first that each environment plays."""
    envs = VectorEnv(games, opponents=list(opponents), **{**TABLE, **options})
    observations, _ = envs.reset(seed=seed)
    won = np.full(games, np.nan)
    while np.isnan(won).any():
        masks = envs.action_masks().astype(np.float32)
        actions = algo.predict(np.concatenate([observations, masks], axis=1))
        observations, _, _, _, infos = envs.step(actions)
        if "final_info" in infos:
            ended = infos["_final_info"] & np.isnan(won)
            won[ended] = infos["final_info"]["win"][ended]
    return float(won.mean())


if __name__ == "__main__":
    torch.set_num_threads(1)
    buffer = to_d3rlpy("data", bots=["veteran"])
    for make in (make_bc, make_cql):
        algo = make(buffer)
        print(make.__name__, learn(algo, buffer, 5_000)[-1], share_won(algo))
