"""Build the parts of a training run from its config: environment, learner, model, opponents."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import torch

from monopoly_env.engine.state import Int64s
from monopoly_training.common.bot_lists import bots_of
from monopoly_training.common.schema import plain
from monopoly_training.models.model import Model
from monopoly_training.models.model_agent import ModelAgent
from monopoly_training.ppo.kl_ppo import KLPPO
from monopoly_training.ppo.policy import DeedPolicy
from monopoly_training.ppo.rollout_buffer import ClockBuffer
from monopoly_training.ppo.shared_policy import SharedPolicy
from monopoly_training.runs.config_schema import PPOConfig, TrainConfig
from monopoly_training.runs.opponent_pool import OpponentPool
from monopoly_training.runs.past_selves import PastSelves
from monopoly_training.sb3.masked_policy import MaskedPolicy
from monopoly_training.sb3.vec_env import MonopolyVecEnv


def make_env(config: TrainConfig) -> MonopolyVecEnv:
    """Create the learner's vector environment."""
    table = config.table
    names = [bots_of(entry) if "," in entry else entry for entry in config.opponents]
    seated: dict[str, Any] = {"pool" if config.draw else "opponents": names}
    env = MonopolyVecEnv(
        config.ppo.envs,
        reward={**asdict(config.reward), "gamma": config.ppo.gamma},
        clock=config.ppo.clock,
        external=config.pool.past > 0,
        num_players=table.players,
        edition=table.edition,
        mode=table.mode,
        rules=table.rules,
        windows=table.windows,
        deals=table.deals,
        decides=table.decides,
        rest=table.rest,
        leaves=table.leaves,
        skip_forced=table.skip_forced,
        narrow=True,
        **seated,
    )
    env.seed(config.seed)
    return env


def read_by(env: MonopolyVecEnv) -> tuple[Int64s, Int64s]:
    """Return the observation columns that the learner uses and the ids of its actions."""
    assert env.columns is not None  # set because the environment is narrow
    assert env.action_ids is not None
    return env.columns, env.action_ids


def make_learner(config: TrainConfig, env: MonopolyVecEnv) -> KLPPO:
    """Create the learner, untrained."""
    # Validating every distribution takes a third of the time, and masks are right by construction.
    torch.distributions.Distribution.set_default_validate_args(False)
    ppo = config.ppo
    policy, sizes = policy_of(ppo, env)
    return KLPPO(
        policy,
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
        rollout_buffer_class=ClockBuffer,
        rollout_buffer_kwargs={"clock": env.elapsed},
        policy_kwargs=sizes,
        seed=config.seed,
        device="cpu",
        kl_start=config.kl_penalty.weight,
        kl_until=config.kl_penalty.until,
    )


def policy_of(ppo: PPOConfig, env: MonopolyVecEnv) -> tuple[type[MaskedPolicy], dict[str, Any]]:
    """Return the policy class and its keyword arguments."""
    columns, actions = read_by(env)
    if ppo.network == "layers":
        return MaskedPolicy, {"net_arch": list(ppo.layers), "action_ids": actions}
    if ppo.network == "shared":
        return SharedPolicy, {"actions": actions, "sizes": ppo.layers}
    return DeedPolicy, {"columns": columns, "actions": actions, "sizes": ppo.layers}


def model_of(learner: KLPPO, env: MonopolyVecEnv, config: TrainConfig, name: str) -> Model:
    """Return the current policy as a model."""
    columns, actions = read_by(env)
    return Model(
        columns=columns,
        actions=actions,
        network=learner.policy.network(),
        card={
            "name": name,
            "steps": learner.num_timesteps,
            "table": plain(asdict(config.table)),
            "sample": True,
            "config": plain(asdict(config)),
        },
    )


def agent_of(learner: KLPPO, env: MonopolyVecEnv, config: TrainConfig) -> ModelAgent:
    """Return the current policy as a bot."""
    return ModelAgent(model_of(learner, env, config, "learner"), "learner")


def make_pool(config: TrainConfig, env: MonopolyVecEnv, learner: KLPPO) -> OpponentPool:
    """Create the pool of opponents; past selves, if any, become external opponents of the games."""
    past = PastSelves(learner.policy, *read_by(env), config.pool.keep)
    if config.pool.past > 0:
        env.set_external_opponents(past)
    return OpponentPool(config.opponents, config.pool, past, env.bots)
