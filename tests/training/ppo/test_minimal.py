"""The loop outside SB3: its pieces, and that it learns."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")
ppo_loop = pytest.importorskip("monopoly_training.ppo.minimal")


def test_draws_follow_the_chances_and_nothing_illegal_is_drawn() -> None:
    torch.manual_seed(0)
    chances = torch.tensor([0.0, 0.25, 0.75]).repeat(20_000, 1)
    drawn = ppo_loop.draw(torch.where(chances > 0, chances.log(), ppo_loop.ILLEGAL))
    share = torch.bincount(drawn, minlength=3) / len(drawn)
    assert share[0] == 0
    assert share[2] == pytest.approx(0.75, abs=0.015)


def test_advantages_against_sums_written_out() -> None:
    batch = ppo_loop.Batch(3, 1, 1, 1)
    batch.reward[:, 0] = torch.tensor([1.0, 2.0, 4.0])
    batch.value[:, 0] = torch.tensor([0.5, 1.0, 1.5, 2.0])
    batch.goes_on[:, 0] = torch.tensor([1.0, 0.0, 1.0])  # the game ends after the second decision
    last = 4.0 + 0.9 * 2.0 - 1.5
    second = 2.0 - 1.0
    first = 1.0 + 0.9 * 1.0 - 0.5 + 0.9 * 0.8 * second
    found = batch.advantages(0.9, 0.8)[:, 0]
    assert found.tolist() == pytest.approx([first, second, last])


def test_the_network_gives_chances_to_legal_actions_only() -> None:
    network = ppo_loop.ActorCritic(5, torch.zeros(3), 8)
    legal = torch.tensor([[True, False, True]])
    log_chances, values = network(torch.zeros(1, 5), legal)
    assert log_chances.exp()[0].tolist() == pytest.approx([0.5, 0.0, 0.5], abs=0.01)
    assert values.shape == (1,)


def test_the_same_seed_learns_the_same() -> None:
    weights = []
    for _ in range(2):
        learner = ppo_loop.make_learner(8, seed=3)
        learner.learn(200)
        assert learner.frames == 256
        weights.append(learner.network.critic.weight.detach().clone())
    assert torch.equal(*weights)


@pytest.mark.slow
def test_it_learns_to_beat_random_bots() -> None:
    """One of four seats: chance is 25 %."""
    torch.set_num_threads(1)
    learner = ppo_loop.make_learner(256, seed=1)
    learner.learn(200_000)
    assert np.mean(learner.wins) > 0.5
