"""Settings of a training run that must fit together; line-ups of the learning curve."""

from __future__ import annotations

import pytest
from monopoly_training.common.schema import ConfigError
from monopoly_training.runs.config import load_train_config


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ppo: {clock: turns}", "ppo.clock: must be one of rounds, decisions, not 'turns'"),
        ("ppo: {network: deeds, layers: [64]}", "ppo.layers: must be two sizes for network: deeds"),
        ("ppo: {layers: [1, 64]}", "ppo.layers: must be two sizes"),
        ("kl_penalty: {until: 2}", "kl_penalty.until: must be from 0 to 1, not 2"),
        ("pool: {past: 2}", "pool.past: must be from 0 to 1, not 2"),
        ("pool: {weights: hard}", "pool.weights: must be one of even, beats, not 'hard'"),
        ("{draw: false, opponents: [random, random, random], pool: {past: 0.1}}",
         "pool.past: past selves are drawn; set draw: true, or past: 0"),
        ('{draw: false, opponents: ["random,random,random"]}',
         "opponents: complete line-ups, with commas, need draw: true"),
        ('{opponents: ["random,random,random"], pool: {past: 0.1}}',
         "pool.past: past selves cannot join complete line-ups; set past: 0"),
        ('{opponents: ["random,random", random]}',
         "opponents: must name one bot or 3 with commas between them, not 'random,random'"),
        ("table: {leaves: [sel]}", "leaves: there is no kind of action 'sel'; did you mean 'sell'"),
        ("{opponents: [random, background, fixed_a, fixed_b, fixed_c, strategist, veteran], pool: {past: 0.1}}",
         "opponents: must be at most 6 bots beside past selves"),
        ("evaluation: {against: ['random,fixed_a']}",
         "evaluation.against: must name one bot or 3 with commas between them"),
        ("evaluation: {against: ['random,fixed_a,fixed_d']}", "evaluation.against: there is no bot 'fixed_d'"),
        ("imitation: {teacher: human}", "imitation.teacher: must be a compiled bot"),
    ],
)  # fmt: skip
def test_settings_that_do_not_fit_are_named(tmp_path, text, said):
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_train_config(file)
    message = str(caught.value)
    assert message.startswith(str(file))
    assert said in message
    assert "\n" not in message


def test_one_bot_sits_in_all_other_seats_and_several_in_one_each():
    config = load_train_config(
        "small", ["evaluation.against=[random, 'fixed_a, fixed_b, fixed_c']", "table.players=4"]
    )
    assert config.evaluation.line_ups(3) == {
        "random": ("random",) * 3,
        "fixed_a, fixed_b, fixed_c": ("fixed_a", "fixed_b", "fixed_c"),
    }


def test_the_papers_protocol_is_one_learner_against_the_three_fixed_policies():
    config = load_train_config("paper")
    assert sorted(config.opponents) == ["fixed_a", "fixed_b", "fixed_c"]
    assert not config.draw
    assert config.table.players == 4
    assert config.imitation.steps == 0
    assert load_train_config("hybrid").table.decides is not None
    assert load_train_config("selfplay").pool.past > 0
