"""Gumbel MuZero with mctx, on many games at once: a model is learned, and searched with the masks.

A sketch to start from, not a tuned agent. The network has MuZero's three parts: what an observation
becomes, what an action makes of that, and the policy and value there. The search sees the mask of
the root; below it, the model has learned which actions lead nowhere. Dice, cards and opponents are
in what the model expects. Run it as ``python muzero.py``.
"""

import time
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import mctx
import numpy as np
import optax

from monopoly_env import VectorEnv
from monopoly_env.learners import kind_bias

HIDDEN, GAMMA, UNROLL = 64, 0.997, 3
OPTIMIZER = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-3))


class Rows(NamedTuple):
    """Decisions in order: arrays of shape (steps, games, ...)."""

    observations: jax.Array
    masks: jax.Array
    actions: jax.Array
    weights: jax.Array  # of actions, as the search has them
    values: jax.Array  # of the root
    rewards: jax.Array
    discounts: jax.Array  # GAMMA, and 0 where a game ended


def make_envs(games=64, **options):
    """Games against three random bots; the reward is shaped by net worth."""
    return VectorEnv(games, preset="basic", narrow=True, mask_dtype="bool", **options)


def make_parameters(envs, key):
    """Weights of all parts; the policy begins with all kinds of action equally likely."""
    columns, actions = len(envs.columns), len(envs.action_ids)
    shapes = {
        "represent": (columns, HIDDEN),
        "advance": (HIDDEN + actions, HIDDEN),
        "reward": (HIDDEN, 1),
        "policy": (HIDDEN, actions),
        "value": (HIDDEN, 1),
    }
    parts = zip(shapes.items(), jax.random.split(key, len(shapes)), strict=True)
    parameters = {
        name: (jax.random.normal(part, shape) / np.sqrt(shape[0]), jnp.zeros(shape[1]))
        for (name, shape), part in parts
    }
    weights, _ = parameters["policy"]
    return parameters | {"policy": (0.01 * weights, jnp.array(kind_bias(envs.action_ids)))}


def layer(parameters, name, inputs):
    weights, bias = parameters[name]
    return inputs @ weights + bias


def represent(parameters, observations):
    """The model's state for what was observed."""
    return jnp.tanh(layer(parameters, "represent", observations))


def advance(parameters, states, actions):
    """The next state, and the reward on the way."""
    count = parameters["policy"][1].shape[0]
    inputs = jnp.concatenate([states, jax.nn.one_hot(actions, count)], axis=-1)
    states = jnp.tanh(states + layer(parameters, "advance", inputs))
    return states, layer(parameters, "reward", states)[..., 0]


def predict(parameters, states):
    """Logits and values."""
    return layer(parameters, "policy", states), layer(parameters, "value", states)[..., 0]


def model_step(parameters, _, actions, states):
    """One step of the learned model, as mctx's search takes it."""
    states, rewards = advance(parameters, states, actions)
    logits, values = predict(parameters, states)
    output = mctx.RecurrentFnOutput(
        reward=rewards, discount=jnp.full_like(rewards, GAMMA), prior_logits=logits, value=values
    )
    return output, states


@partial(jax.jit, static_argnames=("simulations",))
def search(parameters, key, observations, masks, simulations):
    """Search in each game; the action, the improved policy, and the value of the root."""
    states = represent(parameters, observations)
    logits, values = predict(parameters, states)
    found = mctx.gumbel_muzero_policy(
        parameters,
        key,
        mctx.RootFnOutput(prior_logits=logits, value=values, embedding=states),
        model_step,
        num_simulations=simulations,
        invalid_actions=~masks,
        max_num_considered_actions=8,
    )
    return found.action, found.action_weights, found.search_tree.summary().value


def play(envs, parameters, key, seen, steps, simulations):
    """Play on with the search; the rows, where the games stand, and the shares won of ended ones."""
    observations, masks = seen
    rows, won = [], []
    for draw in jax.random.split(key, steps):
        action, weights, value = search(parameters, draw, observations, masks, simulations)
        step = observations, masks, action, weights, value
        observations, reward, ended, truncated, infos = envs.step(np.asarray(action))
        masks = infos["action_mask"]
        discount = np.where(ended | truncated, 0.0, GAMMA)
        rows.append((*step, np.float32(reward), np.float32(discount)))
        if "final_info" in infos:
            won += infos["final_info"]["win"][infos["_final_info"]].tolist()
    return Rows(*(jnp.stack(part) for part in zip(*rows, strict=True))), (observations, masks), won


def targets(rows):
    """The discounted return of each decision, with the search's value at the end."""

    def back(value, step):
        reward, discount = step
        value = reward + discount * value
        return value, value

    last = rows.values[-1]
    _, returns = jax.lax.scan(back, last, (rows.rewards, rows.discounts), reverse=True)
    return returns


def loss_of(parameters, rows, returns):
    """MuZero's loss: policy, value and reward along UNROLL steps of the model."""
    begins = len(rows.actions) - UNROLL
    states, alive, loss = represent(parameters, rows.observations[:begins]), 1.0, 0.0
    for step in range(UNROLL):
        here = jax.tree.map(lambda part, step=step: part[step : step + begins], rows)
        logits, values = predict(parameters, states)
        if step == 0:
            logits = jnp.where(here.masks, logits, -1e9)
        policy = -jnp.where(here.weights > 0, here.weights * jax.nn.log_softmax(logits), 0).sum(-1)
        states, rewards = advance(parameters, states, here.actions)
        errors = (values - returns[step : step + begins]) ** 2 + (rewards - here.rewards) ** 2
        loss += (alive * (policy + errors)).mean()
        alive = alive * (here.discounts > 0)  # beyond the end of a game there is nothing to learn
    return loss / UNROLL


@jax.jit
def update(parameters, state, rows, returns):
    """One step of the optimizer."""
    loss, gradients = jax.value_and_grad(loss_of)(parameters, rows, returns)
    changes, state = OPTIMIZER.update(gradients, state)
    return optax.apply_updates(parameters, changes), state, loss


def train(envs, rounds, simulations=16, steps=32, seed=0, report=print):
    """Play and learn in turns; the weights. ``report`` takes the loss and the share won."""
    key, first = jax.random.split(jax.random.key(seed))
    parameters = make_parameters(envs, first)
    state = OPTIMIZER.init(parameters)
    observations, infos = envs.reset(seed=seed)
    seen = observations, infos["action_mask"]
    for _ in range(rounds):
        key, draw = jax.random.split(key)
        rows, seen, won = play(envs, parameters, draw, seen, steps, simulations)
        returns = targets(rows)
        for _ in range(4):
            parameters, state, loss = update(parameters, state, rows, returns)
        report(float(loss), float(np.mean(won)) if won else np.nan)
    return parameters


if __name__ == "__main__":
    began = time.perf_counter()
    show = lambda loss, won: print(
        f"{time.perf_counter() - began:.0f} s: loss {loss:.2f}, won {won:.0%}"
    )
    train(make_envs(), rounds=200, report=show)
