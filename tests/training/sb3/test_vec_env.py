"""Many games as a VecEnv: masks, seeds, ends of games, time by the game's clock."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")
import torch
from monopoly_training.sb3.masked_policy import MaskedPolicy
from monopoly_training.sb3.vec_env import MonopolyVecEnv
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

from monopoly_env.encoding.unpacking import unpack
from monopoly_env.errors import InputError
from monopoly_env.learners import kind_bias

torch.set_num_threads(1)
SHORT = {"max_turns": 40}


def test_maskable_ppo_learns_on_the_vec_env():
    env = MonopolyVecEnv(8, rules=SHORT, windows="own", deals="off")
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=64,
        batch_size=256,
        n_epochs=1,
        seed=1,
        policy_kwargs={"net_arch": [16]},
    )
    model.learn(2048)
    assert model.num_timesteps == 2048
    rewards = [episode["r"] for episode in model.ep_info_buffer]
    assert rewards
    mean, _ = evaluate_policy(model, env, n_eval_episodes=10)
    assert -1 <= mean <= 1


def play_random(env, count):
    """Play random legal actions; the infos of ended games, and all rewards."""
    final_infos, paid = [], []
    for key in range(count):
        seen, rewards, dones, infos = env.step(env.games.sample_actions(key))
        assert env.observation_space.contains(seen[0])
        assert [bool(info) for info in infos] == dones.tolist()
        final_infos += [info for info in infos if info]
        paid += rewards.tolist()
    return final_infos, paid


def test_a_truncated_game_is_left_to_the_learners_estimate():
    env = MonopolyVecEnv(4, rules=SHORT)
    env.seed(1)
    env.reset()
    infos, paid = play_random(env, 300)
    truncated = [info for info in infos if info["TimeLimit.truncated"]]
    assert truncated
    assert all(info["episode"]["r"] == 0 for info in truncated)
    assert all(env.observation_space.contains(info["terminal_observation"]) for info in infos)
    assert sum(info["episode"]["r"] for info in infos) == pytest.approx(sum(paid), abs=1e-4)


def test_a_truncated_game_may_pay_by_standings_instead():
    env = MonopolyVecEnv(4, rules=SHORT, reward={"name": "win", "truncation": "standings"})
    env.seed(1)
    env.reset()
    infos, _ = play_random(env, 300)
    truncated = [info for info in infos if info["truncated"]]
    assert truncated
    assert not any(info["TimeLimit.truncated"] for info in infos)
    assert any(info["episode"]["r"] for info in truncated)


def test_win_only_pays_nothing_for_a_truncated_game_and_sb3_adds_nothing():
    env = MonopolyVecEnv(4, rules=SHORT, reward="win_only")
    env.seed(1)
    env.reset()
    infos, _ = play_random(env, 300)
    truncated = [info for info in infos if info["truncated"]]
    assert truncated
    assert not any(info["TimeLimit.truncated"] or info["episode"]["r"] for info in truncated)


def test_packed_rows_are_the_observations_in_every_step_and_at_the_end_of_games():
    plain, packed = (
        MonopolyVecEnv(4, rules=SHORT),
        MonopolyVecEnv(4, rules=SHORT, observation="packed"),
    )
    for env in (plain, packed):
        env.seed(3)
    assert (unpack(packed.reset()) == plain.reset()).all()
    ended = 0
    for key in range(300):
        actions = plain.games.sample_actions(key)
        seen, rewards, dones, infos = plain.step(actions)
        rows, paid, over, final = packed.step(actions)
        assert rows.dtype == np.uint8
        assert (unpack(rows) == seen).all()
        assert (paid == rewards).all()
        assert (over == dones).all()
        for game in np.flatnonzero(dones):
            ended += 1
            last = infos[game]["terminal_observation"]
            assert (unpack(final[game]["terminal_observation"]) == last).all()
    assert ended


def test_seeds():
    env, twin = MonopolyVecEnv(3, rules=SHORT), MonopolyVecEnv(3, rules=SHORT)
    assert env.seed(7) == twin.seed(7)
    assert (env.reset() == twin.reset()).all()
    assert str(play_random(env, 100)[1]) == str(play_random(twin, 100)[1])
    env.seed(8)
    assert env.games.reset(seed=8)[0].tobytes() == env.reset().tobytes()


def test_it_goes_with_sb3s_wrappers():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it has what a Monitor gives already
        env = VecMonitor(MonopolyVecEnv(2, rules=SHORT))
    env.reset()
    assert is_masking_supported(env)
    assert get_action_masks(env).size == 2 * env.action_space.n
    for key in range(50):
        env.step(env.unwrapped.games.sample_actions(key))


def test_options_are_those_of_the_next_reset_alone():
    env = MonopolyVecEnv(2, opponents=["random"])
    env.set_options({"position": {"players": 2, "A": {"cash": 77}}})
    env.seed(3)
    env.reset()
    assert all(77 in env.games.game(k).state["cash"] for k in range(2))
    env.seed(3)
    env.reset()
    assert all(77 not in env.games.game(k).state["cash"] for k in range(2))


def test_there_are_no_pictures():
    env = MonopolyVecEnv(2)
    assert np.shape(env.get_images()) == (2,)


# --- time by the game's clock ---


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
    whole, episode = [], []
    for rewards, elapsed, dones, infos, before in rows:
        episode.append((float(rewards[env]), int(elapsed[env]), infos[env], float(before[env])))
        if dones[env]:
            whole.append(episode)
            episode = []
    return whole


def discounted(episode):
    """What an episode paid, by the clock, and the weight of what would come after it."""
    total, weight = 0.0, 1.0
    for paid, rounds, _, _ in episode:
        total += weight * paid
        weight *= 0.9**rounds
    return total, weight


@pytest.mark.parametrize("truncation", ["bootstrap", "standings", "zero"])
def test_shaping_is_worth_the_same_whatever_is_done(truncation):
    """Discounted by the clock, all shaping sums up to minus the first potential."""
    reward = {
        "end": "none",
        "potential": "net_worth",
        "gamma": 0.9,
        "truncation": truncation,
    }
    env = MonopolyVecEnv(
        8,
        opponents=["random"],
        reward=reward,
        clock="rounds",
        windows="own",
        deals="off",
        rules={"max_turns": 60},
    )
    rows = play(env, 400)
    seen = {"terminated": 0, "truncated": 0}
    for game in range(8):
        for episode in episodes(rows, game):
            truncated = episode[-1][2]["truncated"]
            seen["truncated" if truncated else "terminated"] += 1
            if truncated and truncation == "bootstrap":
                continue
            total, _ = discounted(episode)
            assert total == pytest.approx(-episode[0][3], abs=1e-4)
    assert seen["truncated"] > 0


def test_a_truncated_game_keeps_its_potential_one_turn_on():
    """What is paid last, with the potential at the decision before, is that of the end."""
    reward = {"end": "win", "potential": "net_worth", "gamma": 0.9, "truncation": "bootstrap"}
    env = MonopolyVecEnv(
        4,
        opponents=["random"],
        reward=reward,
        clock="rounds",
        windows="own",
        deals="off",
        rules={"max_turns": 20},
    )
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


@pytest.mark.parametrize("copy", [True, False])
def test_narrow_games_are_the_same_games(copy: bool) -> None:
    table = {"opponents": ["random"], "windows": "own", "deals": "off", "rules": {"max_turns": 15}}
    whole = MonopolyVecEnv(3, **table)
    env = MonopolyVecEnv(3, **table, narrow=True, copy=copy)
    columns, ids = env.columns, env.action_ids
    whole.seed(2)
    env.seed(2)
    before = np.array(whole.reset())
    kept = env.reset()
    ended = 0
    for step in range(60):
        masks = np.stack(env.env_method("action_masks"))
        np.testing.assert_array_equal(masks, whole.action_masks()[:, ids])
        actions = whole.games.sample_actions(step)
        seen, rewards, dones, infos = whole.step(actions)
        less, paid, over, final_infos = env.step(np.searchsorted(ids, actions))
        np.testing.assert_array_equal(kept, before[:, columns])  # a step leaves them alone
        np.testing.assert_array_equal(less, seen[:, columns])
        np.testing.assert_array_equal(paid, rewards)
        np.testing.assert_array_equal(over, dones)
        for k in np.flatnonzero(dones):
            ended += 1
            last = infos[k]["terminal_observation"]
            np.testing.assert_array_equal(final_infos[k]["terminal_observation"], last[columns])
        before, kept = np.array(seen), less
    assert ended > 0


def test_narrow_games_under_a_policy_that_knows_their_actions() -> None:
    games = MonopolyVecEnv(8, preset="basic", narrow=True)
    ids = games.action_ids
    assert games.action_space.n == len(ids)
    assert games.observation_space.shape == games.columns.shape
    model = MaskablePPO(MaskedPolicy, games, n_steps=32, batch_size=64)
    np.testing.assert_array_equal(model.policy.action_net.bias.detach().numpy(), kind_bias(ids))
    model.learn(512)
    with pytest.raises(InputError, match="action_ids: has 342 actions, the environment 155"):
        MaskablePPO(MaskedPolicy, games, policy_kwargs={"action_ids": range(342)}, n_steps=32)


@pytest.mark.promise("isolation")
@pytest.mark.parametrize("observation", ["flat", "dict"])
def test_what_states_and_attributes_show_is_the_callers_own(observation):
    env = MonopolyVecEnv(2, opponents=["random"], observation=observation)
    env.seed(1)
    env.reset()
    shown = [
        env.restore_state(env.clone_state()),
        env.set_games(env.get_games()),
        *env.get_attr("observations"),
        {"observation": env.get_attr("final_observations")[0]},
    ]
    arrays = [one["observation"] if isinstance(one, dict) else one for one in shown]
    before = [array.copy() for array in arrays]
    for _ in range(4):
        env.step([mask.argmax() for mask in env.env_method("action_masks")])
    for array, kept in zip(arrays, before, strict=True):
        assert (array == kept).all()
        array[:] = 0  # and can be written to


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("parameter", "value"),
    [("clock", "round"), ("clock", None), ("clock", np.zeros(3)), ("external", 1), ("num_envs", 0)],
)
def test_odd_parameters_are_named(parameter, value):
    with pytest.raises(InputError, match=f"{parameter}: must be"):
        MonopolyVecEnv(**{"num_envs": 2, "opponents": ["random"], parameter: value})


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("indices", [True, 1.5, "", "0", {0.5}, [0, True], [2], object()])
def test_odd_indices_are_named(indices):
    env = MonopolyVecEnv(2, opponents=["random"])
    env.reset()
    for ask in (env.get_attr, env.env_method):
        with pytest.raises(InputError, match="indices: must be"):
            ask("action_masks", indices=indices)
    assert len(env.env_method("action_masks", indices=np.array([0, -1]))) == 2


@pytest.mark.promise("bad_input")
def test_external_opponents_must_decide():
    env = MonopolyVecEnv(2, pool=["random"], external=True)
    with pytest.raises(InputError, match="opponents: must have decide"):
        env.set_external_opponents(None)
