"""The engine's state of a position, and agendas that make no sense."""

from __future__ import annotations

from typing import Any

import pytest

from monopoly_env import Game
from monopoly_env.engine.phases import Phase
from monopoly_env.errors import PositionError
from tests.game.random_play import play_randomly
from tests.position.faults import fault_of


def test_scarce_buildings_and_deals_are_exact_too() -> None:
    start = {
        "players": 3,
        "A": {"deeds": ["mediterranean", "baltic", "reading"]},
        "B": {"deeds": ["oriental", "vermont", "connecticut"], "cards": ["card_chance"]},
        "C": {"deeds": ["park_place", "boardwalk"], "buildings": {"boardwalk": 1}},
        "bank": {"houses": 1, "hotels": 0},
    }
    phases = set()
    for seed in range(6):
        game = Game.from_position(start, seed=seed)
        for _ in play_randomly(game, 60, seed):
            phases.add(game.phase)
            assert Game.from_yaml(game.to_yaml()) == game
    assert phases >= {Phase.CLAIM, Phase.PLACE, Phase.AUCTION, Phase.DEAL, Phase.ANSWER}


def test_an_edited_position_goes_on_from_the_edit() -> None:
    game = Game.from_position(
        {"players": 2, "A": {"cash": 10}, "B": {"deeds": ["reading"]}, "hidden": {"dice": [[1, 4]]}}
    )
    game.play("roll")
    assert game.phase is Phase.DEBT
    text = game.to_yaml()
    assert "task: DEBT, player: A, other: B" in text
    richer = Game.from_yaml(text.replace("cash: 10", "cash: 110"))
    assert richer.phase is not Phase.DEBT
    assert richer.cash == (85, 1525)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"engine": {"nothing": 1}}, "engine.nothing: there is no such key"),
        ({"engine": {"laps": {"D": 1}}}, "engine.laps.D: there is no such player"),
        ({"engine": {"laps": {"A": 200}}}, "engine.laps.A: must be from 0 to 100"),
        ({"engine": {"decisions": 2**31 - 1}}, "engine.decisions: must be from 0 to 2000000000"),
        ({"engine": {"turns": 2**31 - 1}}, "engine.turns: must be from 0 to 1000000000"),
        ({"engine": {"dice": [7, 1]}}, "engine.dice: must be from 0 to 6"),
        ({"engine": {"offers_left": {"A": 21}}}, "engine.offers_left.A: must be from 0 to 20"),
        ({"engine": {"bid": 2**31 - 1}}, "engine.bid: must be from 0 to 2000000000"),
        ({"engine": {"lot": "CAR"}}, "engine.lot.CAR: there is no such auction lot"),
        ({"engine": {"unseen": [1]}}, "engine.unseen: must be a list of 2"),
        ({"engine": {"bidders": ["D"]}}, "engine.bidders: must be a player"),
        ({"engine": {"lot_square": 3}}, "engine.lot_square.3: there is no such space"),
        ({"engine": {"deal_give": ["go"]}}, "engine.deal_give.go: there is no such deed"),
        ({"engine": {"over": 1}}, "engine.over: must be true or false"),
        ({"engine": {"agenda": []}}, "engine.agenda: must have one item at least"),
        ({"engine": {"agenda": [{"task": "BUY"}]}}, "agenda.1: the first item, and no other"),
        ({"engine": {"agenda": [{"task": "NAP"}]}}, "agenda.1.task.NAP: there is no such task"),
        ({"engine": {"agenda": ["TURN"]}}, "agenda.1: must be a mapping"),
        ({"engine": {"agenda": [{"task": "TURN", "who": "A"}]}}, "agenda.1.who: there is no such"),
        ({"engine": {"claims": [{"owner": "A"}]}}, "claims.1: lacks"),
        ({"engine": {"claims": [{"amount": 2, "owner": None}]}}, "must be a player who is in"),
    ],
)
def test_engine_state_that_does_not_fit(change: dict[str, Any], says: str) -> None:
    assert says in fault_of(change)


@pytest.mark.parametrize(
    ("items", "says"),
    [
        ([{"task": "BUY", "square": "oriental"}], "agenda.2.player: is missing: BUY needs it"),
        ([{"task": "BUY", "player": "A"}], "agenda.2.square: is missing"),
        ([{"task": "BUY", "player": "A", "square": "reading"}], "must be a deed that nobody owns"),
        ([{"task": "LAND", "player": "C"}], "agenda.2.player: C is out of the game"),
        ([{"task": "RENT", "player": "B"}], "agenda.2.flag: must be the number of an open claim"),
        ([{"task": "TURN", "player": "A"}], "agenda.2: the first item, and no other"),
        ([{"task": "FINISH"}] * 16, "agenda: must be a list of up to 16 items"),
    ],
)
def test_an_agenda_that_makes_no_sense(items: list[Any], says: str) -> None:
    agenda = [{"task": "THROWN", "player": "A", "other": "A", "square": "go"}, *items]
    position = {
        "players": 4,
        "B": {"deeds": ["reading"]},
        "C": {"out": True},
        "engine": {"agenda": agenda},
    }
    with pytest.raises(PositionError) as caught:
        Game.from_position(position)
    assert says in str(caught.value)
