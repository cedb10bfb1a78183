"""PPO with action masks in one file, on a batch of games, without Stable-Baselines3.

Read it from top to bottom. Sections, their order and all names follow CleanRL's ``ppo.py``:
arguments, agent, storage, rollout, advantages, update. The differences: the environment provides
action masks, and illegal actions get zero probability; actor and critic share their hidden layers;
the learning rate is constant and values are not clipped. One compiled call steps all games, and one
forward pass takes all decisions.

Use it as a starting point for your own algorithm. ``monopoly-env train`` adds opponent pools of
past policies, checkpoints and evaluation.

    python -m monopoly_training.ppo.minimal --total-timesteps 1000000

Source: Schulman et al. 2017, arXiv 1707.06347; Huang et al., "The 37 implementation details of
Proximal Policy Optimization", ICLR blog track 2022; masks as in Huang and Ontañón 2020, arXiv
2006.14171.
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import torch
import typer
from torch import Tensor, nn
from torch.nn.functional import log_softmax

from monopoly_env.editions import load_edition
from monopoly_env.encoding.features import kind_bias, used_actions, used_columns
from monopoly_env.envs.vector import VectorEnv

Array = npt.NDArray[Any]
T = TypeVar("T")
ILLEGAL = -1e8  # the logit of an illegal action
RULES = {"deals": "off"}


# --- arguments ---


def argument(default: T, text: str, least: float = 1, most: float = np.inf) -> T:
    """Return a field of :class:`Args` whose ``text`` is shown by ``--help``, with its range."""
    value: T = field(default=default, metadata={"help": text, "least": least, "most": most})
    return value


@dataclass(frozen=True)
class Args:
    """Command-line arguments, such as ``--num-envs 256``."""

    seed: int = argument(0, "seed of the games, the initial weights and all sampling", 0, 2**31)
    total_timesteps: int = argument(1_000_000, "total decisions over all games")
    learning_rate: float = argument(1e-3, "learning rate of Adam", 0, 1)
    num_envs: int = argument(1024, "games stepped together")
    num_steps: int = argument(16, "decisions per game between updates")
    gamma: float = argument(0.997, "discount from one decision to the next", 0, 1)
    gae_lambda: float = argument(0.95, "lambda of generalized advantage estimation", 0, 1)
    minibatch_size: int = argument(2048, "decisions per optimizer step")
    update_epochs: int = argument(1, "passes over the batch per update")
    clip_coef: float = argument(0.2, "clip range of the probability ratio around 1", 0)
    ent_coef: float = argument(0.01, "weight of the entropy in the loss", 0)
    vf_coef: float = argument(1.0, "weight of the value loss", 0)
    max_grad_norm: float = argument(
        0.5, "maximum gradient norm; larger gradients are scaled down", 0
    )
    hidden_size: int = argument(64, "units in each of the two hidden layers")


def parse_args(argv: Sequence[str] | None = None) -> Args:
    """Parse the command line; missing arguments keep their defaults."""
    parser = argparse.ArgumentParser(
        prog="python -m monopoly_training.ppo.minimal",
        description="Learn to beat three random bots by PPO with action masks.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    for one in fields(Args):
        option = "--" + one.name.replace("_", "-")
        kind = type(one.default)
        parser.add_argument(
            option, type=kind, default=one.default, help=one.metadata["help"], metavar=kind.__name__
        )
    given = vars(parser.parse_args(argv))
    for one in fields(Args):
        least, most = one.metadata["least"], one.metadata["most"]
        if not least <= given[one.name] <= most:  # also refuses nan
            allowed = f"at least {least}" if most == np.inf else f"from {least} to {most}"
            option = "--" + one.name.replace("_", "-")
            parser.error(f"argument {option}: must be {allowed}, not {given[one.name]}")
    return Args(**given)


# --- environments ---


class Envs(Protocol):
    """Interface the training loop needs; :class:`VectorEnv` implements it."""

    num_envs: int

    def reset(self, *, seed: int | None = None) -> tuple[Any, dict[str, Any]]:
        """Reset; return observations float32[num_envs, columns] and infos."""

    def step(self, actions: Array) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """Return observations, rewards, terminations, truncations and infos.

        Finished games restart.
        """

    def action_masks(self) -> Array:
        """Return the action masks, bool[num_envs, actions]."""


def make_envs(args: Args) -> VectorEnv:
    """Make games against three random bots, without deals, with a reward shaped by net worth."""
    return VectorEnv(
        args.num_envs,
        opponents=["random"] * 3,
        windows="own",
        rules=RULES,
        reward={"end": "win", "potential": "net_worth", "gamma": args.gamma},
        copy=False,  # the rollout makes its own copies
    )


# --- agent ---


class MaskedCategorical:
    """Categorical distributions over the legal actions.

    There is one per row of ``logits`` and ``mask``, both (n, actions).
    """

    def __init__(self, logits: Tensor, mask: Tensor) -> None:
        self.logprobs = log_softmax(logits.masked_fill(~mask, ILLEGAL), dim=1)

    @cached_property
    def probs(self) -> Tensor:
        """Probabilities, (n, actions)."""
        return self.logprobs.exp()

    def sample(self) -> Tensor:
        """Draw one action per row, int64[n], by an exponential race (like the Gumbel-max trick)."""
        return (self.probs / torch.empty_like(self.probs).exponential_()).argmax(dim=1)

    def log_prob(self, action: Tensor) -> Tensor:
        """Return the log probability of one action per row, (n,)."""
        return self.logprobs.gather(1, action[:, None]).flatten()

    def entropy(self) -> Tensor:
        """Return the entropy of each row, (n,)."""
        return -(self.probs * self.logprobs).sum(dim=1)


def layer_init(layer: nn.Linear, std: float = 2**0.5) -> nn.Linear:
    """Initialize the layer's weights as orthogonal and return it."""
    nn.init.orthogonal_(layer.weight, std)
    return layer


class Agent(nn.Module):
    """Actor and critic over two shared hidden layers."""

    def __init__(self, num_columns: int, actor_bias: Tensor, hidden_size: int) -> None:
        super().__init__()
        hidden = nn.Linear(num_columns, hidden_size), nn.Linear(hidden_size, hidden_size)
        self.actor = nn.Linear(hidden_size, len(actor_bias))
        self.critic = nn.Linear(hidden_size, 1)
        first, second = (layer_init(layer) for layer in hidden)
        self.network = nn.Sequential(first, nn.Tanh(), second, nn.Tanh())
        layer_init(self.actor, std=0.01)
        with torch.no_grad():
            self.actor.bias.copy_(actor_bias)

    def get_value(self, x: Tensor) -> Tensor:
        """Return values, (n, 1)."""
        value: Tensor = self.critic(self.network(x))
        return value

    def get_action_and_value(
        self, x: Tensor, mask: Tensor, action: Tensor | None = None
    ) -> tuple[Tensor, Tensor, MaskedCategorical, Tensor]:
        """Return actions (sampled if not given), their log probabilities, the policy, and values.

        CleanRL returns the entropy in place of the policy, but the rollout does not need it.
        """
        hidden = self.network(x)
        probs = MaskedCategorical(self.actor(hidden), mask)
        if action is None:
            action = probs.sample()
        return action, probs.log_prob(action), probs, self.critic(hidden)


# --- algorithm ---


class PPO:
    """PPO on a batch of games.

    ``columns`` are the observation columns that the agent reads. ``action_ids`` are the actions
    that it can take; an action of the agent is an index into them.
    """

    def __init__(self, args: Args, envs: Envs, columns: Array, action_ids: Array) -> None:
        self.args, self.envs = args, envs
        self.columns, self.action_ids = columns, action_ids

        # Seeding
        torch.manual_seed(args.seed)

        # Agent, which starts with all kinds of action equally likely
        self.agent = Agent(len(columns), torch.from_numpy(kind_bias(action_ids)), args.hidden_size)
        self.optimizer = torch.optim.Adam(self.agent.parameters(), lr=args.learning_rate, eps=1e-5)

        # Storage
        shape = args.num_steps, envs.num_envs
        self.obs = torch.empty(*shape, len(columns))
        self.masks = torch.empty(*shape, len(action_ids), dtype=torch.bool)
        self.actions = torch.empty(shape, dtype=torch.int64)
        self.logprobs = torch.empty(shape)
        self.rewards = torch.empty(shape)
        self.dones = torch.empty(shape)
        self.values = torch.empty(shape)
        self.wins: deque[float] = deque(maxlen=1000)  # recent games; shared wins are fractions

        # Start the games
        self.global_step = 0
        self.next_obs, _ = envs.reset(seed=args.seed)
        self.next_done = torch.zeros(envs.num_envs)

    def learn(self, total_timesteps: int) -> dict[str, float]:
        """Train for this many more decisions; return the losses of the last update."""
        until = self.global_step + total_timesteps
        losses: dict[str, float] = {}
        while self.global_step < until:
            self.rollout()
            advantages, returns = self.estimate_advantages()
            losses = self.update(advantages, returns)
        return losses

    @torch.no_grad()
    def rollout(self) -> None:
        """Collect a rollout of ``num_steps`` decisions in each game."""
        for step in range(self.args.num_steps):
            self.global_step += self.envs.num_envs
            select_columns(self.next_obs, self.columns, self.obs[step])
            select_columns(self.envs.action_masks(), self.action_ids, self.masks[step])
            self.dones[step] = self.next_done

            # Decide
            action, logprob, _, value = self.agent.get_action_and_value(
                self.obs[step], self.masks[step]
            )
            self.actions[step] = action
            self.logprobs[step] = logprob
            self.values[step] = value.flatten()

            # Step the games
            self.next_obs, reward, terminations, truncations, infos = self.envs.step(
                self.action_ids[action.numpy()]
            )
            self.rewards[step] = torch.from_numpy(reward)
            self.next_done = torch.from_numpy(terminations | truncations).float()
            if "final_info" in infos:
                self.wins.extend(infos["final_info"]["win"][infos["_final_info"]].tolist())

    @torch.no_grad()
    def estimate_advantages(self) -> tuple[Tensor, Tensor]:
        """Return advantages and returns of the stored decisions, (num_steps, num_envs) each."""
        next_obs = torch.empty_like(self.obs[0])
        select_columns(self.next_obs, self.columns, next_obs)
        next_value = self.agent.get_value(next_obs).flatten()

        advantages = torch.empty_like(self.rewards)
        lastgaelam = torch.zeros_like(next_value)
        nextvalues, nextnonterminal = next_value, 1.0 - self.next_done
        for t in reversed(range(self.args.num_steps)):
            discount = self.args.gamma * nextnonterminal
            delta = self.rewards[t] + discount * nextvalues - self.values[t]
            advantages[t] = lastgaelam = delta + discount * self.args.gae_lambda * lastgaelam
            nextvalues, nextnonterminal = self.values[t], 1.0 - self.dones[t]
        return advantages, advantages + self.values

    def update(self, advantages: Tensor, returns: Tensor) -> dict[str, float]:
        """Update the agent from the rollout; return the losses of the last minibatch."""
        args = self.args

        # Flatten the batch
        b_obs, b_masks = self.obs.flatten(0, 1), self.masks.flatten(0, 1)
        b_actions, b_logprobs = self.actions.flatten(), self.logprobs.flatten()
        b_advantages, b_returns = advantages.flatten(), returns.flatten()

        clipfracs = []
        for _ in range(args.update_epochs):
            b_inds = torch.randperm(len(b_returns))
            for start in range(0, len(b_inds), args.minibatch_size):
                mb_inds = b_inds[start : start + args.minibatch_size]
                _, newlogprob, probs, newvalue = self.agent.get_action_and_value(
                    b_obs[mb_inds], b_masks[mb_inds], b_actions[mb_inds]
                )
                logratio = newlogprob - b_logprobs[mb_inds]
                ratio = logratio.exp()
                with torch.no_grad():
                    approx_kl = ((ratio - 1) - logratio).mean()
                    clipfracs.append(((ratio - 1).abs() > args.clip_coef).float().mean())

                # Policy loss
                mb_advantages = b_advantages[mb_inds]
                if len(mb_advantages) > 1:  # one has no standard deviation
                    mb_advantages = (mb_advantages - mb_advantages.mean()) / (
                        mb_advantages.std() + 1e-8
                    )
                pg_loss1 = -mb_advantages * ratio
                pg_loss2 = -mb_advantages * ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)
                pg_loss = torch.max(pg_loss1, pg_loss2).mean()

                # Value loss
                v_loss = 0.5 * ((newvalue.flatten() - b_returns[mb_inds]) ** 2).mean()

                # Entropy loss and total loss
                entropy_loss = probs.entropy().mean()
                loss = pg_loss - args.ent_coef * entropy_loss + args.vf_coef * v_loss

                self.optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                nn.utils.clip_grad_norm_(self.agent.parameters(), args.max_grad_norm)
                self.optimizer.step()

        explained_var = 1 - (b_returns - self.values.flatten()).var() / b_returns.var()
        return {
            "value_loss": v_loss.item(),
            "policy_loss": pg_loss.item(),
            "entropy": entropy_loss.item(),
            "approx_kl": approx_kl.item(),
            "clipfrac": torch.stack(clipfracs).mean().item(),
            "explained_variance": explained_var.item(),
        }


def select_columns(source: Array, columns: Array, out: Tensor) -> None:
    """Copy some columns, as the environment overwrites its arrays in later steps."""
    np.take(source, columns, axis=1, out=out.numpy(), mode="clip")


def make_ppo(args: Args) -> PPO:
    """Return an untrained learner and its games."""
    edition = load_edition("classic", rules=RULES)
    return PPO(args, make_envs(args), used_columns(4, edition), used_actions(edition))


def main(args: Args) -> None:
    """Train, and print progress and steps per second ten times."""
    torch.set_num_threads(1)  # more threads are slower with a small network
    ppo = make_ppo(args)
    start_time = time.perf_counter()
    while ppo.global_step < args.total_timesteps:
        losses = ppo.learn(args.total_timesteps // 10 or 1)
        sps = ppo.global_step / (time.perf_counter() - start_time)
        won = f"{100 * np.mean(ppo.wins):.1f}%" if ppo.wins else "none ended"
        shown = ", ".join(f"{name} {value:.3f}" for name, value in losses.items())
        typer.echo(
            f"global_step {ppo.global_step:,}, SPS {sps:,.0f}, last games won: {won}, {shown}"
        )


if __name__ == "__main__":
    main(parse_args())
