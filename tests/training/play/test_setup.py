"""What can be chosen for a new game, and what is refused."""

from __future__ import annotations

import base64
import gzip
import json
import re
from types import SimpleNamespace
from typing import Any

import pytest
from monopoly_training.play.app import Site
from monopoly_training.play.setup import Setup, default_names, known_bots, offered, read_setup
from monopoly_training.play.tables import Tables
from starlette.testclient import TestClient

from monopoly_env.editions import editions
from monopoly_env.errors import InputError

from .conftest import Player


def data_of(html: str) -> dict[str, Any]:
    """What a page holds."""
    packed = re.search(r'id="data">([^<]+)<', html)
    assert packed is not None
    found: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    return found


BOTS = ["random", "fixed_a"]


def test_the_opponents_are_the_best_bots_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {name: SimpleNamespace(description="") for name in ("fixed_a", "random")}
    monkeypatch.setattr("monopoly_training.play.setup.agents", lambda: known)
    assert default_names() == ["human", "fixed_a", "fixed_a", "fixed_a"]
    known["strategist"] = SimpleNamespace(description="")
    assert default_names() == ["human", "strategist", "strategist", "strategist"]
    known["champion"] = SimpleNamespace(description="")
    assert default_names() == ["human", "champion", "champion", "champion"]


def test_everything_offered_can_be_played() -> None:
    told = offered(known_bots())
    *built_in, drawn = [one["id"] for one in told["editions"]]
    assert built_in == [*editions(), "mini"]
    assert drawn.startswith("random:train:")
    for edition in told["editions"]:
        for mode in edition["modes"]:
            seats = ["human"] * edition["players"][1]
            rules = {row["name"]: row["value"] for row in edition["rules"]}
            Setup(seats, edition["id"], mode, rules, seed=1).header()


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("wishes", "says"),
    [
        ({}, "new game: seats: must be a list"),
        ({"seats": ["human", "exec:rm -rf ."]}, "there is no such bot"),
        ({"seats": ["human", "python:bot.py:Bot"]}, "there is no such bot"),
        ({"seats": ["human", "random"], "edition": "/etc/passwd"}, "there is no such edition"),
        ({"seats": ["human", "random"], "mode": 3}, "new game: mode: must be text"),
        ({"seats": ["human", "random"], "seed": -1}, "new game: seed: must be from 0"),
        ({"seats": ["human", "random"], "seed": "7"}, "new game: seed: must be a whole number"),
        ({"seats": ["human", "random"], "pace": 10**6}, "new game: pace: must be from 0 to 10000"),
        (
            {"seats": ["human", "random"], "practice": 1},
            "new game: practice: must be True or False",
        ),
        ({"seats": ["human", "random"], "colour": "red"}, "there is no such key"),
    ],
)
def test_wishes_that_do_not_fit_are_one_line(wishes: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says) as problem:
        read_setup(wishes, BOTS)
    assert "\n" not in str(problem.value)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("wishes", "says"),
    [
        ({"seats": ["human"] * 9}, "players"),
        ({"seats": ["human", "random"], "mode": "endless"}, "endless"),
        ({"seats": ["human", "random"], "rules": {"salary": "much"}}, "salary"),
        ({"seats": ["human", "random"], "from": {"name": "nowhere", "at": "3"}}, "no game"),
    ],
)
def test_a_game_that_cannot_be_is_not_begun(
    web: TestClient, tables: Tables, wishes: dict[str, Any], says: str
) -> None:
    answer = web.post("/new", json=wishes)
    assert answer.status_code == 400
    assert says in answer.json()["error"]
    assert not tables.folder.exists() or list(tables.folder.iterdir()) == []


def test_a_game_is_begun_and_listed(web: TestClient) -> None:
    told = web.post("/new", json={"seats": ["human", "random", "human"], "pace": 0}).json()
    assert [link["seats"] for link in told["links"]] == [[0], [2], [0, 2]]
    for link in told["links"]:
        assert "<title>" in web.get(link["path"]).text
    (row,) = web.get("/games").json()
    assert (row["name"], row["seats"]) == (told["name"], ["human", "random", "human"])
    assert data_of(web.get("/").text)["games"] == [row]


def test_a_game_that_is_over_can_be_played_on(web: TestClient, tables: Tables) -> None:
    wishes = {"seats": ["human", "random"], "pace": 0, "seed": 5, "rules": {"max_turns": 6}}
    told = web.post("/new", json=wishes).json()
    me = Player(web, told["links"][0]["path"])
    source = {"name": told["name"], "at": "4"}
    refused = web.post("/new", json={"seats": ["human", "random"], "from": source})
    assert "when the game is over" in refused.json()["error"]
    while me.wait()["result"] is None:
        me.do(me.news["asked"]["legal"][0][1])
    begun = web.post("/new", json={"seats": ["random", "human"], "pace": 0, "from": source}).json()
    first = tables.table(told["name"]).course.rows[4]
    assert tables.table(begun["name"]).course.rows[0].tolist() == first.tolist()
    start = data_of(web.get(f"/?from={told['name']}&at=4").text)["start"]
    assert (start["name"], start["at"], start["players"]) == (told["name"], 4, 2)
    assert "position" not in start
    assert data_of(web.get(f"{me.path}/replay").text)["play_on"] == f"/?from={told['name']}"
    late = web.get(f"/?from={told['name']}&at=9999")
    assert (late.status_code, "at: must be a move from 0 to" in late.json()["error"]) == (400, True)


def test_a_link_leads_to_its_own_game_alone(tables: Tables) -> None:
    name, other = (tables.new(Setup(["human", "human"], seed=1)) for _ in range(2))
    key = next(iter(tables.header(name).links))
    app = Site(tables, known_bots(), token="secret", hosts=()).app()
    with TestClient(app, base_url="http://192.0.2.7:8750") as web:
        assert web.get(f"/game/{name}?seat={key}").status_code == 200
        assert web.get(f"/game/{name}/moves?seat={key}").status_code == 200
        for path in ("/", "/games", f"/game/{other}?seat={key}", f"/game/{name}", "/game/x?seat=y"):
            assert web.get(path).status_code == 403, path
        assert web.post(f"/new?seat={key}", json={}).status_code == 403
        assert web.get("/?token=secret").status_code == 200
        assert web.get(f"/game/{name}?token=secret").status_code == 200
