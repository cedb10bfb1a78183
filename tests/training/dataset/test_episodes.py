"""Episodes: one a seat and game, with what the environment shows, takes and pays."""

from __future__ import annotations

import numpy as np
import pytest
from monopoly_training.dataset.episodes import REWARDS, episode_space, episodes
from monopoly_training.dataset.reader import read
from monopoly_training.dataset.writer import DatasetSpec

from monopoly_env import VectorEnv, monopoly_v0
from monopoly_env.errors import FileError, InputError
from tests.training.dataset.conftest import BASE, make


def played_by_environment(episode, games, reward):
    """What the environment paid each seat in a game, and how it ended for it."""
    env = monopoly_v0.raw_env(
        num_players=3, rules=BASE["rules"], skip_forced=True,
        reward={"end": reward, "truncation": "standings"},
    )  # fmt: skip
    env.reset(seed=episode.seed)
    actions = {one.seat: iter(one.actions.tolist()) for one in games}
    seats, paid = list(env.possible_agents), dict.fromkeys(range(3), 0.0)
    ends = {}
    for agent in env.agent_iter():
        seat = seats.index(agent)
        over = env.terminations[agent] or env.truncations[agent]
        if over:
            ends[seat] = env.terminations[agent], env.truncations[agent]
        env.step(None if over else next(actions[seat]))
        for other, amount in env.rewards.items():
            paid[seats.index(other)] += amount
    assert all(next(left, None) is None for left in actions.values())
    return paid, ends


@pytest.mark.parametrize("reward", ["win", "plus_minus", "win_only"])
def test_rewards_and_ends_are_those_of_the_environment(small, reward):
    whole = list(episodes(small[0], reward=reward))
    ways = set()
    for game in range(12):
        seats = [one for one in whole if one.game == game]
        assert [one.seat for one in seats] == [0, 1, 2]
        paid, ends = played_by_environment(seats[0], seats, reward)
        for one in seats:
            assert not one.rewards[:-1].any()
            assert one.rewards[-1] == pytest.approx(paid[one.seat], abs=1e-6)
            assert (one.terminals[-1], one.truncations[-1]) == ends[one.seat]
            assert not one.terminals[:-1].any()
            assert not one.truncations[:-1].any()
            ways.add(ends[one.seat])
    assert ways == {(True, False), (False, True)}


def test_every_row_is_in_one_episode(small):
    rows = list(read(small[0], batch_size=97))
    game, seat = (np.concatenate([batch[name] for batch in rows]) for name in ("game", "seat"))
    count = 0
    for one in episodes(small[0], batch_size=97):
        mine = (game == one.game) & (seat == one.seat)
        for name, values in (
            ("observation", one.observations),
            ("mask", one.masks),
            ("action", one.actions),
            ("decision", one.decisions),
        ):
            np.testing.assert_array_equal(
                np.concatenate([batch[name] for batch in rows])[mine], values
            )
        assert len(one) == mine.sum() == len(one.rewards)
        count += len(one)
    assert count == len(game)


def test_batches_of_any_size_give_the_same_episodes(small):
    for one, other in zip(
        episodes(small[0], batch_size=31), episodes(small[0], batch_size=10**6), strict=True
    ):
        assert (one.game, one.seat, one.bot) == (other.game, other.seat, other.bot)
        np.testing.assert_array_equal(one.observations, other.observations)
        np.testing.assert_array_equal(one.rewards, other.rewards)


def test_bots_and_seats_keep_their_episodes(small):
    whole = {(one.game, one.seat): one for one in episodes(small[0])}
    kept = list(episodes(small[0], bots=["random"], seats=[0, 2]))
    assert {(one.game, one.seat) for one in kept} == {
        key for key, one in whole.items() if one.bot == "random" and one.seat != 1
    }
    assert len(kept) == 8
    for one in kept:
        np.testing.assert_array_equal(one.actions, whole[one.game, one.seat].actions)


def test_narrow_episodes_fit_narrow_environments(small):
    envs = VectorEnv(2, num_players=3, rules=BASE["rules"], narrow=True)
    space = episode_space(small[0])
    np.testing.assert_array_equal(space.columns, envs.columns)
    np.testing.assert_array_equal(space.action_ids, envs.action_ids)
    for one, whole in zip(episodes(small[0], narrow=True), episodes(small[0]), strict=True):
        assert one.observations.shape == (len(one), len(envs.columns))
        assert one.masks.shape == (len(one), len(envs.action_ids))
        assert one.observations.shape[1] + one.masks.shape[1] == space.width
        np.testing.assert_array_equal(envs.action_ids[one.actions], whole.actions)
        np.testing.assert_array_equal(one.masks.sum(axis=1), whole.masks.sum(axis=1))
        assert (one.masks[np.arange(len(one)), one.actions] == 1).all()


def test_episodes_of_several_editions_are_narrow_as_environments_are(tmp_path):
    edition = "random:train:0-3"
    make(tmp_path, games=3, edition=edition)
    envs = VectorEnv(2, num_players=3, edition=edition, rules=BASE["rules"], narrow=True)
    for one in episodes(tmp_path, narrow=True):
        assert one.observations.shape == (len(one), len(envs.columns))
        assert one.masks.shape == (len(one), len(envs.action_ids))


def test_worth_shares_sum_to_one(small):
    paid = np.zeros(12)
    for one in episodes(small[0], reward="worth_share"):
        paid[one.game] += one.rewards.sum()
    np.testing.assert_allclose(paid, 1, atol=1e-5)


@pytest.mark.promise("bad_input")
def test_what_cannot_be_told_is_one_line(small, tmp_path):
    with pytest.raises(InputError, match="reward: profit: there is no such reward"):
        next(episodes(small[0], reward="profit"))
    with pytest.raises(InputError, match="there is no such bot"):
        next(episodes(small[0], bots=["fixed_b"]))
    make(tmp_path, DatasetSpec(observations=False), games=3)
    with pytest.raises(FileError, match="has no observations; generate the data without"):
        next(episodes(tmp_path))
    assert set(REWARDS) == {"win", "plus_minus", "win_only", "worth_share"}
