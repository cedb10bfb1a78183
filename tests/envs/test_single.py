"""One seat against bots: Gymnasium's interface, and who decides what."""

from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from monopoly_env import IllegalAction
from monopoly_env.agent import make_agent
from monopoly_env.encoding.reward import make_reward
from monopoly_env.engine.actions import TEXTS
from monopoly_env.envs import SingleSeatEnv
from monopoly_env.errors import InputError
from monopoly_env.view import View
from tests.envs.players import pick

NAME = "monopoly_env/Monopoly-v0"


class PythonBot:
    """A compiled bot that hides it: only Python can ask."""

    def __init__(self, name):
        self.name = name
        self._bot = make_agent(name)
        self.seen = []

    def reset(self, seed):
        self._bot.reset(seed)

    def decide(self, view: View):
        self.seen.append(view.seat)
        return self._bot.decide(view)


class Cheat:
    """A bot that answers with what is not legal."""

    def reset(self, seed): ...

    def decide(self, view: View):
        return int(np.flatnonzero(view.mask == 0)[0])


def episode(env, seed, play=0):
    """Play an episode at random; everything that was seen and paid."""
    random = np.random.default_rng(play)
    seen, info = env.reset(seed=seed)
    rows, done = [], False
    while not done:
        seen, reward, over, cut, info = env.step(pick(env.action_masks(), random))
        rows.append((seen.tobytes(), reward))
        done = over or cut
    return rows, info


@pytest.mark.parametrize("observation", ["flat", "dict"])
def test_gymnasium_check_env(observation):
    env = gymnasium.make(NAME, illegal_action="random", observation=observation)
    check_env(env.unwrapped, skip_render_check=True)


def test_gymnasium_make_with_the_module():
    env = gymnasium.make(f"monopoly_env:{NAME}", opponents=["random"] * 2, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(env.unwrapped.game)
    assert env.unwrapped.game.players == 3


@pytest.mark.promise("determinism")
def test_the_same_seed_and_actions_are_the_same_episode():
    env = SingleSeatEnv()
    first, _ = episode(env, 7)
    assert episode(env, 7)[0] == first
    assert episode(env, 8)[0] != first
    env.reset(seed=7)
    env.reset()
    later = env.game
    env.reset(seed=7)
    env.reset()
    assert env.game == later


def test_the_learner_decides_with_a_mask_in_every_observation():
    env = SingleSeatEnv(["random"] * 4, rules={"max_turns": 100})
    random = np.random.default_rng(1)
    for seed in range(5):
        seen, info = env.reset(seed=seed)
        done = False
        while not done:
            assert env.observation_space.contains(seen)
            assert env.game.actor_seat == env.seat == info["seat"]
            assert (info["action_mask"] == env.game.legal_mask()).all()
            seen, _, over, cut, info = env.step(pick(env.action_masks(), random))
            done = over or cut
        assert not env.action_masks().any()
        assert env.observation_space.contains(seen)


def test_seats():
    seats = set()
    env = SingleSeatEnv()
    for seed in range(40):
        env.reset(seed=seed)
        seats.add(env.seat)
    assert seats == {0, 1, 2, 3}
    env = SingleSeatEnv(seat=2)
    for seed in range(10):
        env.reset(seed=seed)
        assert env.seat == 2


def test_bankruptcy_ends_the_episode_with_the_reward_of_the_standings():
    env, full = SingleSeatEnv(reward="rank"), SingleSeatEnv(reward="rank", play_out=True)
    lost = 0
    for seed in range(12):
        rows, info = episode(env, seed)
        played, final = episode(full, seed)
        assert [reward for _, reward in rows] == [reward for _, reward in played]
        assert final["rank"] == info["rank"]
        if info["rank"] > 1:
            lost += 1
            assert final["turns"] >= info["turns"]
            assert rows[-1][1] == pytest.approx(1 - 2 * (info["rank"] - 1) / 3)
    assert lost


def test_a_truncated_episode_says_so():
    env = SingleSeatEnv(rules={"max_turns": 20})
    env.reset(seed=1)
    random, over, cut = np.random.default_rng(1), False, False
    while not (over or cut):
        _, _, over, cut, info = env.step(pick(env.action_masks(), random))
    assert (over, cut) == (False, True)
    assert info["turns"] == 20


def test_illegal_actions():
    env = SingleSeatEnv()
    env.reset(seed=1)
    before = env.game
    for action in (341, -1, 10_000):
        with pytest.raises(IllegalAction) as problem:
            env.step(action)
        assert "\n" not in str(problem.value)
        assert env.game == before
    with pytest.raises(InputError, match="action: must be the id"):
        env.step("roll")
    env.step(pick(env.action_masks(), np.random.default_rng(1)))

    env = SingleSeatEnv(illegal_action="random")
    env.reset(seed=1)
    env.step(341)
    assert env.game != before

    for reward in ("win", "rank", "net_worth"):
        env = SingleSeatEnv(illegal_action="forfeit", reward=reward)
        env.reset(seed=1)
        _, paid, over, _, info = env.step(341)
        assert over
        assert paid == pytest.approx(make_reward(reward).last_place(4))
        assert (info["rank"], info["win"]) == (4, 0)


@pytest.mark.promise("bad_input")
def test_a_step_after_the_end_is_one_line():
    env = SingleSeatEnv(illegal_action="forfeit")
    with pytest.raises(InputError, match="call reset"):
        env.step(0)
    env.reset(seed=1)
    env.step(341)
    with pytest.raises(InputError, match="call reset"):
        env.step(0)


def test_python_bots_play_the_game_that_the_compiled_ones_play():
    for skip_forced in (False, True):
        bots = [PythonBot("random"), "random", PythonBot("random")]
        mixed = SingleSeatEnv(bots, rules={"max_turns": 60}, skip_forced=skip_forced)
        compiled = SingleSeatEnv(["random"] * 3, rules={"max_turns": 60}, skip_forced=skip_forced)
        for seed in range(3):
            assert episode(mixed, seed)[0] == episode(compiled, seed)[0]
        assert bots[0].seen


@pytest.mark.promise("bad_input")
def test_a_bot_that_breaks_the_rules_is_named_in_one_line():
    env = SingleSeatEnv([Cheat()], seat=0)
    with pytest.raises(IllegalAction):
        episode(env, 1)


def test_decides_leaves_the_learners_other_phases_to_a_bot():
    env = SingleSeatEnv([PythonBot("random"), "random"], decides=["BUY"], rest="random")
    random = np.random.default_rng(1)
    env.reset(seed=1)
    done = False
    while not done:
        assert env.game.phase.name == "BUY"
        _, _, over, cut, _ = env.step(pick(env.action_masks(), random))
        done = over or cut


def test_what_is_left_to_a_bot_is_never_legal_unless_nothing_else_is():
    left = ["mortgage", "sell", "deal", "roll"]
    env = SingleSeatEnv(["random"], 0, rest="random", leaves=left, skip_forced=True)
    random, asked = np.random.default_rng(1), 0
    env.reset(seed=5)
    for _ in range(300):
        legal = {TEXTS[a].partition(":")[0] for a in np.flatnonzero(env.action_masks())}
        assert not legal & set(left)
        asked += 1
        _, _, over, cut, _ = env.step(pick(env.action_masks(), random))
        if over or cut:
            env.reset()
    assert asked == 300


@pytest.mark.promise("bad_input")
def test_a_phase_that_never_comes_is_one_line():
    env = SingleSeatEnv(decides=["TELEPORT"], rest="random", rules={"max_turns": 5})
    with pytest.raises(InputError, match="decides: no game came to a decision"):
        env.reset(seed=1)


def test_a_pool_draws_the_opponents():
    env = SingleSeatEnv(pool={"random": 1.0, "fixed_a": 3.0}, num_players=3)
    assert env.reset(seed=1)[0].shape == env.observation_space.shape
    assert env.game.players == 3


def test_a_position_is_where_the_game_begins():
    position = {"players": 4, "turn": "C", "C": {"cash": 777}, "D": {"out": True}}
    env = SingleSeatEnv()
    for seed in range(10):
        env.reset(seed=seed, options={"position": position})
        assert env.seat != 3
        assert env.game.hand("D").out
    env = SingleSeatEnv(seat=3)
    with pytest.raises(InputError, match="position: seat 3 is out"):
        env.reset(seed=1, options={"position": position})


def test_a_copy_is_a_new_environment_of_the_same_making():
    env = SingleSeatEnv(["random", "fixed_a"], seat=1, deals="menu", observation="dict")

    def seen(env):
        sight, _ = env.reset(seed=4)
        shown = [sight["observation"].tobytes()]
        for _ in range(30):
            sight, *_ = env.step(int(sight["action_mask"].argmax()))
            shown.append(sight["observation"].tobytes())
        return shown

    expected = seen(env)
    for twin in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        assert seen(twin) == expected
    assert seen(env) == expected
