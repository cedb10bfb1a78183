"""Imitation learning from a scripted bot, as a warm start for PPO.

The policy is trained towards the bot's actions, and the value function towards the bot's returns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.utils import get_action_masks
from torch.nn.functional import mse_loss

from monopoly_training.ppo.kl_ppo import KLPPO
from monopoly_training.ppo.rollout_buffer import Minibatch
from monopoly_training.runs.config_schema import ImitationConfig
from monopoly_training.runs.teacher import Teacher
from monopoly_training.sb3.vec_env import MonopolyVecEnv

OnStep = Callable[[int], bool]  # receives the steps so far
ANNEALED = 0.9  # fraction by which the learning rate falls over the course of imitation


def imitate(
    learner: KLPPO,
    env: MonopolyVecEnv,
    teacher: Teacher,
    config: ImitationConfig,
    on_step: OnStep,
) -> dict[str, float]:
    """Fill the rollout buffer with the teacher's decisions and train on them.

    Returns means over the last epoch: ``agreement`` (the share of decisions for which the learner
    gives the teacher's action a probability above one half), ``policy_loss``, ``value_loss``.
    """
    collect_demonstrations(learner, env, teacher, on_step)
    return learn_from_demonstrations(learner, config)


def learn_from_demonstrations(learner: KLPPO, config: ImitationConfig) -> dict[str, float]:
    """Train on the teacher's decisions in the rollout buffer; see :func:`imitate`."""
    progress = min(learner.num_timesteps / config.steps, 1.0)
    for group in learner.policy.optimizer.param_groups:
        group["lr"] = config.learning_rate * (1.0 - ANNEALED * progress)
    history: list[tuple[float, float, float]] = []
    learner.policy.set_training_mode(True)
    for _ in range(config.epochs):
        minibatches = learner.rollout_buffer.get(config.batch_size)
        history = [imitation_step(learner, minibatch) for minibatch in minibatches]
    names = ("agreement", "policy_loss", "value_loss")
    return dict(zip(names, np.mean(history, axis=0).tolist(), strict=True))


def collect_demonstrations(
    learner: KLPPO, env: MonopolyVecEnv, teacher: Teacher, on_step: OnStep
) -> None:
    """Fill the rollout buffer with the teacher's decisions, in the same way as PPO fills it."""
    buffer, policy = learner.rollout_buffer, learner.policy
    buffer.reset()
    obs, episode_starts = learner.next_obs, learner.next_episode_starts
    no_log_probs = torch.zeros(env.num_envs)
    policy.set_training_mode(False)
    for _ in range(learner.n_steps):
        masks = get_action_masks(env)
        with torch.no_grad():
            values = policy.predict_values(torch.as_tensor(obs))
        actions = teacher.decide()
        next_obs, rewards, dones, infos = env.step(actions)
        bootstrap_truncated(learner, rewards, dones, infos)
        buffer.add(
            obs,
            actions[:, None],
            rewards,
            episode_starts,
            values,
            no_log_probs,
            action_masks=masks,
        )
        teacher.begin_games(dones)
        obs, episode_starts = next_obs, dones
        learner.num_timesteps += env.num_envs
        on_step(learner.num_timesteps)
    with torch.no_grad():
        values = policy.predict_values(torch.as_tensor(obs))
    buffer.compute_returns_and_advantage(values, episode_starts)
    learner.next_obs, learner.next_episode_starts = obs, episode_starts


def bootstrap_truncated(learner: KLPPO, rewards: Any, dones: Any, infos: Any) -> None:
    """Add the discounted value of the final state to the last reward of each truncated game."""
    for row in np.flatnonzero(dones).tolist():
        if infos[row]["TimeLimit.truncated"]:
            final = torch.as_tensor(infos[row]["terminal_observation"])[None]
            with torch.no_grad():
                rewards[row] += learner.gamma * float(learner.policy.predict_values(final))


def imitation_step(learner: KLPPO, minibatch: Minibatch) -> tuple[float, float, float]:
    """Take one optimizer step towards the teacher's actions and returns.

    Returns: agreement, policy loss, value loss.
    """
    policy = learner.policy
    log_probs, values = policy.log_probs(minibatch.observations, minibatch.action_masks)
    log_prob = log_probs.gather(1, minibatch.actions.long())
    policy_loss = -log_prob.mean()
    value_loss = mse_loss(values.flatten(), minibatch.returns)
    policy.optimizer.zero_grad()
    loss: Any = policy_loss + learner.vf_coef * value_loss
    loss.backward()
    torch.nn.utils.clip_grad_norm_(policy.parameters(), learner.max_grad_norm)
    policy.optimizer.step()
    agreement = float((log_prob > np.log(0.5)).float().mean())
    return agreement, float(policy_loss.detach()), float(value_loss.detach())
