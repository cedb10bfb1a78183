"""Trained policies as bots: decisions alone and in a batch, tables of another form."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest
from monopoly_training.cli import main
from monopoly_training.matches.entrants import entrants, of_model
from monopoly_training.matches.runner import Players, play_seating
from monopoly_training.matches.sequential import play_sequentially
from monopoly_training.models.card import ModelError
from monopoly_training.models.mlp import MLP
from monopoly_training.models.model_agent import ModelAgent
from monopoly_training.models.storage import save_model

from monopoly_env.agent import make_agent
from monopoly_env.encoding.blocks import OBSERVATION_SIZE, OFFSETS
from monopoly_env.engine.actions import IDS, N_ACTIONS
from monopoly_env.engine.phases import Phase
from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import AgentError
from monopoly_env.game import Game
from monopoly_env.view import View
from tests.training.random_models import RANDOM, random_model, random_observations


def test_a_trained_run_plays_by_name_and_legally(small_run):
    agent = make_agent(f"model:{small_run}")
    game = Game(players=3, seed=5, rules={"max_turns": 15})
    agent.reset(5)
    while not game.over:
        action = agent.decide(View(game._games, 0, game.edition, game.legal_mask()))
        assert game.legal_mask()[action]
        game.play(action)
    with pytest.raises(AgentError, match="the rest is missing"):
        make_agent("model:")


@pytest.mark.parametrize("sample", [False, True])
def test_one_decision_is_the_same_alone_and_among_many(sample):
    agent = ModelAgent(random_model(), "net", sample=sample)
    observations = random_observations(9)
    masks = RANDOM.integers(0, 2, (9, N_ACTIONS)).astype(np.int8)
    draws = RANDOM.random(9)
    many = agent.decide_rows(observations, masks, draws)
    assert [
        int(agent.decide_rows(*(array[i : i + 1] for array in (observations, masks, draws)))[0])
        for i in range(9)
    ] == (many.tolist())
    assert masks[np.arange(9), many].all()


def test_a_policy_plays_other_tables_by_what_it_knows():
    known = [IDS[text] for text in ("roll", "pass", "reject", "build:boardwalk")]
    agent = ModelAgent(random_model({"table": {"windows": "own"}}, known), "net")
    observations = np.zeros((4, OBSERVATION_SIZE), np.float32)
    observations[2, OFFSETS["phase"] + Phase.BETWEEN] = 1
    masks = np.zeros((4, N_ACTIONS), np.int8)
    masks[0, [IDS["roll"], IDS["deal:left1"]]] = 1  # makes no deals
    masks[1, [IDS["accept"], IDS["reject"]]] = 1  # refuses all
    masks[2, [IDS["pass"], IDS["build:boardwalk"]]] = 1  # passes windows between turns
    masks[3, [IDS["deal:left1"], IDS["deal:left2"]]] = 1  # knows nothing that is legal
    expected = [IDS[text] for text in ("roll", "reject", "pass", "deal:left1")]
    assert agent.decide_rows(observations, masks).tolist() == expected


@pytest.mark.parametrize(
    ("learned", "rules", "missing"),
    [
        ({}, {"deals": "menu"}, {}),
        ({"deals": "menu", "windows": "own"}, {"deals": "menu", "windows": "own"}, {}),
        ({"deals": "menu", "windows": "own"}, {}, {"deals": "menu", "windows": "own"}),
    ],
)
def test_rules_of_the_table_it_learned_at_are_named_where_they_are_missing(learned, rules, missing):
    agent = ModelAgent(random_model({"table": learned}), "m")
    assert agent.missing_rules(TableOptions(rules=rules)) == missing


@pytest.mark.parametrize("sample", [False, True])
@pytest.mark.parametrize(
    "card",
    [
        {},
        {"table": {"decides": ["BUY", "TURN"], "rest": "random"}},
        {"table": {"deals": "menu"}},
        {"table": {"deals": "menu", "leaves": ["mortgage"], "rest": "random"}},
    ],
)
def test_copies_and_states_go_on_as_the_original_would(card, sample):
    """What the policy leaves to a fallback bot is decided by that bot's own random numbers."""
    model = random_model({**card, "sample": sample})
    agent, game = ModelAgent(model, "net"), Game(players=2, seed=4)
    agent.reset(9)
    for _ in range(40):
        game.play(agent.decide(View.of(game)))
    state, other = agent.clone_state(), ModelAgent(model, "net")
    other.restore_state(state)
    games = []
    for twin in (agent, other, copy.deepcopy(other), pickle.loads(pickle.dumps(other))):
        twin.restore_state(state)
        one = game.copy()
        for _ in range(60):
            one.play(twin.decide(View.of(one)))
        games.append(one)
    assert games == games[:1] * 4


# Draws that nobody can foresee


def views_of_a_choice(agent):
    """A view with several actions, and one that differs from it in what does not matter here."""
    game = Game(players=3, seed=2)
    while game.legal_mask().sum() < 5:
        game.play(agent.decide(View.of(game)))
    other = game.copy()
    other.state["cash"][(game.actor_seat + 1) % 3] -= 1  # somebody else's cash
    other.state["turns"] += 1
    return View.of(game), View.of(other)


def flat_agent(seed):
    """A policy to which all actions are alike: its action shows the draw."""
    model = random_model({"sample": True})
    layers = tuple((0 * weights, 0 * biases) for weights, biases in model.network.layers)
    agent = ModelAgent(replace(model, network=MLP(layers)), "net")
    agent.reset(seed)
    return agent


def drawn_actions(view, seed, count=40):
    agent = flat_agent(seed)
    return [agent.decide(view) for _ in range(count)]


def test_what_others_do_does_not_change_the_draw():
    one, other = views_of_a_choice(flat_agent(1))
    assert not np.array_equal(one.observation, other.observation)
    assert drawn_actions(one, 5) == drawn_actions(other, 5)


def test_two_seeds_draw_differently_and_one_seed_the_same():
    view, _ = views_of_a_choice(flat_agent(1))
    assert drawn_actions(view, 5) == drawn_actions(view, 5)
    assert drawn_actions(view, 5) != drawn_actions(view, 6)


def test_the_same_view_is_not_always_answered_alike():
    view, _ = views_of_a_choice(flat_agent(1))
    assert len(set(drawn_actions(view, 5))) > 1


def test_a_lone_legal_action_takes_no_draw():
    view, _ = views_of_a_choice(flat_agent(1))
    lone = View(view.games, 0, view.edition, np.eye(N_ACTIONS, dtype=np.int8)[IDS["roll"]])
    agent = flat_agent(5)
    for _ in range(3):
        agent.decide(lone)
    assert agent.decide(view) == drawn_actions(view, 5, 1)[0]


def test_a_policy_that_draws_is_told_by_what():
    agent = flat_agent(0)
    with pytest.raises(TypeError, match="net draws its actions: give `draws`"):
        agent.decide_rows(random_observations(1), np.ones((1, N_ACTIONS), np.int8))


TABLES = [
    {},
    {"decides": ["BUY", "TURN", "ANSWER"], "rest": "random"},
    {"leaves": ["build", "end_turn"], "rest": "fixed_a"},
    {"windows": "own", "deals": "menu"},
]


@pytest.mark.promise("determinism")
@pytest.mark.parametrize("skip_forced", [False, True])
@pytest.mark.parametrize("table", TABLES, ids=["all", "decides", "leaves", "menu"])
def test_draws_are_the_same_in_batches_and_one_game_at_a_time(table, skip_forced):
    """With one seat of the policy, and with two of them and its fallback bot asked from Python."""
    options = TableOptions(num_players=3, rules={"max_turns": 12}, skip_forced=skip_forced)
    model = ModelAgent(random_model({"sample": True, "table": table}), "net")
    others = entrants(["fixed_a", "random"])
    for seated in ([of_model(model), *others], [of_model(model), others[1], of_model(model)]):
        batched = play_seating(Players(seated), (0, 1, 2), np.arange(4), options, lambda _: True)
        for number, outcome in batched:
            agents = [entrant.new_agent() for entrant in seated]
            alone = play_sequentially(agents, options, number, keep=True)
            assert alone.actions.tolist() == outcome.actions.tolist()


def test_the_fallback_bot_gets_the_seed_of_the_first_game_too():
    model = random_model({"table": {"decides": ["BUY"], "rest": "random"}})

    def played(agent):
        agent.reset(11)
        game = Game(players=2, seed=11)
        for _ in range(80):
            game.play(agent.decide(View.of(game)))
        return game

    agent = ModelAgent(model, "net")
    assert played(agent) == played(agent) == played(ModelAgent(model, "net"))


@pytest.mark.parametrize("sample", [False, True])
@pytest.mark.parametrize("spoil", [np.nan, np.inf, -np.inf, 1e37])
def test_a_network_whose_logits_overflow_is_an_error_that_names_the_model(sample, spoil):
    model = random_model()
    (weights, biases), last = model.network.layers
    broken = (last[0] * np.float32(spoil), last[1])
    agent = ModelAgent(replace(model, network=MLP(((weights, biases), broken))), "model:x", sample)
    observations, masks = random_observations(9), np.ones((9, N_ACTIONS), np.int8)
    with pytest.raises(ModelError, match=r"^model:x: the network cannot choose: its logits over"):
        agent.decide_rows(observations, masks, np.zeros(9))


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("against", ["random", "python"])  # many games at once, one by one
def test_a_model_that_cannot_choose_stops_the_command_in_one_line(against, tmp_path, capsys):
    model = random_model()
    huge = np.float32(3e38)
    layers = tuple((np.sign(weights) * huge, biases) for weights, biases in model.network.layers)
    save_model(tmp_path, replace(model, network=MLP(layers)))
    bot = tmp_path / "bot.py"
    bot.write_text(
        "from monopoly_env.bots import safe_action\n"
        "class Bot:\n"
        "    def reset(self, seed): pass\n"
        "    def decide(self, view): return safe_action(view.mask)\n"
    )
    other = "random" if against == "random" else f"python:{bot}:Bot"
    assert main(["evaluate", f"model:{tmp_path}", "--against", other, "--games", "2"]) == 2
    line = capsys.readouterr().err.splitlines()[-1]
    assert line.startswith(f"error: model:{tmp_path}: the network cannot choose")


def test_probabilities_are_those_that_actions_are_drawn_by():
    agent = ModelAgent(random_model(), "net", sample=False)
    observations = random_observations(9)
    masks = RANDOM.integers(0, 2, (9, N_ACTIONS)).astype(np.int8)
    probabilities = agent.probabilities(observations, masks)
    assert probabilities.shape == (9, N_ACTIONS)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-5)
    assert (probabilities[masks == 0] == 0).all()
    assert probabilities.argmax(axis=1).tolist() == agent.decide_rows(observations, masks).tolist()


def test_a_policy_that_knows_no_legal_action_finds_none_likely():
    agent = ModelAgent(random_model(actions=[IDS["roll"]]), "net")
    masks = np.zeros((1, N_ACTIONS), np.int8)
    masks[0, IDS["buy"]] = 1
    assert (agent.probabilities(random_observations(1), masks) == 0).all()
