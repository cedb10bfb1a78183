"""The learner: MaskablePPO on many games, and the model that comes out of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from monopoly_env.engine._dispatch import KIND_OF, SIZE
from monopoly_env.engine.state import Int64s
from monopoly_training.agents import ModelAgent
from monopoly_training.masked_policy import MaskedPolicy
from monopoly_training.models import Model, policy_layers
from monopoly_training.narrow import Narrow, used_actions, used_columns
from monopoly_training.train_config import TrainConfig, plain
from monopoly_training.vec_env import MonopolyVecEnv


def make_env(config: TrainConfig) -> Narrow:
    """The games that the learner plays."""
    table = config.table
    seated = {"pool" if config.draw else "opponents": list(config.opponents)}
    env = MonopolyVecEnv(
        config.ppo.envs,
        reward={**asdict(config.reward), "gamma": config.ppo.gamma},
        num_players=table.players,
        edition=table.edition,
        mode=table.mode,
        rules=table.rules,
        windows=table.windows,
        deals=table.deals,
        decides=table.decides,
        rest=table.rest,
        skip_forced=table.skip_forced,
        **seated,
    )
    env.seed(config.seed)
    edition = table.options().load()
    return Narrow(env, used_columns(table.players, edition), used_actions(edition))


def make_learner(config: TrainConfig, env: Narrow) -> MaskablePPO:
    """A learner that knows nothing yet but to prefer no kind of action."""
    # Checking every distribution costs a third of the time, and masks are right by construction.
    torch.distributions.Distribution.set_default_validate_args(False)
    ppo = config.ppo
    learner = MaskablePPO(
        MaskedPolicy,
        env,
        n_steps=ppo.n_steps,
        batch_size=ppo.batch_size,
        n_epochs=ppo.epochs,
        learning_rate=lambda left: ppo.learning_rate * (left if ppo.anneal else 1.0),
        gamma=ppo.gamma,
        gae_lambda=ppo.gae_lambda,
        clip_range=ppo.clip_range,
        ent_coef=ppo.entropy,
        vf_coef=ppo.value,
        max_grad_norm=ppo.max_grad_norm,
        target_kl=ppo.target_kl,
        policy_kwargs={"net_arch": list(ppo.layers)},
        seed=config.seed,
        device="cpu",
    )
    prefer_no_kind(learner.policy, env.actions)
    return learner


def prefer_no_kind(policy: Any, actions: Int64s) -> None:
    """Make all kinds of action equally likely at first, not all actions.

    Else the first games would be spent on mortgaging, of which there are 28, instead of throwing
    the dice.
    """
    sizes = SIZE[KIND_OF[actions]].astype(np.float32)
    with torch.no_grad():
        policy.action_net.bias.copy_(torch.from_numpy(-np.log(sizes)))


def model_of(learner: MaskablePPO, env: Narrow, config: TrainConfig, name: str) -> Model:
    """The policy as it is now."""
    table = config.table
    return Model(
        columns=env.columns,
        actions=env.actions,
        layers=policy_layers(learner.policy),
        card={
            "name": name,
            "steps": learner.num_timesteps,
            "table": plain(asdict(table)),
            "sample": False,
            "config": plain(asdict(config)),
        },
    )


def agent_of(learner: MaskablePPO, env: Narrow, config: TrainConfig) -> ModelAgent:
    """The policy as it is now, as a bot."""
    return ModelAgent(model_of(learner, env, config, "learner"), "learner")
