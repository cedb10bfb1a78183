"""Weights: a policy plays by those that it is handed; files of them are checked."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from monopoly_agents.strategist import VETERAN
from monopoly_agents.strategist.policy import strategist
from monopoly_agents.strategist.weights import STRATEGIST, by_name, read_weights
from monopoly_training.matches.entrants import Entrant, entrant, entrants
from monopoly_training.matches.runner import play_matches
from monopoly_training.matches.schedule import rotated

from monopoly_env.agent import AgentSpec, find_agent
from monopoly_env.bots.compiled_agent import CompiledAgent
from monopoly_env.envs.options import TableOptions
from monopoly_env.envs.vector import VectorEnv
from monopoly_env.errors import AgentError

SHORT = TableOptions(rules={"max_turns": 80}, skip_forced=True)
NAMES = ["veteran", "strategist", "fixed_a"]


def games(names: list[str], line_up: Any = None) -> Any:
    """Twelve games; who came where."""
    found = play_matches(line_up or entrants(names), rotated(3, 12, 40), SHORT)
    return found.ranks.tolist(), found.decisions.tolist()


def test_a_bot_plays_by_its_weights_beside_one_that_plays_by_its_own():
    assert games(NAMES) != games(["strategist", "strategist", "fixed_a"])


def test_the_strategists_own_weights_handed_to_it_change_nothing(tmp_path):
    file = tmp_path / "own.json"
    file.write_text(json.dumps({"weights": by_name(STRATEGIST)}))
    own = games([f"strategist:{file}", "strategist", "fixed_a"])
    assert own == games(["strategist", "strategist", "fixed_a"])


@pytest.mark.parametrize("asked", [0, 1])
def test_asked_from_python_or_compiled_it_plays_the_same(asked):
    line_up = entrants(NAMES)
    bot = entrant(NAMES[asked])
    line_up[asked] = Entrant(
        bot.name, AgentSpec(bot.name, "", lambda: CompiledAgent(strategist, "", bot.spec.weights))
    )
    assert games(NAMES, line_up) == games(NAMES)


def test_environments_hand_each_seat_its_weights():
    envs = VectorEnv(64, pool=["veteran", "strategist", "random"])
    envs.reset(seed=1)
    batch = envs.batch
    addresses = batch.kernel_config["weights"][0]
    assert (addresses[:3] != 0).tolist() == [True, False, False]
    for step in range(200):
        envs.step(envs.sample_actions(step))
    others = batch.episodes["line_up"][:, :4] >= 0
    handed = batch.views["weights"][:, :4]
    expected = np.where(others, addresses[np.maximum(batch.episodes["line_up"][:, :4], 0)], 0)
    np.testing.assert_array_equal(handed, expected)


def test_the_veterans_weights_say_how_they_were_found():
    card = json.loads(VETERAN.read_text(encoding="utf-8"))
    assert read_weights(VETERAN).shape == (1,)
    assert card["generations"] > 10
    assert set(card["results"]) == {"fixed_a,fixed_b,fixed_c", "strategist"}


def broken(**changes: Any) -> str:
    """The text of a file with some weights changed; None leaves one out."""
    weights = {**by_name(STRATEGIST), **changes}
    return json.dumps({"weights": {k: v for k, v in weights.items() if v is not None}})


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("nonsense", "is not JSON"),
        ("[1]", "has no weights"),
        (broken(deeds=None), "weights: the weight deeds is missing"),
        (broken(deed=1.0), "weights: there is no weight 'deed'; did you mean 'deeds'"),
        (broken(deeds="much"), "weights.deeds: must be a number, not 'much'"),
        (broken(deeds=True), "weights.deeds: must be a number, not True"),
        (broken(deeds=float("nan")), "NaN is not a JSON number"),
        (broken(deeds=1.0).replace("1.0", "1e999"), "weights.deeds: must be a number, not inf"),
        ('{"weights": {}, "weights": {}}', "the key 'weights' occurs twice"),
        ('{"weights": {}, "dygest": ""}', "dygest: there is no such key; did you mean 'digest'?"),
        ('{"weights": {}, "digest": "0"}', "take the digest out if you have edited it"),
        (broken(gives_way=[1.0]), "weights.gives_way: must be a list of 5 numbers"),
        (broken(gives_way=[1, 2, 3, 4, None]), "weights.gives_way.4: must be a number, not None"),
    ],
)
def test_a_file_of_weights_that_cannot_be_is_one_line(tmp_path, text, problem):
    file = tmp_path / "weights.json"
    file.write_text(text)
    with pytest.raises(AgentError) as caught:
        _ = find_agent(f"strategist:{file}")[0].weights
    assert "\n" not in str(caught.value)
    assert str(file) in str(caught.value)
    assert problem in str(caught.value)


@pytest.mark.promise("bad_input")
def test_a_file_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(AgentError, match=r"nowhere\.json: cannot be read: No such file"):
        entrants([f"strategist:{tmp_path / 'nowhere.json'}", "random"])[0].new_agent()
