"""Our wrappers are PettingZoo's, only faster: the same games, errors, warnings and texts."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from pettingzoo.utils import wrappers

from monopoly_env import monopoly_v0
from monopoly_env.envs._fast_wrappers import NAMES
from monopoly_env.errors import InputError
from tests.envs.players import pick

SHORT = {"max_turns": 40}


@pytest.fixture(autouse=True)
def _quiet() -> None:
    warnings.filterwarnings("ignore", module="pettingzoo")


def theirs(**parameters):
    """The environment in PettingZoo's own."""
    legal = wrappers.TerminateIllegalWrapper(monopoly_v0.raw_env(**parameters), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(legal))


def both(**parameters):
    return monopoly_v0.env(**parameters), theirs(**parameters)


def facts(env):
    """All that can be asked of an environment at a step."""
    observation, *rest = env.last()
    return (
        rest, observation["observation"].tobytes(), observation["action_mask"].tobytes(),
        env.agent_selection, list(env.agents), env.num_agents, env.max_num_agents,
        dict(env.rewards), dict(env._cumulative_rewards), dict(env.terminations),
        dict(env.truncations), dict(env.infos), str(env),
    )  # fmt: skip


def outcome(call):
    """What a call gives, or how it fails."""
    try:
        return call()
    except Exception as problem:  # noqa: BLE001 - whatever it is
        return type(problem), str(problem)


@pytest.mark.parametrize("elimination", ["immediate", "end"])
def test_the_same_games_to_their_end(elimination):
    ours, plain = both(elimination=elimination, rules={"max_turns": 400}, num_players=3)
    ended = False
    for seed in range(4):
        ours.reset(seed=seed)
        plain.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while ours.agents:
            assert facts(ours) == facts(plain)
            observation, _, over, cut, _ = ours.last()
            action = None if over or cut else pick(observation["action_mask"], rng)
            ended |= over
            ours.step(action)
            plain.step(action)
        assert not plain.agents
    assert ended


def test_the_same_after_an_illegal_action():
    ours, plain = both(num_players=2)
    for env in (ours, plain):
        env.reset(seed=1)
        env.step(341)
    while ours.agents:
        assert facts(ours) == facts(plain)
        ours.step(None)
        plain.step(None)
    assert not plain.agents


def test_the_same_before_the_first_reset():
    ours, plain = both()
    for name in (*NAMES, "num_agents", "max_num_agents", "unheard_of", "_private"):
        if name in ("action_space", "observation_space"):
            assert getattr(ours, name)("player_0") == getattr(plain, name)("player_0")
        else:
            one, two = (
                outcome(lambda env=env, name=name: getattr(env, name)) for env in (ours, plain)
            )
            assert one == two, name
    for call in (
        lambda env: env.step(0),
        lambda env: env.last(),
        lambda env: env.observe("player_0"),
        lambda env: env.render(),
        lambda env: env.state(),
        lambda env: list(env.agent_iter()),
    ):
        assert outcome(lambda call=call: call(ours)) == outcome(lambda call=call: call(plain))


def test_the_same_refusals():
    ours, plain = both(rules=SHORT)
    for env in (ours, plain):
        env.reset(seed=1)
    for action in (342, -1, None, 1.5, "roll"):
        with pytest.raises(AssertionError, match="not in action space"):
            plain.step(action)
        with pytest.raises(AssertionError, match="action: must be the id of an action") as refused:
            ours.step(action)
        assert isinstance(refused.value, InputError)
        assert repr(action) in str(refused.value)
    assert facts(ours) == facts(plain)


def test_they_are_pettingzoos_and_their_names_are_all_read_the_short_way():
    env = monopoly_v0.env()
    found = []
    while isinstance(env, wrappers.BaseWrapper):
        found.append(
            next(one for one in type(env).__mro__ if one.__module__.startswith("pettingzoo"))
        )
        assert all(isinstance(getattr(type(env), name), property) for name in NAMES)
        env = env.env
    assert found == [
        wrappers.OrderEnforcingWrapper,
        wrappers.AssertOutOfBoundsWrapper,
        wrappers.TerminateIllegalWrapper,
    ]


def test_what_is_set_is_set_on_the_bare_environment():
    env = monopoly_v0.env()
    env.reset(seed=1)
    rewards = dict.fromkeys(env.agents, 2.0)
    env.rewards = rewards
    assert env.unwrapped.rewards is rewards
    assert env.rewards is rewards
