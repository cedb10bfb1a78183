"""habits: a family of opponents, each of which answers offers in a way of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from monopoly_agents.habits.weights import REFUSERS, draw_habits

from monopoly_env.agent import find_agent, make_agent
from monopoly_env.bots.compiled_agent import CompiledAgent
from monopoly_env.errors import AgentError
from tests.agents.positions import Given, choose, decide, offered, seated

ORANGE = ["st_james", "tennessee", "new_york"]
PLAIN = {"ratio": 1.0, "complete": 2.0, "beside": 1.0, "breaks": 3.0, "block": 1.0, "keep": 0.0}


def answer(given: Given, **habits: Any) -> str:
    """What one of the family with these habits says to an offer."""
    weights = draw_habits(np.random.default_rng(0))
    weights["answers"]["refuses"] = 0
    for name, number in {**PLAIN, **habits}.items():
        weights["answers"][name] = number
    policy = find_agent("habits:0")[0].policy
    assert policy is not None
    return decide(CompiledAgent(policy, "habits", weights), seated(given))


def cash_for_boardwalk(cash: int, **theirs: Any) -> Given:
    """B offers cash for A's Boardwalk, whose list price is $400."""
    return offered(
        {"cash": 500, "deeds": ["boardwalk"]},
        {"cash": 1500, **theirs},
        deal_ask=["boardwalk"],
        deal_give_cash=cash,
    )


@pytest.mark.parametrize(("cash", "said"), [(399, "reject"), (400, "accept")])
def test_a_deed_is_worth_its_list_price(cash: int, said: str) -> None:
    assert answer(cash_for_boardwalk(cash)) == said


def test_a_ratio_asks_for_more() -> None:
    assert answer(cash_for_boardwalk(430), ratio=1.1) == "reject"
    assert answer(cash_for_boardwalk(441), ratio=1.1) == "accept"


def test_what_completes_a_group_for_the_other_side_costs_more() -> None:
    completing = cash_for_boardwalk(600, deeds=["park_place"])
    assert answer(completing, block=0.0) == "accept"
    assert answer(completing, block=1.0) == "reject"  # it is worth $800 to B


def test_what_completes_its_own_group_is_worth_more() -> None:
    mine, theirs = {"cash": 500, "deeds": ORANGE[:2]}, {"cash": 500, "deeds": ORANGE[2:]}
    swap = offered(mine, theirs, deal_give=["new_york"], deal_ask_cash=390)
    assert answer(swap) == "accept"  # $200, twice
    assert answer(swap, complete=1.9) == "reject"


def test_some_cash_stays_in_hand() -> None:
    mine, theirs = {"cash": 300, "deeds": []}, {"cash": 500, "deeds": ["boardwalk"]}
    sale = offered(mine, theirs, deal_give=["boardwalk"], deal_ask_cash=250)
    assert answer(sale) == "accept"
    assert answer(sale, keep=100.0) == "reject"


def test_a_refuser_refuses_a_gift() -> None:
    gift = offered({"cash": 1}, {"cash": 500, "deeds": ["boardwalk"]}, deal_give=["boardwalk"])
    assert answer(gift) == "accept"
    assert answer(gift, refuses=1) == "reject"


def test_a_seed_draws_the_same_one_each_time_and_seeds_draw_different_ones() -> None:
    one, same, other = (find_agent(f"habits:{seed}")[0].weights for seed in (3, 3, 4))
    assert one.tobytes() == same.tobytes() != other.tobytes()


def test_about_as_many_refuse_everything_as_is_said() -> None:
    drawn = [draw_habits(np.random.default_rng(seed)) for seed in range(400)]
    refusers = np.mean([numbers["answers"]["refuses"][0] for numbers in drawn])
    assert refusers == pytest.approx(REFUSERS, abs=0.06)


@pytest.mark.parametrize("seed", ["x", "-1", "1.5", "9" * 10, "٣"])
def test_a_seed_that_is_none_is_named(seed: str) -> None:
    with pytest.raises(AgentError, match=r"habits:.*whole number from 0 to 999999999") as caught:
        make_agent(f"habits:{seed}")
    assert "\n" not in str(caught.value)


def test_plays_whatever_is_asked() -> None:
    given = {"A": {"cash": 900, "deeds": ORANGE}}
    assert choose("habits:7", given)
