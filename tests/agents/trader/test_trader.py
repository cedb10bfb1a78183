"""trader: deals judged by the chance to win, and whole games, which end."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from monopoly_agents.trader.judgment import chances_after
from monopoly_agents.trader.listing import JUDGED, clear, new_listing
from monopoly_agents.trader.numbers import trader_weights
from monopoly_agents.trader.offers import list_offers
from monopoly_agents.trader.policy import trader

from monopoly_env import load_edition, win_chances
from monopoly_env.agent import find_agent
from monopoly_env.bots.compiled_agent import CompiledAgent
from monopoly_env.bots.deals import offered_deal
from monopoly_env.bots.whole_games import play_games
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import PLAYERS, SPACE_IDS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.policy import new_views, weights_address
from monopoly_env.engine.policy_loop import new_loop
from monopoly_env.engine.state import new_games
from tests.agents.positions import Given, choose, make_offer, offered, owing, seated
from tests.engine.fuzz import SETTINGS

STUCK = 80_000  # decisions; a game of eight that reaches its limit of turns takes half of that
ORANGE = ["st_james", "tennessee", "new_york"]
LIGHT_BLUE = ["oriental", "vermont", "connecticut"]
GREEN = ["pacific", "north_carolina", "pennsylvania_avenue"]


@jit
def judged(games: Any, rules_: Any, traders: Any, me: int) -> tuple[float, float]:
    """What the trader makes of the offer that waits for ``me``."""
    deal = offered_deal(games[0], me)
    after = chances_after(games[0], rules_[0], traders[0].value, deal)
    return after[deal.me], after[deal.partner]


@jit
def listed(
    games: Any, rules_: Any, traders: Any, views: Any, partner: int, found: npt.NDArray[np.int64]
) -> None:
    """Shortlist the offers to a partner; ``found`` int64[JUDGED, 2] gets deeds to give and ask."""
    listing = new_listing()
    clear(listing)
    list_offers(games[0], rules_[0], traders[0], views[0], partner, listing)
    for row in range(JUDGED):
        if listing.score[row] > 0.0:
            found[row, 0], found[row, 1] = listing.give[row], listing.ask[row]


def played(
    names: list[str], seeds: int, rules: dict[str, Any] | None = None
) -> tuple[float, float]:
    """How often the first of the bots wins, from every seat, and the share of truncated games."""
    loaded = load_edition("classic", "standard", rules or {}).rules
    specs, players, won, cut = [find_agent(name)[0] for name in names], len(names), 0.0, 0.0
    for turned in range(players):
        seats = [specs[(seat + turned) % players] for seat in range(players)]
        views, weights = new_views(1), [spec.weights for spec in seats]
        for seat, numbers in enumerate(weights):
            views["weights"][0, seat] = weights_address(numbers)
        ranks, facts = np.zeros((seeds, PLAYERS), np.int8), np.zeros((seeds, 4), np.int64)
        loop = new_loop([spec.policy for spec in seats if spec.policy], skip_forced=True)
        journals = new_journals(1, on=False)
        play_games(
            new_games(1), loaded, journals, views, loop, players, np.arange(seeds), ranks, facts
        )
        assert loop["illegal"][0] == 0
        first = ranks[:, :players] == 1
        won += float((first / first.sum(1, keepdims=True))[:, (players - turned) % players].sum())
        cut += float(facts[:, 3].sum())
    return won / (players * seeds), cut / (players * seeds)


# Judgment


@pytest.mark.parametrize(
    "deal",
    [
        {"deal_give": ["mediterranean"], "deal_ask": ["new_york"], "deal_give_cash": 150},
        {"deal_give": ["tennessee"], "deal_ask": ["baltic"], "deal_ask_cash": 210},
        {"deal_give": ["mediterranean", "tennessee"], "deal_ask": []},
    ],
    ids=str,
)
def test_a_deal_is_worth_what_the_position_after_it_is(deal: Given) -> None:
    mine = {"cash": 1000, "deeds": ["baltic", "new_york"]}
    theirs = {"cash": 700, "deeds": ["mediterranean", *ORANGE[:2]]}
    game = seated(offered(mine, theirs, **deal))
    mine_after, theirs_after = judged(
        game.state.reshape(1), game.edition.rules, trader_weights(), 0
    )
    game.play("accept")
    assert win_chances(game) == pytest.approx([mine_after, theirs_after], abs=1e-6)


def test_sells_no_completing_deed_for_a_song_to_who_can_build() -> None:
    mine = {"cash": 800, "deeds": ORANGE[2:]}
    theirs = {"cash": 1500, "deeds": ORANGE[:2]}
    cheap = offered(mine, theirs, deal_give_cash=400, deal_ask=["new_york"])
    assert choose("trader", cheap) == "reject"


def test_gives_no_group_for_odds_and_ends() -> None:
    mine = {"cash": 300, "deeds": ORANGE}
    theirs = {"cash": 900, "deeds": ["reading", "electric", "vermont", "ventnor"]}
    poor = offered(mine, theirs, deal_give=theirs["deeds"], deal_ask=ORANGE)
    assert choose("trader", poor) == "reject"


def test_takes_a_swap_that_completes_a_group_for_both_at_a_table_of_four() -> None:
    mine = {"cash": 900, "deeds": [*ORANGE[:2], "oriental"]}
    theirs = {"cash": 900, "deeds": [*LIGHT_BLUE[1:], "new_york"]}
    others = {"cash": 900, "deeds": ["reading", "boardwalk"]}
    swap = offered(mine, theirs, deal_give=["new_york"], deal_ask=["oriental"])
    four = swap | {"players": 4, "C": others, "D": {"cash": 900, "deeds": ["baltic"]}}
    assert choose("trader", four) == "accept"


def test_offers_what_completes_its_group() -> None:
    mine = {"cash": 900, "deeds": [*ORANGE[:2], "oriental"]}
    theirs = {"cash": 900, "deeds": [*LIGHT_BLUE[1:], "new_york"]}
    rest = {"C": {"cash": 900, "deeds": ["reading"]}, "D": {"cash": 900, "deeds": ["baltic"]}}
    made = make_offer("trader", {"players": 4, "A": mine, "B": theirs, **rest})
    assert made is not None
    assert made.partner == "B"
    after = {*mine["deeds"], *made.ask} - set(made.give)
    assert set(ORANGE) <= after or set(LIGHT_BLUE) <= after


def test_all_loose_deeds_are_asked_for_cash_or_for_a_deed() -> None:
    """Most players have their price for a deed that they need, and for all else at once."""
    mine, theirs = ["st_james", "vermont"], ["new_york", "oriental"]
    rest = {"C": {"deeds": ["tennessee", "connecticut"]}, "D": {"deeds": ["st_charles"]}}
    game = seated({"players": 4, "A": {"deeds": mine}, "B": {"deeds": theirs}, **rest})
    views, found = new_views(1)[0, :1], np.zeros((JUDGED, 2), np.int64)
    listed(game.state.reshape(1), game.edition.rules, trader_weights(), views, 1, found)

    def names(squares: int) -> frozenset[str]:
        return frozenset(SPACE_IDS[square] for square in range(40) if squares >> square & 1)

    offers = {(names(give), names(ask)) for give, ask in found.tolist()}
    every = frozenset(theirs)
    assert {(frozenset(), every), *((frozenset({one}), every) for one in mine)} <= offers


def test_between_two_players_no_offer_is_made_for_the_value_alone() -> None:
    """Two orange deeds for the third, a railroad and $264: the value likes it, the share hardly."""
    mine = {"cash": 1500, "deeds": ORANGE[:2]}
    theirs = {"cash": 300, "deeds": ["new_york", "reading"]}
    lenient = trader_weights()
    lenient["margins"]["gain"][0, 1], lenient["margins"]["gain_share"][0, 1] = 1.03, 1.0
    made = make_offer(CompiledAgent(trader, "lenient", lenient), {"A": mine, "B": theirs})
    assert made is not None
    assert set(made.give) == set(ORANGE[:2])
    assert make_offer("trader", {"A": mine, "B": theirs}) is None


@pytest.mark.parametrize("deals", ["steps", "menu"])
def test_sells_a_deed_in_debt_rather_than_go_bankrupt(deals: str) -> None:
    debt = owing(150, deeds=["oriental*", "new_york*", "boardwalk*"])
    partner = {"cash": 1200, "deeds": LIGHT_BLUE[1:]}
    action = choose("trader", debt | {"B": partner, "rules": {"deals": deals}})
    assert action.partition(":")[0] in ("deal", "propose")


def test_its_numbers_are_its_own() -> None:
    one, other = trader_weights(), trader_weights()
    one["margins"]["accept"] = 9.0
    assert (other["margins"]["accept"] < 9.0).all()


# Whole games


@pytest.mark.parametrize("rules", [{}, {"deals": "menu"}, {"deals": "off"}], ids=str)
def test_wins_far_more_than_its_part(rules: dict[str, Any]) -> None:
    won, _ = played(["trader", "fixed_a", "fixed_b", "fixed_c"], 30, rules)
    assert won > (0.3 if rules == {"deals": "off"} else 0.6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edition", "mode", "rules"), SETTINGS, ids=lambda part: str(part).replace(" ", "")
)
def test_never_illegal_and_never_stuck(edition: str, mode: str, rules: dict[str, object]) -> None:
    loaded = load_edition(edition, mode, rules)
    spec, weights = find_agent("trader")[0], trader_weights()
    other = find_agent("fixed_a")[0].policy
    assert spec.policy is not None
    assert other is not None
    for players in range(2, loaded.max_players + 1):
        views = new_views(1)
        views["weights"] = weights_address(weights)
        loop = new_loop([spec.policy, other] + [spec.policy] * (PLAYERS - 2))
        facts, ranks = np.zeros((1, 4), np.int64), np.zeros((1, PLAYERS), np.int8)
        journals = new_journals(1, on=False)
        play_games(
            new_games(1), loaded.rules, journals, views, loop, players, np.array([1]), ranks, facts
        )
        assert loop["illegal"][0] == 0
        assert facts[:, 0].max() < STUCK


@pytest.mark.slow
@pytest.mark.learning
@pytest.mark.parametrize(
    ("others", "rules", "least"),
    [
        (["strategist"] * 3, {}, 0.42),
        (["veteran"] * 3, {}, 0.46),
        (["strategist"] * 3, {"deals": "menu"}, 0.36),
        (["fixed_a", "fixed_b", "fixed_c"], {"deals": "menu"}, 0.72),
    ],
    ids=str,
)
def test_beats_the_strategists_at_either_table(
    others: list[str], rules: dict[str, Any], least: float
) -> None:
    won, _ = played(["trader", *others], 200, rules)
    assert won > least


@pytest.mark.slow
@pytest.mark.learning
@pytest.mark.parametrize("rules", [{}, {"deals": "menu"}], ids=str)
def test_games_between_traders_end(rules: dict[str, Any]) -> None:
    _, cut = played(["trader"] * 4, 25, rules)
    assert cut < 0.1
