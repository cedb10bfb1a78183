"""``illegal_action``: the same words with the same meanings in every environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test

from monopoly_env import IllegalAction, monopoly_v0
from monopoly_env.encoding.reward import make_reward
from monopoly_env.envs import SingleSeatEnv, VectorEnv
from monopoly_env.errors import InputError

SHORT = {"max_turns": 16}
N = 3
WAYS = ("raise", "random", "forfeit")


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("make", [SingleSeatEnv, VectorEnv, monopoly_v0.raw_env, monopoly_v0.env])
@pytest.mark.parametrize("word", ["ignore", "", None, 1, ["raise"], "RAISE"])
def test_other_words_are_one_line(make: Any, word: Any) -> None:
    with pytest.raises(InputError, match="illegal_action: must be one of raise, random, forfeit"):
        make(illegal_action=word)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "reward", ["win", "rank", "net_worth", {"potential": "net_worth"}], ids=str
)
@pytest.mark.parametrize("way", ["random", "forfeit"])
def test_many_games_are_as_single_ones(way: str, reward: Any, threads: int) -> None:
    """Actions drawn from all ids: what each game comes to is what the single environment says."""
    parameters: dict[str, Any] = {
        "illegal_action": way, "reward": reward, "rules": SHORT, "skip_forced": True,
    }  # fmt: skip
    envs = VectorEnv(N, threads=threads, **parameters)
    singles = [SingleSeatEnv(**parameters) for _ in range(N)]
    seen, _ = envs.reset(seed=[1, 2, 3])
    for index, single in enumerate(singles):
        single.reset(seed=index + 1)
    random = np.random.default_rng(1)
    ended = 0
    for key in range(150):
        actions = envs.sample_actions(key)
        wild = random.random(N) < 0.2
        actions[wild] = random.integers(-5, 400, wild.sum())
        seen, rewards, over, cut, infos = envs.step(actions)
        for index, single in enumerate(singles):
            own, paid, ends, stops, info = single.step(int(actions[index]))
            assert (ends, stops) == (over[index], cut[index])
            assert paid == pytest.approx(rewards[index], abs=1e-6)
            if ends or stops:
                ended += 1
                assert (infos["final_obs"][index] == own).all()
                for name in ("rank", "win", "turns", "decisions"):
                    assert infos["final_info"][name][index] == info[name]
                own, _ = single.reset()
            assert (own == seen[index]).all()
            assert (single.action_masks() == infos["action_mask"][index]).all()
    assert ended
    envs.close()


@pytest.mark.parametrize("mode", ["SameStep", "NextStep", "Disabled"])
@pytest.mark.parametrize("seats", ["one", "all"])
def test_a_forfeited_game_ends_as_lost(seats: str, mode: str) -> None:
    parameters: dict[str, Any] = {
        "illegal_action": "forfeit", "reward": "rank", "autoreset_mode": mode, "seats": seats,
    }  # fmt: skip
    env = VectorEnv(N, **parameters)
    first, infos = env.reset(seed=5)
    games = [env.game(index) for index in range(N)]
    actors = env.actors
    actions = env.sample_actions()
    actions[1] = 341
    seen, rewards, over, cut, infos = env.step(actions)
    assert over.tolist() == [False, True, False]
    assert not cut.any()
    facts = infos["final_info"] if mode == "SameStep" else infos
    last = infos["final_obs"][1] if mode == "SameStep" else seen[1]
    np.testing.assert_array_equal(last, first[1])
    if seats == "one":
        assert rewards[1] == pytest.approx(make_reward("rank").last_place(4))
        assert (facts["rank"][1], facts["win"][1], facts["steps"][1]) == (4, 0.0, 1)
    else:
        assert rewards[1, actors[1]] == -1.0
        assert rewards[1].sum() == pytest.approx(0, abs=1e-6)
        assert facts["rank"][1, actors[1]] == 4
    if mode == "SameStep":
        assert env.game(1) != games[1]
        assert infos["action_mask"][1].any()
        return
    assert env.game(1) == games[1]  # as it was left
    assert not infos["action_mask"][1].any()
    if mode == "Disabled":
        with pytest.raises(InputError, match="game 1 is over"):
            env.step(env.sample_actions())
        env.reset(options={"reset_mask": over})
    else:
        env.step(env.sample_actions())
    assert env.action_masks().any(axis=1).all()
    env.step(env.sample_actions())


def test_an_opponent_from_outside_is_no_learner() -> None:
    """What is illegal for it is refused, whatever the learner may do."""
    env = VectorEnv(
        8, pool=["random"], num_players=2, seat=0, illegal_action="forfeit", rules=SHORT
    )
    env.batch.add_external_opponent()
    env.batch.set_pool_weights([0, 1])
    env.reset(seed=1)
    asked = 0
    for key in range(60):
        rows = np.flatnonzero(env.batch.actors != env.batch.seats)
        if len(rows):
            asked += 1
            with pytest.raises(IllegalAction):
                env.advance_rows(rows, np.full(len(rows), 341))
            env.advance_rows(rows, env.sample_actions(key)[rows])
        else:
            env.step(env.sample_actions(key))
    assert asked


@pytest.mark.parametrize("make", [monopoly_v0.raw_env, monopoly_v0.env])
def test_aec_takes_a_random_action_instead(make: Any) -> None:
    env, twin = make(illegal_action="random"), VectorEnv(1, seats="all", skip_forced=False)
    env.reset(seed=5)
    twin.reset(seed=5)
    for action in (341, 300, 341):
        env.step(action)
        twin.step(twin.sample_actions(0))
        assert env.unwrapped.game == twin.game(0)


@pytest.mark.parametrize("make", [monopoly_v0.raw_env, monopoly_v0.env])
@pytest.mark.parametrize("elimination", ["immediate", "end"])
def test_aec_forfeits(make: Any, elimination: str) -> None:
    env = make(illegal_action="forfeit", reward="rank", elimination=elimination)
    env.reset(seed=5)
    agent, before = env.agent_selection, env.unwrapped.game
    env.step(341)
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert env.rewards[agent] == -1.0
    assert sum(env.rewards.values()) == pytest.approx(0)
    assert env.infos[agent]["rank"] == 4
    assert env.unwrapped.game == before
    while env.agents:
        assert env.last()[2]
        env.step(None)
    env.reset(seed=5)
    assert env.unwrapped.game == before


def test_aec_still_raises_unless_told_otherwise() -> None:
    for make in (monopoly_v0.raw_env, monopoly_v0.env):
        env = make(illegal_action="raise")
        env.reset(seed=5)
        before = env.unwrapped.game
        with pytest.raises(IllegalAction):
            env.step(341)
        assert env.unwrapped.game == before


def one_table(kind: str, way: str) -> Any:
    """An environment of each kind, begun, whose ``step`` takes one action."""
    if kind in ("raw", "env"):
        table = (monopoly_v0.raw_env if kind == "raw" else monopoly_v0.env)(illegal_action=way)
    else:
        table = SingleSeatEnv(illegal_action=way) if kind == "single" else Lone(illegal_action=way)
    table.reset(seed=5)
    return table


class Lone(VectorEnv):
    """A vector of one game that takes one action."""

    def __init__(self, **options: Any) -> None:
        super().__init__(1, **options)

    def step(self, actions: Any) -> Any:
        return super().step([actions])


TABLES = ("raw", "env", "single", "vector")
NO_ACTIONS = [342, 9999, -1, -(2**63), 2**63, 2**64 - 1, 10**40, np.uint64(2**64 - 2), np.int8(-1)]
NOTHING = [None, True, 1.0, 1.5, float("nan"), b"roll", [1], (1,), {}, {"a": 1}, object(), 1j]
NOTHING += [np.float32(1), np.array([1]), np.array(1.0), np.datetime64(1, "s"), np.True_]
TEXTS = ["fly", "", "roll ", "ROLL", "build:reading", "deal:Z", "rol\nl", "1", np.str_("fly")]


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", TABLES)
def test_numbers_that_no_action_has_are_illegal_actions(kind: str, way: str) -> None:
    for number in NO_ACTIONS:
        table = one_table(kind, way)
        check_illegal(table, number, way)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["raw", "env"])
def test_text_that_no_action_has_is_an_illegal_action(kind: str, way: str) -> None:
    for text in TEXTS:
        check_illegal(one_table(kind, way), text, way)
    narrow = monopoly_v0.raw_env(illegal_action=way, narrow=True, deals="off")
    narrow.reset(seed=5)
    check_illegal(narrow, "deal:B", way)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", TABLES)
def test_what_is_no_action_at_all_is_refused_whatever_illegal_action_says(
    kind: str, way: str
) -> None:
    table = one_table(kind, way)
    before = table.unwrapped.clone_state()
    others = NOTHING if kind in ("raw", "env") else [*NOTHING, *TEXTS]
    for value in others:
        with pytest.raises(InputError) as refused:
            table.step(value)
        assert "\n" not in str(refused.value)
        assert "action" in str(refused.value)
        assert table.unwrapped.clone_state() == before


def check_illegal(table: Any, action: Any, way: str) -> None:
    """An action is refused, replaced, or ends the game for who took it."""
    state = table.unwrapped.clone_state()
    if way == "raise":
        with pytest.raises(IllegalAction) as refused:
            table.step(action)
        assert "\n" not in str(refused.value)
        assert table.unwrapped.clone_state() == state
        return
    result = table.step(action)
    assert table.unwrapped.clone_state() != state
    over = all(table.terminations.values()) if result is None else bool(np.all(result[2]))
    assert over == (way == "forfeit")


@pytest.mark.parametrize("way", ["random", "forfeit"])
def test_environments_can_be_stepped_without_masks(way: str) -> None:
    """As libraries do that try an environment before they use it."""
    api_test(monopoly_v0.raw_env(illegal_action=way, rules=SHORT), num_cycles=50)
    env = gymnasium.make_vec("monopoly_env/Monopoly-v0", num_envs=4, illegal_action=way)
    env.action_space.seed(1)
    env.reset(seed=1)
    for _ in range(50):
        seen, *_ = env.step(env.action_space.sample())
        assert env.observation_space.contains(seen)
