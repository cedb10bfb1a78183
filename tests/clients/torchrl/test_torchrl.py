"""TorchRL on the environments: stored transitions, masks, agents, and a policy that learns to win."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
import torch

pytest.importorskip("torchrl")

from torchrl.envs import ActionMask, GymEnv, GymWrapper, TransformedEnv, check_env_specs

from monopoly_env import VectorEnv
from tests.clients.torchrl import agents, ppo
from tests.cpu_time import three_minutes_of_two_cores

torch.set_num_threads(1)

SHORT = {"max_turns": 10}  # games that end every few decisions


def rollout(env, policy, steps):
    """A rollout that goes on through the ends of games, from seed 1."""
    env.set_seed(1)
    with torch.no_grad():
        return env.rollout(steps, policy, break_when_any_done=False)


def play_again(actions, rollout):
    """The true transitions of these actions: the same games, without TorchRL."""
    envs = VectorEnv(
        len(actions), preset="basic", narrow=True, autoreset_mode="Disabled", rules=SHORT
    )
    envs.reset(seed=1)
    seen, infos = envs.reset()
    for step in range(actions.shape[1]):
        yield step, "observation", seen, rollout
        yield step, "action_mask", infos["action_mask"], rollout
        seen, rewards, ended, truncated, infos = envs.step(actions[:, step])
        following = rollout["next"]
        yield step, "observation", seen, following
        yield step, "reward", rewards[:, None], following
        yield step, "terminated", ended[:, None], following
        yield step, "truncated", truncated[:, None], following
        done = ended | truncated
        if done.any():
            seen, infos = envs.reset(options={"reset_mask": done})


def test_stored_transitions_are_the_true_ones_when_games_end() -> None:
    env = ppo.make_env(4, rules=SHORT)
    found = rollout(env, ppo.make_networks(env)[0], 200)
    assert found["next", "done"].sum() > 20
    for step, name, true, stored in play_again(found["action"].numpy(), found):
        np.testing.assert_array_equal(stored[name][:, step].numpy(), true, err_msg=f"{name} {step}")


def test_stored_transitions_are_true_where_the_games_reset_themselves() -> None:
    """TorchRL keeps what it was given, and takes last observations from ``final_obs``."""
    options = {"preset": "basic", "narrow": True, "illegal_action": "random", "rules": SHORT}
    env = GymWrapper(VectorEnv(4, **options), categorical_action_encoding=True)
    true = VectorEnv(4, **options)
    env.set_seed(1)
    true.reset(seed=1)
    stored, (seen, _) = env.reset(), true.reset()
    kept = []
    for key in range(200):
        actions = true.sample_actions(key)
        following, rewards, ended, truncated, infos = true.step(actions)
        last, done = following.copy(), ended | truncated
        if done.any():
            last[done] = np.stack(infos["final_obs"][done])
        stored, begun = env.step_and_maybe_reset(stored.set("action", torch.from_numpy(actions)))
        kept.append((stored, seen, last, rewards, done))
        stored, seen = begun, following
    assert sum(done.sum() for *_, done in kept) > 20
    for stored, seen, last, rewards, done in kept:  # all of them, as they are now
        np.testing.assert_array_equal(stored["observation"].numpy(), seen)
        np.testing.assert_array_equal(stored["next", "observation"].numpy(), last)
        np.testing.assert_array_equal(stored["next", "reward"].numpy()[:, 0], rewards)
        np.testing.assert_array_equal(stored["next", "done"].numpy()[:, 0], done)


def test_its_masked_policy_only_takes_legal_actions() -> None:
    env = ppo.make_env(8, rules=SHORT)
    found = rollout(env, ppo.make_networks(env)[0], 100)
    assert found["action_mask"].gather(-1, found["action"][..., None]).all()


def test_one_seat_passes_its_check_of_specs_and_plays() -> None:
    game = gymnasium.make(
        "monopoly_env/Monopoly-v0",
        preset="basic",
        narrow=True,
        observation="dict",
        mask_dtype="bool",
        illegal_action="random",
        rules=SHORT,
    )
    env = GymWrapper(game, categorical_action_encoding=True)
    check_env_specs(env)
    found = env.rollout(60, break_when_any_done=False)  # TorchRL's random policy reads the mask
    assert found["next", "done"].any()


def test_its_env_made_by_name_plays_under_its_mask() -> None:
    """GymEnv tries ``frameskip``, which is no option, and leaves it out by the words of the error."""
    options = {"preset": "basic", "narrow": True, "observation": "dict", "mask_dtype": "bool"}
    env = GymEnv(
        "monopoly_env/Monopoly-v0", rules=SHORT, categorical_action_encoding=True, **options
    )
    found = TransformedEnv(env, ActionMask()).rollout(60, break_when_any_done=False)
    assert found["next", "done"].any()
    assert found["action_mask"].gather(-1, found["action"][..., None]).all()


def test_four_agents_share_a_masked_policy() -> None:
    torch.manual_seed(0)
    env = agents.make_env(rules=SHORT)
    found = rollout(env, agents.make_networks(env)[0], 300)
    assert found["next", "done"].sum() >= 2
    deciding = found["agents", "mask"]
    assert (deciding.sum(-1) == 1).all()
    legal = found["agents", "action_mask"].gather(-1, found["agents", "action"][..., None])
    assert legal[deciding].all()
    ends = found["next", "agents", "reward"][found["next", "done"].squeeze(-1)]
    assert ends.abs().sum() > 0


def test_agents_learn_in_self_play() -> None:
    torch.manual_seed(0)
    env = agents.make_env(rules={"max_turns": 30})
    env.set_seed(1)
    losses: list[list[float]] = []
    agents.train(env, *agents.make_networks(env), updates=3, frames=400, report=losses.append)
    for first, *_, last in losses:
        assert last < first


def test_it_gets_better_within_a_few_updates() -> None:
    torch.manual_seed(0)
    env = ppo.make_env()
    env.set_seed(0)
    won: list[float] = []
    ppo.train(env, *ppo.make_networks(env), 16 * 8192, report=won.append)
    assert np.nanmean(won[-5:]) > 0.4  # one game in four, before


@pytest.mark.learning
@pytest.mark.slow
def test_ppo_wins_four_games_of_five_against_random_bots() -> None:
    torch.manual_seed(0)
    env = ppo.make_env()
    env.set_seed(0)
    won: list[float] = []
    with three_minutes_of_two_cores():
        ppo.train(env, *ppo.make_networks(env), 400_000, report=won.append)
    assert np.nanmean(won[-6:]) >= 0.8
