"""Records played again: exactly, and with the first difference named."""

from __future__ import annotations

import json
from typing import Any

import pytest

import monopoly_env.replay
from monopoly_env import Game
from monopoly_env.errors import RecordError
from monopoly_env.records import (
    ACTIONS_VERSION,
)
from monopoly_env.replay import replay, replay_steps, transcript
from tests.game.random_play import play_randomly

pytestmark = pytest.mark.promise("records")

LOCATION = RecordError.at("games.jsonl: line 1")


def copied(record: dict[str, Any], **changes: Any) -> dict[str, Any]:
    twin: dict[str, Any] = json.loads(json.dumps(record))
    return {**twin, **changes}


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"edition": "pokemon1999", "mode": "short", "rules": {"power_doubles": True}},
        {"edition": "pokemon_fr2000", "players": 6, "rules": {"tax": {"luxury_tax": 75}}},
        {"rules": {"deals": "menu", "max_players": 8}, "players": 8},
    ],
)
def test_a_record_replays_every_state(arguments: dict[str, Any]) -> None:
    game = Game(**{"seed": 2, "players": 3, **arguments})
    states = [before.copy() for before in play_randomly(game, 200)] + [game]
    record = json.loads(json.dumps(game.record()))
    for (replayed, _), state in zip(replay_steps(record), states, strict=True):
        assert replayed == state
    assert replay(record) == game
    assert replay(record).record() == game.record()


def test_games_from_positions_and_redrawn_ones_replay() -> None:
    game = Game.from_position({"players": 2, "A": {"deeds": ["reading"]}}, rules={"salary": 300})
    for _ in play_randomly(game, 60):
        pass
    assert "seed" not in game.record()
    assert replay(game.record()) == game
    game.redraw(3)
    assert game.record()["actions"] == []
    for _ in play_randomly(game, 60):
        pass
    assert replay(game.record()) == game


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"edition": "clasic"}, "line 1: edition: there is no edition 'clasic'"),
        ({"mode": "long"}, "has no mode 'long'"),
        ({"rules": {"salry": 1}}, "salry: there is no such rule"),
        ({"rules": 3}, "line 1: rules: must be a mapping"),
        ({"players": 9}, "line 1: players: must be from 2 to 8"),
        ({"seed": -1}, "seed: must be a whole number"),
        ({"seed": "x"}, "seed: must be a whole number"),
        ({"position": {}}, "must have a seed or a position, one of them"),
        ({"actions": "A roll"}, "line 1: actions: must be a list"),
        ({"actions": [3]}, "line 1: actions: must be text"),
        ({"moves": []}, "line 1: moves: there is no such key"),
        ({"result": []}, "line 1: result: must be a mapping"),
    ],
)
def test_a_record_that_does_not_fit(
    record: dict[str, Any], change: dict[str, Any], says: str
) -> None:
    with pytest.raises(RecordError) as caught:
        replay(copied(record, **change), LOCATION)
    assert str(caught.value).startswith("games.jsonl: ")
    assert says in str(caught.value)


def test_the_first_action_that_differs_is_named(record: dict[str, Any]) -> None:
    actions = record["actions"]
    who = {"A": "B", "B": "C", "C": "A"}[actions[7][0]]
    for wrong, says in (
        (f"{who}{actions[7][1:]}", f"but {actions[7][0]} decides"),
        (f"{actions[7][0]} fly", "no action 'fly'"),
        (f"{actions[7][0]} to:go", "to:go: not possible in this phase"),
    ):
        changed = copied(record, actions=[*actions[:7], wrong, *actions[8:]])
        with pytest.raises(RecordError) as caught:
            replay(changed, LOCATION)
        assert f"line 1: action 8 of {len(actions)}: " in str(caught.value)
        assert says in str(caught.value)


def test_an_outcome_that_differs_is_named(record: dict[str, Any]) -> None:
    worth = [*record["result"]["worth"]]
    worth[0] += 1
    changed = copied(record, result={**record["result"], "worth": worth})
    with pytest.raises(RecordError, match=r"line 1: result.worth: was \[.*replayed it is"):
        replay(changed, LOCATION)
    assert replay(changed, LOCATION, check=False) == replay(record)


@pytest.mark.promise("bad_input")
def test_a_record_of_other_rules_is_refused(record: dict[str, Any]) -> None:
    with pytest.raises(RecordError, match=r"line 1: rules_version: is 0, of monopoly-env '0.0.1'"):
        replay(copied(record, version="0.0.1", rules_version=0), LOCATION)
    moved = copied(record, edition_hash="0")
    with pytest.raises(RecordError, match=r"edition_hash: the edition classic has other rules now"):
        replay(moved, LOCATION, check=False)
    with pytest.raises(RecordError, match="has other rules now"):
        replay(copied(record, rules={"salary": 100}), LOCATION)


def test_versions_that_differ_are_named(record: dict[str, Any]) -> None:
    old = copied(record, version="0.0.1", actions_version=1)
    assert replay(old) == replay(record)
    with pytest.raises(RecordError) as caught:
        replay({**old, "seed": 12}, LOCATION)
    assert f"version 0.0.1, now {monopoly_env.version}" in str(caught.value)
    assert f"actions version 1, now {ACTIONS_VERSION}" in str(caught.value)


@pytest.mark.parametrize("key", ["over", "winners", "state"])
def test_a_result_says_how_the_game_stands(record: dict[str, Any], key: str) -> None:
    result = {name: value for name, value in record["result"].items() if name != key}
    with pytest.raises(RecordError, match=rf"line 1: result\.{key}: is missing"):
        replay(copied(record, result=result), LOCATION)
    for result in ({}, None):
        with pytest.raises(RecordError, match=r"line 1: result\.over: is missing"):
            replay(copied(record, result=result), LOCATION)
    with pytest.raises(RecordError, match=r"line 1: result.ovre: there is no such key"):
        replay(copied(record, result={**record["result"], "ovre": 1}), LOCATION)


def test_a_transcript_tells_the_game(record: dict[str, Any]) -> None:
    lines = list(transcript(record))
    assert lines[0] == "Monopoly, standard, 3 players, seed 11"
    assert lines[1] == "A (car): ann"
    rows = lines[5:-1]
    assert [line.split("  ")[0].strip() for line in rows] == record["actions"]
    assert any("throws" in line for line in rows)
    assert lines[-1].startswith("so far: 1. ")
