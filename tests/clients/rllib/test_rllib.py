"""RLlib's new API stack on our environments: its own runners, learners and checks."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray.rllib")

import ray
import torch
from gymnasium import spaces
from monopoly_training.cli import main
from monopoly_training.models.card import ModelError
from monopoly_training.models.storage import load_model
from monopoly_training.rllib.every_seat import EverySeat
from monopoly_training.rllib.export import load_checkpoint
from monopoly_training.rllib.modules import MaskedModule, bare, bot
from monopoly_training.rllib.one_seat import OneSeat
from monopoly_training.rllib.spaces import LegalActions
from ray.cluster_utils import Cluster
from ray.rllib.core.columns import Columns
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

from monopoly_env import VectorEnv, load_edition
from monopoly_env.agent import make_agent
from monopoly_env.errors import InputError
from monopoly_env.learners import KIND_OF
from monopoly_env.view import View
from tests.clients.ray_nodes import begin_node

HERE = Path(__file__).parent
BASIC = {"preset": "basic", "narrow": True}
WON = 0.8


@pytest.fixture(scope="module", autouse=True)
def _cluster() -> Iterator[None]:
    # a cluster of its own, whatever runs on this machine
    cluster = Cluster()
    begin_node(cluster, num_cpus=3)
    ray.init(cluster.address, log_to_driver=False)
    yield
    ray.shutdown()
    cluster.shutdown()


def example(name: str) -> Any:
    """The configuration of an example, to be changed."""
    return runpy.run_path(str(HERE / f"{name}.py"))["config"].copy(copy_frozen=False)


# The environments


@pytest.mark.parametrize("elimination", ["immediate", "end"])
@pytest.mark.parametrize("preset", ["basic", "full"])
def test_the_check_before_training_passes(preset: str, elimination: str) -> None:
    env = EverySeat({"preset": preset, "elimination": elimination})
    for _ in range(5):
        check_multiagent_environments(env)


def test_sampled_actions_are_legal_at_the_table_and_copies_of_the_space_know_no_table() -> None:
    env = EverySeat(BASIC)
    seen, _ = env.reset(seed=1)
    for _ in range(200):
        (actor,) = (name for name, one in seen.items() if one["action_mask"].any())
        seen, _, terminated, _, _ = env.step({actor: env.get_action_space(actor).sample()})
        if terminated["__all__"]:
            seen, _ = env.reset()
    assert (LegalActions(5, None) == spaces.Discrete(5)) is True
    copy = env.get_action_space("player_0").__reduce__()[1]
    assert copy[0] == len(env.table.action_ids)


def test_one_seat_many_at_once_is_recorded_as_it_was_played() -> None:
    """Every decision is recorded, the last observation is the game's own, and so is the return."""
    config = example("one_seat").env_runners(num_env_runners=0, num_envs_per_env_runner=8)
    runner = SingleAgentEnvRunner(config=config)
    episodes = runner.sample(num_episodes=24, explore=True)
    done = [one for one in episodes if one.is_done]
    assert len(done) >= 24
    for episode in done:
        info = episode.get_infos(-1)
        assert len(episode) == info["steps"]
        assert episode.get_return() == pytest.approx(info["gain"], abs=1e-4)
        masks = episode.get_observations()["action_mask"]
        assert not masks[-1].any()
        assert (masks[np.arange(len(episode)), episode.get_actions()] == 1).all()


@pytest.mark.parametrize("elimination", ["immediate", "end"])
def test_every_seat_is_recorded_as_it_was_played(elimination: str) -> None:
    config = example("self_play").env_runners(num_env_runners=0, num_envs_per_env_runner=2)
    poor = {"salary": 0, "start_cash": 600, "max_turns": 500}
    reward = {"name": "win", "truncation": "standings"}
    config.environment(
        env_config={**BASIC, "elimination": elimination, "rules": poor, "reward": reward}
    )
    runner = MultiAgentEnvRunner(config=config)
    left_early = False
    for episode in runner.sample(num_episodes=4, explore=True):
        seats = episode.agent_episodes.values()
        assert len(seats) == 3
        assert episode.get_return() == pytest.approx(0, abs=1e-5)
        assert sum(one.get_infos(-1)["win"] for one in seats) == pytest.approx(1)
        for one in seats:
            assert one.is_done
            assert (one.get_infos(-1)["win"] == 1) == (one.get_return() == pytest.approx(1))
            masks = one.get_observations()["action_mask"]
            assert (masks[np.arange(len(one)), one.get_actions()] == 1).all()
        last_told = {
            one.agent_id: episode.env_t_to_agent_t[one.agent_id].get()[-1] for one in seats
        }
        left_early |= MultiAgentEpisode.SKIP_ENV_TS_TAG in last_told.values()
    assert left_early == (elimination == "immediate")


def test_who_goes_bankrupt_before_others_decided_ends_no_game() -> None:
    """RLlib takes a game to be over when all agents are out that it has seen."""
    env = EverySeat({**BASIC, "num_players": 3, "skip_forced": False})
    deeds = [row.id for row in load_edition("classic").board_rows() if row.price]
    position = {"players": 3, "turn": "A", "A": {"cash": 0}, "B": {"deeds": deeds}}
    for seed in range(20):
        seen, infos = env.reset(seed=seed, options={"position": position})
        episode = MultiAgentEpisode(
            observation_space=env.observation_spaces, action_space=env.action_spaces
        )
        episode.add_env_reset(observations=seen, infos=infos)
        first: list[str] = []
        while env.table.agent_selection == "player_0":
            first = _go_on(env, episode)
        if env.table.game.state["out"][0]:
            break
    else:
        pytest.fail("A survived")
    assert "player_0" not in first  # not yet: nobody else was asked
    for _ in range(50):
        assert not episode.is_done
        if "player_0" in _go_on(env, episode):
            return
    pytest.fail("player_0 was never told")


def _go_on(env: EverySeat, episode: MultiAgentEpisode) -> list[str]:
    """Take the first legal action, and let RLlib record it; who is out now."""
    (actor,) = episode.get_agents_to_act()
    actions = {actor: int(env.action_mask().nonzero()[0][0])}
    seen, rewards, terminated, truncated, infos = env.step(actions)
    episode.add_env_step(
        observations=seen,
        actions=actions,
        rewards=rewards,
        infos=infos,
        terminateds=terminated,
        truncateds=truncated,
    )
    return [name for name, is_out in terminated.items() if is_out]


def test_a_truncated_game_pays_nothing_that_the_learner_estimates() -> None:
    short = {"rules": {"max_turns": 8}, "reward": "win"}
    for kwargs in (short, {**short, "num_envs": 2}):
        env = OneSeat({**BASIC, **kwargs})
        seen, _ = env.reset(seed=1)
        for _ in range(200):
            masks = np.atleast_2d(seen["action_mask"])
            action = masks.argmax(axis=1)
            seen, reward, terminated, truncated, _ = env.step(
                action if "num_envs" in kwargs else int(action[0])
            )
            assert not np.any(reward)
            assert not np.any(terminated)
            if np.all(truncated):
                break
        else:
            pytest.fail("no game was truncated")


@pytest.mark.parametrize(
    ("config", "line"),
    [
        ({"mask_dtype": "bool"}, "mask_dtype"),
        ({"bot_seats": ["player_4"]}, "bot_seats: must be of player_0, .*, not 'player_4'"),
        ({"bot_seats": "player_1"}, "bot_seats: must be a list"),
        ({"player": 3}, "did you mean"),
    ],
)
def test_a_bad_option_is_one_line_that_names_it(config: dict[str, Any], line: str) -> None:
    with pytest.raises(InputError, match=line) as caught:
        EverySeat(config)
    assert "\n" not in str(caught.value)


# The modules


def test_a_policy_starts_with_all_kinds_of_action_equally_likely() -> None:
    env = OneSeat({**BASIC, "num_envs": 16})
    module = MaskedModule(
        observation_space=env.single_observation_space,
        action_space=env.single_action_space,
        model_config={"fcnet_hiddens": [32], "head_fcnet_hiddens": []},
    )
    seen, _ = env.reset(seed=3)
    everything = {**seen, "action_mask": np.ones_like(seen["action_mask"])}
    for form, legal in ((everything, None), (seen, seen["action_mask"])):
        batch = {Columns.OBS: {name: torch.from_numpy(array) for name, array in form.items()}}
        logits = module.forward_exploration(batch)[Columns.ACTION_DIST_INPUTS]
        probs = torch.softmax(logits, dim=1).numpy()
        if legal is None:
            kinds = KIND_OF[env.single_action_space.action_ids]
            shares = [probs[:, kinds == kind].sum(axis=1) for kind in np.unique(kinds)]
            assert np.allclose(shares, 1 / len(shares), rtol=0.1)
        else:
            assert (probs[legal == 0] == 0).all()
    assert set(bare(batch)[Columns.OBS].shape) == set(seen["observations"].shape)


@pytest.mark.parametrize("name", ["fixed_a", "search:4"])
def test_a_bot_as_a_module_decides_as_the_bot_does(name: str) -> None:
    env_config = {**BASIC, "num_players": 2, "bot_seats": ["player_0", "player_1"]}
    tables = [EverySeat(env_config) for _ in range(3)]
    module = _built(name, env_config, tables[0])
    for seed, env in enumerate(tables):
        env.reset(seed=seed)
    twins = [make_agent(name) for _ in tables]
    for twin, env in zip(twins, tables, strict=True):
        twin.reset(env._bot_seed)
    for _ in range(25 if name == "fixed_a" else 3):
        seen = [env._observe(env.table.agent_selection) for env in tables]
        batch = {
            Columns.OBS: {key: torch.tensor(np.stack([s[key] for s in seen])) for key in seen[0]}
        }
        chosen = module.forward_inference(batch)[Columns.ACTIONS].tolist()
        for env, twin, action in zip(tables, twins, chosen, strict=True):
            ids = env.table.action_ids
            assert ids[action] == twin.decide(View.of(env.table.game))
            env.step({env.table.agent_selection: action})


def _built(name: str, env_config: dict[str, Any], env: EverySeat) -> Any:
    spec = bot(name, env_config)
    spec.observation_space = env.observation_spaces["player_0"]
    spec.action_space = env.action_spaces["player_0"]
    return spec.build()


# Training


@pytest.mark.parametrize("name", ["one_seat", "self_play", "against_bots"])
def test_training_runs_with_two_env_runners(name: str) -> None:
    config = example(name).training(train_batch_size_per_learner=1024, minibatch_size=256)
    config.env_runners(num_envs_per_env_runner=8)
    algorithm = config.build_algo()
    trained = "learner" if name == "against_bots" else "shared"
    module = algorithm.get_module(*(() if name == "one_seat" else (trained,)))
    before = [one.detach().clone() for one in module.parameters()]
    result = [algorithm.train() for _ in range(2)][-1]
    algorithm.stop()
    assert result["env_runners"]["num_env_steps_sampled_lifetime"] >= 2048
    assert any(not torch.equal(*pair) for pair in zip(before, module.parameters(), strict=True))
    learned = {name for name, one in result["learners"].items() if "policy_loss" in one}
    assert learned == {"default_policy" if name == "one_seat" else trained}


# Playing here


NETWORKS = [
    {"fcnet_hiddens": [16, 16], "head_fcnet_hiddens": []},
    {"fcnet_hiddens": [16], "head_fcnet_hiddens": [8], "head_fcnet_activation": "tanh"},
    {"fcnet_hiddens": [16], "fcnet_activation": "relu", "head_fcnet_hiddens": [8]},
    {"fcnet_hiddens": [16], "head_fcnet_hiddens": [], "vf_share_layers": False},
    {"fcnet_hiddens": [16], "head_fcnet_hiddens": [], "fcnet_use_bias": False},
]


def trained_for_a_moment(env: Any, **model_config: Any) -> MaskedModule:
    """A module whose weights are no longer those that it begins with."""
    module = MaskedModule(
        observation_space=env.single_observation_space,
        action_space=env.single_action_space,
        model_config=model_config,
    )
    with torch.no_grad():
        for weight in module.parameters():
            weight.add_(torch.randn_like(weight) / 4)
    return module


@pytest.mark.parametrize("model_config", NETWORKS)
@pytest.mark.parametrize("options", [{"narrow": True}, {"narrow": False, "preset": "paper"}])
def test_an_exported_policy_decides_as_the_module_does(
    model_config: dict[str, Any], options: dict[str, Any], tmp_path: Path
) -> None:
    env = OneSeat({"preset": "basic", **options, "num_envs": 16})
    module = trained_for_a_moment(env, **model_config)
    module.save_to_path(tmp_path / "module")
    target = tmp_path / "mine"
    source = f"rllib:{tmp_path / 'module'}"
    assert main(["export", source, "--folder", str(target), "--trust"]) == 0
    model = load_model(target)
    assert model.card["table"]["windows"] == "own"
    plain = VectorEnv(16, **{"preset": "basic", **options, "narrow": False})
    seen, _ = env.reset(seed=4)
    rows, infos = plain.reset(seed=4)
    for _ in range(20):
        batch = {Columns.OBS: {name: torch.from_numpy(array) for name, array in seen.items()}}
        logits = module.forward_inference(batch)[Columns.ACTION_DIST_INPUTS].numpy()
        legal = infos["action_mask"][:, model.actions] != 0
        mine = np.where(legal, model.logits(rows), -1e8)
        np.testing.assert_allclose(mine, logits, rtol=1e-4, atol=1e-4)
        chosen = logits.argmax(axis=1)
        seen, *_ = env.step(chosen)
        rows, *_, infos = plain.step(model.actions[chosen])


def test_the_modules_of_an_algorithms_checkpoint_are_exported_by_name(tmp_path: Path) -> None:
    config = example("against_bots").env_runners(num_env_runners=0, num_envs_per_env_runner=1)
    algorithm = config.build_algo()
    path = str(algorithm.save_to_path(tmp_path / "run"))
    module = algorithm.get_module("learner")
    last = [one for one in module.pi.modules() if isinstance(one, torch.nn.Linear)][-1]
    algorithm.stop()
    model = load_checkpoint(path, "learner", trust=True)
    np.testing.assert_array_equal(model.network.layers[-1][0], last.weight.detach().numpy())
    with pytest.raises(ModelError, match="several modules; name one of fixed_a, learner, random"):
        load_checkpoint(path, trust=True)
    with pytest.raises(ModelError, match="no module rival; name one of fixed_a, learner, random"):
        load_checkpoint(path, "rival", trust=True)
    with pytest.raises(ModelError, match="is BotModule; what can be played is MaskedModule"):
        load_checkpoint(path, "random", trust=True)


def test_what_cannot_be_exported_is_one_line(tmp_path: Path) -> None:
    env = OneSeat({**BASIC, "num_envs": 2})
    trained_for_a_moment(env, fcnet_hiddens=[8], head_fcnet_hiddens=[8]).save_to_path(tmp_path)
    with pytest.raises(ModelError, match=r"between its layers is ReLU and Tanh.*head_fcnet_activ"):
        load_checkpoint(tmp_path, trust=True)
    with pytest.raises(ModelError, match="made of pickles, which can run any code"):
        load_checkpoint(tmp_path)
    with pytest.raises(ModelError, match="is not a checkpoint; give the folder that algorithm"):
        load_checkpoint(tmp_path / "nowhere", trust=True)


# Winning


@pytest.mark.learning
@pytest.mark.slow
def test_ppo_wins_most_games_after_a_minute() -> None:
    algorithm = example("one_seat").build_algo()
    for _ in range(20):
        algorithm.train()
    won = share_won(algorithm.get_module(), 400)
    algorithm.stop()
    assert won >= WON


def share_won(module: Any, games: int) -> float:
    """The share of games won, of the first that each table plays."""
    env = OneSeat({**BASIC, "num_envs": games})
    seen, _ = env.reset(seed=10_000)
    won = np.full(games, np.nan)
    while np.isnan(won).any():
        batch = {Columns.OBS: {name: torch.from_numpy(array) for name, array in seen.items()}}
        logits = module.forward_inference(batch)[Columns.ACTION_DIST_INPUTS]
        actions = torch.distributions.Categorical(logits=logits).sample().numpy()
        seen, _, _, _, infos = env.step(actions)
        if "win" in infos:
            ended = infos["_win"] & np.isnan(won)
            won[ended] = infos["win"][ended]
    return float(won.mean())
