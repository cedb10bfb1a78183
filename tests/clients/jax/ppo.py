"""PPO in JAX on 256 parallel games against three random bots, without copying observations.

Run it as ``python ppo.py``; it wins most games after a minute or two.
"""

import time
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from monopoly_env import VectorEnv
from monopoly_env.learners import kind_bias

GAMES, STEPS, MINIBATCH = 256, 32, 2048
GAMMA, LAMBDA, CLIP, ENTROPY = 0.997, 0.95, 0.2, 0.01
OPTIMIZER = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(1e-3))


class Rows(NamedTuple):
    """Decisions; arrays of any leading shape."""

    observations: jax.Array
    masks: jax.Array
    actions: jax.Array
    log_probs: jax.Array
    values: jax.Array


def make_envs(games=GAMES, **options):
    """Games with arrays that JAX can use directly: float32 and bool, aligned to 64 bytes."""
    return VectorEnv(games, preset="basic", narrow=True, mask_dtype="bool", **options)


def on_device(array):
    """The array for JAX; on a CPU it shares the memory, or raises an error."""
    return jax.dlpack.from_dlpack(array, copy=False)


def make_parameters(envs, key, hidden=64):
    """Weights of actor and critic; the actor starts with all kinds of action equally likely."""
    orthogonal = jax.nn.initializers.orthogonal
    keys = jax.random.split(key, 4)
    columns, actions = len(envs.columns), len(envs.action_ids)
    return {
        "first": (orthogonal(2**0.5)(keys[0], (columns, hidden)), jnp.zeros(hidden)),
        "second": (orthogonal(2**0.5)(keys[1], (hidden, hidden)), jnp.zeros(hidden)),
        "actor": (
            orthogonal(0.01)(keys[2], (hidden, actions)),
            jnp.array(kind_bias(envs.action_ids)),
        ),
        "critic": (orthogonal(1.0)(keys[3], (hidden, 1)), jnp.zeros(1)),
    }


def evaluate(parameters, observations, masks):
    """Log probabilities (-1e30 for illegal actions) and values."""
    hidden = observations
    for name in ("first", "second"):
        weights, bias = parameters[name]
        hidden = jnp.tanh(hidden @ weights + bias)
    weights, bias = parameters["actor"]
    logits = jnp.where(masks, hidden @ weights + bias, -1e30)
    weights, bias = parameters["critic"]
    return jax.nn.log_softmax(logits), (hidden @ weights + bias)[..., 0]


@jax.jit
def act(parameters, key, observations, masks):
    """Sample an action in each game."""
    log_probs, values = evaluate(parameters, observations, masks)
    actions = jax.random.categorical(key, log_probs)
    chosen = jnp.take_along_axis(log_probs, actions[:, None], axis=1)[:, 0]
    return Rows(observations, masks, actions, chosen, values)


@jax.jit
def estimate_advantages(values, last_values, rewards, dones):
    """Generalized advantage estimation over the first axis."""

    def back(carry, step):
        following, value_after = carry
        value, reward, done = step
        delta = reward + GAMMA * value_after * (1 - done) - value
        advantage = delta + GAMMA * LAMBDA * (1 - done) * following
        return (advantage, value), advantage

    start = jnp.zeros_like(last_values), last_values
    _, advantages = jax.lax.scan(back, start, (values, rewards, dones), reverse=True)
    return advantages


def ppo_loss(parameters, rows, advantages, returns):
    """The clipped PPO loss, with value and entropy losses."""
    log_probs, values = evaluate(parameters, rows.observations, rows.masks)
    chosen = jnp.take_along_axis(log_probs, rows.actions[:, None], axis=1)[:, 0]
    ratio = jnp.exp(chosen - rows.log_probs)
    scaled = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    policy = -jnp.minimum(ratio * scaled, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * scaled).mean()
    entropy = -jnp.where(rows.masks, jnp.exp(log_probs) * log_probs, 0).sum(axis=1).mean()
    return policy + 0.5 * ((values - returns) ** 2).mean() - ENTROPY * entropy


@partial(jax.jit, donate_argnums=(0, 1))
def update(parameters, state, rows, advantages, returns):
    """One step of the optimizer."""
    gradients = jax.grad(ppo_loss)(parameters, rows, advantages, returns)
    changes, state = OPTIMIZER.update(gradients, state)
    return optax.apply_updates(parameters, changes), state


def train(envs, decisions, seed=0, report=print):
    """Train for this many decisions and return the weights. ``report`` gets the win rates."""
    key = jax.random.key(seed)
    parameters = make_parameters(envs, key)
    state = OPTIMIZER.init(parameters)
    shuffle = np.random.default_rng(seed)
    observations, infos = envs.reset(seed=seed)
    for _ in range(0, decisions, envs.num_envs * STEPS):
        steps, rewards, dones, won = [], [], [], []
        for _ in range(STEPS):
            key, draw = jax.random.split(key)
            step = act(parameters, draw, on_device(observations), on_device(infos["action_mask"]))
            observations, reward, ended, truncated, infos = envs.step(np.asarray(step.actions))
            steps.append(step)
            rewards.append(reward)
            dones.append(ended | truncated)
            if "final_info" in infos:
                won += infos["final_info"]["win"][infos["_final_info"]].tolist()
        rows = jax.tree.map(lambda *parts: jnp.stack(parts), *steps)
        _, last = evaluate(parameters, on_device(observations), on_device(infos["action_mask"]))
        rewards, dones = jnp.array(rewards, jnp.float32), jnp.array(dones, jnp.float32)
        advantages = estimate_advantages(rows.values, last, rewards, dones)
        batch = rows, advantages, advantages + rows.values
        batch = jax.tree.map(lambda part: part.reshape(-1, *part.shape[2:]), batch)
        for _ in range(2):
            for some in shuffle.permutation(len(batch[1])).reshape(-1, MINIBATCH):
                parts = jax.tree.map(lambda part, some=some: part[some], batch)
                parameters, state = update(parameters, state, *parts)
        report(float(np.mean(won)) if won else np.nan)
    return parameters


if __name__ == "__main__":
    began = time.perf_counter()
    show = lambda won: print(f"{time.perf_counter() - began:.0f} s: {won:.0%} of games won")
    train(make_envs(), decisions=500_000, report=show)
