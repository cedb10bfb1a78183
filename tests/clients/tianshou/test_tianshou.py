"""Tianshou on the environments: masks, agents that end together, PPO that learns to win."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
import torch

pytest.importorskip("tianshou")

from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv, SubprocVectorEnv

from monopoly_env import monopoly_v0
from tests.clients.tianshou import agents, one_seat
from tests.cpu_time import three_minutes_of_two_cores

torch.set_num_threads(1)

SHORT = {"max_turns": 30}


def stored(make_env, vector=DummyVectorEnv, games=2, episodes=6):
    """What the collector stores of whole games of the learner and random agents."""
    learners, _ = agents.make_learner(make_env())
    venv = vector([make_env] * games)
    venv.seed(1)
    collector = Collector(learners, venv, VectorReplayBuffer(20_000, games), exploration_noise=True)
    collector.reset()
    collector.collect(n_episode=episodes)
    return collector.buffer


@pytest.mark.parametrize("vector", [DummyVectorEnv, SubprocVectorEnv])
def test_agents_take_legal_actions_only_and_end_together(vector) -> None:
    buffer = stored(lambda: agents.make_env(rules=SHORT, reward="win"), vector)
    kept = buffer[:]
    assert kept.done.sum() >= 6
    masks = np.asarray(kept.obs.mask)
    assert masks[np.arange(len(kept)), kept.act].all()
    assert set(kept.obs.agent_id) == {f"player_{seat}" for seat in range(4)}
    ends = kept.rew[kept.done]
    np.testing.assert_allclose(ends.sum(axis=1), 0, atol=1e-6)  # every seat was paid
    assert (ends.max(axis=1) > 0).all()


def test_with_immediate_elimination_it_stops_at_the_first_bankruptcy() -> None:
    """What the page warns of: episodes are cut, and not every seat is paid."""
    ends = []
    for elimination in ("immediate", "end"):

        def make(elimination=elimination):
            game = monopoly_v0.raw_env(
                preset="basic", narrow=True, reward="win", elimination=elimination
            )
            return PettingZooEnv(game)

        kept = stored(make, games=1, episodes=2)[:]
        ends.append(np.abs(kept.rew[kept.done].sum(axis=1)).max())
    assert ends[0] > 0.1  # the loser's alone
    assert ends[1] < 1e-6


def test_dqn_learns_from_its_games() -> None:
    losses = agents.train(3_000, rules=SHORT)
    assert np.isfinite(losses).all()
    assert np.mean(losses[-40:]) < np.mean(losses[:40])


def test_one_seat_takes_legal_actions_only() -> None:
    make = lambda: gymnasium.make(one_seat.NAME, **one_seat.OPTIONS, rules=SHORT)  # raises if not
    collector = Collector(one_seat.make_learner(make()), DummyVectorEnv([make] * 4))
    collector.reset()
    assert collector.collect(n_episode=8).n_collected_episodes == 8


def test_it_gets_better_within_a_few_updates() -> None:
    won: list[float] = []
    one_seat.train(50 * 2048, report=won.append)
    assert np.nanmean(won[-15:]) > 0.4  # one game in four, before


@pytest.mark.learning
@pytest.mark.slow
def test_ppo_wins_four_games_of_five_against_random_bots() -> None:
    won: list[float] = []
    with three_minutes_of_two_cores():
        one_seat.train(250_000, report=won.append)
    assert np.nanmean(won[-10:]) >= 0.8
