"""Saved games: replayed exactly, appended safely, and clear about what is wrong with them."""

from __future__ import annotations

import doctest
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import monopoly_env.records
from monopoly_env import Game
from monopoly_env.errors import RecordError
from monopoly_env.records import (
    ACTIONS_VERSION,
    RULES_VERSION,
    RecordWarning,
    read_records,
    record_at,
    write_record,
)
from monopoly_env.replay import replay, replay_steps, transcript
from tests.game.random_play import play_randomly

PLACE = RecordError.at("games.jsonl: line 1")


def a_game(actions: int = 120, **arguments: Any) -> Game:
    game = Game(**{"seed": 11, "players": 3, **arguments})
    for _ in play_randomly(game, actions):
        pass
    return game


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    return a_game().record(bots=["ann", "ben", "cem"])


def copied(record: dict[str, Any], **changes: Any) -> dict[str, Any]:
    twin: dict[str, Any] = json.loads(json.dumps(record))
    return {**twin, **changes}


BOTS = [
    ("ann", "must be a list of names"),
    (None, "must be a list of names"),
    (["a\nb"], "printable"),
    (["\ud800"], "printable"),
    ([""], "printable"),
    (["ann"] * 4, "up to 3 names, one a player, not 4"),
]


@pytest.mark.parametrize(("bots", "words"), BOTS, ids=str)
def test_names_of_bots_that_do_not_fit(bots: Any, words: str) -> None:
    with pytest.raises(RecordError, match=words) as refused:
        a_game().record(bots=bots)
    assert str(refused.value).startswith("bots: ")
    assert str(refused.value).isprintable()


def test_bots_may_be_any_iterable_of_names() -> None:
    assert a_game().record(bots=np.array(["ann", "ben"]))["bots"] == ["ann", "ben"]
    assert a_game().record()["bots"] == []


def test_examples_in_the_docs() -> None:
    results = doctest.testmod(monopoly_env.records)
    assert results.attempted > 3
    assert results.failed == 0


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


def test_what_a_record_says(record: dict[str, Any]) -> None:
    assert record["format"] == 1
    assert record["version"] == monopoly_env.version
    assert (record["edition"], record["mode"], record["rules"]) == ("classic", "standard", {})
    assert (record["players"], record["seed"]) == (3, 11)
    assert record["bots"] == ["ann", "ben", "cem"]
    assert all(action[0] in "ABC" and action[1] == " " for action in record["actions"])
    assert record["result"]["decisions"] == len(record["actions"])


# --- files ---


def test_files_are_appended_and_read(tmp_path: Path, record: dict[str, Any]) -> None:
    file = tmp_path / "runs" / "games.jsonl"
    other = a_game(5, seed=3).record()
    write_record(file, record)
    write_record(str(file), other)
    assert list(read_records(file)) == [record, other]
    assert record_at(file, 2) == other
    with pytest.raises(RecordError, match="there is no game number 3"):
        record_at(file, 3)


def test_a_torn_last_line_is_left_out_and_cut_off(tmp_path: Path, record: dict[str, Any]) -> None:
    file = tmp_path / "games.jsonl"
    write_record(file, record)
    whole = file.read_bytes()
    for torn in (b"{", b'{"for', whole[: len(whole) // 2]):
        file.write_bytes(whole + torn)
        with pytest.warns(RecordWarning, match="the last line was cut off"):
            assert list(read_records(file)) == [record]
        with pytest.warns(RecordWarning, match="the last line was cut off"):
            write_record(file, record)
        assert file.read_bytes() == whole + whole
    file.write_bytes(whole[:-1])  # complete but for its end
    assert list(read_records(file)) == [record]


def test_files_that_are_no_records(tmp_path: Path, record: dict[str, Any]) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("buy milk")
    with pytest.raises(RecordError, match="is no file of records"):
        write_record(file, record)
    assert file.read_text() == "buy milk"
    file.write_text("buy milk\n")
    with pytest.raises(RecordError, match=r"notes.txt: line 1: is not JSON"):
        list(read_records(file))
    with pytest.raises(RecordError, match="cannot be read: No such file"):
        list(read_records(tmp_path / "nosuch"))
    with pytest.raises(RecordError, match="cannot be written"):
        write_record(tmp_path, record)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("[]", "must be a record, a JSON object"),
        ("{}", "has format None"),
        ('{"format": 2}', "has format 2; this is monopoly-env"),
        ('{"format": 1}', "edition: is missing"),
    ],
)
def test_lines_that_are_no_records(tmp_path: Path, line: str, says: str) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(line + "\n")
    with pytest.raises(RecordError) as caught:
        list(read_records(file))
    assert str(caught.value).startswith(f"{file}: line 1: ")
    assert says in str(caught.value)


# --- what differs ---


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
        replay(copied(record, **change), PLACE)
    assert str(caught.value).startswith("games.jsonl: ")
    assert says in str(caught.value)


def test_the_first_action_that_differs_is_named(record: dict[str, Any]) -> None:
    actions = record["actions"]
    who = {"A": "B", "B": "C", "C": "A"}[actions[7][0]]
    for wrong, says in (
        (f"{who}{actions[7][1:]}", f"but {actions[7][0]} decides"),
        (f"{actions[7][0]} fly", "no action 'fly'"),
        (f"{actions[7][0]} to:go", "to:go: not a choice of the decision at hand"),
    ):
        changed = copied(record, actions=[*actions[:7], wrong, *actions[8:]])
        with pytest.raises(RecordError) as caught:
            replay(changed, PLACE)
        assert f"line 1: action 8 of {len(actions)}: " in str(caught.value)
        assert says in str(caught.value)


def test_an_outcome_that_differs_is_named(record: dict[str, Any]) -> None:
    worth = [*record["result"]["worth"]]
    worth[0] += 1
    changed = copied(record, result={**record["result"], "worth": worth})
    with pytest.raises(RecordError, match=r"line 1: result.worth: was \[.*replayed it is"):
        replay(changed, PLACE)
    assert replay(changed, PLACE, check=False) == replay(record)


def test_versions_that_differ_are_named(record: dict[str, Any]) -> None:
    old = copied(record, version="0.0.1", rules_version=0, actions_version=1)
    assert replay(old) == replay(record)
    with pytest.raises(RecordError) as caught:
        replay({**old, "seed": 12}, PLACE)
    assert f"version 0.0.1, now {monopoly_env.version}" in str(caught.value)
    assert f"rules version 0, now {RULES_VERSION}" in str(caught.value)
    assert f"actions version 1, now {ACTIONS_VERSION}" in str(caught.value)
    moved = copied(record, edition_hash="0")
    with pytest.raises(RecordError, match="the edition classic has other rules now"):
        replay({**moved, "seed": 12}, PLACE)


def test_a_transcript_tells_the_game(record: dict[str, Any]) -> None:
    lines = list(transcript(record))
    assert lines[0] == "Monopoly, standard, 3 players, seed 11"
    assert lines[1] == "A (car): ann"
    told = lines[5:-1]
    assert [line.split("  ")[0].strip() for line in told] == record["actions"]
    assert any("throws" in line for line in told)
    assert lines[-1].startswith("so far: 1. ")


def test_a_whole_last_line_without_an_end_is_kept(tmp_path: Path) -> None:
    """What read_records accepts, write_record does not throw away."""
    path = tmp_path / "games.jsonl"
    game = Game(players=2, seed=7)
    write_record(path, game.record())
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    write_record(path, game.record())
    assert len(list(read_records(path))) == 2


@pytest.mark.parametrize("line", ["[" * 100_000, '{"format": 1}', "[]"])
def test_odd_lines_are_one_clear_error(tmp_path: Path, line: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(RecordError, match="line 1") as refused:
        list(read_records(path))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("record", [None, {}, {"format": 1}])
def test_only_records_are_written(tmp_path: Path, record: object) -> None:
    path = tmp_path / "games.jsonl"
    with pytest.raises(RecordError):
        write_record(path, record)  # type: ignore[arg-type]
    assert not path.exists()
