"""Policies that learned with the deal menu compose its offers where deals are made in steps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from monopoly_training.matches.entrants import entrants, of_model
from monopoly_training.matches.runner import Players, play_seating
from monopoly_training.matches.sequential import play_sequentially
from monopoly_training.models.model_agent import ModelAgent
from monopoly_training.models.offer_composer import OfferComposer, menu_view
from monopoly_training.models.storage import save_model
from monopoly_training.web.policy_outputs import think

from monopoly_env.agent import make_agent
from monopoly_env.engine.actions import IDS, KIND_OF, KINDS, TEXTS
from monopoly_env.engine.phases import Phase
from monopoly_env.envs.options import TableOptions
from monopoly_env.game import Game, IllegalAction
from monopoly_env.view import View
from tests.training.random_models import random_model

PROPOSE = KINDS.index("propose")
OFFER = ("proposer", "partner", "deal_give", "deal_ask", "deal_give_cash", "deal_ask_cash")


def positions(edition, seed, count=400):
    """Positions of a game between bots in which an offer could be begun."""
    game, agent = Game(edition, players=4, seed=seed), make_agent("strategist")
    agent.reset(seed)
    for _ in range(count):
        if game.over:
            return
        view = View.of(game)
        if view.mask[KINDS.index("deal") == KIND_OF].any():
            yield game, view
        game.play(agent.decide(view))


@pytest.mark.parametrize("edition", ["classic", "pokemon1999", "kanto2014"])
def test_a_composed_offer_is_the_one_of_the_menu(edition):
    seen = set()
    for seed in range(4):
        for game, view in positions(edition, seed):
            composer = OfferComposer()
            menu = menu_view(view)
            for offer in menu.menu:
                here = game.copy()
                there = Game.from_record(view.games, menu.edition)
                there.play(offer.action)
                here.play(composer.begin(menu, offer.action))
                while here.phase != Phase.ANSWER:
                    here.play(composer.next_step(View.of(here)))
                state = [one.state for one in (here, there)]
                assert [state[0][name] for name in OFFER] == [state[1][name] for name in OFFER]
                assert here.actor_seat == there.actor_seat
                seen.add(offer.action)
    assert len(seen) > 10  # of 32


def test_other_actions_are_the_same_at_both_tables():
    view = View.of(Game(players=3, seed=7))
    composer = OfferComposer()
    assert composer.begin(menu_view(view), IDS["roll"]) == IDS["roll"]
    assert composer.plan is None


def with_offers():
    """A game, and a view of it at which there are offers on the menu."""
    return next((game, view) for game, view in positions("classic", 1) if menu_view(view).menu)


def begun():
    """A game in which an offer has been begun, and its composer."""
    game, view = with_offers()
    composer = OfferComposer()
    menu = menu_view(view)
    game.play(composer.begin(menu, menu.menu[0].action))
    return game, composer


@pytest.mark.parametrize(
    "change", [{"partner": 7}, {"proposer": 6}, {"ask": (41,)}, {"cash": 1 << 20}]
)
def test_an_offer_that_does_not_fit_its_plan_is_canceled(change):
    game, composer = begun()
    composer.plan = replace(composer.plan, **change)
    for _ in range(20):
        action = composer.next_step(View.of(game))
        game.play(action)
        if action == IDS["cancel"]:
            return
    pytest.fail("not canceled")


def test_a_plan_is_kept_with_the_state_and_dropped_after_the_offer():
    game, composer = begun()
    other = OfferComposer()
    assert other.restore_state(composer.clone_state() + b"rest") == b"rest"
    assert other.plan == composer.plan
    assert OfferComposer().restore_state(OfferComposer().clone_state()) == b""
    while game.phase == Phase.DEAL:
        game.play(composer.next_step(View.of(game)))
    assert composer.next_step(View.of(game)) is None
    assert composer.plan is None


CARDS = [
    {"deals": "menu"},
    {"deals": "menu", "windows": "own"},
    {"deals": "menu", "leaves": ["mortgage", "sell"], "rest": "background"},
    {"deals": "menu", "decides": ["TURN", "BUY", "END"], "rest": "background"},
]


@pytest.mark.parametrize("table", CARDS)
def test_it_offers_where_deals_are_made_in_steps(table):
    agent = ModelAgent(random_model({"table": table, "sample": True}), "net")
    game = Game(players=3, seed=5)
    agent.reset(5)
    kinds = []
    for _ in range(3000):
        if game.over:
            break
        view = View.of(game)
        action = agent.decide(view)
        assert view.mask[action], TEXTS[action]
        kinds.append(KINDS[KIND_OF[action]])
        game.play(action)
    assert kinds.count("offer") > 10
    assert kinds.count("cancel") == 0


def test_an_offer_that_somebody_else_began_is_canceled():
    game, _ = begun()
    agent = ModelAgent(random_model({"table": {"deals": "menu"}}), "net")
    assert agent.decide(View.of(game)) == IDS["cancel"]


def in_a_batch_and_alone(seated, options, count):
    """Pairs of outcomes of the same games, played in a batch and one by one."""
    batched = play_seating(Players(seated), (0, 1, 2), np.arange(count), options, lambda _: True)
    for number, outcome in batched:
        agents = [entrant.new_agent() for entrant in seated]
        yield outcome, play_sequentially(agents, options, number, keep=True)


@pytest.mark.parametrize("table", CARDS)
@pytest.mark.parametrize("twice", [False, True])
def test_games_in_a_batch_equal_games_one_by_one(table, twice):
    net = of_model(ModelAgent(random_model({"table": table, "sample": True}), "net"))
    seated = [net, *entrants(["fixed_a"]), net if twice else entrants(["strategist"])[0]]
    offers = 0
    options = TableOptions(num_players=3, rules={"max_turns": 40})
    for batched, alone in in_a_batch_and_alone(seated, options, 3):
        assert alone.actions.tolist() == batched.actions.tolist()
        offers += batched.actions.tolist().count(IDS["offer"])
    assert offers > 10


def test_what_the_policy_thought_counts_its_offers_as_their_first_steps(tmp_path):
    save_model(tmp_path / "net", random_model({"table": {"deals": "menu"}}))
    _, view = with_offers()
    name = f"model:{tmp_path / 'net'}"
    other, _ = begun()
    thoughts = think([name] * 4, {view.seat: [(0, view), (1, View.of(other))]})
    assert not thoughts.missing
    shown = dict(thoughts.by_moment[0]["rows"])
    assert all(view.mask[action] for action in shown)
    assert any(view.mask[action] and TEXTS[action].startswith("deal:") for action in shown)
    assert sum(shown.values()) == pytest.approx(1, abs=0.01)
    assert 1 not in thoughts.by_moment  # a step of an offer that was chosen before


# Policies that share the decisions with a bot: whatever they leave it, each answer is legal

KINDS_LEFT = ["roll", "end_turn", "pass", "bankrupt", "sell", "mortgage", "deal", "give", "propose"]


def shared_tables(count):
    """Cards of policies that leave some kinds of action or phases to a bot."""
    rng = np.random.default_rng(5)
    for _ in range(count):
        leaves = rng.choice(KINDS_LEFT, rng.integers(0, 5), replace=False).tolist()
        phases = ["TURN", "END", "BETWEEN", "BUY", "DEBT", "DEAL", "ANSWER"]
        table = {"deals": "menu", "leaves": leaves}
        table["windows"] = str(rng.choice(["all", "own"]))
        table["rest"] = str(rng.choice(["random", "background", "strategist"]))
        if rng.random() < 0.5:
            table["decides"] = rng.choice(phases, rng.integers(1, 6), replace=False).tolist()
        yield table


@pytest.mark.parametrize("table", list(shared_tables(24)), ids=str)
def test_shared_decisions_are_legal_and_the_same_in_a_batch(table):
    net = of_model(ModelAgent(random_model({"table": table, "sample": True}), "net"))
    seated = [net, *entrants(["fixed_a", "background"])]
    options = TableOptions(num_players=3, rules={"max_turns": 30, "start_cash": 600})
    for batched, alone in in_a_batch_and_alone(seated, options, 2):
        assert alone.actions.tolist() == batched.actions.tolist()
        assert alone.faults == batched.faults
        assert len(alone.actions) < 6000  # nothing goes on composing a dollar at a time


def deals_begun(table):
    """How often a policy's seat begins and makes offers in a game, by whether a bot composes."""
    agent = ModelAgent(random_model({"table": table, "sample": True}), "net")
    game = Game(players=3, seed=5)
    agent.reset(5)
    kinds = []
    for _ in range(2000):
        if game.over:
            break
        action = agent.decide(View.of(game))
        kinds.append(KINDS[KIND_OF[action]])
        game.play(action)
    return kinds.count("deal"), kinds.count("offer")


def test_a_bot_that_the_menu_was_left_to_makes_the_offers_here_too():
    table = {"deals": "menu", "leaves": ["propose"], "rest": "strategist"}
    agent = ModelAgent(random_model({"table": table}), "net")
    assert not agent.composes(Game().edition)
    begun, made = deals_begun(table)
    assert made > 0
    assert begun == pytest.approx(made, abs=1)


def test_steps_that_a_card_leaves_to_a_bot_are_composed_all_the_same():
    """At the menu's table there were none of these kinds, so the network chose the offers."""
    begun, made = deals_begun(
        {"deals": "menu", "leaves": ["deal", "give", "ask"], "rest": "random"}
    )
    assert made > 10
    assert begun == pytest.approx(made, abs=1)


def test_decisions_of_a_bot_in_an_offer_that_it_began_are_shown_as_its_own(tmp_path):
    table = {"deals": "menu", "where": {"players": [2]}, "rest": "strategist"}
    save_model(tmp_path / "net", random_model({"table": table}))
    game, _ = begun()
    view = View.of(game)
    thoughts = think([f"model:{tmp_path / 'net'}"] * 4, {view.seat: [(0, view)]})
    assert thoughts.by_moment == {0: {"kind": "left", "to": "strategist"}}


class Illegal(ModelAgent):
    """A policy with a fault: its action is illegal."""

    def decide_rows(self, observations, masks, draws=None):  # noqa: ARG002
        """Choose an illegal action in each row."""
        return masks.argmin(axis=1)


def test_an_illegal_action_of_a_policy_ends_a_batch_with_an_error():
    net = of_model(Illegal(random_model(), "net"))
    players = Players([net, *entrants(["random"])])
    with pytest.raises(IllegalAction):
        list(
            play_seating(players, (0, 1), np.arange(2), TableOptions(num_players=2), lambda _: True)
        )
