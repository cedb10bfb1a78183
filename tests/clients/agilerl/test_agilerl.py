"""AgileRL on the environments: masks from infos, agents in a loop, a PPO that learns to win."""

from __future__ import annotations

import numpy as np
import pytest
import torch

pytest.importorskip("agilerl")

from agilerl.algorithms import IPPO
from agilerl.rollouts import collect_rollouts
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from tests.clients.agilerl import agents, ippo, ppo
from tests.cpu_time import three_minutes_of_two_cores

torch.set_num_threads(1)


def test_ppo_finds_the_masks_in_infos() -> None:
    """An illegal action would raise, and the masks are in its buffer."""
    envs = ppo.make_envs(8, rules={"max_turns": 20})
    agent = ppo.make_agent(envs, steps=64)
    collect_rollouts(agent, envs)
    rows = agent.rollout_buffer.get_tensor_batch()
    masks, actions = rows["action_masks"], rows["actions"]
    assert masks.bool().gather(-1, actions.reshape(-1, 1).long()).all()


def test_dqn_learns_for_all_seats() -> None:
    torch.manual_seed(0)
    np.random.seed(0)
    env = agents.make_env(rules={"max_turns": 30})
    losses: list[float] = []
    agents.train(env, agents.make_agent(env), 1_500, report=losses.append)
    assert np.isfinite(losses).all()
    assert np.mean(losses[-20:]) < np.mean(losses[:20])


def test_ippo_learns_for_all_seats_and_keeps_to_the_masks() -> None:
    torch.manual_seed(0)
    np.random.seed(0)
    env = ippo.make_env(rules={"max_turns": 20})
    agent = ippo.make_agent(env)
    losses: list[float] = []
    ippo.train(env, agent, 6, steps=256, report=losses.append)  # an illegal action would raise
    assert np.isfinite(losses).all()
    assert np.mean(losses[-2:]) < losses[0]
    seen, _ = env.reset(seed=1)
    count = env.action_space("player_0").n
    (decider,) = (row for row in seen.values() if row[-count:].any())
    actor = agent.actors["player"]
    actor(torch.from_numpy(np.tile(decider, (count, 1))))  # as an update does: without infos
    probs = actor.action_log_prob(torch.arange(count)).exp().detach().numpy()
    assert probs[decider[-count:] > 0].sum() == pytest.approx(1, abs=1e-4)


def test_agilerls_own_masks_for_ippo_are_still_broken() -> None:
    """If this fails, AgileRL is mended, and docs/clients/agilerl.md can say so."""
    game = agents.make_env()
    env = turn_based_aec_to_parallel(game)
    names = env.possible_agents
    spaces = ({a: space(a) for a in names} for space in (env.observation_space, env.action_space))
    agent = IPPO(*spaces, agent_ids=names)
    seen, infos = env.reset(seed=1)
    with pytest.raises(ValueError, match="truth value of an array"):
        agent.get_action({name: row[None] for name, row in seen.items()}, infos)


def test_it_gets_better_within_a_few_updates() -> None:
    torch.manual_seed(0)
    envs = ppo.make_envs()
    won: list[float] = []
    ppo.train(envs, ppo.make_agent(envs), 20 * 8192, report=won.append)
    assert np.nanmean(won[-5:]) > 0.4  # one game in four, before


@pytest.mark.learning
@pytest.mark.slow
def test_ppo_wins_four_games_of_five_against_random_bots() -> None:
    torch.manual_seed(0)
    envs = ppo.make_envs()
    won: list[float] = []
    with three_minutes_of_two_cores():
        ppo.train(envs, ppo.make_agent(envs), 400_000, report=won.append)
    assert np.nanmean(won[-6:]) >= 0.8
