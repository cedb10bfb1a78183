"""PPO in self-play: four agents of TorchRL's PettingZooWrapper share a masked policy.

Run it as ``python agents.py``.
"""

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.envs import MarlGroupMapType, PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from monopoly_env import monopoly_v0
from monopoly_env.learners import kind_bias


def make_env(**options):
    """All agents end together (``elimination="end"``), because TorchRL does not step agents that are out."""
    game = monopoly_v0.raw_env(
        preset="basic", narrow=True, mask_dtype="bool", elimination="end", **options
    )
    return PettingZooWrapper(
        game,
        use_mask=True,  # the entry ("agents", "mask") marks the agent that decides
        group_map=MarlGroupMapType.ALL_IN_ONE_GROUP,
        categorical_actions=True,
    )


def layers(columns, out):
    return nn.Sequential(nn.Linear(columns, 64), nn.Tanh(), nn.Linear(64, out))


def make_networks(env):
    """Actor and critic for all seats; the actor starts with all kinds of action equally likely."""
    game = env._env.unwrapped
    seen = ("agents", "observation", "observation")
    actor = layers(len(game.columns), len(game.action_ids))
    with torch.no_grad():
        actor[-1].weight.mul_(0.01)
        actor[-1].bias.copy_(torch.from_numpy(kind_bias(game.action_ids)))
    policy = ProbabilisticActor(
        TensorDictModule(actor, in_keys=[seen], out_keys=[("agents", "logits")]),
        in_keys={"logits": ("agents", "logits"), "mask": ("agents", "action_mask")},
        out_keys=[("agents", "action")],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key=("agents", "log_prob"),
    )
    critic = ValueOperator(
        layers(len(game.columns), 1), in_keys=[seen], out_keys=[("agents", "state_value")]
    )
    return policy, critic


def train(env, policy, critic, updates, frames=1024, report=print):
    """PPO; an agent learns from its own decisions, and not from the steps of others.

    ``report`` takes the losses of each update's epochs.
    """
    of_agents = {name: ("agents", name) for name in ("reward", "done", "terminated")}
    estimates = {"value": ("agents", "state_value"), "advantage": ("agents", "advantage")}
    estimates["value_target"] = ("agents", "value_target")
    loss_module = ClipPPOLoss(policy, critic, reduction="none", entropy_bonus=False)
    loss_module.set_keys(
        action=("agents", "action"),
        sample_log_prob=("agents", "log_prob"),
        **of_agents,
        **estimates,
    )
    advantages = GAE(gamma=0.997, lmbda=0.95, value_network=critic, average_gae=True)
    advantages.set_keys(**of_agents, **estimates)
    optimizer = torch.optim.Adam(loss_module.parameters(), lr=1e-3)
    for _ in range(updates):
        with torch.no_grad():
            batch = env.rollout(frames, policy, break_when_any_done=False)
            advantages(batch)
        deciding = batch["agents", "mask"]
        found = []
        for _ in range(4):
            losses = loss_module(batch)
            loss = (losses["loss_objective"] + losses["loss_critic"])[deciding].mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            found.append(loss.item())
        report(found)


if __name__ == "__main__":
    torch.set_num_threads(1)
    games = make_env()
    train(games, *make_networks(games), updates=20)
