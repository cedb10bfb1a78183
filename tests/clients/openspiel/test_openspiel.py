"""OpenSpiel's own tests pass on the game, and its search plays it."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python.observation import make_observation

from tests.clients.openspiel.play import play


@pytest.mark.parametrize(
    "name",
    [
        "monopoly_env(max_turns=10)",
        "monopoly_env(players=3,max_turns=10,deals=menu)",
        "monopoly_env(players=4,max_turns=8,deals=steps,edition=pokemon1999)",
    ],
)
def test_openspiels_random_simulations_pass(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


def in_play(name: str = "monopoly_env(players=3,max_turns=40)", steps: int = 40, seed: int = 3):
    """A state in the middle of a game, by random play."""
    random = np.random.RandomState(seed)
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    for _ in range(steps):
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choice(outcomes, p=np.array(chances) / sum(chances)))
        else:
            state.apply_action(random.choice(state.legal_actions()))
    return game, state


def test_a_throw_is_a_chance_node_whose_outcomes_sum_to_one() -> None:
    state = pyspiel.load_game("monopoly_env").new_initial_state()
    assert state.current_player() == 0
    state.apply_action(state.string_to_action("roll"))
    assert state.is_chance_node()
    outcomes = state.chance_outcomes()
    assert sum(chance for _, chance in outcomes) == pytest.approx(1)
    texts = [state.action_to_string(pyspiel.PlayerId.CHANCE, one) for one, _ in outcomes]
    assert "3+3" in texts
    assert "3+4 ch_go" in texts
    state.apply_action(texts.index("3+4 ch_go"))
    assert not state.is_chance_node()
    assert "$1,700" in str(state)


def test_clones_and_serialized_states_go_on_alike() -> None:
    game, state = in_play()
    twins = [state.clone(), game.deserialize_state(state.serialize())]
    random = np.random.RandomState(5)
    for _ in range(30):
        if state.is_terminal():
            break
        action = random.choice(
            [one for one, _ in state.chance_outcomes()]
            if state.is_chance_node()
            else state.legal_actions()
        )
        for one in (state, *twins):
            one.apply_action(action)
        assert [str(twin) for twin in twins] == [str(state)] * 2


def test_observations_are_those_of_the_environments() -> None:
    game, state = in_play()
    observer = make_observation(game)
    for player in range(3):
        observer.set_from(state, player)
        assert observer.tensor.shape == (1365,)
        assert observer.tensor.any()
    assert observer.string_from(state, 0) != observer.string_from(state, 1)
    assert state.information_state_string(1) == f"1 {state.history_str()}"


def test_openspiels_mcts_plays_to_the_end() -> None:
    returns, decisions = play("monopoly_env(max_turns=6)", simulations=3)
    assert decisions > 0
    assert sum(returns) == pytest.approx(0)
    assert max(returns) in (0, 1)
