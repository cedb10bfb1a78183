"""Statistics of a learner's deals, and what a run logs."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.runs import train
from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.trade_stats import (
    ACCEPT,
    PROPOSE,
    REJECT,
    TradeStats,
)
from monopoly_training.sb3.vec_env import MonopolyVecEnv
from stable_baselines3.common.logger import Logger

from monopoly_env.encoding.blocks import OBSERVATION_SIZE, OFFSETS
from monopoly_env.engine.actions import N_ACTIONS, OFFERS
from monopoly_env.engine.board import NOBODY


def report(trades, games=1):
    """What the statistics log, by name."""
    logger = Logger(None, [])
    trades.report(logger, games)
    return dict(logger.name_to_value)


def env_of(n=16):
    env = MonopolyVecEnv(n, opponents=["fixed_a"] * 3, windows="own", deals="menu")
    env.seed(0)
    env.reset()
    return env


def give(batch, index, square, seat):
    """Let a seat own a deed."""
    game = batch.games[index]
    owner = int(game["owner"][square])
    if owner != NOBODY:
        game["owned"][owner] &= ~(1 << square)
    game["owner"][square] = seat
    game["owned"][seat] |= 1 << square


def test_offers_answers_cash_and_lots_that_come_back_are_counted():
    env = env_of(2)
    batch = env.games.batch
    seat = int(batch.seats[0])
    other = (seat + 1) % 4
    give(batch, 0, 1, seat)
    trades = TradeStats(batch)
    observations = np.zeros((2, OBSERVATION_SIZE), np.float32)
    observations[0, OFFSETS["menu"] + 4] = -0.5  # offer 1 pays $200
    dones = np.zeros(2, bool)
    give(batch, 0, 3, seat)
    trades.record_step(np.array([PROPOSE, 0]), observations, dones)  # accepted: a lot is gained
    trades.record_step(np.array([PROPOSE, 0]), observations, dones)  # refused: nothing changes
    give(batch, 0, 3, other)
    observations[0, OFFSETS["deal_get_cash"]] = 0.5  # the offer brings $500
    trades.record_step(np.array([ACCEPT, 0]), observations, dones)  # the same lot goes back
    trades.record_step(np.array([REJECT, REJECT]), observations, dones)
    values = report(trades, games=2)
    assert values["deals/offers_accepted"] == 0.5
    assert values["deals/accepts"] == pytest.approx(1 / 3)
    assert values["deals/cash_received"] == pytest.approx(150)
    assert values["deals/cash_moved"] == pytest.approx(350)
    assert values["deals/lots_back_and_forth"] == 0.5
    assert values["deals/made_a_game"] == 1.0
    assert report(trades, games=0) == {}


def test_a_new_game_forgets_what_was_dealt():
    env = env_of(1)
    batch = env.games.batch
    seat = int(batch.seats[0])
    trades = TradeStats(batch)
    observations = np.zeros((1, OBSERVATION_SIZE), np.float32)
    give(batch, 0, 3, seat)
    trades.record_step(np.array([PROPOSE]), observations, np.array([False]))
    trades.record_step(np.array([0]), observations, np.array([True]))
    give(batch, 0, 3, (seat + 1) % 4)
    trades.record_step(np.array([ACCEPT]), observations, np.array([False]))
    assert report(trades)["deals/lots_back_and_forth"] == 0.0


def test_cash_is_read_back_from_the_observation():
    env = env_of()
    trades, answers = TradeStats(env.games.batch), 0
    for step in range(200):
        before = np.array(env.games.observations)
        games = env.games.batch.games.copy()
        masks = env.action_masks().copy()
        env.step(env.games.sample_actions(step))
        for index in np.flatnonzero(masks[:, ACCEPT]):
            game = games[index]
            expected = int(game["deal_give_cash"]) - int(game["deal_ask_cash"])
            assert trades.deal_cash(before[index]) == pytest.approx(expected, abs=0.1)
            answers += 1
        for index, offer in np.argwhere(masks[:, PROPOSE : PROPOSE + OFFERS]):
            assert trades.menu_cash(before[index], offer) == pytest.approx(
                round(trades.menu_cash(before[index], offer)), abs=0.1
            )
    assert answers > 0
    assert PROPOSE + OFFERS <= N_ACTIONS


def test_a_run_shows_what_people_look_for(tmp_path):
    tensorboard = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    changes = [
        "table.deals=menu",
        "table.players=4",
        "opponents=[fixed_a]",
        "kl_penalty.weight=0.1",
        "steps=2048",
        "ppo.n_steps=64",
        "imitation.steps=512",
        "pool.past=0.5",
    ]
    train.train(load_train_config("small", changes), tmp_path)
    events = tensorboard.EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    tags = set(events.Tags()["scalars"])
    assert {
        "against_random/win_rate", "against_random/low", "against_random/high",
        "against_random/mean_rank", "against_random/truncated", "against_random/turns",
        "games/rank", "games/turns", "games/truncated", "beats/fixed_a", "beats/past_selves",
        "deals/offers_accepted", "deals/offers_a_game",
        "train/entropy", "train/approx_kl", "train/value_loss",
        "train/kl_coefficient", "train/kl_to_reference",
        "time/steps_per_second", "time/games_share", "time/policy_share", "time/update_share",
        "imitation/agreement",
        # what dashboards made for Stable-Baselines3 look for
        "rollout/ep_rew_mean", "rollout/ep_len_mean", "rollout/success_rate",
        "time/fps", "time/iterations", "time/time_elapsed", "time/total_timesteps",
        "train/loss", "train/entropy_loss", "train/policy_gradient_loss", "train/clip_fraction",
        "train/explained_variance", "train/learning_rate", "train/n_updates", "train/clip_range",
    } <= tags  # fmt: skip
    shares = [
        events.Scalars(f"time/{part}_share")[-1].value for part in ("games", "policy", "update")
    ]
    assert sum(shares) == pytest.approx(1.0)
