"""OpenSpiel's MCTS plays a game against a random player."""

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts
from open_spiel.python.bots.uniform_random import UniformRandomBot

import examples.open_spiel_game  # noqa: F401  # it registers the game


def play(name="monopoly_env(max_turns=12)", simulations=4, seed=1):
    """Play a game; returns the returns and the number of search decisions."""
    game = pyspiel.load_game(name)
    random = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    search = mcts.MCTSBot(game, 1.4, simulations, evaluator, random_state=random)
    players = [search, *(UniformRandomBot(k, random) for k in range(1, game.num_players()))]
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choice(outcomes, p=np.array(chances) / sum(chances)))
            continue
        player = state.current_player()
        decisions += player == 0
        state.apply_action(players[player].step(state))
    return state.returns(), decisions


if __name__ == "__main__":
    print(play())
