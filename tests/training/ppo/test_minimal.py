"""The PPO loop without SB3: its parts, and that it learns."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

torch = pytest.importorskip("torch")
minimal = pytest.importorskip("monopoly_training.ppo.minimal")


class NoGames:
    """One game in which nothing happens."""

    num_envs = 1

    def reset(self, *, seed=None):
        return np.zeros((1, 2), np.float32), {"seed": seed}

    def action_masks(self):
        return np.ones((1, 3), np.bool_)

    def step(self, actions):
        never = np.zeros(1, np.bool_)
        return np.zeros((1, 2), np.float32), np.ones(1, np.float32) * actions, never, never, {}


def tiny(**changes):
    args = minimal.Args(num_envs=1, hidden_size=4, **changes)
    return minimal.PPO(args, NoGames(), np.arange(2), np.arange(3))


def test_every_argument_has_a_line_of_text_and_an_option():
    assert all(one.metadata["help"] for one in fields(minimal.Args))
    assert minimal.parse_args([]) == minimal.Args()
    assert minimal.parse_args(["--num-envs", "8", "--gamma", "0.5"]) == minimal.Args(
        num_envs=8, gamma=0.5
    )


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--num-envs", "0", "must be at least 1, not 0"),
        ("--seed", "-1", "must be from 0 to 2147483648, not -1"),
        ("--gamma", "2", "must be from 0 to 1, not 2.0"),
        ("--learning-rate", "nan", "must be from 0 to 1, not nan"),
        ("--clip-coef", "-0.1", "must be at least 0, not -0.1"),
    ],
)
def test_an_argument_out_of_its_range_is_refused(option, value, says, capsys):
    with pytest.raises(SystemExit):
        minimal.parse_args([option, value])
    assert f"{option}: {says}" in capsys.readouterr().err


def test_a_minibatch_of_one_decision_is_learned_from():
    ppo = tiny(num_steps=3, minibatch_size=2)
    ppo.learn(3)
    assert all(parameter.isfinite().all() for parameter in ppo.agent.parameters())


def test_samples_follow_the_probabilities_and_are_never_illegal():
    torch.manual_seed(0)
    logits = torch.tensor([5.0, 0.25, 0.75]).log().repeat(20_000, 1)
    probs = minimal.MaskedCategorical(logits, torch.tensor([False, True, True]))
    share = torch.bincount(probs.sample(), minlength=3) / len(logits)
    assert share[0] == 0
    assert share[2] == pytest.approx(0.75, abs=0.015)


def test_log_probabilities_and_entropy_are_those_of_the_legal_actions():
    logits = torch.tensor([[1.0, 2.0, 3.0]])
    ours = minimal.MaskedCategorical(logits, torch.tensor([[True, False, True]]))
    theirs = torch.distributions.Categorical(logits=torch.tensor([[1.0, 3.0]]))
    assert ours.log_prob(torch.tensor([2])) == pytest.approx(theirs.log_prob(torch.tensor([1])))
    assert ours.entropy().tolist() == pytest.approx(theirs.entropy().tolist())


def test_the_agent_gives_probability_to_legal_actions_only():
    agent = minimal.Agent(5, torch.zeros(3), 8)
    mask = torch.tensor([[True, False, True]])
    _, logprob, _, value = agent.get_action_and_value(torch.zeros(1, 5), mask, torch.tensor([2]))
    assert logprob.exp().item() == pytest.approx(0.5, abs=0.01)
    assert value.shape == (1, 1)
    assert torch.equal(value, agent.get_value(torch.zeros(1, 5)))


def test_advantages_against_sums_written_out():
    ppo = tiny(num_steps=3, gamma=0.9, gae_lambda=0.8)
    ppo.rewards[:, 0] = torch.tensor([1.0, 2.0, 4.0])
    ppo.values[:, 0] = torch.tensor([0.5, 1.0, 1.5])
    ppo.dones[:, 0] = torch.tensor([0.0, 0.0, 1.0])  # the game ended after the second decision
    ppo.agent.get_value = lambda obs: torch.full((len(obs), 1), 2.0)
    last = 4.0 + 0.9 * 2.0 - 1.5
    second = 2.0 - 1.0
    first = 1.0 + 0.9 * 1.0 - 0.5 + 0.9 * 0.8 * second
    advantages, returns = ppo.estimate_advantages()
    assert advantages[:, 0].tolist() == pytest.approx([first, second, last])
    assert returns[:, 0].tolist() == pytest.approx([first + 0.5, second + 1.0, last + 1.5])


def test_a_rollout_stores_what_was_seen_done_and_earned():
    ppo = tiny(num_steps=4)
    ppo.rollout()
    assert ppo.global_step == 4
    assert ppo.rewards[:, 0].tolist() == ppo.actions[:, 0].tolist()
    assert ppo.masks.all()
    assert not ppo.dones.any()


@pytest.mark.promise("determinism")
def test_the_same_seed_learns_the_same():
    weights = []
    for _ in range(2):
        ppo = minimal.make_ppo(minimal.Args(num_envs=8, seed=3))
        losses = ppo.learn(200)
        assert ppo.global_step == 256
        assert {"value_loss", "policy_loss", "entropy", "approx_kl", "clipfrac"} <= set(losses)
        weights.append(ppo.agent.critic.weight.detach().clone())
    assert torch.equal(*weights)


def test_the_script_shows_steps_per_second(capsys):
    minimal.main(minimal.Args(num_envs=8, total_timesteps=256))
    lines = capsys.readouterr().out.splitlines()
    assert lines
    assert all("SPS" in line and "value_loss" in line for line in lines)


@pytest.mark.slow
def test_it_learns_to_beat_random_bots():
    """One of four seats: chance is 25%."""
    torch.set_num_threads(1)
    ppo = minimal.make_ppo(minimal.Args(num_envs=256, seed=1))
    ppo.learn(200_000)
    assert np.mean(ppo.wins) > 0.5
