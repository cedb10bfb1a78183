"""Opponents that Python asks: all that are due at once, between two decisions of the learners."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.sb3.vec_env import MonopolyVecEnv

from monopoly_env.envs.step_codes import EXTERNAL


class FirstLegal:
    """Takes the first legal action, and counts."""

    def __init__(self):
        self.calls = self.rows = 0

    def decide(self, observations, masks):
        assert observations.shape[0] == masks.shape[0] > 0
        assert masks.any(axis=1).all()
        self.calls += 1
        self.rows += len(masks)
        return masks.argmax(axis=1)


def external_env(n, share, opponents):
    env = MonopolyVecEnv(
        n,
        pool=["random"],
        num_players=3,
        external=True,
        windows="own",
        deals="off",
        rules={"max_turns": 30},
        reward={"end": "rank"},
    )
    env.games.batch.set_pool_weights([1 - share, share])
    env.set_external_opponents(opponents)
    env.seed(1)
    return env


def test_external_seats_decide_together_until_every_learner_is_asked():
    opponents = FirstLegal()
    env = external_env(16, 1.0, opponents)
    env.reset()
    batch, ended = env.games.batch, 0
    for step in range(200):
        observations, rewards, dones, infos = env.step(env.games.sample_actions(step))
        np.testing.assert_array_equal(batch.games["actor"], batch.seats)
        assert observations.shape == (16, env.observation_space.shape[0])
        assert (rewards[~dones] == 0).all()
        for index in np.flatnonzero(dones):
            ended += 1
            info = infos[index]
            others = np.delete(info["line_up"], info["seat"])
            assert (others == EXTERNAL).all()
            assert rewards[index] == pytest.approx(info["episode"]["r"])
            assert info["terminal_observation"].any()
    assert ended > 10
    assert opponents.rows > 2 * opponents.calls


def test_the_learner_observes_its_own_seat_after_external_seats_have_played():
    env = external_env(8, 1.0, FirstLegal())
    observations = env.reset()
    for step in range(30):
        observations, *_ = env.step(env.games.sample_actions(step))
    batch = env.games.batch
    for row in range(8):
        observation, mask = batch.observe(row, int(batch.seats[row]))
        np.testing.assert_array_equal(observations[row], observation)
        np.testing.assert_array_equal(env.action_masks()[row], mask.astype(bool))


def test_external_seats_are_drawn_by_their_share():
    env = external_env(32, 0.25, FirstLegal())
    env.reset()
    drawn = []
    for step in range(300):
        _, _, dones, infos = env.step(env.games.sample_actions(step))
        for index in np.flatnonzero(dones):
            drawn += np.delete(infos[index]["line_up"], infos[index]["seat"]).tolist()
    assert np.mean(np.array(drawn) == EXTERNAL) == pytest.approx(0.25, abs=0.12)


def test_the_fallback_bot_keeps_its_number_beside_external_seats():
    env = MonopolyVecEnv(
        2, pool=["random"], num_players=2, external=True, decides=["BUY"], rest="fixed_a"
    )
    config = env.games.batch.kernel_config[0]
    assert config["policies"][0] != 0
    assert config["policies"][1] == 0
    assert config["fallback"] == 2
    assert config["policies"][2] != 0
    assert env.games.batch.fallback_bot == "fixed_a"
