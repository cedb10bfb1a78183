"""What a record holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import monopoly_env.records
from monopoly_env.errors import RecordError
from tests.game.random_play import played

pytestmark = pytest.mark.promise("records")

BOTS = [
    ("ann", "must be a list of names"),
    (None, "must be a list of names"),
    (["a\nb"], "printable"),
    (["\ud800"], "printable"),
    ([""], "printable"),
    (["ann"] * 4, "up to 3 names, one a player, not 4"),
]


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(("bots", "words"), BOTS, ids=str)
def test_names_of_bots_that_do_not_fit(bots: Any, words: str) -> None:
    with pytest.raises(RecordError, match=words) as refused:
        played(120, seed=11, players=3).record(bots=bots)
    assert str(refused.value).startswith("bots: ")
    assert str(refused.value).isprintable()


def test_bots_may_be_any_iterable_of_names() -> None:
    assert played(120, seed=11, players=3).record(bots=np.array(["ann", "ben"]))["bots"] == [
        "ann",
        "ben",
    ]
    assert played(120, seed=11, players=3).record()["bots"] == []


def test_what_a_record_says(record: dict[str, Any]) -> None:
    assert record["format"] == 1
    assert record["version"] == monopoly_env.version
    assert (record["edition"], record["mode"], record["rules"]) == ("classic", "standard", {})
    assert (record["players"], record["seed"]) == (3, 11)
    assert record["bots"] == ["ann", "ben", "cem"]
    assert all(action[0] in "ABC" and action[1] == " " for action in record["actions"])
    assert record["result"]["decisions"] == len(record["actions"])


@pytest.mark.parametrize("key", ["version", "actions_version"])
@pytest.mark.parametrize("value", [None, True, 1.5, -1, [1], {}, "a\nb", 10**5000], ids=type)
def test_versions_of_a_record_that_do_not_fit(
    record: dict[str, Any], key: str, value: object
) -> None:
    with pytest.raises(RecordError, match=f"{key}: must be") as refused:
        monopoly_env.records.check_record(record | {key: value})
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    "bots", ["ann", [1], [None], {"A": "ann"}, None, ["a", "b", "c", "d"]], ids=repr
)
def test_bots_of_a_record_are_names(record: dict[str, Any], bots: object) -> None:
    with pytest.raises(RecordError, match="bots: must be"):
        monopoly_env.records.check_record(record | {"bots": bots})
