"""The bot that speaks: what it offers, counters and promises, and what its honesty means."""

from __future__ import annotations

import pytest
from monopoly_agents.negotiator.agent import NegotiatorAgent
from monopoly_agents.negotiator.offers import best_counter, best_offer

from monopoly_env import Game, Terms
from monopoly_env.agent import make_agent
from monopoly_env.errors import AgentError
from monopoly_env.negotiation.changes import changes
from monopoly_env.negotiation.loop import NegotiationLoop
from monopoly_env.negotiation.options import NegotiationOptions
from monopoly_env.negotiation.terms import may_offer
from tests.negotiation.test_talks import Scripted

NEW_YORK, PARK, BOARDWALK = 19, 37, 39
# Each side completes a group by a swap.
SWAP = {
    "players": 3,
    "turn": "A",
    "A": {"deeds": ["park_place", "st_james", "tennessee"], "cash": 1200},
    "B": {"deeds": ["boardwalk", "new_york"], "cash": 1200},
    "C": {"deeds": ["kentucky", "indiana", "illinois"], "cash": 1500},
}


def game() -> Game:
    return Game.from_position(SWAP, seed=1, rules={"trade_limit": 4})


def test_an_offer_helps_both_and_can_be_made() -> None:
    plan = best_offer(game(), 0, [1], {})
    assert plan is not None
    assert plan.mine > 0
    assert plan.theirs > 0
    assert may_offer(game(), plan.terms) == ""
    assert plan.terms.partner == 1


def test_more_is_left_to_who_refused() -> None:
    plan = best_offer(game(), 0, [1], {1: 0.0})
    assert plan is not None
    least = plan.theirs + 0.02
    second = best_offer(game(), 0, [1], {1: least})
    assert second is not None
    assert second.theirs > least
    assert second.chance > plan.chance


def test_a_counter_offer_has_the_same_goods_and_a_price_that_suits_both() -> None:
    """New York Avenue completes orange for A, Park Place dark blue for B, and A asks 600 more."""
    played, asked = game(), Terms(0, 1, (PARK,), (NEW_YORK,), 600)
    for action in asked.actions():
        played.play(action)
    assert changes(played, [asked])[0, 1] < 0
    plan = best_counter(played, asked, 0.0)
    assert plan is not None
    assert (plan.terms.give, plan.terms.ask) == (asked.ask, asked.give)
    assert plan.terms.cash > -600
    assert min(plan.mine, plan.theirs) > 0


@pytest.mark.parametrize(("cash", "answer"), [(-400, "refuse"), (-1100, "accept")])
def test_offers_are_answered_by_the_value(cash: int, answer: str) -> None:
    played, terms = game(), Terms(0, 1, (), (BOARDWALK,), cash)
    for action in terms.actions():
        played.play(action)
    bots = [Scripted(), NegotiatorAgent(), Scripted()]
    loop = NegotiationLoop(played, bots, options=NegotiationOptions(counters=False))
    loop.step()
    assert loop.talks.entries[-1]["kind"] == answer
    assert bool(changes(game(), [terms])[0, 1] > 0) is (answer == "accept")


@pytest.mark.parametrize(("honesty", "kept"), [(1.0, True), (0.0, False)])
def test_honesty_is_whether_a_promise_not_to_build_is_kept(honesty: float, kept: bool) -> None:
    """New York is bought with the promise not to build; who does not mean it builds at once."""
    position = {
        "players": 3,
        "turn": "A",
        "A": {"deeds": ["st_james", "tennessee"], "cash": 900},
        "B": {"deeds": ["new_york"], "cash": 300},
        "C": {"cash": 1500},
    }
    start = Game.from_position(position, seed=1, rules={"trade_limit": 4, "max_turns": 12})
    bots = [NegotiatorAgent(honesty), Scripted(accepts=True), Scripted()]
    loop = NegotiationLoop(start, bots, seed=1)
    loop.play()
    promised = [one for one in loop.talks.ledger.outcomes if str(one.promise.kind) == "no_build"]
    assert promised
    assert (str(promised[0].status) == "kept") is kept


def test_negotiators_talk_counter_and_promise_in_their_games() -> None:
    kinds = set()
    for seed in range(3):
        start = Game(
            players=3, seed=seed, rules={"trade_limit": 4, "max_turns": 120, "windows": "own"}
        )
        loop = NegotiationLoop(start, [make_agent("negotiator") for _ in range(3)], seed=seed)
        loop.play()
        kinds |= {entry["kind"] for entry in loop.talks.entries}
        assert not [one for one in loop.talks.ledger.outcomes if str(one.status) == "broken"]
    assert {"say", "offer", "accept", "promise"} <= kinds


def test_without_a_negotiation_it_plays_a_game() -> None:
    env_game = Game(players=2, seed=4, rules={"max_turns": 20})
    from monopoly_env.playing import GameLoop

    assert GameLoop(env_game, [make_agent("negotiator"), make_agent("random")]).play().over


@pytest.mark.parametrize("honesty", ["2", "-1", "often", "nan"])
def test_honesty_is_a_chance(honesty: str) -> None:
    with pytest.raises(AgentError, match="must have a chance from 0 to 1"):
        make_agent(f"negotiator:{honesty}")
