r"""Behavior cloning in one file: a network learns to imitate ``veteran`` from its games.

The sections and names are CleanRL's: arguments, data, agent, training, evaluation. First generate
games, then learn from them; both take minutes on two cores:

    monopoly-env generate --agents veteran,background,background,background --bots veteran \\
        --rule deals=off --rule windows=own --games 500 --jobs 2 --out runs/data/veteran
    python examples/behavior_cloning.py --data runs/data/veteran

The policy is evaluated in new games against three ``background`` bots: 25% wins would be even.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

import numpy as np
import torch
from monopoly_training.dataset.episodes import episodes
from torch import nn
from torch.nn.functional import cross_entropy

from monopoly_env import VectorEnv
from monopoly_env.learners import kind_bias

T = TypeVar("T")
Rows = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
ILLEGAL = -1e8  # the logit of an illegal action


# --- arguments ---


def argument(default: T, text: str) -> T:
    """Return a field of :class:`Args` with its ``--help`` text."""
    value: T = field(default=default, metadata={"help": text})
    return value


@dataclass(frozen=True)
class Args:
    """The command-line arguments, such as ``--total-steps 2000``."""

    data: str = argument("runs/data/veteran", "folder written by `monopoly-env generate`")
    seed: int = argument(1, "seed of the weights and of the order of the rows")
    total_steps: int = argument(2_000, "number of optimizer steps")
    batch_size: int = argument(256, "decisions per step")
    learning_rate: float = argument(1e-3, "initial learning rate of Adam; decays to zero")
    weight_decay: float = argument(1e-4, "weight decay of Adam")
    hidden_size: int = argument(128, "units in each of the two hidden layers")
    held_out: int = argument(20, "hold out one game in so many")
    eval_games: int = argument(500, "evaluation games against three `background` bots")


def parse_args(argv: Sequence[str] | None = None) -> Args:
    """Parse the command line into Args."""
    parser = argparse.ArgumentParser(
        description="Learn to imitate a bot from its games.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    for one in fields(Args):
        option = "--" + one.name.replace("_", "-")
        parser.add_argument(
            option, type=type(one.default), default=one.default, help=one.metadata["help"]
        )
    return Args(**vars(parser.parse_args(argv)))


# --- data ---


def load(folder: str, held_out: int) -> tuple[Rows, Rows]:
    """Return the training data and, from every ``held_out``-th game, the held-out data."""
    learned: list[Any] = []
    kept: list[Any] = []
    for episode in episodes(folder, narrow=True):
        part = kept if episode.game % held_out == 0 else learned
        part.append((episode.observations.astype(np.float16), episode.masks == 1, episode.actions))
    return join(learned), join(kept)


def join(part: list[Any]) -> Rows:
    """Concatenate the rows of some episodes into tensors."""
    observations, masks, actions = (np.concatenate(rows) for rows in zip(*part, strict=True))
    return torch.from_numpy(observations), torch.from_numpy(masks), torch.from_numpy(actions)


# --- agent ---


class Agent(nn.Module):
    """The policy. Initially, all kinds of action are equally likely."""

    def __init__(self, columns: int, action_ids: np.ndarray, hidden_size: int) -> None:
        super().__init__()
        self.network = nn.Sequential(
            nn.Linear(columns, hidden_size), nn.ReLU(),
            nn.Linear(hidden_size, hidden_size), nn.ReLU(),
            nn.Linear(hidden_size, len(action_ids)),
        )  # fmt: skip
        with torch.no_grad():
            self.network[-1].weight.mul_(0.01)
            self.network[-1].bias.copy_(torch.from_numpy(kind_bias(action_ids)))

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Return the logits, (n, actions)."""
        return self.network(observations).masked_fill(~masks, ILLEGAL)


# --- evaluation ---


@torch.no_grad()
def accuracy(agent: Agent, data: Rows) -> float:
    """Return the share of decisions in which the policy's first choice is the bot's action."""
    observations, masks, actions = data
    return (agent(observations.float(), masks).argmax(dim=1) == actions).float().mean().item()


@torch.no_grad()
def share_won(agent: Agent, games: int, seed: int = 1_000_000) -> float:
    """Return the share of new games won against three ``background`` bots."""
    envs = make_envs(games)
    observations, _ = envs.reset(seed=seed)
    won = np.full(games, np.nan)
    while np.isnan(won).any():
        masks = torch.from_numpy(envs.action_masks())
        actions = agent(torch.from_numpy(observations), masks).argmax(dim=1)
        observations, _, _, _, infos = envs.step(actions.numpy())
        if "final_info" in infos:
            ended = infos["_final_info"] & np.isnan(won)  # only the first game of each environment
            won[ended] = infos["final_info"]["win"][ended]
    return float(won.mean())


def make_envs(games: int) -> VectorEnv:
    """Create environments with the settings of the data."""
    return VectorEnv(
        games, opponents=["background"] * 3, narrow=True, mask_dtype="bool", windows="own",
        rules={"deals": "off"},
    )  # fmt: skip


# --- training ---


def train(args: Args) -> tuple[Agent, float]:
    """Train on the data; return the policy and its accuracy on held-out games."""
    torch.manual_seed(args.seed)
    (observations, masks, actions), held_out = load(args.data, args.held_out)
    print(f"{len(actions):,} decisions to learn from, {len(held_out[2]):,} held out")
    agent = Agent(observations.shape[1], make_envs(1).action_ids, args.hidden_size)
    optimizer = torch.optim.AdamW(
        agent.parameters(), lr=args.learning_rate, weight_decay=args.weight_decay
    )
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, args.total_steps)
    start = time.time()
    for step in range(1, args.total_steps + 1):
        rows = torch.randint(len(actions), (args.batch_size,))
        logits = agent(observations[rows].float(), masks[rows])
        loss = cross_entropy(logits, actions[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 500 == 0:
            speed, held = step / (time.time() - start), accuracy(agent, held_out)
            print(
                f"step {step}: loss {loss:.3f}, held-out accuracy {held:.3f}, {speed:.0f} steps/s"
            )
    return agent, accuracy(agent, held_out)


if __name__ == "__main__":
    args = parse_args()
    agent, held = train(args)
    won = share_won(agent, args.eval_games)
    print(f"held-out accuracy {held:.3f}; {won:.1%} of {args.eval_games:,} games won")
