"""TorchRL's PPO with masks on 128 parallel games against three random bots.

Run it as ``python ppo.py``; it wins most games after a minute or two.
"""

import time

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import GymWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from monopoly_env import VectorEnv
from monopoly_env.learners import kind_bias

GAMES, STEPS = 128, 64


def make_env(games=GAMES, **options):
    """Games that TorchRL resets itself (``autoreset_mode="Disabled"``)."""
    envs = VectorEnv(
        games,
        preset="basic",
        narrow=True,
        observation="dict",  # observations and masks become entries of the tensordict
        mask_dtype="bool",  # as MaskedCategorical requires
        autoreset_mode="Disabled",
        illegal_action="random",  # TorchRL steps once without masks
        **options,
    )
    return GymWrapper(envs, categorical_action_encoding=True)


def make_networks(env):
    """Actor and critic; the actor starts with all kinds of action equally likely."""
    columns, action_ids = len(env._env.columns), env._env.action_ids

    def layers(out):
        return nn.Sequential(
            nn.Linear(columns, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, out)
        )

    actor = layers(len(action_ids))
    with torch.no_grad():
        actor[-1].weight.mul_(0.01)
        actor[-1].bias.copy_(torch.from_numpy(kind_bias(action_ids)))
    policy = ProbabilisticActor(
        TensorDictModule(actor, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        out_keys=["action"],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    return policy, ValueOperator(layers(1), in_keys=["observation"])


def train(env, policy, critic, decisions, report=print):
    """Train PPO for this many decisions; ``report`` gets the win rate of each batch."""
    loss_module = ClipPPOLoss(
        policy, critic, normalize_advantage=True, entropy_coeff=0.01, critic_coeff=1.0
    )
    advantages = GAE(gamma=0.997, lmbda=0.95, value_network=critic)
    optimizer = torch.optim.Adam(loss_module.parameters(), lr=1e-3)
    collector = Collector(env, policy, frames_per_batch=GAMES * STEPS, total_frames=decisions)
    for batch in collector:
        with torch.no_grad():
            advantages(batch)
        rows = batch.reshape(-1)
        for _ in range(2):
            for indices in torch.randperm(len(rows)).split(2048):
                losses = loss_module(rows[indices])
                loss = sum(losses[name] for name in losses.keys() if name.startswith("loss_"))
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(loss_module.parameters(), 0.5)
                optimizer.step()
        ended = batch["next", "done"]
        report(
            batch["next", "reward"][ended].gt(0).float().mean().item()
        )  # a positive reward is a win
    collector.shutdown()


if __name__ == "__main__":
    torch.set_num_threads(1)  # more threads are slower with a small network
    torch.manual_seed(0)
    games = make_env()
    began = time.perf_counter()
    show = lambda won: print(f"{time.perf_counter() - began:.0f} s: {won:.0%} of games won")
    train(games, *make_networks(games), decisions=400_000, report=show)
