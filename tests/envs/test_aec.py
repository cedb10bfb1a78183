"""The PettingZoo environment: its interface, its agents' lives, and what it shows."""

from __future__ import annotations

import copy
import pickle
import warnings

import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from monopoly_env import Game, IllegalAction, monopoly_v0
from monopoly_env.editions import editions, load_edition
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.status import Status
from monopoly_env.errors import InputError
from tests.envs.players import decisions, pick, play

SHORT = {"max_turns": 60}  # games that end soon, by truncation
POSITION = {
    "players": 3,
    "turn": "B",
    "A": {"cash": 5, "deeds": ["baltic"]},
    "B": {"cash": 900, "deeds": ["park_place", "boardwalk"]},
    "C": {"out": True},
}


@pytest.fixture(autouse=True)
def _quiet() -> None:
    """PettingZoo wonders about observations that are dictionaries; with masks they must be."""
    warnings.filterwarnings("ignore", module="pettingzoo")


@pytest.mark.parametrize("elimination", ["immediate", "end"])
@pytest.mark.parametrize("make", [monopoly_v0.env, monopoly_v0.raw_env])
def test_pettingzoo_api(make, elimination):
    api_test(make(elimination=elimination), num_cycles=2000)


def test_pettingzoo_seed_test():
    seed_test(monopoly_v0.env, num_cycles=200)


def test_pettingzoo_parallel_api():
    parallel = turn_based_aec_to_parallel(monopoly_v0.env(rules=SHORT, elimination="end"))
    parallel_api_test(parallel, num_cycles=200)


def test_pettingzoo_render_test():
    pytest.importorskip("resvg_py", reason="the extra render is not installed")
    pytest.importorskip("pygame", reason="the extra render is not installed")
    render_test(monopoly_v0.env)


def test_pettingzoo_registry():
    registration = pytest.importorskip("pettingzoo.env_registry.registration")
    env = registration.make("aec", "monopoly_env/Monopoly-v0", num_players=2)
    env.reset(seed=1)
    assert len(env.agents) == 2


@pytest.mark.promise("determinism")
def test_a_seed_gives_the_same_game_again():
    env = monopoly_v0.raw_env(rules=SHORT)
    env.reset(seed=7)
    first = play(env, 1)
    env.reset()
    second = play(env, 1)
    env.reset(seed=7)
    assert play(env, 1) == first
    env.reset()
    assert play(env, 1) == second
    assert second != first


def test_games_differ_without_a_seed():
    rolls = set()
    for _ in range(5):
        env = monopoly_v0.raw_env()
        env.reset()
        rolls.add(env.game.state["rng"])
    assert len(rolls) == 5


def test_it_is_the_game_of_that_seed():
    env, game = monopoly_v0.raw_env(num_players=3), Game(players=3, seed=7)
    env.reset(seed=7)
    random = np.random.default_rng(3)
    for agent in env.agent_iter(400):
        assert env.game == game
        assert agent == f"player_{game.actor_seat}"
        mask = env.observe(agent)["action_mask"]
        assert (mask == game.legal_mask()).all()
        action = pick(mask, random)
        env.step(action)
        game.play(action)


@pytest.mark.parametrize("players", range(2, 9))
def test_random_games_end_and_stay_in_their_spaces(players):
    env = monopoly_v0.raw_env(num_players=players, any_players=True, rules={"max_turns": 150})
    env.reset(seed=players)
    for agent, observation, _ in decisions(env, players):
        assert env.observation_space(agent).contains(observation)
        done = env.terminations[agent] or env.truncations[agent]
        assert done or observation["action_mask"].any()
        assert env.game.status() == Status(0)
    assert not env.agents


MODES = [(edition, mode) for edition in editions() for mode in load_edition(edition).modes]


@pytest.mark.parametrize(("edition", "mode"), MODES)
def test_every_edition_and_mode(edition, mode):
    env = monopoly_v0.raw_env(edition, mode, 3, rules={"max_turns": 40}, deals="menu")
    env.reset(seed=1)
    total = 0.0
    for agent, observation, reward in decisions(env, 2):
        assert env.observation_space(agent).contains(observation)
        total += reward
    assert total == pytest.approx(0)


def test_bankrupt_agents_leave_at_once_or_together():
    ends = {}
    for elimination in ("immediate", "end"):
        env = monopoly_v0.raw_env(elimination=elimination)
        env.reset(seed=1)
        rewards, left = {}, []
        for agent, _, reward in decisions(env, 1):
            rewards[agent] = rewards.get(agent, 0) + reward
            if env.terminations[agent]:
                left.append(len(env.game.winners))
        ends[elimination] = rewards
        assert left == ([0, 0, 1, 1] if elimination == "immediate" else [1, 1, 1, 1])
    assert ends["immediate"] == pytest.approx(ends["end"])
    assert sorted(ends["end"].values()) == pytest.approx([-1 / 3, -1 / 3, -1 / 3, 1])


@pytest.mark.parametrize("observation", ["dict", "flat", "packed"])
@pytest.mark.parametrize("elimination", ["immediate", "end"])
@pytest.mark.parametrize("make", [monopoly_v0.env, monopoly_v0.raw_env])
def test_every_agent_has_its_result_in_its_last_info(make, elimination, observation):
    env = make(elimination=elimination, observation=observation, deals="off", windows="own")
    env.reset(seed=1)
    random, last, game = np.random.default_rng(1), {}, None
    for agent in env.agent_iter():
        seen, _, terminated, truncated, info = env.last()
        mask = seen["action_mask"] if observation == "dict" else info["action_mask"]
        result = {key: value for key, value in info.items() if key != "action_mask"}
        if not (terminated or truncated):
            assert result == {}
            env.step(pick(mask, random))
            continue
        game = env.unwrapped.game
        turns, decided = int(game.state["turns"]), int(game.state["decisions"])
        assert (result["turns"], result["decisions"]) == (turns, decided)
        twin = make(elimination=elimination, observation=observation, deals="off", windows="own")
        twin.restore_state(env.clone_state())
        shown = twin.last()[-1]
        assert {key: shown[key] for key in result} == result
        last[agent] = result
        env.step(None)
    assert sorted(one["rank"] for one in last.values()) == [1, 2, 3, 4]
    final = {standing.player: standing.rank for standing in game.standings()}
    assert {agent: one["rank"] for agent, one in last.items()} == {
        f"player_{'ABCD'.index(player)}": rank for player, rank in final.items()
    }
    assert {one["win"] for one in last.values() if one["rank"] > 1} == {0.0}
    assert sum(one["win"] for one in last.values()) == 1


def test_a_parallel_conversion_has_every_result_too():
    env = turn_based_aec_to_parallel(monopoly_v0.env(deals="off", windows="own"))
    env.reset(seed=1)
    random, ranks = np.random.default_rng(1), {}
    while env.agents:
        mask = env.aec_env.observe(env.aec_env.agent_selection)["action_mask"]
        actions = dict.fromkeys(env.agents, pick(mask, random))
        _, _, terminations, _, infos = env.step(actions)
        ranks |= {name: infos[name]["rank"] for name, over in terminations.items() if over}
    assert sorted(ranks.values()) == [1, 2, 3, 4]


def test_a_truncated_game_flags_everybody_the_same():
    env = monopoly_v0.raw_env(rules={"max_decisions": 50})
    env.reset(seed=1)
    list(decisions(env, 1, limit=50))
    assert env.truncations == dict.fromkeys(env.possible_agents, True)
    assert not any(env.terminations.values())
    assert {info["decisions"] for info in env.infos.values()} == {50}
    assert sum(info["win"] for info in env.infos.values()) == pytest.approx(1)
    assert sum(env.rewards.values()) == pytest.approx(0)


def test_removed_agents_can_still_be_observed():
    env = monopoly_v0.raw_env()
    env.reset(seed=1)
    for _ in decisions(env, 1):
        for agent in env.possible_agents:
            assert env.observe(agent)["observation"].shape == env.state_space.shape
        if len(env.agents) < 4:
            break
    assert not env.observe("player_0")["action_mask"].any() or "player_0" in env.agents


def test_every_observation_is_its_own():
    env = monopoly_v0.raw_env()
    env.reset(seed=1)
    first = env.last()[0]
    again = env.last()[0]
    assert first["observation"] is not again["observation"]
    assert (first["observation"] == again["observation"]).all()
    assert (first["action_mask"] == again["action_mask"]).all()
    kept = first["observation"].copy()
    env.step(pick(first["action_mask"], np.random.default_rng(0)))
    assert (first["observation"] == kept).all()


def test_an_illegal_action_changes_nothing():
    env = monopoly_v0.raw_env()
    env.reset(seed=1)
    before, agent = env.game, env.agent_selection
    for action in ("accept", 341, 5000, -1, -2, np.int64(300)):
        with pytest.raises(IllegalAction) as problem:
            env.step(action)
        assert "\n" not in str(problem.value)
        assert env.game == before
        assert env.agent_selection == agent
    with pytest.raises(InputError, match="None is for agents that are out"):
        env.step(None)
    env.step("roll")
    assert env.game != before


def test_the_wrapped_environment_ends_on_an_illegal_action():
    env = monopoly_v0.env()
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(341)
    assert env.rewards[agent] == -1
    assert all(env.terminations.values())


@pytest.mark.promise("bad_input")
def test_a_step_after_the_end_is_one_line():
    env = monopoly_v0.raw_env(rules={"max_turns": 1})
    env.reset(seed=1)
    list(decisions(env, 1))
    with pytest.raises(InputError, match="call reset"):
        env.step(0)


def test_a_position_is_where_the_game_begins(tmp_path):
    env = monopoly_v0.raw_env(num_players=3)
    env.reset(seed=4, options={"position": POSITION})
    assert env.agents == ["player_0", "player_1"]
    assert env.game.hand("B").cash == 900
    first = play(env, 1)
    path = tmp_path / "position.yaml"
    path.write_text(Game.from_position(POSITION).to_yaml(hidden=False))
    env.reset(seed=4, options={"position": str(path)})
    assert play(env, 1) == first
    env.reset(seed=5, options={"position": path})
    assert play(env, 1) != first
    env.reset(seed=4)
    assert env.agents == env.possible_agents


@pytest.mark.promise("copies")
def test_a_game_is_a_position_too_and_goes_on_exactly():
    game = Game(players=3, seed=2)
    game.play("roll")
    env = monopoly_v0.raw_env(num_players=3)
    env.reset(options={"position": game})
    assert env.game == game
    env.reset(seed=1, options={"position": game})
    assert env.game != game
    assert env.game.position(hidden=False) == game.position(hidden=False)


def test_a_position_brings_its_own_rules():
    env = monopoly_v0.raw_env(num_players=3, windows="own")
    rules = {"salary": 999}
    env.reset(options={"position": {**POSITION, "rules": rules}})
    assert env.game.edition.rules["salary"][0] == 999
    assert env.game.edition.rules["between_windows"][0] == 0
    env.reset()
    assert env.game.edition.rules["salary"][0] == 200


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"position": {"players": 4}}, "position: has 4 players"),
        ({"position": 7}, "position: must be a mapping or the path"),
        ({"position": "nowhere.yaml"}, "nowhere.yaml"),
        ({"postion": {}}, "did you mean position"),
        ({"edition": "classic"}, "edition goes with a position"),
    ],
)
def test_a_bad_position_is_one_line(options, message):
    env = monopoly_v0.raw_env(num_players=3)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=message) as problem:
        env.reset(options=options)
    assert "\n" not in str(problem.value)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("method", ["observe", "action_space", "observation_space", "last", "step"])
def test_a_query_before_the_first_reset_is_named(method):
    env = monopoly_v0.raw_env()
    given = {"last": (), "step": (0,)}.get(method, (env.agent_selection,))
    with pytest.raises(InputError, match=rf"^{method}: no game is running; call reset\(\)$"):
        getattr(env, method)(*given)


def test_state_is_the_table_from_the_first_seat():
    env = monopoly_v0.raw_env()
    env.reset(seed=3)
    for agent in env.agent_iter(50):
        assert env.state_space.contains(env.state())
        assert (env.state() == env.observe("player_0")["observation"]).all()
        env.step(pick(env.observe(agent)["action_mask"], np.random.default_rng(1)))


def test_skip_forced_never_asks_for_a_lone_action():
    env = monopoly_v0.raw_env(skip_forced=True, rules=SHORT)
    env.reset(seed=1)
    for agent, observation, _ in decisions(env, 1):
        if not (env.terminations[agent] or env.truncations[agent]):
            assert observation["action_mask"].sum() > 1


def test_decides_leaves_the_other_phases_to_a_bot():
    env = monopoly_v0.raw_env(decides=["buy", "AUCTION"], rest="random", rules=SHORT)
    env.reset(seed=1)
    phases = set()
    for agent, _, _ in decisions(env, 1):
        if not (env.terminations[agent] or env.truncations[agent]):
            phases.add(env.game.phase.name)
    assert phases == {"BUY", "AUCTION"}


def test_windows_and_deals():
    env = monopoly_v0.raw_env(windows="own", deals="off", rules=SHORT)
    env.reset(seed=1)
    phases = {env.game.phase.name for _ in decisions(env, 1)}
    assert not phases & {"BETWEEN", "DEAL", "ANSWER"}


def test_render_gives_the_position_as_text():
    env = monopoly_v0.raw_env(render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(env.game)


@pytest.mark.promise("copies")
def test_it_can_be_pickled_and_copied():
    env = monopoly_v0.env(num_players=2, rules=SHORT)
    for twin in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        twin.reset(seed=1)
        env.reset(seed=1)
        assert play(twin, 1) == play(env, 1)


def test_the_space_of_actions_is_gymnasiums():
    """Told faster, not otherwise."""
    ours = monopoly_v0.raw_env().action_space("player_0")
    plain = spaces.Discrete(N_ACTIONS)
    assert ours == plain
    assert plain == ours
    for number in (0, 341, 342, -1, True, 2.0, "0", None, np.int64(341), np.int8(-1), np.array(5)):
        assert ours.contains(number) is plain.contains(number), number
