"""Offers that the strategist makes: for groups, and giving way after refusals."""

from __future__ import annotations

import pytest

from monopoly_env.agent import make_agent
from tests.agents.positions import decide, make_offer, seated, turn_over
from tests.agents.strategist.factors import factors_of

ORANGE = ["st_james", "tennessee", "new_york"]


def test_first_asks_for_much_then_gives_way() -> None:
    mine = {"cash": 1000, "deeds": [*ORANGE[:2], "oriental"]}
    theirs = {"cash": 1000, "deeds": ["new_york", "vermont", "connecticut", "kentucky"]}
    game, bot = seated(turn_over(mine, B=theirs)), make_agent("strategist")
    left = []  # to the partner, of its share
    for _ in range(2):
        while game.phase.name != "ANSWER":
            game.play(decide(bot, game))
        state = game.state
        cash = int(state["deal_ask_cash"]) - int(state["deal_give_cash"])
        give, ask = int(state["deal_give"]), int(state["deal_ask"])
        left.append(factors_of(state.reshape(1), game.edition.rules, give, ask, cash)[1])
        game.play("reject")
    assert 0 < left[0] < left[1] < 1
    assert not decide(bot, game).startswith("deal:")  # two offers between own throws


@pytest.mark.parametrize("rules", [{"deals": "steps"}, {"deals": "menu"}], ids=str)
def test_offers_for_what_completes_a_group(rules: dict[str, str]) -> None:
    given = turn_over(
        {"cash": 1500, "deeds": ORANGE[:2]}, B={"cash": 100, "deeds": ["new_york"]}
    ) | {"players": 2, "rules": rules}
    offer = make_offer("strategist", given)
    assert offer is not None
    assert offer.ask == ["new_york"]
