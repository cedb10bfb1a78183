"""The mini edition solved: the graph is the engine's game, and the values are right."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest
from monopoly_training.cli import main
from monopoly_training.exact.graph import build_graph
from monopoly_training.exact.graph_kernel import CHANCE, END
from monopoly_training.exact.losses import measure_losses
from monopoly_training.exact.policies import policy_of
from monopoly_training.exact.solution import (
    equilibrium,
    nash_conv,
    reach_of,
    uniform,
    values_of,
)

from monopoly_env import Game
from monopoly_env.agent import make_agent
from monopoly_env.editions import load_edition
from monopoly_env.errors import InputError
from monopoly_env.view import View

RULES = {"time_limit_rounds": 2}
ROLL = 0
JAILED = """
edition: mini
rules: {time_limit_rounds: 2}
players: 2
A: {cash: 100, deeds: [boardwalk]}
B: {cash: 300, jail: 0}
turn: B
rounds: 1
"""


@pytest.fixture(scope="module")
def graph():
    """Four turns: half a million positions."""
    return build_graph(load_edition("mini", rules=RULES))


@pytest.fixture(scope="module")
def values(graph):
    return values_of(graph)


def games(count):
    """Games that A begins."""
    seed, found = 0, 0
    while found < count:
        game = Game(edition="mini", players=2, seed=seed, rules=RULES)
        if game.actor_seat == 0:
            found += 1
            yield game, np.random.default_rng(seed)
        seed += 1


def on(graph, game):
    """Play forced moves, as the graph does, and give the node, or None at the end."""
    while not game.over:
        legal = game.legal_ids()
        if len(legal) > 1 or legal == [ROLL]:
            return graph.node(game)
        game.play(legal[0])
    return None


def edges(graph, node):
    first, last = graph.first[node : node + 2]
    return dict(
        zip(graph.label[first:last].tolist(), graph.target[first:last].tolist(), strict=True)
    )


def ends_of(game):
    """The node of the end of a game."""
    return {("A",): 0, ("B",): 1}.get(game.winners, 2)


def test_a_choice_has_an_edge_for_each_legal_action_and_leads_where_the_engine_does(graph):
    seen = 0
    for game, rng in games(12):
        node = on(graph, game)
        while node is not None:
            if graph.mover[node] < CHANCE:
                assert graph.mover[node] == game.actor_seat
                ways = edges(graph, node)
                assert sorted(ways) == game.legal_ids()
                for action, target in ways.items():
                    tried = game.copy()
                    if action == ROLL:
                        assert graph.mover[target] == CHANCE
                        continue
                    tried.play(action)
                    following = on(graph, tried)
                    assert target == (ends_of(tried) if following is None else following)
                seen += 1
            game.play(int(rng.choice(game.legal_ids())))
            node = on(graph, game)
    assert seen > 30


def test_a_throw_leads_where_each_of_the_36_throws_leads(graph):
    seen = 0
    for game, rng in games(4):
        node = on(graph, game)
        while node is not None:
            if ROLL in game.legal_ids():
                at = node if graph.mover[node] == CHANCE else edges(graph, node)[ROLL]
                counts = Counter()
                for one in range(1, 7):
                    for other in range(1, 7):
                        tried = game.copy()
                        tried.play("roll", dice=(one, other))
                        following = on(graph, tried)
                        counts[ends_of(tried) if following is None else following] += 1
                first, last = graph.first[at : at + 2]
                found = dict(
                    zip(
                        graph.target[first:last].tolist(),
                        graph.label[first:last].tolist(),
                        strict=True,
                    )
                )
                assert found == counts
                seen += 1
            game.play(int(rng.choice(game.legal_ids())))
            node = on(graph, game)
    assert seen > 10


def test_each_node_comes_after_what_it_leads_to(graph):
    place = np.empty(len(graph), np.int64)
    place[graph.order] = np.arange(len(graph))
    assert sorted(graph.order.tolist()) == list(range(len(graph)))
    source = np.repeat(np.arange(len(graph)), np.diff(graph.first))
    assert (place[graph.target] < place[source]).all()


def test_every_throw_has_36_outcomes(graph):
    totals = np.add.reduceat(graph.label, graph.first[3:-1])
    assert (totals[graph.mover[3:] == CHANCE] == 36).all()


def test_a_position_that_can_be_computed_by_hand(graph, values):
    """B's last turn, in Jail: a 6 and a 9 of 36 throws lead to A's Boardwalk, all else is a tie.

    Both are worth $300. From Jail, a 6 comes to Boardwalk and a 9 to the card that leads there; B
    then pays $200. A double from Jail gives no further throw. To buy Boardwalk for its $200 before
    the throw would save B, and so A refuses; for more, B would lose the game by it.
    """
    game = Game.from_yaml(JAILED)
    assert values[graph.node(game)] == pytest.approx((5 + 4) / 36)


def test_values_are_those_of_a_search_with_the_public_game(graph, values):
    """A full search of the last turn, without any of the graph's code."""

    @cache
    def value(text):
        game = Game.from_yaml(text, seed=1)
        if game.over:
            return {("A",): 1.0, ("B",): -1.0}.get(game.winners, 0.0)
        results = []
        for action in game.legal_ids():
            if action == ROLL:
                total = 0.0
                for outcome in game.chance_outcomes(action):
                    after = game.copy()
                    after.play(action, dice=outcome.dice, card=outcome.cards)
                    total += outcome.probability * value(after.to_yaml())
                results.append(total)
            else:
                after = game.copy()
                after.play(action)
                results.append(value(after.to_yaml()))
        return max(results) if game.actor_seat == 0 else min(results)

    assert values[graph.node(Game.from_yaml(JAILED))] == pytest.approx(value(JAILED))


def test_an_equilibrium_gains_nothing_and_is_worth_the_value(graph, values):
    best = equilibrium(graph, values)
    found = nash_conv(graph, best)
    assert found.nash_conv == pytest.approx(0, abs=1e-12)
    assert found.value == pytest.approx(values[graph.root])
    reach = reach_of(graph, best)
    assert reach[:3].sum() == pytest.approx(1)
    assert reach[0] - reach[1] == pytest.approx(values[graph.root])


def test_a_best_response_gains_what_it_says(graph):
    """The response to a policy, played against it, has the value that NashConv counted."""
    shares = uniform(graph)
    found = nash_conv(graph, shares)
    assert min(found.gains) > 0.1
    response = equilibrium(graph, values_of(graph, shares, "A"))
    mixed = np.where(np.repeat(graph.mover == 0, np.diff(graph.first)), response, shares)
    assert values_of(graph, mixed, "")[graph.root] == pytest.approx(found.best_a, abs=1e-5)


@pytest.mark.parametrize("name", ["random", "fixed_a", "background"])
def test_the_probabilities_of_a_bot_sum_to_one(graph, name):
    shares = policy_of(graph, name, samples=4).shares
    sums = np.add.reduceat(shares, graph.first[3:-1])
    assert sums[graph.mover[3:] < CHANCE] == pytest.approx(1, abs=1e-5)


def test_a_compiled_bot_does_in_the_graph_what_it_does_in_games(graph):
    shares = policy_of(graph, "background").shares
    agent, asked = make_agent("background"), 0
    for game, rng in games(12):
        node = on(graph, game)
        while node is not None:
            if graph.mover[node] < CHANCE:
                agent.reset(0)
                action = agent.decide(View.of(game))
                first, last = graph.first[node : node + 2]
                assert graph.label[first:last][shares[first:last].argmax()] == action
                asked += 1
            game.play(int(rng.choice(game.legal_ids())))
            node = on(graph, game)
    assert asked > 30


def test_losses_in_games_are_those_that_the_values_say(graph, values):
    """The estimate for slow bots, of one for which the exact number is known."""
    random, best = policy_of(graph, "random").shares, equilibrium(graph, values)
    seats = np.repeat(graph.mover, np.diff(graph.first))
    lost = measure_losses(graph, "random", games=400, seed=1)
    for seat, sign in ((0, 1), (1, -1)):
        mixed = np.where(seats == seat, random, best)
        exact = sign * (values[graph.root] - values_of(graph, mixed, "")[graph.root])
        assert lost.means[seat] == pytest.approx(exact, abs=4 * lost.errors[seat])
    assert lost.bound <= nash_conv(graph, random).nash_conv + 4 * lost.error


def test_the_ends_are_the_ends(graph):
    assert (graph.mover[:3] == END).all()
    assert (graph.mover[3:] != END).all()


@pytest.mark.parametrize(
    ("edition", "rules", "needed"),
    [
        ("classic", {}, "mortgages: false"),
        ("mini", {"auctions": True}, "auctions: false"),
        ("mini", {"time_limit_rounds": 0}, "time_limit_rounds 1 to 31"),
        ("mini", {"deals": "steps"}, "deals: menu or off"),
    ],
)
def test_an_edition_that_cannot_be_solved_is_refused(edition, rules, needed):
    with pytest.raises(InputError, match=needed):
        build_graph(load_edition(edition, rules=rules))


def test_bots_are_plotted_with_the_best_on_top(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    from monopoly_training.exact import plot

    drawn = []
    monkeypatch.setattr(plot, "save", lambda figure, _: drawn.append(figure))
    bound = {"nash_conv_at_least": 0.5, "standard_error": 0.1}
    rows = [
        {"agent": "model:runs/one/", "nash_conv": 0.25},
        {"agent": "search:5"} | bound,
        {"agent": "best", "nash_conv": 0.0},
    ]
    plot.plot_nash_conv(rows, tmp_path / "plot.png")
    (axes,) = drawn[0].axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["search:5", "one", "best"]
    assert [text.get_text() for text in axes.texts] == ["0.500", "0.250", "0.000"]


def test_the_command_writes_a_plot(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    short = ("--rule", "time_limit_rounds=1", "--plot", str(tmp_path / "plot.png"))
    assert main(["nashconv", "random", *short]) == 0
    assert (tmp_path / "plot.png").read_bytes()[1:4] == b"PNG"
    assert main(["nashconv", *short]) == 2
    assert "--plot: needs bots to plot; name some" in capsys.readouterr().err
