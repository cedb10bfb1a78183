"""Deals judged by both sides' shares of the winning."""

from __future__ import annotations

from monopoly_agents.strategist.deal_value import PATIENCE

from monopoly_env.agent import make_agent
from tests.agents.positions import choose, decide, offered, seated
from tests.agents.strategist.factors import factors_of

ORANGE = ["st_james", "tennessee", "new_york"]


def test_between_two_what_one_gains_the_other_loses() -> None:
    game = seated({"A": {"deeds": ORANGE[:2]}, "B": {"deeds": ORANGE[2:]}})
    games, rules = game.state.reshape(1), game.edition.rules
    for cash in (-400, -100, 300):
        mine, theirs = factors_of(games, rules, 0, 1 << 19, cash)
        assert (mine > 1) == (theirs < 1)


def test_sells_no_completing_deed_for_a_song_but_takes_a_fortune() -> None:
    mine = {"cash": 800, "deeds": ORANGE[2:]}
    theirs = {"cash": 1500, "deeds": ORANGE[:2]}
    cheap = offered(mine, theirs, deal_give_cash=300, deal_ask=["new_york"])
    dear = offered(mine, theirs, deal_give_cash=1450, deal_ask=["new_york"])
    assert choose("strategist", cheap) == "reject"
    assert choose("strategist", dear) == "accept"


def test_gives_no_group_for_a_worse_one() -> None:
    mine = {"cash": 1000, "deeds": ["baltic", "new_york"]}
    theirs = {"cash": 1000, "deeds": ["mediterranean", *ORANGE[:2]]}
    given = offered(mine, theirs, deal_give=["mediterranean"], deal_ask=["new_york"])
    assert choose("strategist", given) == "reject"


def least_price(players: int, turns: int) -> int:
    """The least cash, in steps of $10, for which veteran sells B the last orange deed."""
    mine = {"cash": 800, "deeds": ORANGE[2:]}
    theirs = {"cash": 2000, "deeds": ORANGE[:2]}
    for cash in range(0, 2001, 10):
        given = offered(mine, theirs, deal_give_cash=cash, deal_ask=["new_york"])
        game = seated({"players": players, **given})
        game.state["turns"] = turns
        if decide(make_agent("veteran"), game) == "accept":
            return cash
    raise AssertionError("it never sells")


def test_sells_for_less_in_a_stalled_game_but_not_between_two() -> None:
    assert least_price(4, 4 * PATIENCE) < least_price(4, 4 * PATIENCE - 1) == least_price(4, 0)
    assert least_price(2, 2 * PATIENCE) == least_price(2, 0)


def test_takes_no_group_apart_in_a_stalled_game() -> None:
    """So that nobody sells it a deed, takes it back for less, and so on."""
    sold = {"A": {"cash": 800}, "B": {"cash": 900, "deeds": ORANGE}}
    deal = {"deal_give": ["new_york"], "deal_ask_cash": 100}
    for turns, answer in ((40, "accept"), (4 * PATIENCE, "reject")):
        game = seated({"players": 4, **offered(sold["A"], sold["B"], **deal)})
        game.state["turns"] = turns
        assert decide(make_agent("veteran"), game) == answer
