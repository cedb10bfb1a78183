"""Presets: options that go together under one word."""

from __future__ import annotations

from dataclasses import replace

import gymnasium
import numpy as np
import pytest

from monopoly_env import SingleSeatEnv, VectorEnv, load_edition, monopoly_v0
from monopoly_env.encoding.reward import make_reward
from monopoly_env.engine.rules import Deals
from monopoly_env.envs.presets import PRESETS, SHAPED
from monopoly_env.errors import InputError

ID = "monopoly_env/Monopoly-v0"


def made_by(maker, **options):
    """An environment of each kind, made the way its users make it."""
    return {
        "gym": lambda: gymnasium.make(ID, **options).unwrapped,
        "gym_vec": lambda: gymnasium.make_vec(ID, num_envs=2, **options),
        "aec": lambda: monopoly_v0.env(**options).unwrapped,
        "sb3": lambda: sb3_env(**options).games,
    }[maker]()


def sb3_env(**options):
    pytest.importorskip("stable_baselines3")
    from monopoly_training.sb3.vec_env import MonopolyVecEnv

    return MonopolyVecEnv(2, **options)


def settings(env):
    """The edition's rules, and the reward's record."""
    batch = getattr(env, "batch", None) or env._batch
    return batch.edition, batch.config.reward


@pytest.mark.parametrize("maker", ["gym", "gym_vec", "aec", "sb3"])
def test_one_word_sets_the_table_everywhere(maker):
    edition, reward = settings(made_by(maker, preset="basic"))
    assert Deals(int(edition.value("deals"))) == Deals.OFF
    assert not edition.value("between_windows")
    assert replace(reward, truncation="standings") == make_reward(SHAPED)
    assert reward.truncation == ("bootstrap" if maker == "sb3" else "standings")
    edition, reward = settings(made_by(maker, preset="paper"))
    assert Deals(int(edition.value("deals"))) == Deals.MENU
    edition, reward = settings(made_by(maker))
    assert edition.rules.tobytes() == load_edition("classic").rules.tobytes()
    assert reward.potential == "none"


@pytest.mark.parametrize("maker", ["gym", "gym_vec", "aec", "sb3"])
def test_what_is_given_comes_before_the_preset(maker):
    edition, reward = settings(made_by(maker, preset="basic", deals="menu", reward="rank"))
    assert Deals(int(edition.value("deals"))) == Deals.MENU
    assert not edition.value("between_windows")
    assert reward.end == "rank"
    edition, _ = settings(made_by(maker, preset="basic", rules={"deals": "steps"}))
    assert Deals(int(edition.value("deals"))) == Deals.STEPS


def test_the_paper_table_has_its_opponents_unless_others_are_named():
    assert VectorEnv(2, preset="paper").batch.bots == ["fixed_a", "fixed_b", "fixed_c"]
    assert VectorEnv(2, ["random"], preset="paper").batch.bots == ["random"]
    assert VectorEnv(2, preset="paper", pool=["random"]).batch.bots == ["random"]


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_go_with_every_seat(preset):
    for options in ({}, {"num_players": 3}):
        env = VectorEnv(2, seats="all", preset=preset, **options)
        assert env.batch.bots == []
        assert env.batch.config.players == options.get("num_players", 4)
    with pytest.raises(InputError, match="seats: all of them are asked for"):
        VectorEnv(2, ["random"], seats="all", preset=preset)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("make", [SingleSeatEnv, VectorEnv])
def test_an_error_names_the_preset_that_it_comes_from(make):
    text = "num_players: preset 'paper' has 3 opponents, for 4 players, not 3; leave it out"
    with pytest.raises(InputError, match=text):
        make(preset="paper", num_players=3)
    with pytest.raises(InputError, match="num_players: must be a whole number"):
        make(preset="paper", num_players="3")
    assert make(preset="paper", num_players=np.int8(4), seat=0)
    assert make(preset="paper", num_players=2, opponents=["random"])
    assert make(preset="paper", num_players=3, pool=["random"])


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("preset", ["basic", "paper"])
def test_a_loaded_edition_has_its_rules_before_a_preset(preset):
    loaded = load_edition("classic")
    makes = (
        SingleSeatEnv,
        VectorEnv,
        monopoly_v0.raw_env,
        lambda edition, **options: monopoly_v0.raw_env(edition, "standard", **options),
    )
    for make in makes:
        with pytest.raises(InputError, match=f"^preset: '{preset}' sets windows and deals, and"):
            make(edition=loaded, preset=preset)
        assert make(edition=loaded, preset="full")
        with pytest.raises(InputError, match=r"^edition: is loaded already"):
            make(edition=loaded, preset=preset, windows="own", deals="off")


@pytest.mark.promise("bad_input")
def test_an_unknown_preset_is_one_line():
    with pytest.raises(InputError, match="preset: there is no preset 'basics'; did you mean"):
        SingleSeatEnv(preset="basics")
    with pytest.raises(InputError, match="there is no preset 3"):
        monopoly_v0.raw_env(preset=3)


def test_full_is_what_no_preset_is():
    assert not PRESETS["full"]
    first = VectorEnv(3, preset="full").reset(seed=1)[0]
    np.testing.assert_array_equal(first, VectorEnv(3).reset(seed=1)[0])
