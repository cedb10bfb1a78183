"""Configs: layers, types, and errors of one line that name the file, the key and the remedy."""

from __future__ import annotations

import pytest
from monopoly_training.common.schema import ConfigError, shipped_configs
from monopoly_training.runs.config import load_train_config
from monopoly_training.tournament.config import load_tournament_config

from monopoly_env.errors import InputError


@pytest.mark.parametrize("name", shipped_configs("train"))
def test_every_training_config_that_comes_along_loads(name):
    load_train_config(name)


@pytest.mark.parametrize("name", shipped_configs("tournaments"))
def test_every_tournament_config_that_comes_along_loads(name):
    load_tournament_config(name)


def test_a_config_says_only_what_differs_and_changes_come_last(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("ppo: {gamma: 0.5, learning_rate: 3e-4}\nopponents: [fixed_a]\n")
    config = load_train_config(file, ["ppo.gamma=0.25", "table.deals=off", "evaluation.games=7"])
    assert config.ppo.gamma == 0.25
    assert config.ppo.learning_rate == 3e-4
    assert config.ppo.envs == load_train_config("default").ppo.envs
    assert config.opponents == ("fixed_a",)
    assert config.table.deals == "off"
    assert config.evaluation.games == 7


def test_the_resolved_config_can_be_trained_from_again(tmp_path):
    config = load_train_config("small", ["seed=3", "table.decides=[BUY]"])
    file = tmp_path / "config.yaml"
    file.write_text(config.as_yaml())
    assert load_train_config(file) == config


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ppo: {gama: 1}", "ppo.gama: there is no such setting; did you mean 'gamma'?"),
        ("ppo: {gamma: 2}", "ppo.gamma: must be from 0 to 1, not 2"),
        ("ppo: {gamma: much}", "ppo.gamma: must be a number, not 'much'"),
        ("ppo: {epochs: 1.5}", "ppo.epochs: must be a whole number, not 1.5"),
        ("ppo: {anneal: 1}", "ppo.anneal: must be true or false, not 1"),
        ("ppo: {layers: 64}", "ppo.layers: must be a list"),
        ("ppo: 3", "ppo: must be a mapping"),
        ("table: {windows: some}", "table.windows: must be one of all, own, not 'some'"),
        ("table: {rules: {salry: 3}}", "did you mean 'salary'?"),
        ("table: {edition: kanto}", "kanto"),
        ("table: {decides: [BYE]}", "BYE"),
        ("opponents: [randon]", "did you mean 'random'?"),
        ("opponents: []", "opponents: names no bot"),
        ("{draw: false, opponents: [random]}", "must be 3 bots for 4 players, not 1"),
        ("ppo: {batch_size: 999999}", "ppo.batch_size: must be at most envs × n_steps"),
        ("imitation: {teacher: backgruond}", "did you mean 'background'?"),
        ("a: [", "is not valid YAML: line"),
    ],
)
def test_an_error_names_the_file_the_key_and_the_remedy(tmp_path, text, said):
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_train_config(file)
    message = str(caught.value)
    assert message.startswith(str(file))
    assert said in message
    assert "\n" not in message


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("change", ["ppo.gamma", "=3", "ppo.gamma=x", "gamma=1"])
def test_a_bad_change_names_the_parameter(change):
    with pytest.raises(InputError, match=r"^changes: "):
        load_train_config("small", [change])


def test_unknown_names_say_what_there_is():
    with pytest.raises(ConfigError, match="did you mean 'small'"):
        load_train_config("smal")
    with pytest.raises(ConfigError, match="there is no such file"):
        load_train_config("nowhere.yaml")


def test_a_missing_setting_is_named(tmp_path):
    from monopoly_training.common.schema import load_settings
    from monopoly_training.runs.config_schema import TrainConfig

    file = tmp_path / "config.yaml"
    file.write_text("seed: 1\n")
    with pytest.raises(ConfigError, match="the setting steps is missing"):
        load_settings(TrainConfig, [file])
