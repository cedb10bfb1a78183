"""Cards of models: versions, and the table that a policy learned at."""

from __future__ import annotations

import json
import re

import pytest
from monopoly_training.models.card import ModelError, TrainedTable
from monopoly_training.models.storage import load_model, save_model
from monopoly_training.models.table_filter import Where

from monopoly_env.agent import make_agent
from monopoly_env.errors import AgentError
from monopoly_env.files import with_digest
from tests.training.random_models import random_model


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("key", ["observation_version", "actions_version", "format"])
def test_a_model_for_other_observations_or_actions_is_refused(tmp_path, key):
    save_model(tmp_path, random_model())
    card = json.loads((tmp_path / "model.json").read_text())
    card[key] = 999
    (tmp_path / "model.json").write_text(json.dumps(with_digest(card)))
    with pytest.raises(ModelError, match=rf"model.json: {key}: 999 is not this version's"):
        load_model(tmp_path)


@pytest.mark.promise("bad_input")
def test_a_card_that_was_edited_is_refused(tmp_path):
    save_model(tmp_path, random_model())
    text = (tmp_path / "model.json").read_text()
    (tmp_path / "model.json").write_text(text.replace('"network": "layers"', '"network": "deeds"'))
    with pytest.raises(ModelError, match=r"model.json: is damaged: its content does not fit"):
        load_model(tmp_path)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"decides": ["nosuch"]}, "table.decides must be phases"),
        ({"decides": 5}, "table.decides must be phases, such as [BUY], not 5"),
        ({"leaves": ["nosuch"]}, "table.leaves must be kinds of action, such as [deal], not"),
        ({"leaves": 5}, "table.leaves must be kinds of action"),
        ({"rest": "human"}, "table.rest must be a compiled bot, such as background, not human"),
        ({"rest": "search:4"}, "table.rest must be a compiled bot"),
        ({"rest": "nosuch"}, "there is no bot 'nosuch'"),
        ({"where": 5}, "table.where: must be a mapping"),
        ({"where": {"seats": [4]}}, "table.where.seats: there is no such setting"),
        ({"where": {"players": 4}}, "players: must be a list of values, such as [3, 4], not 4"),
        ({"where": {"players": []}}, "players: must be a list of values, such as [3, 4]"),
        ({"where": {"players": [9]}}, "table.where.players: must be from 2 to 8, not 9"),
        ({"where": {"deals": ["step"]}}, "did you mean 'steps'"),
        ({"where": {"edition": [1]}}, "edition: must be text"),
    ],
)
def test_a_card_that_tells_of_no_table_is_one_line(table, says, tmp_path):
    save_model(tmp_path, random_model({"table": table}))
    with pytest.raises(AgentError, match=re.escape(says)):
        make_agent(f"model:{tmp_path}")


def test_what_a_card_does_not_say_of_the_table_has_a_default():
    assert TrainedTable.of({}) == TrainedTable(None, None, None, (), "background", Where())
    card = {"table": {"deals": "off", "windows": "own", "decides": ["buy"], "rest": "fixed_a"}}
    assert TrainedTable.of(card) == TrainedTable("off", "own", ("BUY",), (), "fixed_a", Where())
