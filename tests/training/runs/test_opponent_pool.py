"""Opponents: who is drawn how often, and past selves that decide together for all their seats."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.models.storage import load_model
from monopoly_training.runs import train
from monopoly_training.runs.checkpoint import random_state, set_random_state
from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.factory import make_env, make_learner, make_pool
from monopoly_training.runs.imitation import Teacher
from monopoly_training.runs.opponent_pool import LEAST, Tally
from monopoly_training.sb3.vec_env import MonopolyVecEnv

from monopoly_env.engine.actions import N_ACTIONS, TEXTS
from monopoly_env.engine.phases import Phase
from monopoly_env.envs.step_codes import EXTERNAL

PAST = ("pool.past=0.5", "pool.weights=beats", "pool.every=256", "pool.keep=2")


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


def outside_env(n, share, rivals):
    env = MonopolyVecEnv(
        n, pool=["random"], num_players=3, outside=True, windows="own", deals="off",
        rules={"max_turns": 30}, reward={"end": "rank"},
    )  # fmt: skip
    env.games.batch.set_pool_weights([1 - share, share])
    env.invite(rivals)
    env.seed(1)
    return env


def test_rivals_decide_together_until_every_learner_is_asked():
    rivals = FirstLegal()
    env = outside_env(16, 1.0, rivals)
    env.reset()
    batch, ended = env.games.batch, 0
    for step in range(200):
        seen, rewards, dones, infos = env.step(env.games.sample_actions(step))
        np.testing.assert_array_equal(batch.games["actor"], batch.seats)
        assert seen.shape == (16, env.observation_space.shape[0])
        assert (rewards[~dones] == 0).all()
        for index in np.flatnonzero(dones):
            ended += 1
            info = infos[index]
            others = np.delete(info["line_up"], info["seat"])
            assert (others == EXTERNAL).all()
            assert rewards[index] == pytest.approx(info["episode"]["r"])
            assert info["terminal_observation"].any()
    assert ended > 10
    assert rivals.rows > 2 * rivals.calls


def test_what_the_learner_sees_is_its_own_seat_after_rivals_have_played():
    env = outside_env(8, 1.0, FirstLegal())
    seen = env.reset()
    for step in range(30):
        seen, *_ = env.step(env.games.sample_actions(step))
    batch = env.games.batch
    for row in range(8):
        sight, mask = batch.observe(row, int(batch.seats[row]))
        np.testing.assert_array_equal(seen[row], sight)
        np.testing.assert_array_equal(env.action_masks()[row], mask.astype(bool))


def test_outside_seats_are_drawn_by_their_share():
    env = outside_env(32, 0.25, FirstLegal())
    env.reset()
    drawn = []
    for step in range(300):
        _, _, dones, infos = env.step(env.games.sample_actions(step))
        for index in np.flatnonzero(dones):
            drawn += np.delete(infos[index]["line_up"], infos[index]["seat"]).tolist()
    assert np.mean(np.array(drawn) == EXTERNAL) == pytest.approx(0.25, abs=0.12)


def test_the_bot_of_the_other_phases_keeps_its_place_beside_outside_seats():
    env = MonopolyVecEnv(
        2, pool=["random"], num_players=2, outside=True, decides=["BUY"], rest="fixed_a"
    )
    config = env.games.batch.kernel_config[0]
    assert config["policies"][0] != 0
    assert config["policies"][1] == 0
    assert config["rest"] == 2
    assert config["policies"][2] != 0
    assert env.games.batch.fallback_bot == "fixed_a"


def test_who_beats_the_learner_is_drawn_more_often():
    config = load_train_config("small", [*PAST, "opponents=[random, fixed_a]"])
    env = make_env(config)
    pool = make_pool(config, env, make_learner(config, env))
    np.testing.assert_allclose(pool.chances(), [0.5, 0.5, 0.0])
    for number, lost in ((0, False), (1, True)):
        for _ in range(98):
            pool.tally.note(number, lost)
    rates = np.maximum([1 / 100, 99 / 100], LEAST)
    np.testing.assert_allclose(pool.chances()[:2], rates / rates.sum())
    pool.renew()
    pool.tell(env.venv.games.batch)
    told = env.venv.games.batch.kernel_config["chances"][0, :3]
    np.testing.assert_allclose(told, [*(rates / rates.sum()).cumsum(), 1.0])


def test_a_tally_forgets_slowly_and_begins_with_one_half():
    tally = Tally(1)
    assert tally.rates()[0] == 0.5
    for _ in range(8):
        tally.note(0, True)
    assert tally.rates()[0] == 0.9
    for _ in range(1000):
        tally.fade()
    assert tally.rates()[0] == pytest.approx(0.5)


def test_past_selves_are_kept_up_to_a_limit_and_play_as_they_were():
    config = load_train_config("small", [*PAST])
    env = make_env(config)
    learner = make_learner(config, env)
    past = make_pool(config, env, learner).past
    sights = np.array(env.venv.reset())
    masks = np.array(env.venv.action_masks())
    state = random_state()
    past.add(learner.policy)
    before = past.decide(sights, masks)
    assert masks[np.arange(len(masks)), before].all()
    assert before.max() < N_ACTIONS
    for weight in learner.policy.parameters():
        weight.data.add_(1.0)
    set_random_state(state)
    np.testing.assert_array_equal(past.decide(sights, masks), before)
    past.tally.note(0, True)
    past.add(learner.policy)
    past.add(learner.policy)
    assert len(past.weights) == len(past.tally.rates()) == 2


def test_a_run_with_past_selves_goes_on_as_if_nothing_had_happened(tmp_path, monkeypatch):
    changes = ("imitation.steps=128", "leash.weight=0.1", "table.players=3", *PAST)
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    run = train.train(load_train_config("small", ["steps=768", *changes]), whole)
    assert len(run.pool.past.weights) == 2
    with monkeypatch.context() as patch:
        patch.setattr(train.Run, "_is_done", lambda run: run.learner.num_timesteps >= 512)
        train.train(load_train_config("small", ["steps=768", *changes]), parts)
    train.resume(parts)
    one, other = (load_model(folder).network.tensors() for folder in (whole, parts))
    assert set(one) == set(other)
    for name, weight in one.items():
        np.testing.assert_array_equal(weight, other[name])


def test_opponents_in_fixed_seats_beside_a_bot_for_other_phases():
    """The environment numbers that bot first; games are noted for the opponent that was met."""
    changes = ["draw=false", "opponents=[random]", "table.decides=[BUY, TURN]"]
    config = load_train_config("small", [*changes, "table.rest=background"])
    env = make_env(config)
    learner = make_learner(config, env)
    pool = make_pool(config, env, learner)
    assert env.venv.bots == ["background", "random"]
    pool.note({"seat": 0, "ranks": np.array([2, 1]), "line_up": np.array([0, 1])})
    assert pool.tally.met.tolist() == [3.0]
    assert pool.tally.lost.tolist() == [2.0]


def test_of_whole_tables_the_harder_one_is_drawn_more_often():
    tables = 'opponents=["fixed_a,random", fixed_b]'
    config = load_train_config("small", [tables, "table.players=3", "pool.weights=beats"])
    env = make_env(config)
    pool = make_pool(config, env, make_learner(config, env))
    bots = env.venv.bots
    mixed, same = (
        np.array([bots.index(n) for n in t]) for t in (("fixed_a", "random"), ("fixed_b",) * 2)
    )
    for _ in range(98):
        pool.note(
            {"seat": 1, "ranks": np.array([2, 1, 3]), "line_up": np.array([mixed[1], 0, mixed[0]])}
        )
        pool.note({"seat": 0, "ranks": np.array([2, 1, 3]), "line_up": np.array([0, *same])})
    np.testing.assert_allclose(pool.tally.rates(), [1 / 100, 99 / 100])
    pool.renew()
    pool.tell(env.venv.games.batch)
    assert env.venv.games.batch.kernel_config["chances"][0, 0] == pytest.approx(
        LEAST / (LEAST + 0.99)
    )


def test_a_teacher_that_plays_the_other_phases_knows_what_it_did_there():
    """It has begun the offer itself, so it goes through with it."""
    changes = ["table.deals=steps", "table.windows=all", "table.decides=[DEAL, BUY]"]
    leaves = "table.leaves=[deal, give, ask, give_cash, ask_cash]"
    config = load_train_config("small", [*changes, leaves, "table.rest=strategist"])
    env = make_env(config)
    env.reset()
    teacher = Teacher("strategist", env)
    batch, offers = env.venv.games.batch, 0
    for _ in range(60):
        actions = teacher.decide()
        dealing = batch.games["phase"] == Phase.DEAL
        texts = [TEXTS[env.actions[action]] for action in actions[dealing]]
        assert set(texts) <= {"offer"}
        offers += len(texts)
        *_, over, _ = env.step(actions)
        teacher.forget(over)
    assert offers > 10
