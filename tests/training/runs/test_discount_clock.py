"""The discount by the game's clock: in the rollout buffer, and in what the games pay."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from gymnasium import spaces
from monopoly_training.ppo.rollout_buffer import ClockBuffer
from monopoly_training.sb3.vec_env import MonopolyVecEnv
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer

GAMMA, LAMBDA = 0.9, 0.8
STEPS, ENVS = 12, 3
SPACES = (spaces.Box(-1, 1, (2,)), spaces.Discrete(4))


def fill(buffer, seed=0):
    """Random rewards and values, an episode that ends in between; what follows the last step."""
    rng = np.random.default_rng(seed)
    starts = np.zeros((STEPS + 1, ENVS))
    starts[5, 1] = 1
    for step in range(STEPS):
        buffer.add(
            rng.random((ENVS, 2)),
            np.zeros((ENVS, 1)),
            rng.random(ENVS),
            starts[step],
            torch.as_tensor(rng.random((ENVS, 1))),
            torch.zeros(ENVS),
            action_masks=np.ones((ENVS, 4)),
        )
    last = torch.as_tensor(rng.random((ENVS, 1)))
    buffer.compute_returns_and_advantage(last, starts[STEPS])
    return starts, last.numpy().flatten()


def clock_buffer(clock):
    return ClockBuffer(
        STEPS, *SPACES, "cpu", gamma=GAMMA, gae_lambda=LAMBDA, n_envs=ENVS, clock=clock
    )


def test_with_one_round_a_decision_it_is_sb3s_buffer():
    ours = clock_buffer(lambda: np.ones(ENVS, np.int64))
    theirs = MaskableRolloutBuffer(
        STEPS, *SPACES, "cpu", gamma=GAMMA, gae_lambda=LAMBDA, n_envs=ENVS
    )
    ours.reset()
    fill(ours)
    fill(theirs)
    np.testing.assert_allclose(ours.advantages, theirs.advantages, rtol=1e-5)
    np.testing.assert_allclose(ours.returns, theirs.returns, rtol=1e-5)


def naive_advantage(buffer, starts, last, step, env):
    """The sum of the surprises to come, each by its own discount: the definition, not a recursion."""
    total, weight = 0.0, 1.0
    for k in range(step, STEPS):
        ends = starts[k + 1, env] == 1
        after = 0.0 if ends else (buffer.values[k + 1, env] if k + 1 < STEPS else last[env])
        rounds = int(buffer.elapsed[k, env])
        total += weight * (buffer.rewards[k, env] + GAMMA**rounds * after - buffer.values[k, env])
        weight *= (GAMMA * LAMBDA) ** rounds
        if ends:
            break
    return total


def test_time_passes_by_rounds_for_gamma_and_for_lambda():
    rng = np.random.default_rng(1)
    buffer = clock_buffer(lambda: rng.integers(0, 3, ENVS))
    buffer.reset()
    starts, last = fill(buffer)
    assert set(buffer.elapsed.flat) == {0, 1, 2}
    for step in range(STEPS):
        for env in range(ENVS):
            wanted = naive_advantage(buffer, starts, last, step, env)
            assert buffer.advantages[step, env] == pytest.approx(wanted, rel=1e-5)


def test_batches_have_the_references_of_their_decisions():
    buffer = clock_buffer(lambda: np.ones(ENVS, np.int64))
    buffer.reset()
    fill(buffer)
    buffer.refer(lambda observations, masks: observations[:, :1] * masks)
    for lesson in buffer.get(7):
        np.testing.assert_allclose(lesson.references, lesson.observations[:, :1].expand(-1, 4))


def play(env, steps):
    """Random games: rewards, lengths in rounds, ends, infos, potentials before; a row a step."""
    env.seed(3)
    env.reset()
    rows = []
    for step in range(steps):
        before = env.games.batch.potentials()
        _, rewards, dones, infos = env.step(env.games.sample_actions(step))
        rows.append((rewards.copy(), env.elapsed().copy(), dones.copy(), infos, before))
    return rows


def episodes(rows, env):
    """The steps of each whole episode of one game: paid, rounds, info, potential before."""
    found, episode = [], []
    for rewards, elapsed, dones, infos, before in rows:
        episode.append((float(rewards[env]), int(elapsed[env]), infos[env], float(before[env])))
        if dones[env]:
            found.append(episode)
            episode = []
    return found


def discounted(episode):
    """What an episode paid, by the clock, and the weight of what would come after it."""
    total, weight = 0.0, 1.0
    for paid, rounds, _, _ in episode:
        total += weight * paid
        weight *= 0.9**rounds
    return total, weight


@pytest.mark.parametrize("truncation", ["bootstrap", "standings"])
def test_shaping_is_worth_the_same_whatever_is_done(truncation):
    """Discounted by the clock, all shaping sums up to minus the first potential."""
    reward = {
        "end": "none", "potential": "net_worth", "gamma": 0.9, "truncation": truncation,
    }  # fmt: skip
    env = MonopolyVecEnv(
        8, opponents=["random"], reward=reward, clock="rounds", windows="own", deals="off",
        rules={"max_turns": 60},
    )  # fmt: skip
    rows = play(env, 400)
    seen = {"ended": 0, "cut": 0}
    for game in range(8):
        for episode in episodes(rows, game):
            cut = episode[-1][2]["truncated"]
            seen["cut" if cut else "ended"] += 1
            if cut and truncation == "bootstrap":
                continue
            total, _ = discounted(episode)
            assert total == pytest.approx(-episode[0][3], abs=1e-4)
    assert seen["cut"] > 0


def test_a_cut_game_keeps_its_potential_one_turn_on():
    """What is paid last, with the potential at the decision before, is that of the end."""
    reward = {"end": "win", "potential": "net_worth", "gamma": 0.9, "truncation": "bootstrap"}
    env = MonopolyVecEnv(
        4, opponents=["random"], reward=reward, clock="rounds", windows="own", deals="off",
        rules={"max_turns": 20},
    )  # fmt: skip
    for episode in episodes(play(env, 200), 0):
        total, weight = discounted(episode)
        potential = (total + episode[0][3]) / weight
        assert 0.0 < potential < 1.0
        assert episode[-1][1] == 1


def test_rounds_pass_once_an_own_turn():
    env = MonopolyVecEnv(8, opponents=["random"] * 3, clock="rounds", windows="own", deals="off")
    rows = play(env, 300)
    lengths = np.array([elapsed for _, elapsed, _, _, _ in rows])
    assert set(lengths.flat) <= {0, 1, 2, 3, 4, 5}
    assert (lengths == 0).mean() > 0.2
    assert (lengths == 1).any()


def test_decisions_are_the_other_clock():
    env = MonopolyVecEnv(4, opponents=["random"], windows="own", deals="off")
    assert all((elapsed == 1).all() for _, elapsed, _, _, _ in play(env, 50))
