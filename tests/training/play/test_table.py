"""A game that people play: its moves, what each seat hears, and what is refused."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from monopoly_training.play.driver import QUICK, share_of_pace
from monopoly_training.play.offers import Terms, cash_steps, steps_of
from monopoly_training.play.table import Table
from monopoly_training.play.tables import Tables
from monopoly_training.web.assets import modules
from starlette.testclient import TestClient

from monopoly_env import Game
from monopoly_env.engine.actions import KINDS
from monopoly_env.engine.phases import Phase
from monopoly_env.notation import parse_action
from monopoly_env.records import read_records
from monopoly_env.replay import replay

from .conftest import Player, begin

WHOLE_OFFER = ("deal:B", "give:boardwalk", "ask:baltic", "give_cash:2", "ask_cash:100", "offer")
OWNED: dict[str, Any] = {
    "players": 2,
    "turn": "A",
    "A": {"cash": 500, "deeds": ["mediterranean", "oriental", "vermont", "boardwalk"]},
    "B": {"cash": 900, "deeds": ["baltic", "connecticut", "park_place"]},
}


def table_of(tables: Tables, player: Player) -> Table:
    return tables.table(player.path.rsplit("/", 1)[1])


def state_of(table: Table) -> tuple[bytes, str, bytes]:
    """All that a message could change."""
    return table.game.state.tobytes(), table.stamp, table.store.path.read_bytes()


def test_a_person_plays_against_a_bot(web: TestClient, tables: Tables) -> None:
    (me,) = begin(web, tables, "human", "fixed_a")
    while me.wait()["result"] is None and len(me.news["moments"]) < 80:
        texts = [text for _, text, _, _ in me.news["asked"]["legal"]]
        wanted = [text for text in ("buy", "roll", "end_turn", "pass") if text in texts]
        me.do((wanted or texts)[0])
    seats = {moment["decision"]["actor"] for moment in me.news["moments"]}
    assert seats >= {0, 1}


def test_what_others_do_not_see_takes_a_bot_little_time() -> None:
    steps = ("deal:B", "give:boardwalk", "ask:baltic", "ask_cash:100", "offer")
    three = {**OWNED, "players": 3, "C": {"deeds": ["reading"]}}
    game = Game.from_position(three, seed=1)

    def played(text: str) -> float:
        share = share_of_pace(game, parse_action(text, game.actor_seat, 3))
        game.play(text)
        return share

    assert [played(text) for text in steps] == [1.0, *[QUICK] * (len(steps) - 2), 1.0]
    assert played("reject") == 1.0
    assert played("roll") == 1.0
    while game.phase is not Phase.BETWEEN and not game.over:
        legal = game.legal_actions()
        game.play(
            next((text for text in ("end_turn", "auction", "roll") if text in legal), legal[-1])
        )
    assert played("pass") == QUICK


def test_a_game_comes_to_its_end_and_its_record_replays(web: TestClient, tables: Tables) -> None:
    rules = {"max_turns": 6}
    (me,) = begin(web, tables, "human", "random", rules=rules)
    assert web.get(f"{me.path}/record").status_code == 400  # it would tell dice to come
    while me.wait()["result"] is None:
        me.do(me.news["asked"]["legal"][0][1])
    file = web.get(f"{me.path}/record")
    assert file.headers["content-disposition"].startswith("attachment")
    record = json.loads(file.text)
    (kept,) = read_records(table_of(tables, me).store.folder / "record.jsonl")
    assert replay(kept).over
    assert record["actions"] == kept["actions"]
    assert me.post("move", at=me.news["stamp"], actions=["roll"]).status_code == 400
    assert "<title>" in web.get(f"{me.path}/replay").text


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("message", "says"),
    [
        ({"actions": ["roll"]}, "move: at: must be text, not None"),
        ({"at": "0.99", "actions": ["roll"]}, "the game has gone on since"),
        ({"at": "now"}, "move: actions: must be a list"),
        ({"at": "now", "actions": []}, "name an action"),
        ({"at": "now", "actions": ["fly"]}, "fly: there is no such action"),
        ({"at": "now", "actions": ["buy"]}, "buy: not possible in this phase"),
        ({"at": "now", "actions": ["roll", "roll"]}, "roll:"),
        ({"at": "now", "actions": [7]}, "must be text"),
        ({"at": "now", "actions": ["roll"] * 100}, "more than 80"),
        ({"at": "now", "actions": ["roll"], "more": 1}, "no such key"),
        ({"at": "now", "deal": 7}, "deal: must be a mapping"),
        ({"at": "now", "deal": {"partner": 9}}, "deal: partner: must be from 0 to 1"),
        ({"at": "now", "deal": {"partner": 1, "give": [0]}}, "cannot be traded"),
        ({"at": "now", "deal": {"partner": 1, "give": [39]}}, "deal: each side must give"),
        ({"at": "now", "deal": {"partner": 1, "give": [3]}}, "belongs to another player"),
        ({"at": "now", "deal": {"partner": 0, "give": [1]}}, "deal: "),
    ],
)
def test_what_does_not_fit_is_one_line_and_changes_nothing(
    web: TestClient, tables: Tables, message: dict[str, Any], says: str
) -> None:
    me, _ = begin(web, tables, "human", "human", position=OWNED)
    table = table_of(tables, me)
    before = state_of(table) if table.store.path.exists() else None
    if message.get("at") == "now":
        message = {**message, "at": me.news["stamp"]}
    answer = me.post("move", **message)
    assert answer.status_code == (409 if "gone on" in says else 400)
    line = answer.json()["error"]
    assert says in line
    assert "\n" not in line
    assert len(table.game.history) == 0
    assert before is None or state_of(table) == before


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b"null", b"\xff", b'{"at": NaN}', b"x" * 70_000]
)
def test_a_message_that_is_none_is_one_line(web: TestClient, tables: Tables, body: bytes) -> None:
    me, _ = begin(web, tables, "human", "human")
    answer = web.post(f"{me.path}/move?{me.query}", content=body)
    assert answer.status_code == 400
    assert list(answer.json()) == ["error"]


def test_nobody_plays_for_another_seat(web: TestClient, tables: Tables) -> None:
    first, second = begin(web, tables, "human", "human")
    actor = table_of(tables, first).game.actor_seat
    mine, other = (first, second) if actor == 0 else (second, first)
    assert mine.news["asked"] is not None
    assert other.news["asked"] is None
    assert "decides now, not you" in other.post("move", at="0.0", actions=["roll"]).json()["error"]
    watcher = web.post(f"{mine.path}/move", json={"at": "0.0", "actions": ["roll"]})
    assert "decides now, not you" in watcher.json()["error"]
    mine.do("roll")


def test_two_tabs_of_a_seat_agree(web: TestClient, tables: Tables) -> None:
    first, second = begin(web, tables, "human", "human", position=OWNED)
    tab = Player(web, f"{first.path}?{first.query}")
    first.do("build:mediterranean") if "build:mediterranean" in str(first.news) else first.do(
        "roll"
    )
    late = tab.post("move", at=tab.news["stamp"], actions=["roll"])
    assert late.status_code == 409
    tab.hear()
    second.hear()
    assert tab.news["moments"] == first.news["moments"] == second.news["moments"]
    assert tab.news["asked"] == first.news["asked"]


def test_news_are_what_has_not_been_heard(web: TestClient, tables: Tables) -> None:
    me, _ = begin(web, tables, "human", "human", position=OWNED)
    me.do("roll")
    later = web.get(f"{me.path}/moves?{me.query}&epoch=0&have=1").json()
    assert later["from"] == 1
    assert len(later["moments"]) == 1
    row = list(me.news["moments"][0]["row"])
    change = later["moments"][0]["row"]
    for place, value in zip(change[::2], change[1::2], strict=True):
        row[place] = value
    assert row == table_of(tables, me).course.rows[1].tolist()
    assert web.get(f"{me.path}/moves?{me.query}&epoch=3&have=1").json()["from"] == 0


def test_a_whole_deal_is_made_in_one_message(web: TestClient, tables: Tables) -> None:
    me, other = begin(web, tables, "human", "human", position=OWNED)
    deal = {"partner": 1, "give": [39], "ask": [3, 9], "cash": -137}
    tried = me.post("try", at=me.news["stamp"], deal=deal).json()
    assert tried["problem"] == ""
    assert sum(tried["then"]) == pytest.approx(1000, abs=2)
    assert tried["then"] != tried["now"]
    answer = me.post("move", at=me.news["stamp"], deal=deal)
    assert answer.status_code == 200, answer.text
    asked = other.hear()["asked"]
    assert asked["phase"] == "ANSWER"
    assert asked["chances"]["then"] == tried["then"]
    other.do("accept")
    game = table_of(tables, me).game
    assert (game.owner("boardwalk"), game.owner("baltic"), game.cash[0]) == ("B", "A", 363)


def test_an_offer_that_cannot_be_made_says_why(web: TestClient, tables: Tables) -> None:
    me, _ = begin(web, tables, "human", "human", position=OWNED)
    told = me.post(
        "try", at=me.news["stamp"], deal={"partner": 1, "give": [39], "cash": 901}
    ).json()
    assert told["problem"] == "the other side does not have enough cash"
    assert told["then"] is None


def test_an_offer_in_the_making_is_gone_on_with(web: TestClient, tables: Tables) -> None:
    me, _ = begin(web, tables, "human", "human", position=OWNED)
    me.do("deal:B", "give:boardwalk", "ask_cash:100")
    assert me.news["asked"]["offer"] == {"proposer": 0, "partner": 1, "cash": 100}
    less = me.post("try", at=me.news["stamp"], deal={"partner": 1, "ask": [3], "cash": 100}).json()
    assert "what is in the offer stays" in less["problem"]
    more = {"partner": 1, "give": [39], "ask": [3], "cash": 150}
    assert me.post("move", at=me.news["stamp"], deal=more).status_code == 200
    assert table_of(tables, me).game.state["deal_ask_cash"] == 150


def test_moves_are_taken_back_where_that_is_practice(web: TestClient, tables: Tables) -> None:
    me, _ = begin(web, tables, "human", "human", position=OWNED)
    assert not me.news["undo"]
    me.do("roll")
    assert me.news["undo"]
    taken = me.post("undo", at=me.news["stamp"])
    assert taken.status_code == 200
    me.hear()
    assert (me.news["epoch"], len(me.news["moments"]), me.news["undo"]) == (1, 1, False)
    assert me.post("undo", at=me.news["stamp"]).json()["error"].endswith("nothing to take back")
    me.do("roll")
    assert len(me.news["moments"]) == 2


def test_nothing_is_taken_back_in_earnest(web: TestClient, tables: Tables) -> None:
    me, _ = begin(web, tables, "human", "human", position=OWNED, practice=False)
    me.do("roll")
    assert "not a practice game" in me.post("undo", at=me.news["stamp"]).json()["error"]


def test_a_hint_is_a_legal_action_with_its_chance(web: TestClient, tables: Tables) -> None:
    me, _ = begin(web, tables, "human", "human", position=OWNED)
    told = me.post("hint", at=me.news["stamp"], bot="strategist").json()
    assert told["text"].startswith("strategist would ")
    assert told["because"].startswith("your win probability is then about ")
    me.do(*told["actions"])
    assert "no such bot" in me.post("hint", at="0.0", bot="exec:rm").json()["error"]


def test_a_bot_that_cannot_give_a_hint_says_so(
    web: TestClient, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    me, _ = begin(web, tables, "human", "human", position=OWNED)

    def fail(*_: object) -> None:
        raise RuntimeError("no idea")

    monkeypatch.setattr("monopoly_training.play.app.hint", fail)
    answer = me.post("hint", at=me.news["stamp"], bot="random")
    assert (answer.status_code, answer.json()) == (400, {"error": "random: RuntimeError: no idea"})


def test_whoever_does_not_want_to_be_asked_passes(web: TestClient, tables: Tables) -> None:
    people = begin(web, tables, "human", "human", "human", position={**OWNED, "players": 3})
    for player in people[:2]:
        assert player.post("windows", ask=True).status_code == 200
    phases = set()
    for _ in range(12):
        for player in people:
            asked = player.hear()["asked"]
            if asked is not None:
                phases.add((asked["seat"], asked["phase"]))
                texts = [row[1] for row in asked["legal"]]
                wanted = [t for t in ("pass", "end_turn", "roll", "auction") if t in texts]
                player.do((wanted or texts)[0])
    assert (2, "BETWEEN") not in phases
    assert {(0, "BETWEEN"), (1, "BETWEEN")} & phases


def test_a_bot_that_fails_is_told_and_can_be_asked_again(tables: Tables, web: TestClient) -> None:
    (me,) = begin(web, tables, "human", "fixed_a")
    table = table_of(tables, me)
    agent, broken = table.agents[1], [True]
    decide = agent.decide

    def fail(view: Any) -> int:
        if broken[0]:
            raise RuntimeError("no idea")
        return decide(view)

    agent.decide = fail  # type: ignore[method-assign]
    while not me.news["trouble"]:
        if me.news["asked"] is None:
            me.news = web.get(f"{me.path}/moves?{me.query}&version={me.news['version']}").json()
            continue
        texts = [row[1] for row in me.news["asked"]["legal"]]
        wanted = [text for text in ("buy", "end_turn", "roll") if text in texts]
        me.do((wanted or texts)[0])
    assert me.news["trouble"] == "B (fixed_a): RuntimeError: no idea"
    broken[0] = False
    assert me.post("retry").status_code == 200
    assert me.hear()["trouble"] == ""
    assert me.wait()["asked"] is not None


def test_what_seats_hear_tells_nothing_hidden(web: TestClient, tables: Tables) -> None:
    me, _ = begin(web, tables, "human", "human", seed=987654321)
    me.do(me.news["asked"]["legal"][0][1]) if me.news["asked"] else None
    assert "987654321" not in web.get(f"{me.path}?{me.query}").text
    assert "987654321" not in json.dumps(me.hear())
    assert web.get(f"{me.path}/replay").status_code == 400


def test_a_closed_server_answers_who_waits(web: TestClient, tables: Tables) -> None:
    me, _ = begin(web, tables, "human", "human")
    tables.table(me.path.rsplit("/", 1)[1]).close()
    answer = web.get(f"{me.path}/moves?{me.query}&version={me.news['version']}")
    assert answer.status_code == 200


def test_every_kind_of_action_has_its_place_on_the_page() -> None:
    shown = ("buttons.js", "bids.js", "deeds.js", "desk.js", "composer.js")
    text = "".join(modules()[f"monopoly/{name}"] for name in shown)
    named = set(re.findall(r'"([a-z_]+)"', text)) | {"sell_group"} & set(re.findall(r"\w+", text))
    composed = {step.partition(":")[0] for step in WHOLE_OFFER}
    assert set(KINDS) - named - composed == set()


def test_a_whole_offer_is_made_of_all_steps() -> None:
    game = Game.from_position(OWNED, seed=1)
    steps = steps_of(Terms(1, (39,), (3,), 137), game) + steps_of(Terms(1, (), (), -2), game)
    assert {step.partition(":")[0] for step in steps} == {
        step.partition(":")[0] for step in WHOLE_OFFER
    }
    assert cash_steps(137) == [100, 20, 10, 5, 2]


def test_chances_by_playing_a_move_on(web: TestClient, tables: Tables) -> None:
    strong = {"deeds": ["park_place", "boardwalk"], "cash": 2000}
    position = {"players": 2, "turn": "A", "A": strong, "B": {"cash": 50}}
    one, _ = begin(web, tables, "human", "human", position=position)
    before = one.hear()["stamp"]
    told = one.post("odds", at=0).json()
    assert told["rows"][0][0] > 0.8
    assert all(low <= chance <= high for chance, low, high in told["rows"])
    assert one.hear()["stamp"] == before
    one.do("roll")
    assert one.post("odds", at=0).json() == told  # of the move that is named, the same again
    assert one.post("odds", at=2).json() == {"error": "at: must be a move from 0 to 1, not 2"}
    assert one.post("odds", at=True).status_code == 400
