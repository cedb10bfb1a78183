"""Leagues: who meets whom, and the same league however it is spread and cut off."""

from __future__ import annotations

import hashlib
from dataclasses import asdict

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.cli import main
from monopoly_training.common.schema import ConfigError, shipped_configs
from monopoly_training.league import league as leagues
from monopoly_training.league.config import load_league_config
from monopoly_training.league.matchmaking import (
    latest_of,
    opponents_of,
    rate,
    thinned,
)
from monopoly_training.league.policies import POLICIES, as_bytes, folder_of, read_learner
from monopoly_training.league.state import read_state
from monopoly_training.league.tasks import ahead_of
from monopoly_training.matches.workers import WorkOptions
from monopoly_training.runs.run_folder import RunError
from monopoly_training.runs.tally import weights_of

from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import FileError


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("league") / "whole"
    leagues.begin(load_league_config("small"), folder)
    return folder


def outcome(folder):
    """How a league went, and the digests of all its models."""
    state, _, _ = read_state(folder)
    models = sorted((folder / POLICIES).glob("*/model.safetensors"))
    digests = {path.parent.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in models}
    return asdict(state), digests


def test_policies_join_the_population_round_by_round(whole):
    state, models = outcome(whole)
    policies = ["start", "main_1.1", "main_exploiter_1.1", "main_1.2", "main_exploiter_1.2"]
    assert state["population"] == policies
    assert len(set(models.values())) == len(models) == 5
    assert len(state["rates"]) == 5 * 4 // 2
    rows = state["history"]
    assert [row["policy"] for row in rows] == policies[1:]
    assert rows[0]["from"] == rows[1]["from"] == "start"
    assert rows[2]["from"] == "main_1.1"
    anew = rows[1]["begins_anew"]
    assert rows[3]["from"] == ("start" if anew else "main_exploiter_1.1")


@pytest.mark.promise("resume")
def test_a_league_that_was_cut_off_is_that_of_one_undisturbed(whole, tmp_path, monkeypatch):
    """In two processes, after a fault in the second round between training and comparing."""
    folder = tmp_path / "league"
    compare = leagues.League._compare
    calls = []

    def fail(league, everybody, new):
        calls.append(new)
        if len(calls) == 2:
            raise KeyboardInterrupt
        compare(league, everybody, new)

    with monkeypatch.context() as patch:
        patch.setattr(leagues.League, "_compare", fail)
        with pytest.raises(KeyboardInterrupt):
            leagues.begin(load_league_config("small"), folder)
    assert read_state(folder)[0].rounds == 1
    leagues.resume(folder, work=WorkOptions(2))
    assert outcome(folder) == outcome(whole)


def test_more_rounds_go_on_and_other_settings_are_refused(whole, capsys):
    with pytest.raises(FileError, match=r"already contains a league; `resume` continues it"):
        leagues.begin(load_league_config("small"), whole)
    path = whole / "config.yaml"
    text = path.read_text()
    path.write_text(text.replace("steps: 128", "steps: 256"))
    with pytest.raises(ConfigError, match="steps is 256, and the run was made with 128"):
        leagues.resume(whole)
    path.write_text(text)
    assert main(["league", "--resume", str(whole)]) == 0
    assert f"main agents: model:{whole / POLICIES / 'main_1.2'}" in capsys.readouterr().out


def test_a_damaged_learner_is_one_line(whole, tmp_path):
    path = folder_of(tmp_path, "main_1.1") / "learner.pt"
    path.parent.mkdir(parents=True)
    data = (folder_of(whole, "main_1.1") / "learner.pt").read_bytes()
    path.write_bytes(data[:-9] + bytes([data[-9] ^ 1]) + data[-8:])
    with pytest.raises(RunError, match=r"learner\.pt: is damaged: its content does not fit"):
        read_learner(tmp_path, "main_1.1")
    path.write_bytes(as_bytes({"policy": {}, "optimizer": {}}))
    assert read_learner(tmp_path, "main_1.1") == {"policy": {}, "optimizer": {}}


def test_who_meets_whom():
    population = ["start", "main_1.1", "main_2.1", "main_exploiter_1.1", "main_1.2"]
    assert latest_of(population, "main") == ["main_1.2", "main_2.1"]
    assert opponents_of("main_exploiter", population) == ["main_1.2", "main_2.1"]
    assert opponents_of("main", population) == population
    assert opponents_of("main_exploiter", ["start"]) == ["start"]


def test_those_that_one_loses_to_are_met_more_often():
    rates = {("weak", "me"): 0.1, ("me", "even"): 0.5, ("strong", "me"): 0.9}
    assert rate(rates, "me", "weak") == 0.9
    assert rate(rates, "me", "me") == rate(rates, "me", "unknown") == 0.5
    ahead = np.array([rate(rates, name, "me") for name in ("weak", "even", "strong")])
    np.testing.assert_allclose(weights_of(ahead, "hard", 0.05), [0.05, 0.25, 0.81])
    np.testing.assert_allclose(weights_of(ahead, "variance", 0.0), [0.09, 0.25, 0.09])
    np.testing.assert_allclose(weights_of(ahead, "linear"), [0.1, 0.5, 0.9])
    np.testing.assert_allclose(weights_of(ahead, "even"), 1)


def test_those_that_main_agents_beat_most_often_go():
    population = ["start", "main_1.1", "main_1.2", "main_1.3"]
    rates = {
        ("start", "main_1.3"): 0.3,
        ("main_1.1", "main_1.3"): 0.1,
        ("main_1.2", "main_1.3"): 0.4,
    }
    assert thinned(population, rates, 3) == ["start", "main_1.2", "main_1.3"]
    assert thinned(population, rates, 1) == ["main_1.3"]


def test_how_often_one_comes_in_before_the_other_adds_up():
    options = TableOptions(num_players=4, rules={"max_turns": 40}, skip_forced=True)
    one = ahead_of("fixed_a", "random", options, 8, 0)
    assert one > 0.5
    assert ahead_of("random", "random", options, 8, 0) == pytest.approx(0.5, abs=0.2)


@pytest.mark.parametrize("name", list(shipped_configs("league")))
def test_configs_that_come_along_are_whole(name):
    config = load_league_config(name)
    assert config.training().pool.past == pytest.approx(1 - config.matchmaking.bots)


def test_what_does_not_fit_is_one_line():
    with pytest.raises(ConfigError, match=r"settings: ppo.workers must be 0"):
        load_league_config("small", ["settings=[ppo.workers=1]"])
    with pytest.raises(ConfigError, match=r"population: must be at least 3: where all begin"):
        load_league_config("small", ["population=2"])
