"""The JSON Schema files are current, and accept and refuse what the readers do."""

from __future__ import annotations

import copy
import json
from importlib.resources import files
from pathlib import Path

import fastjsonschema
import numpy as np
import pytest
import yaml
from monopoly_training.reference.schemas import FOLDER, closed, schema_texts

from monopoly_env import Game, TextEnv
from monopoly_env.errors import InputError
from monopoly_env.notation import LETTERS
from monopoly_env.position.document import KEYS
from monopoly_env.records.files import encode_record
from monopoly_env.records.record import check_record
from tests.game.random_play import play_randomly

ROOT = Path(__file__).parents[3]
EDITIONS = ("classic", "kanto2014", "nintendo2010", "pokemon1999", "pokemon_fr2000", "yugioh2016")


def validator(name):
    text = (files("monopoly_env") / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8")
    return fastjsonschema.compile(json.loads(text))


POSITION, RECORD = validator("position"), validator("record")


def as_json(value):
    return json.loads(json.dumps(value))


def test_the_files_are_those_of_the_code() -> None:
    for name, text in schema_texts().items():
        found = (FOLDER / name).read_text(encoding="utf-8")
        assert found == text, "run `python -m monopoly_training.reference.schemas`"
    assert {path.name for path in FOLDER.iterdir()} == set(schema_texts())


def test_a_key_that_only_one_side_knows_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"differ in {'bank'}"):
        closed({"players": {}}, ("players", "bank"))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("deals", ["steps", "menu"])
def test_positions_and_records_of_games_are_valid(edition, deals) -> None:
    """Auctions, deals, debts, Jail and rents that wait among them."""
    seen = set()
    for seed in range(2):
        game = Game(edition, players=4 - seed, seed=seed, rules={"deals": deals, "max_turns": 150})
        for number, before in enumerate(play_randomly(game, 1500)):
            if before.phase not in seen or number % 60 == 0:
                seen.add(before.phase)
                POSITION(as_json(before.position()))
                POSITION(as_json(before.position(hidden=False)))
        POSITION(as_json(game.position()))
        RECORD(as_json(game.record(["ann", "ben"])))
        RECORD(json.loads(encode_record(game.record())))
        later = Game.from_position(game.position())
        RECORD(as_json(later.record()))
    assert len(seen) > 6


def test_the_record_of_a_text_environment_is_valid() -> None:
    env = TextEnv(preset="short", rules={"max_turns": 6})
    env.reset(seed=1)
    over = False
    while not over:
        _, _, terminated, truncated, _ = env.step("1")
        over = terminated or truncated
    record = as_json(env.record())
    assert record["answers"]
    RECORD(record)


def test_positions_of_the_rule_cases_are_valid() -> None:
    count = 0
    for path in sorted((ROOT / "tests" / "rulebook").rglob("*.yaml")):
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        for case in content if isinstance(content, list) else content.get("cases", []):
            given = case.get("given", {})
            if "players" not in given or not given.keys() <= set(KEYS):
                continue
            rows = {k: v for k, v in given.items() if k not in LETTERS or v is not None}
            POSITION(as_json(rows))
            count += 1
    assert count > 100


WRONG = [
    {},
    {"players": 9},
    {"players": "2"},
    {"players": 2, "turn": "I"},
    {"players": 2, "A": {"cash": -1}},
    {"players": 2, "A": {"cash": 1.5}},
    {"players": 2, "A": {"money": 3}},
    {"players": 2, "A": {"at": "broadwalk"}},
    {"players": 2, "A": {"deeds": ["go"]}},
    {"players": 2, "A": {"deeds": "boardwalk"}},
    {"players": 2, "A": {"deeds": ["boardwalk"], "buildings": {"boardwalk": 6}}},
    {"players": 2, "A": {"buildings": {"reading": 1}}},
    {"players": 2, "A": {"out": 1}},
    {"players": 2, "bank": {"house": 3}},
    {"players": 2, "hidden": {"chance": ["ch_nothing"]}},
    {"players": 2, "hidden": {"dice": [[0, 7]]}},
    {"players": 2, "engine": {"lot": "SHIP"}},
    {"players": 2, "engine": {"dice": [1]}},
    {"players": 2, "engine": {"agenda": []}},
    {"players": 2, "engine": {"agenda": [{"player": "A"}]}},
    {"players": 2, "colour": "red"},
]


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("position", WRONG, ids=str)
def test_what_the_reader_refuses_by_its_form_is_not_valid(position) -> None:
    with pytest.raises(fastjsonschema.JsonSchemaException):
        POSITION(position)
    with pytest.raises(InputError):
        Game.from_position(position)


@pytest.mark.promise("bad_input")
def test_records_that_are_refused_are_not_valid() -> None:
    game = Game(players=3, seed=4)
    for _ in play_randomly(game, 50):
        pass
    record = as_json(game.record())
    RECORD(record)
    changes = {
        ("format",): 2, ("players",): 1, ("actions",): "roll", ("bots",): "ann", ("seed",): None,
        ("rules_version",): 1, ("mode",): None, ("result",): {}, ("comment",): "mine",
        ("position",): {"players": 3},
    }  # fmt: skip
    for (key,), value in changes.items():
        wrong = copy.deepcopy(record)
        wrong[key] = value
        if value is None:
            del wrong[key]
        with pytest.raises(fastjsonschema.JsonSchemaException):
            RECORD(wrong)
        with pytest.raises(InputError):
            check_record(wrong)
    record["result"]["worth"] = np.arange(9).tolist()
    with pytest.raises(fastjsonschema.JsonSchemaException):
        RECORD(record)
