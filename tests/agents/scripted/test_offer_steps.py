"""How scripted bots make offers: in steps, from the menu, and in debt."""

from __future__ import annotations

from monopoly_env.agent import make_agent
from tests.agents.positions import MadeOffer, choose, make_offer, owing

A, B, C = "fixed_a", "fixed_b", "fixed_c"


def test_sells_a_deed_where_mortgages_cannot_meet_the_debt() -> None:
    # 60 to lend on Oriental and Baltic together fall 20 short of 100: 70 for Oriental are needed
    made = make_offer(A, owing(100, deeds=["oriental", "baltic"]))
    assert made == MadeOffer("B", ["oriental"], [], -70)
    # nobody can pay so much
    assert make_offer(A, {**owing(100, deeds=["oriental"]), "B": {"cash": 99}}) is None


def test_makes_no_offer_when_none_are_left() -> None:
    given = {"A": {"deeds": ["kentucky", "indiana"]}, "B": {"deeds": ["illinois"]}}
    assert choose(A, given) == "deal:B"
    assert choose(A, {**given, "engine": {"offers_left": {"A": 0}}}) == "roll"


def test_makes_an_offer_once_until_the_other_sides_deeds_change() -> None:
    agent = make_agent(A)
    given = {"A": {"deeds": ["kentucky", "indiana"]}, "B": {"deeds": ["illinois"]}}
    assert make_offer(agent, given) is not None
    assert make_offer(agent, given) is None
    changed = {**given, "B": {"deeds": ["illinois", "boardwalk"]}}
    assert make_offer(agent, changed) is not None


def test_takes_the_nearest_offer_of_a_menu() -> None:
    given = {
        "rules": {"deals": "menu"},
        "A": {"deeds": ["kentucky", "indiana"]},
        "B": {"deeds": ["illinois"]},
    }
    made = make_offer(A, given)  # 300 would be offered; the menu has 264 and 624
    assert made == MadeOffer("B", [], ["illinois"], 264)
