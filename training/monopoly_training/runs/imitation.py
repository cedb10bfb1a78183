"""Learning from a scripted bot before learning from the game: the bot plays, the learner watches.

The learner comes to prefer what the bot does and to expect what the bot earns. What it does after
that is its own: PPO goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.utils import get_action_masks

from monopoly_env.agent import find_agent
from monopoly_env.engine.policy import new_views, policy_address, weights_address
from monopoly_env.engine.policy_loop import seat_players
from monopoly_env.engine.state import Int64s
from monopoly_env.envs.game_batch import as_bytes, from_bytes
from monopoly_training.ppo.kl_ppo import KLPPO
from monopoly_training.runs.config import ImitationConfig
from monopoly_training.sb3.feature_selection import FeatureSelection

Tick = Callable[[int], bool]  # told the steps so far
LESS = 0.9  # of the learning rate, at the end of imitation


class Teacher:
    """A compiled bot that plays the learner's seats."""

    def __init__(self, bot: str, env: FeatureSelection) -> None:
        spec = find_agent(bot)[0]
        policy, self._weights = spec.policy, spec.weights  # kept alive
        assert policy is not None  # the config was checked
        self._policy = policy  # kept alive: only its address goes into compiled code
        self._address = policy_address(policy)
        self._batch = env.venv.games.batch
        # A bot that plays the learner's other phases too remembers what it did there.
        self._own = self._batch.fallback_bot != bot
        self.views = new_views(env.num_envs) if self._own else self._batch.views
        if self._own:
            self.views["weights"] = weights_address(self._weights)
        self._numbers = np.full(int(env.actions.max()) + 1, -1)  # from ids to known actions
        self._numbers[env.actions] = np.arange(len(env.actions))
        self._actions = np.zeros(env.num_envs, np.int64)
        self.forget(np.ones(env.num_envs, bool))

    def forget(self, over: Any) -> None:
        """New games begin at these tables."""
        if not self._own:
            return  # they are forgotten where games begin
        for index in np.flatnonzero(over).tolist():
            seat_players(self.views[index], int(self._batch.game_seeds[index]))

    def decide(self) -> Int64s:
        """The bot's action at each table, by its number among the known ones."""
        self._batch.ask(self._address, self.views, self._actions)
        numbers: Int64s = self._numbers[self._actions]
        return numbers

    def state(self) -> torch.Tensor:
        """What the bot remembers of the games being played, as bytes."""
        views = self.views.copy()
        views["weights"] = 0  # addresses, which mean nothing to another process
        return torch.from_numpy(as_bytes(views))

    def set_state(self, state: torch.Tensor) -> None:
        """Remember what :meth:`state` was taken of."""
        addresses = self.views["weights"].copy()
        from_bytes(state.numpy(), self.views)
        self.views["weights"] = addresses


def imitate(
    learner: KLPPO, env: FeatureSelection, teacher: Teacher, config: ImitationConfig, tick: Tick
) -> dict[str, float]:
    """Watch as many decisions of the teacher as fit the rollout buffer, and learn from them.

    Returns how the learner did at last: ``agreement`` (the share of decisions to whose action it
    gives more than one half), ``policy_loss``, ``value_loss``.
    """
    watch(learner, env, teacher, tick)
    done = min(learner.num_timesteps / config.steps, 1.0)
    for group in learner.policy.optimizer.param_groups:
        group["lr"] = config.learning_rate * (1.0 - LESS * done)
    found: list[tuple[float, float, float]] = []
    learner.policy.set_training_mode(True)
    for _ in range(config.epochs):
        batches = learner.rollout_buffer.get(config.batch_size)
        found = [lesson(learner, data) for data in batches]
    keys = ("agreement", "policy_loss", "value_loss")
    return dict(zip(keys, np.mean(found, axis=0).tolist(), strict=True))


def watch(learner: KLPPO, env: FeatureSelection, teacher: Teacher, tick: Tick) -> None:
    """Fill the rollout buffer with what the teacher does, as PPO fills it with its own actions."""
    buffer, policy = learner.rollout_buffer, learner.policy
    buffer.reset()
    seen: Any = learner._last_obs
    starts: Any = learner._last_episode_starts
    nothing = torch.zeros(env.num_envs)
    policy.set_training_mode(False)
    for _ in range(learner.n_steps):
        masks = get_action_masks(env)
        with torch.no_grad():
            values = policy.predict_values(torch.as_tensor(seen))
        actions = teacher.decide()
        after, rewards, over, infos = env.step(actions)
        add_what_would_have_come(learner, rewards, over, infos)
        buffer.add(seen, actions[:, None], rewards, starts, values, nothing, action_masks=masks)
        teacher.forget(over)
        seen, starts = after, over
        learner.num_timesteps += env.num_envs
        tick(learner.num_timesteps)
    with torch.no_grad():
        values = policy.predict_values(torch.as_tensor(seen))
    buffer.compute_returns_and_advantage(values, starts)
    learner._last_obs, learner._last_episode_starts = seen, starts


def add_what_would_have_come(learner: KLPPO, rewards: Any, over: Any, infos: Any) -> None:
    """A game that a limit ended is worth what the learner expected at that moment."""
    for index in np.flatnonzero(over).tolist():
        if infos[index]["TimeLimit.truncated"]:
            last = torch.as_tensor(infos[index]["terminal_observation"])[None]
            with torch.no_grad():
                rewards[index] += learner.gamma * float(learner.policy.predict_values(last))


def lesson(learner: KLPPO, data: Any) -> tuple[float, float, float]:
    """One step of the optimizer: towards the teacher's actions and what they earned."""
    policy = learner.policy
    all_chances, values = policy.log_probs(data.observations, data.action_masks)
    chances = all_chances.gather(1, data.actions.long())
    policy_loss = -chances.mean()
    value_loss = torch.nn.functional.mse_loss(values.flatten(), data.returns)
    policy.optimizer.zero_grad()
    loss: Any = policy_loss + learner.vf_coef * value_loss
    loss.backward()
    torch.nn.utils.clip_grad_norm_(policy.parameters(), learner.max_grad_norm)
    policy.optimizer.step()
    agreement = float((chances > np.log(0.5)).float().mean())
    return agreement, float(policy_loss.detach()), float(value_loss.detach())
