"""Bad parameters are one line that names the parameter and what to do."""

from __future__ import annotations

import inspect
import pickle
import re
from pathlib import Path

import pytest

from monopoly_env import load_edition, monopoly_v0
from monopoly_env.envs import SingleSeatEnv, VectorEnv
from monopoly_env.errors import InputError


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"edition": "clasic"}, "edition: there is no edition 'clasic'; did you mean 'classic'"),
        ({"mode": "fast"}, "has no mode 'fast'"),
        ({"num_players": 9}, "num_players: must be from 2 to 8"),
        ({"num_players": 1}, "num_players: must be from 2 to 8"),
        ({"num_players": "4"}, "num_players: must be a whole number"),
        ({"edition": "kanto2014", "num_players": 8}, "any_players=True allows up to 8"),
        ({"rules": {"salry": 1}}, "salry: there is no such rule"),
        ({"rules": 7}, "rules: must be a mapping"),
        ({"windows": "some"}, "windows: must be one of all, own"),
        ({"deals": "none"}, "deals: must be one of steps, menu, off"),
        ({"deals": "off", "rules": {"deals": "menu"}}, "deals: is a rule too"),
        ({"decides": ["bay"]}, "decides: there is no phase 'bay'; did you mean 'BUY'"),
        ({"decides": "BUY"}, "decides: must be a list"),
        ({"decides": []}, "decides: names no phase"),
        ({"leaves": ["sel"]}, "leaves: there is no kind of action 'sel'; did you mean 'sell'"),
        ({"leaves": "sell"}, "leaves: must be a list of kinds of action"),
        ({"leaves": ["sell"], "rest": "nobody"}, "there is no bot 'nobody'"),
        ({"decides": ["BUY"], "rest": "nobody"}, "there is no bot 'nobody'"),
        ({"skip_forced": "yes"}, "skip_forced: must be True or False"),
        ({"elimination": "never"}, "elimination: must be one of immediate, end"),
        ({"reward": "money"}, "reward: must be one of win, win_only, rank, net_worth"),
        ({"reward": {"name": "win", "gama": 1}}, "reward: gama: .*did you mean 'gamma'"),
        ({"reward": {"gamma": 2}}, "reward: gamma: must be from 0 to 1"),
        ({"reward": {"end": "loss"}}, "reward: end: must be one of none, win"),
        ({"render_mode": "rgb"}, "render_mode: must be one of ansi, rgb_array, human, or None"),
        ({"render_theme": "sepia"}, "render_theme: must be one of light, dark"),
    ],
)
def test_aec(parameters, message):
    with pytest.raises(ValueError, match=message) as problem:
        monopoly_v0.raw_env(**parameters)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"opponents": "random"}, "opponents: must be a list of bots"),
        ({"opponents": []}, "opponents: must be 1 to 7 bots"),
        ({"opponents": ["random"] * 8}, "opponents: must be 1 to 7 bots"),
        ({"opponents": [3]}, "opponents: 3 is not a bot"),
        ({"opponents": ["randm"]}, "there is no bot 'randm'; did you mean 'random'"),
        ({"opponents": ["random"], "num_players": 4}, "num_players: 1 opponents make 2 players"),
        ({"opponents": ["random"], "pool": ["random"]}, "pool: goes without opponents"),
        ({"pool": []}, "pool: must be bots"),
        ({"pool": ["random", "random "]}, "there is no bot"),
        ({"pool": {"random": 0}}, "pool: the weight of random must be more than 0"),
        ({"pool": {"random": "x"}}, "pool: the weight of random must be a number"),
        ({"seat": 4}, "seat: must be from 0 to 3"),
        ({"seat": "first"}, "seat: must be one of random"),
        ({"illegal_action": "ignore"}, "illegal_action: must be one of raise, random, forfeit"),
        ({"observation": "pixels"}, "observation: must be one of flat, dict"),
        ({"play_out": 1}, "play_out: must be True or False"),
    ],
)
def test_single(parameters, message):
    with pytest.raises(ValueError, match=message) as problem:
        SingleSeatEnv(**parameters)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"num_envs": 0}, "num_envs: must be from 1"),
        ({"threads": 0}, "threads: must be from 1 to 256"),
        ({"buffers": 9}, "buffers: must be from 1 to 8"),
        ({"seats": "two"}, "seats: must be one of one, all"),
        ({"seats": "all", "opponents": ["random"]}, "seats: all of them are asked for"),
    ],
)
def test_vector(parameters, message):
    with pytest.raises(ValueError, match=message) as problem:
        VectorEnv(**parameters)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "7", True])
def test_seeds(seed):
    env = monopoly_v0.raw_env()
    with pytest.raises(ValueError, match="seed: must be a whole number from 0"):
        env.reset(seed=seed)


def test_a_loaded_edition_has_its_rules_already():
    edition = load_edition("kanto2014", "short")
    assert monopoly_v0.raw_env(edition).possible_agents[-1] == "player_3"
    with pytest.raises(ValueError, match="edition: is loaded already"):
        monopoly_v0.raw_env(edition, windows="own")


@pytest.mark.parametrize(
    ("env", "parameters", "message"),
    [
        (
            VectorEnv,
            {"buffer": 3},
            "buffer: VectorEnv got an unexpected keyword argument 'buffer'; did you mean 'buffers'?",
        ),
        (SingleSeatEnv, {"opponent": []}, "opponent: SingleSeatEnv .* did you mean 'opponents'?"),
        (monopoly_v0.raw_env, {"num_player": 3}, "num_player: MonopolyEnv .* mean 'num_players'?"),
        (
            monopoly_v0.env,
            {"oops": 3},
            "oops: MonopolyEnv got an unexpected keyword argument 'oops'; use one of edition",
        ),
    ],
)
def test_an_option_that_there_is_not(env, parameters, message):
    with pytest.raises(TypeError, match=message) as problem:
        env(**parameters)
    assert isinstance(problem.value, InputError)
    assert "\n" not in str(problem.value)


def test_more_values_than_go_without_a_name():
    with pytest.raises(TypeError, match="VectorEnv: takes num_envs, opponents, seat without"):
        VectorEnv(4, ["random"], 1, "classic")


DEFAULTS = {
    VectorEnv: {"num_envs": 1, "skip_forced": True, "elimination": "end", "num_players": None},
    SingleSeatEnv: {"opponents": None, "skip_forced": False, "illegal_action": "raise"},
    monopoly_v0.raw_env: {"edition": "classic", "num_players": 4, "elimination": "immediate"},
}
FIRST = {
    VectorEnv: ["num_envs", "opponents", "seat"],
    SingleSeatEnv: ["opponents", "seat"],
    monopoly_v0.raw_env: ["edition", "mode", "num_players"],
}


@pytest.mark.parametrize("env", DEFAULTS)
def test_signatures_tell_the_options_and_their_defaults(env):
    parameters = inspect.signature(env).parameters
    for name, default in DEFAULTS[env].items():
        assert parameters[name].default == default
    first = [name for name, one in parameters.items() if one.kind is not one.KEYWORD_ONLY]
    assert first == FIRST[env]
    assert all(one.annotation is not one.empty for one in parameters.values())
    for name in parameters:
        assert f"\n    {name}: " in env.__init__.__doc__


@pytest.mark.parametrize("env", DEFAULTS)
def test_the_page_of_the_environments_names_every_option(env):
    page = (Path(__file__).parents[2] / "docs" / "environments.md").read_text(encoding="utf-8")
    for name in inspect.signature(env).parameters:
        assert re.search(rf"\b{name}\b", page), name


@pytest.mark.promise("copies")
def test_what_was_given_is_what_is_pickled():
    env = SingleSeatEnv(["random"], 0, rules={"max_turns": 9}, reward="rank")
    twin = pickle.loads(pickle.dumps(env))
    assert twin.reset(seed=1)[0].tobytes() == env.reset(seed=1)[0].tobytes()
    assert twin.game == env.game
    assert twin.game.players == 2
