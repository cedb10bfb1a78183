"""Training outside Stable-Baselines3: PPO with masks in one file, on a batch of games.

Read from top to bottom, after CleanRL's ``ppo.py``: collect, estimate advantages, update. All games
are stepped by one compiled call; all waiting decisions are taken by one forward pass. Take it as a
start for an algorithm of your own. ``monopoly-env train`` does more: pools of past selves,
checkpoints, evaluation.

    python -m monopoly_training.ppo.minimal --frames 1000000

Source: Schulman et al. 2017, arXiv 1707.06347; Huang et al., "The 37 implementation details of
Proximal Policy Optimization", ICLR blog track 2022; masks as in Huang and Ontañón 2020, arXiv
2006.14171.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from typing import Annotated, Any, Protocol

import numpy as np
import numpy.typing as npt
import torch
import typer
from torch import Tensor, nn
from torch.nn.functional import log_softmax, mse_loss

from monopoly_env.editions import Edition, load_edition
from monopoly_env.engine.dispatch import KIND_OF, SIZE
from monopoly_env.envs.vector import VectorEnv
from monopoly_training.sb3.feature_selection import used_actions, used_columns

Array = npt.NDArray[Any]
ILLEGAL = -1e8


class Games(Protocol):
    """What the loop needs of a batch of games; :class:`VectorEnv` has it."""

    num_envs: int

    def reset(self, *, seed: int | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin; observations float32[n, columns]."""

    def step(self, actions: Array) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """Observations, rewards, two kinds of ends, infos; ended games begin anew."""

    def action_masks(self) -> Array:
        """The legal actions, bool[n, actions]."""


@dataclass(frozen=True)
class Settings:
    """The learner. A batch of ``steps`` decisions a game is learned from once, in minibatches."""

    steps: int = 16
    minibatch: int = 2048
    epochs: int = 1
    learning_rate: float = 1e-3
    gamma: float = 0.997  # a decision
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5
    max_grad_norm: float = 0.5
    hidden: int = 64


class ActorCritic(nn.Module):
    """Two hidden layers for both: how much each action is liked, and how the game will go."""

    def __init__(self, columns: int, likings: Tensor, hidden: int) -> None:
        super().__init__()
        first, second = nn.Linear(columns, hidden), nn.Linear(hidden, hidden)
        self.trunk = nn.Sequential(first, nn.Tanh(), second, nn.Tanh())
        self.actor, self.critic = nn.Linear(hidden, len(likings)), nn.Linear(hidden, 1)
        for layer, gain in ((first, 2**0.5), (second, 2**0.5), (self.actor, 0.01)):
            nn.init.orthogonal_(layer.weight, gain)
        with torch.no_grad():
            self.actor.bias.copy_(likings)

    def forward(self, seen: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """Log probabilities of all actions (n, actions), and values (n,)."""
        hidden = self.trunk(seen)
        logits = self.actor(hidden).masked_fill(~legal, ILLEGAL)
        return log_softmax(logits, dim=1), self.critic(hidden).flatten()


def draw(log_chances: Tensor) -> Tensor:
    """One action a row by its chance: the first of several clocks to ring."""
    return (log_chances.exp() / torch.empty_like(log_chances).exponential_()).argmax(dim=1)


class Batch:
    """Room for ``steps`` decisions of each game, filled in place."""

    def __init__(self, steps: int, games: int, columns: int, actions: int) -> None:
        self.seen = torch.empty(steps, games, columns)
        self.legal = torch.empty(steps, games, actions, dtype=torch.bool)
        self.chosen = torch.empty(steps, games, dtype=torch.int64)
        self.log_chance, self.value = torch.empty(steps, games), torch.empty(steps + 1, games)
        self.reward, self.goes_on = torch.empty(steps, games), torch.empty(steps, games)

    def advantages(self, gamma: float, gae_lambda: float) -> Tensor:
        """How much better each decision went than was foreseen: GAE, float32[steps, games]."""
        found, later = torch.empty_like(self.reward), torch.zeros_like(self.reward[0])
        for t in reversed(range(len(self.reward))):
            ahead = gamma * self.goes_on[t]
            surprise = self.reward[t] + ahead * self.value[t + 1] - self.value[t]
            found[t] = later = surprise + ahead * gae_lambda * later
        return found


class Learner:
    """PPO on a batch of games. ``columns`` and ``actions`` name what can come up at the table."""

    def __init__(
        self,
        games: Games,
        columns: Array,
        actions: Array,
        settings: Settings = Settings(),
        seed: int = 0,
    ) -> None:
        torch.manual_seed(seed)
        self.games, self.columns, self.actions = games, columns, actions
        self.settings = settings
        likings = torch.from_numpy(-np.log(SIZE[KIND_OF[actions]].astype(np.float32)))
        self.network = ActorCritic(len(columns), likings, settings.hidden)
        self.optimizer = torch.optim.Adam(
            self.network.parameters(), lr=settings.learning_rate, eps=1e-5
        )
        self.batch = Batch(settings.steps, games.num_envs, len(columns), len(actions))
        self.wins: deque[float] = deque(maxlen=1000)  # of the last games; a shared one in part
        self.frames = 0
        self._now, _ = games.reset(seed=seed)

    def learn(self, frames: int) -> None:
        """Collect and update until so many more decisions are taken."""
        until = self.frames + frames
        while self.frames < until:
            self.collect()
            self.update()

    @torch.no_grad()
    def collect(self) -> None:
        """Let the policy take ``steps`` decisions in each game."""
        batch, settings = self.batch, self.settings
        for t in range(settings.steps):
            self._look(batch.seen[t], batch.legal[t])
            log_chances, batch.value[t] = self.network(batch.seen[t], batch.legal[t])
            chosen = draw(log_chances)
            batch.chosen[t] = chosen
            batch.log_chance[t] = log_chances.gather(1, chosen[:, None]).flatten()
            self._now, reward, ended, cut, infos = self.games.step(self.actions[chosen.numpy()])
            batch.reward[t] = torch.from_numpy(reward)
            batch.goes_on[t] = torch.from_numpy(~(ended | cut)).float()
            if "final_info" in infos:
                self.wins.extend(infos["final_info"]["win"][infos["_final_info"]].tolist())
        seen, legal = torch.empty_like(batch.seen[0]), torch.empty_like(batch.legal[0])
        self._look(seen, legal)
        batch.value[-1] = self.network(seen, legal)[1]
        self.frames += settings.steps * self.games.num_envs

    def _look(self, seen: Tensor, legal: Tensor) -> None:
        """Copy what is seen now and what is legal: the next step writes over it."""
        np.take(self._now, self.columns, axis=1, out=seen.numpy(), mode="clip")
        masks = self.games.action_masks()
        np.take(masks, self.actions, axis=1, out=legal.numpy(), mode="clip")

    def update(self) -> None:
        """Learn from what was collected."""
        batch, settings = self.batch, self.settings
        advantages = batch.advantages(settings.gamma, settings.gae_lambda)
        returns = (advantages + batch.value[:-1]).flatten()
        advantages = advantages.flatten()
        seen, legal = batch.seen.flatten(0, 1), batch.legal.flatten(0, 1)
        chosen, before = batch.chosen.flatten(), batch.log_chance.flatten()
        for _ in range(settings.epochs):
            for rows in torch.split(torch.randperm(len(returns)), settings.minibatch):
                log_chances, values = self.network(seen[rows], legal[rows])
                now = log_chances.gather(1, chosen[rows, None]).flatten()
                loss = self._policy_loss(now - before[rows], advantages[rows])
                loss = loss + settings.value * mse_loss(values, returns[rows])
                undecided = -(log_chances.exp() * log_chances).sum(dim=1).mean()
                self._descend(loss - settings.entropy * undecided)

    def _policy_loss(self, log_ratio: Tensor, advantages: Tensor) -> Tensor:
        """The clipped objective, to be made small."""
        scaled = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        ratio, clip = log_ratio.exp(), self.settings.clip
        clipped = ratio.clamp(1 - clip, 1 + clip)
        return -torch.minimum(ratio * scaled, clipped * scaled).mean()

    def _descend(self, loss: Tensor) -> None:
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch's own
        nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.max_grad_norm)
        self.optimizer.step()


def table(num_envs: int) -> tuple[VectorEnv, Edition]:
    """Games against three random bots, without deals; what is owned counts on the way."""
    games = VectorEnv(
        num_envs,
        opponents=["random"] * 3,
        windows="own",
        deals="off",
        reward={"end": "win", "potential": "net_worth", "gamma": Settings.gamma},
    )
    return games, load_edition("classic", rules={"deals": "off"})


def make_learner(num_envs: int = 1024, seed: int = 0) -> Learner:
    """A learner that knows nothing yet."""
    games, edition = table(num_envs)
    return Learner(games, used_columns(4, edition), used_actions(edition), seed=seed)


def main(
    frames: Annotated[int, typer.Option(min=1, help="Decisions to learn from.")] = 1_000_000,
    games: Annotated[int, typer.Option(min=1, help="Games side by side.")] = 1024,
    seed: Annotated[int, typer.Option(min=0, help="Seed.")] = 0,
) -> None:
    """Learn to beat three random bots; one line a tenth of the way."""
    torch.set_num_threads(1)  # more threads than that make so small a network slower
    learner, began = make_learner(games, seed), time.perf_counter()
    while learner.frames < frames:
        learner.learn(frames // 10 or 1)
        won = 100 * float(np.mean(learner.wins)) if learner.wins else float("nan")
        speed = learner.frames / (time.perf_counter() - began)
        typer.echo(f"{learner.frames:,} frames, {speed:,.0f}/s, last games won: {won:.1f} %")


if __name__ == "__main__":
    typer.run(main)
