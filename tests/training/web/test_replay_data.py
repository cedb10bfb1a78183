"""The data of a replay's page: positions, choices, reasons, marks and thoughts are the game's."""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Any

import numpy as np
import pytest
from monopoly_training.web.assets import modules, needed, pack
from monopoly_training.web.replay_page import replay_data, replay_page

from monopoly_env import Game
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.why import Why
from monopoly_env.errors import RecordError
from monopoly_env.replay import replay_steps

from .conftest import played

EVERY = 23  # of the moments that are compared


@pytest.fixture(scope="module")
def data(two: dict[str, Any]) -> dict[str, Any]:
    # through JSON, as the page gets it
    return json.loads(json.dumps(replay_data(two)))


def rows(data: dict[str, Any]) -> list[list[int]]:
    """The table as the page restores it."""
    row = list(data["table"][0])
    found = [list(row)]
    for change in data["table"][1:]:
        for place, value in zip(change[::2], change[1::2], strict=True):
            row[place] = value
        found.append(list(row))
    return found


def test_every_moment_has_the_numbers_of_its_position(two: dict[str, Any], data: Any) -> None:
    table = rows(data)
    assert len(table) == len(two["actions"]) + 1
    for (game, _), row in zip(replay_steps(two), table, strict=True):
        part = {name: row[start : start + size] for name, (start, size) in data["layout"].items()}
        assert part["cash"] == list(game.cash)
        assert part["worth"] == [game.hand(seat).worth for seat in range(2)]
        assert part["owner"] == game.state["owner"][:40].tolist()
        assert part["level"] == game.state["level"][:40].tolist()
        single = dict(zip(data["single"], part["single"], strict=True))
        assert single["actor"] == game.actor_seat
        assert single["turns"] == game.state["turns"]


def test_choices_and_reasons_are_those_of_the_game(two: dict[str, Any], data: Any) -> None:
    for moment, (game, _) in enumerate(replay_steps(two)):
        if moment % EVERY or game.over:
            continue
        assert [row[0] for row in data["legal"][moment]] == game.legal_ids()
        codes = data["reasons"][data["reasons_at"][moment]]
        reasons = [ord(code) - data["reason_first"] for code in codes]
        assert reasons == [game.why(action) for action in range(N_ACTIONS)]
        assert data["chosen"][moment] in game.legal_ids()
    assert data["reason_names"] == [str(reason) for reason in Why]


def test_the_journal_is_told_by_topic(two: dict[str, Any], data: Any) -> None:
    for moment, (game, _) in enumerate(replay_steps(two)):
        assert [row[3] for row in data["events"][moment]] == [str(e) for e in game.journal()]
    topics = {data["topics"][row[0]] for events in data["events"] for row in events}
    assert {"move", "money", "property", "auction", "deal", "jail", "end"} <= topics


def test_marks_stand_where_things_happen(data: Any) -> None:
    assert {mark[1] for mark in data["marks"]} == {"bankrupt", "group", "deal", "auction", "jail"}
    assert [mark[0] for mark in data["marks"]] == sorted(mark[0] for mark in data["marks"])
    said = [[row[3] for row in events] for events in data["events"]]
    for moment, kind, seat, text in data["marks"]:
        if kind == "bankrupt":
            assert text in said[moment]
        elif kind == "auction":
            assert any("is auctioned" in one for one in said[moment])
            assert re.search(r"wins .+ for |nobody bids on ", text)
        elif kind == "deal":
            assert any("accepts" in one for one in said[moment])
            assert " for " in text
        elif kind == "jail":
            assert any("goes to Jail" in one for one in said[moment])
        else:
            assert text.startswith(f"{'AB'[seat]} completes the ")


def test_rents_expected_are_none_without_deeds_and_grow_with_houses() -> None:
    position = {"players": 2, "A": {"deeds": ["boardwalk", "park_place"]}}
    bare = Game.from_position(position, seed=1)
    built = Game.from_position(
        {**position, "A": {**position["A"], "buildings": {"boardwalk": 3, "park_place": 3}}}, seed=1
    )
    rents = [replay_data(game.record())["table"][0] for game in (bare, built)]
    start, _ = replay_data(bare.record())["layout"]["rent"]
    assert rents[0][start + 1] == rents[1][start + 1] == 0
    assert 0 < rents[0][start] < rents[1][start] / 5


def test_probabilities_of_a_trained_policy(learned: dict[str, Any]) -> None:
    data = replay_data(learned)
    told = {int(moment): one for moment, one in data["thoughts"].items()}
    assert set(told) == {k for k, one in enumerate(data["decisions"]) if one["actor"] == 0}
    policies = {moment: one for moment, one in told.items() if one["kind"] == "policy"}
    assert len(policies) > 20
    for moment, one in policies.items():
        legal = {row[0] for row in data["legal"][moment]}
        shares = [share for _, share in one["rows"]]
        assert {action for action, _ in one["rows"]} <= legal
        assert shares == sorted(shares, reverse=True)
        assert sum(shares) <= 1.001
        assert np.isfinite(one["value"])
    taken = [dict(one["rows"]).get(data["chosen"][moment], 0) for moment, one in policies.items()]
    assert np.mean(taken) > 0.5  # what it took is what it finds likely


def test_values_of_a_search_are_worked_out_when_asked_for() -> None:
    record = played("search:20", "fixed_a", seed=3, rules={"max_turns": 30})
    told = replay_data(record, search=True)["thoughts"]
    assert told
    for one in told.values():
        assert one["kind"] == "search"
        assert all(0 <= mean <= 1 and error >= 0 for _, mean, error in one["rows"])
    without = replay_data(record)
    assert without["thoughts"] == {}
    assert "--search-values" in without["notes"][0]


def test_a_model_that_is_gone_is_named(two: dict[str, Any]) -> None:
    data = replay_data({**two, "bots": ["model:nowhere", "fixed_a#2"]})
    assert data["thoughts"] == {}
    assert data["notes"][0].startswith("A (model:nowhere): probabilities are missing: ")


def test_a_page_is_small_and_the_same_each_time() -> None:
    record = played("champion", "veteran", "veteran", seed=12)
    assert len(record["actions"]) > 1000
    page = replay_page(record)
    assert len(page.encode()) < 1_500_000
    assert page == replay_page(record)


def test_a_page_holds_all_that_it_needs_and_licenses(page_file: Any) -> None:
    text = page_file.read_text(encoding="utf-8")
    assert "monopoly/board.js" in needed("replay.js")
    assert set(modules()) > set(needed("replay.js"))  # other pages have modules of their own
    for name in needed("replay.js"):
        assert f'"{name}": "data:text/javascript;base64,' in text
    for library in ("preact", "htm", "uPlot", "Inter"):
        assert f"=== {library}" in text
    assert "http" not in re.sub(r"<!--.*?-->|<script>.*?</script>", "", text, flags=re.DOTALL)


def test_data_cannot_break_out_of_the_page() -> None:
    odd = {"text": "</script><!-- \u2028 é"}
    packed = pack(odd)
    assert re.fullmatch("[A-Za-z0-9+/=]+", packed)
    assert json.loads(gzip.decompress(base64.b64decode(packed))) == odd


def test_the_title_of_a_page_is_escaped(two: dict[str, Any]) -> None:
    page = replay_page({**two, "bots": ["<b>", "fixed_a"]})
    assert "<title>Monopoly: A &lt;b&gt;, B fixed_a</title>" in page


def test_a_record_that_does_not_replay_is_refused(two: dict[str, Any]) -> None:
    with pytest.raises(RecordError, match="action 2 of"):
        replay_page({**two, "actions": [two["actions"][0], "A fly", *two["actions"][2:]]})


@pytest.mark.parametrize("edition", ["pokemon1999", "pokemon_fr2000", "yugioh2016", "kanto2014"])
def test_every_edition_has_its_page(edition: str) -> None:
    record = played("random", "random", "random", seed=1, edition=edition, rules={"max_turns": 12})
    data = replay_data(record)
    assert len(data["decisions"]) == len(record["actions"]) + 1


def test_a_game_from_a_position_and_one_that_goes_on() -> None:
    game = Game.from_position({"players": 4, "turn": "B"}, seed=3)
    data = replay_data(game.record())
    assert data["seed"] is None
    assert data["chosen"] == []
    assert data["result"]["over"] is False
    game.play("roll")
    assert len(replay_data(game.record())["decisions"]) == 2
