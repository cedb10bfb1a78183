"""strategist: what it knows of the board, how it judges deals, and that it wins."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from monopoly_agents.deals import new_deal
from monopoly_agents.strategist import landing_rates, measure_landings
from monopoly_agents.strategist.deal_value import share_factors
from monopoly_agents.strategist.rent_risk import rent_risk, spendable
from monopoly_agents.strategist.weights import STRATEGIST
from monopoly_agents.strategist.win_share import strength

from monopoly_env import Game, load_edition
from monopoly_env.agent import find_agent, make_agent
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import GROUP_SQUARES, PLAYERS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.policy import new_views
from monopoly_env.engine.policy_loop import play_games
from monopoly_env.engine.state import new_games
from monopoly_env.view import View
from tests.agents.positions import (
    Given,
    asked,
    between,
    bidding,
    buying,
    choose,
    decide,
    make_offer,
    owing,
    seated,
    turn_over,
)
from tests.engine.fuzz import SETTINGS

STUCK = 80_000  # decisions; a game of eight that reaches its limit of turns takes half of that
ORANGE = ["st_james", "tennessee", "new_york"]
LIGHT_BLUE = ["oriental", "vermont", "connecticut"]


def share_of_wins(names: list[str], seeds: int, rules: dict[str, Any] | None = None) -> float:
    """How often the first of the bots wins, from every seat."""
    loaded = load_edition("classic", "standard", rules or {}).rules
    players, won = len(names), 0.0
    policies = [find_agent(name)[0].policy for name in names]
    for turned in range(players):
        seated_ = [policies[(seat + turned) % players] for seat in range(players)]
        eight = tuple(seated_ + seated_[-1:] * (PLAYERS - players))
        ranks, facts = np.zeros((seeds, PLAYERS), np.int8), np.zeros((seeds, 4), np.int64)
        illegal = np.zeros(PLAYERS, np.int64)
        play_games(
            new_games(1), loaded, new_journals(1, on=False), new_views(1), eight, players,
            np.arange(seeds), True, ranks, facts, illegal,
        )  # fmt: skip
        assert illegal.sum() == 0
        first = ranks[:, :players] == 1
        won += float((first / first.sum(1, keepdims=True))[:, (players - turned) % players].sum())
    return won / (players * seeds)


# --- the board ---


@pytest.mark.slow
def test_the_landing_table_is_current() -> None:
    assert measure_landings.TARGET.read_text(encoding="utf-8") == measure_landings.source(
        *measure_landings.measure()
    )


def test_orange_is_met_most_and_rents_ahead_follow_the_dice() -> None:
    met = [landing_rates.LONG_RUN[list(squares)].mean() for squares in GROUP_SQUARES[:8]]
    assert sorted(range(8), key=lambda group: -met[group])[:2] == [3, 4]  # orange, red
    from_jail = landing_rates.BY_SPACE[10]
    assert from_jail[16] > from_jail[13] > from_jail[29] > 0  # six ahead, three, and far
    inside = landing_rates.BY_SPACE[40]
    assert inside.sum() < from_jail.sum() / 3  # one throw in six is a double
    assert np.all(landing_rates.BY_SPACE[:, [0, 10, 20, 30]] == 0)  # nothing is paid on corners


# --- rent risk ---


@jit
def ahead(games: Any, rules_: Any, player: int) -> tuple[int, int]:
    """The rent risk ahead of a player, and the cash that it can spend."""
    risk = rent_risk(games[0], rules_[0], STRATEGIST[0], player)
    return risk, spendable(games[0], rules_[0], STRATEGIST[0], player)


def rents_ahead(mine: Given, theirs: Given) -> tuple[int, int]:
    game = seated({"A": mine, "B": theirs})
    return ahead(game.state.reshape(1), game.edition.rules, 0)


def test_rent_risk_grows_with_houses_within_reach_only() -> None:
    houses = {"deeds": ORANGE, "buildings": dict.fromkeys(ORANGE, 3)}
    near, stays_near = rents_ahead({"cash": 500, "at": "jail"}, houses)
    bare, stays_bare = rents_ahead({"cash": 500, "at": "jail"}, {"deeds": ORANGE})
    far, _ = rents_ahead({"cash": 500, "at": "pacific"}, houses)
    assert near > 5 * bare > 0
    assert far < near / 5
    assert stays_near < stays_bare


def test_idle_deeds_cover_rents_ahead() -> None:
    houses = {"deeds": ORANGE, "buildings": dict.fromkeys(ORANGE, 3)}
    _, alone = rents_ahead({"cash": 500, "at": "jail"}, houses)
    _, covered = rents_ahead({"cash": 500, "at": "jail", "deeds": ["boardwalk", "pacific"]}, houses)
    assert covered == alone + 200 + 150


# --- strength and deals ---


@jit
def worth(games: Any, rules_: Any, owned: int, cash: float) -> float:
    """The strength of some deeds with so much cash."""
    return strength(games[0], rules_[0], STRATEGIST[0], owned, cash)


def test_strength_rises_with_cash_and_jumps_with_a_group() -> None:
    game = seated({})
    games, rules = game.state.reshape(1), game.edition.rules
    two, three = 1 << 16 | 1 << 18, 1 << 16 | 1 << 18 | 1 << 19
    steps = [worth(games, rules, three, float(cash)) for cash in range(0, 2000, 50)]
    assert all(after > before for before, after in pairwise(steps))
    assert worth(games, rules, three, 1500.0) - worth(games, rules, two, 1500.0) > 2000


@jit
def both(games: Any, rules_: Any, give: int, ask: int, cash: int) -> tuple[float, float]:
    """What a deal between A and B multiplies their shares by."""
    return share_factors(games[0], rules_[0], STRATEGIST[0], new_deal(0, 1, give, ask, cash))


def test_between_two_what_one_gains_the_other_loses() -> None:
    game = seated({"A": {"deeds": ORANGE[:2]}, "B": {"deeds": ORANGE[2:]}})
    games, rules = game.state.reshape(1), game.edition.rules
    for cash in (-400, -100, 300):
        mine, theirs = both(games, rules, 0, 1 << 19, cash)
        assert (mine > 1) == (theirs < 1)


def test_sells_no_completing_deed_for_a_song_but_takes_a_fortune() -> None:
    mine = {"cash": 800, "deeds": ORANGE[2:]}
    theirs = {"cash": 1500, "deeds": ORANGE[:2]}
    cheap = asked(mine, theirs, deal_give_cash=300, deal_ask=["new_york"])
    dear = asked(mine, theirs, deal_give_cash=1450, deal_ask=["new_york"])
    assert choose("strategist", cheap) == "reject"
    assert choose("strategist", dear) == "accept"


def test_gives_no_group_for_a_worse_one() -> None:
    mine = {"cash": 1000, "deeds": ["baltic", "new_york"]}
    theirs = {"cash": 1000, "deeds": ["mediterranean", *ORANGE[:2]]}
    given = asked(mine, theirs, deal_give=["mediterranean"], deal_ask=["new_york"])
    assert choose("strategist", given) == "reject"


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
        left.append(both(state.reshape(1), game.edition.rules, give, ask, cash)[1])
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


# --- buying, bidding ---


def test_buys_what_completes_a_group_with_the_last_dollar() -> None:
    assert choose("strategist", buying("new_york", 200, *ORANGE[:2])) == "buy"


def test_mortgages_idle_deeds_to_buy() -> None:
    given = buying("new_york", 150, *ORANGE[:2], "electric", "reading")
    assert choose("strategist", given).startswith("mortgage:")


def test_bids_beyond_the_price_for_a_group_and_not_without() -> None:
    assert choose("strategist", bidding("new_york", 1000, 250, *ORANGE[:2])).startswith("raise:")
    assert choose("strategist", bidding("new_york", 1000, 250)) == "pass"
    assert choose("strategist", bidding("new_york", 1000, 50)).startswith("raise:")


# --- building ---


def test_builds_evenly_to_three_houses_before_a_fourth() -> None:
    levels = dict.fromkeys(ORANGE, 3)
    mine = {"cash": 900, "deeds": [*ORANGE, *LIGHT_BLUE], "buildings": levels}
    action = choose("strategist", turn_over(mine, B={"cash": 0}))
    assert action.partition(":")[0] == "build"
    assert action.partition(":")[2] in LIGHT_BLUE


def test_does_not_build_before_its_own_throw() -> None:
    assert choose("strategist", {"A": {"cash": 900, "deeds": ORANGE}, "B": {"cash": 0}}) == "roll"


def test_mortgages_idle_deeds_to_build() -> None:
    mine = {"cash": 60, "deeds": [*ORANGE, "electric", "reading"]}
    assert choose("strategist", turn_over(mine, B={"cash": 0})).startswith("mortgage:")


def test_keeps_houses_short_while_another_player_waits_for_them() -> None:
    levels = dict.fromkeys(ORANGE, 4)
    mine = {"cash": 1500, "deeds": ORANGE, "buildings": levels}
    waiting = {"cash": 0, "deeds": LIGHT_BLUE}
    few = {"rules": {"houses": 14}}
    assert not choose("strategist", turn_over(mine, B=waiting) | few).startswith("build:")
    assert choose("strategist", turn_over(mine, B=waiting)).startswith("build:")
    assert choose("strategist", turn_over(mine, B={"cash": 0}) | few).startswith("build:")


def test_builds_between_turns_with_cash_that_it_can_spare() -> None:
    given = between({"cash": 700, "deeds": ORANGE}, A={"cash": 0}, C={"cash": 0})
    assert choose("strategist", given).startswith("build:")


# --- debts, Jail ---


def test_in_debt_mortgages_the_deed_that_earns_least() -> None:
    given = owing(50, deeds=["electric", *ORANGE], buildings=dict.fromkeys(ORANGE, 1))
    assert choose("strategist", given) == "mortgage:electric"


def test_stays_in_jail_when_moving_is_dear_and_leaves_while_deeds_are_free() -> None:
    houses = {"deeds": ORANGE, "buildings": dict.fromkeys(ORANGE, 4)}
    inmate = {"cash": 1000, "jail": 1}
    assert choose("strategist", {"A": inmate, "B": {"cash": 0, **houses}}) == "roll"
    assert choose("strategist", {"A": inmate, "B": {"cash": 0}}) == "jail_pay"


# --- whole games ---


@pytest.mark.parametrize("others", [["fixed_a", "fixed_b", "fixed_c"], ["background"] * 3,
                                    ["fixed_b"], ["background"]], ids=str)  # fmt: skip
def test_wins_far_more_than_its_part(others: list[str]) -> None:
    names = ["strategist", *others]
    assert share_of_wins(names, 120 // len(names)) > 1 / len(names) + 0.2


@pytest.mark.parametrize(
    "rules", [{"deals": "menu"}, {"windows": "own"}, {"deals": "off"}], ids=str
)
def test_wins_with_other_forms_of_deals_and_windows(rules: dict[str, Any]) -> None:
    names = ["strategist", "fixed_a", "fixed_b", "fixed_c"]
    assert share_of_wins(names, 30, rules) > (0.3 if rules == {"deals": "off"} else 0.4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edition", "mode", "rules"), SETTINGS, ids=lambda part: str(part).replace(" ", "")
)
def test_never_illegal_and_never_stuck(edition: str, mode: str, rules: dict[str, object]) -> None:
    loaded = load_edition(edition, mode, rules)
    for players in range(2, loaded.max_players + 1):
        lineup = [find_agent("strategist")[0].policy] * PLAYERS
        lineup[1] = find_agent("random" if players % 2 else "fixed_a")[0].policy
        facts, illegal = np.zeros((2, 4), np.int64), np.zeros(PLAYERS, np.int64)
        play_games(
            new_games(1), loaded.rules, new_journals(1, on=False), new_views(1), tuple(lineup),
            players, np.array([1, 2]), False, np.zeros((2, PLAYERS), np.int8), facts, illegal,
        )  # fmt: skip
        assert illegal.sum() == 0
        assert facts[:, 0].max() < STUCK


def test_no_decision_changes_with_what_is_hidden() -> None:
    game = Game("classic", 3, 3, rules={"max_decisions": 1000}, journal=False)
    seeing, blind = make_agent("strategist"), make_agent("strategist")
    seeing.reset(5)
    blind.reset(5)
    while not game.over:
        other = game.copy()
        other.redraw(7)
        action = seeing.decide(View.of(game))
        assert blind.decide(View.of(other)) == action
        game.play(action)
